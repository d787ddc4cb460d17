/* SPDX-License-Identifier: MIT */
/*
 * A file of signatures (INDEX_SIGNATURES), by which near-duplicates are found: of all documents of one run or, after a
 * merge, of several. Sections:
 *
 * 	0  text: "bands=14\nrows=8\nshingle=5\n"
 * 	1  documents in order, SIGNATURE_HEAD bytes and a byte for each number of the signature: its lowest 8 bits
 * 	2  pairs of bucket and row, sorted: of each document with a shingle one for each band
 * 	3  parts (origin.h): the inputs and their documents; a document's row counts through all of them
 * 	4  names of files, 5 strings (origin.h)
 *
 * Several files that are joined are shards: in the order of the names of their first inputs, with their documents
 * numbered consecutively. A shard is open only while it is read, so that any number of them can be listed.
 */
#ifndef DANA_DEDUP_SIGNATURES_H
#define DANA_DEDUP_SIGNATURES_H

#include "dedup/minhash.h"
#include "dedup/origin.h"
#include "dedup/runs.h"

enum {
	SIGNATURES_SHAPE,
	SIGNATURES_DOCUMENTS,
	SIGNATURES_BUCKETS,
	SIGNATURES_PARTS,
	SIGNATURES_NAMES,
	SIGNATURES_STRINGS,
};

/** Before the bytes of the signature: origin, characters of the text (4), score as IEEE 754 single (4). */
enum { SIGNATURE_HEAD = ORIGIN_BYTES + 8 };

/** A document to add. */
struct signature {
	struct origin origin;
	uint32_t chars;
	float score;             /* for "best": larger is better; 0 if not known */
	const uint8_t *lowest;   /* a byte for each number of the signature */
	const uint64_t *buckets; /* one for each band; NULL if the document has no shingle */
};

/** Makes a file of signatures, document by document, in bounded memory. One thread. */
struct signature_maker;

/**
 * `memory`: bytes for sorting; temporary files are made in the folder of `path`. Returns NULL with `err` set on
 * failure; DANA_ECONFIG if the file exists and `force` is not set.
 */
struct signature_maker *signature_maker_new(const char *path, struct bands shape, size_t memory, bool force,
					    struct error *err);
/** Adds a document. Inputs come one after the other, their documents in order. */
int signature_maker_add(struct signature_maker *m, const struct signature *s, struct error *err);
/** Writes the file. Frees the maker, also on failure. */
int signature_maker_finish(struct signature_maker *m, struct error *err);
/** NULL is allowed. */
void signature_maker_abandon(struct signature_maker *m);

/** A file of signatures that is open. */
struct signature_file {
	struct index_file file;
	struct bands shape;
	struct parts parts;
	uint32_t count; /* documents */
};

int signature_file_open(struct signature_file *f, const char *path, struct error *err);
void signature_file_close(struct signature_file *f);

/** Returns the number of numbers in a signature. */
static inline size_t shape_numbers(struct bands shape)
{
	return (size_t)shape.bands * shape.rows;
}

/**
 * Returns the similarity estimated from the lowest bytes of two signatures of `n` numbers: the share of equal ones,
 * less the 1 in 256 that is equal by chance.
 */
double signature_similarity(const uint8_t *a, const uint8_t *b, size_t n);

/* ---- several files ---- */

struct shard {
	const char *path;
	char *first;    /* name of its first input */
	uint64_t base;  /* number of its first document */
	uint32_t count; /* documents */
};

/** Zero-initialised it is empty. */
struct shards {
	struct shard *items;
	size_t n;
	struct bands shape; /* of all */
	uint32_t documents;
};

/**
 * Reads the head of each file. Returns DANA_ECONFIG if two have different shapes or share an input, DANA_ELIMIT if
 * there are more than 4,294,967,295 documents.
 */
int shards_list(struct shards *s, const char *const *paths, size_t n, struct error *err);
void shards_free(struct shards *s);
/** Adds the buckets of all shards. */
int shards_add_buckets(const struct shards *s, struct runs *r, struct error *err);

/** A document of a shard. */
struct shard_document {
	const struct signature_file *file;
	const struct origin_names *names;
	uint32_t row; /* its number among the documents of all shards */
	uint32_t row_in_shard;
	const uint8_t *record; /* in section 1 */
};

/** Visits all documents in order. A negative status ends the walk. */
int shards_walk(const struct shards *s, int (*visit)(void *arg, const struct shard_document *d, struct error *err),
		void *arg, struct error *err);
/** Reads where a document came from. `id` is memory for the id. */
int shard_document_origin(const struct shard_document *d, struct buf *id, struct origin *o, struct error *err);

/** Merges files of signatures into one: the same documents, as shards. */
int signature_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err);

#endif
