/* SPDX-License-Identifier: MIT */
/*
 * A list of rows to drop (INDEX_ROWS): the documents that are near-duplicates, and the kept documents they duplicate.
 * Sections:
 *
 * 	0  text: the settings it was made with, as "keep=first\n"
 * 	1  a roaring bitmap for each part, one after the other, in the portable format of CRoaring
 * 	2  for each dropped row, in the order of the parts, ROWS_LINK bytes: the lower half of the XXH3-64 of the
 * dropped document's id (4), the estimated similarity as IEEE 754 single (4), the origin of the document that is kept
 * 	3  parts (origin.h)
 * 	4  names of files, 5 strings (origin.h)
 *
 * A row is the number of a document among the documents of its input that had a signature made, from 0.
 */
#ifndef DANA_DEDUP_ROWS_H
#define DANA_DEDUP_ROWS_H

#include "dedup/origin.h"

enum { ROWS_TEXT, ROWS_BITMAPS, ROWS_LINKS, ROWS_PARTS, ROWS_NAMES, ROWS_STRINGS };
enum { ROWS_LINK = ORIGIN_BYTES + 8 };

/** Why a row is dropped. */
struct row_link {
	uint32_t id_hash; /* of the dropped document's id */
	float similarity; /* estimated, to the kept one */
	struct origin kept;
};

uint32_t row_id_hash(struct slice id);

/* ---- writing: all rows of a part in rising order, then the next part ---- */

struct rows_maker;

/**
 * `text`: section 0. Returns NULL with `err` set on failure; DANA_ECONFIG if the file exists and `force` is not set.
 */
struct rows_maker *rows_maker_new(const char *path, const char *text, bool force, struct error *err);
/** Begins a part. */
int rows_maker_part(struct rows_maker *m, struct slice name, uint32_t count, struct error *err);
/** Packs the origin of a kept document for rows_maker_drop. Returns 0 or DANA_ENOMEM. */
int rows_maker_pack(struct rows_maker *m, const struct origin *kept, uint8_t record[ORIGIN_BYTES]);
/**
 * Adds a row to the part: its document's row_id_hash, the similarity to the kept one, and the packed origin of that
 * one.
 */
int rows_maker_drop(struct rows_maker *m, uint32_t row, uint32_t id_hash, float similarity,
		    const uint8_t kept[ORIGIN_BYTES]);
/** Returns the number of rows so far, in all parts. */
uint64_t rows_maker_dropped(const struct rows_maker *m);
/** Writes the list. Frees the maker, also on failure. */
int rows_maker_finish(struct rows_maker *m, struct error *err);
/** NULL is allowed. */
void rows_maker_abandon(struct rows_maker *m);

/** Merges lists of rows of different inputs into one, in the order of the lists. */
int rows_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err);

/* ---- reading ---- */

/** A list that is open: bitmaps in memory, links on disk. */
struct rows_file {
	struct index_file file;
	struct parts parts;
	struct origin_names names;
	struct rows_part *bitmaps; /* one for each part */
};

/** Reads the whole list except for its links, and verifies all checksums. */
int rows_file_open(struct rows_file *f, const char *path, struct error *err);
void rows_file_close(struct rows_file *f);
/** Returns the number of rows to drop in a part. */
uint64_t rows_dropped(const struct rows_file *f, size_t part);
/** Returns whether a row of a part is to be dropped. */
bool rows_contain(const struct rows_file *f, size_t part, uint32_t row);
/** Reads why a row on the list is dropped. `id` is memory for the id in *link. */
int rows_link(const struct rows_file *f, size_t part, uint32_t row, struct buf *id, struct row_link *link,
	      struct error *err);
/**
 * Finds the inputs of a sequence of `n` documents by their ids alone, because WARC output does not name the input:
 * adjacent parts of the list that consist of these documents. hashes[i] is the row_id_hash of document i; *first
 * becomes the first of these parts. Returns 0; DANA_ECONFIG if no parts match, or several with different rows to drop;
 * or another negative status with `err` set.
 */
int row_parts_find(const struct rows_file *rows, const uint32_t *hashes, size_t n, size_t *first, struct error *err);

/**
 * Walks over the documents of inputs as when a list of rows was made from them, and finds those on the list. The ids of
 * dropped documents and the number of documents of each input show whether they are the same.
 */
struct row_cursor {
	const struct rows_file *rows;
	size_t part;  /* of the last document; SIZE_MAX: before the first */
	uint32_t row; /* number of the next document of that part */
	struct buf id;
};

static inline void row_cursor_begin(struct row_cursor *c, const struct rows_file *rows)
{
	*c = (struct row_cursor){ .rows = rows, .part = SIZE_MAX };
}

/**
 * Moves to the next document, which has this id, in input `file`. Returns 1 if it is on the list, with the reason in
 * *link until the next call; 0 if it is not; DANA_ECONFIG with a text if the list was made from other documents, or
 * another negative status.
 */
int row_cursor_next(struct row_cursor *c, struct slice file, struct slice id, struct row_link *link, struct error *err);
/** Must be called after the last document. Returns 0, or DANA_ECONFIG if documents are missing. */
int row_cursor_end(const struct row_cursor *c, struct error *err);
void row_cursor_free(struct row_cursor *c);

#endif
