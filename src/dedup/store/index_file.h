/* SPDX-License-Identifier: MIT */
/*
 * The one layout of all files of this room: a head, then up to INDEX_SECTIONS sections, each an array of records of one
 * size (or plain bytes), each with a checksum. The head says what the file holds and how long it must be, so that a
 * foreign, older, unfinished or cut file is named when it is opened; a damaged section is found when it was read to its
 * end, or by index_file_verify. Numbers are little-endian.
 *
 *	 0   8  magic: 89 64 61 6E 61 0D 0A 1A
 *	 8   4  kind (enum index_kind)
 *	12   4  version of the kind
 *	16   8  length of the file in bytes
 *	24 6*24 sections: length in bytes (8), XXH3-64 of the bytes (8), length of a record (4), 0 (4)
 *	168  8  XXH3-64 of the bytes 0 to 167
 *	176     the sections one after the other
 *
 * Errors: DANA_EIO and DANA_EFORMAT with the file's name and what is wrong in `err`.
 */
#ifndef DANA_DEDUP_STORE_INDEX_FILE_H
#define DANA_DEDUP_STORE_INDEX_FILE_H

#include "base/slice.h"
#include "base/status.h"
#include "dedup/hash.h"

enum { INDEX_SECTIONS = 6, INDEX_HEAD = 176 };

#define INDEX_IN_USE "is in use by another run" /* of a lock */

/** The kinds of files, with the words for them: X(identifier, number, version, "words"). */
#define INDEX_KINDS(X) \
	X(INDEX_RUN, 1, 1, "a sorted run") \
	X(INDEX_SIGNATURES, 2, 1, "signatures") \
	X(INDEX_ROWS, 3, 1, "a list of rows to drop") \
	X(INDEX_TEXTS, 4, 1, "an index of texts") \
	X(INDEX_LINES, 5, 1, "a table of lines")

#define INDEX_KIND_ITEM(identifier, number, version, words) identifier = number,
enum index_kind { INDEX_ANY = 0, INDEX_KINDS(INDEX_KIND_ITEM) };
#undef INDEX_KIND_ITEM

/** "signatures" */
const char *index_kind_words(enum index_kind kind);
/** The version of the kind that this program writes and reads. */
uint32_t index_kind_version(enum index_kind kind);

struct index_section {
	uint64_t offset, bytes, sum;
	uint32_t record; /* bytes of one */
};

/** A file that is open for reading. Several threads may read at the same time. */
struct index_file {
	char *path;
	int fd;
	enum index_kind kind;
	uint64_t length;
	uint64_t identity; /* of its content: the checksum of its head, which holds those of the sections */
	struct index_section sections[INDEX_SECTIONS];
};

/** Opens and checks the head. INDEX_ANY takes every kind. On success the caller closes. */
int index_file_open(struct index_file *f, const char *path, enum index_kind kind, struct error *err);
/** A file that was not opened, all zero with fd -1, is allowed. */
void index_file_close(struct index_file *f);

/** Records in a section. */
uint64_t index_file_count(const struct index_file *f, unsigned section);
/** Reads `len` bytes of a section from `offset` on, which must be there; their checksum is not looked at. */
int index_file_read(const struct index_file *f, unsigned section, uint64_t offset, void *to, size_t len,
		    struct error *err);
/** Reads a whole section into memory from malloc, with its checksum compared; a NUL follows. */
int index_file_load(const struct index_file *f, unsigned section, uint8_t **data, struct error *err);
/** Compares the checksums of all sections. */
int index_file_verify(const struct index_file *f, struct error *err);
/** Reports that the content is impossible, though its checksum is right: `what` completes the sentence "FILE: ...". */
int index_file_refuse(const struct index_file *f, const char *what, struct error *err);

/** Reads the records of a section one after the other. Zeroed before use. One thread. */
struct index_reader {
	const struct index_file *file;
	unsigned section;
	uint64_t at; /* bytes of the section that are in the buffer or were */
	uint8_t *buffer;
	size_t len, pos;
	XXH3_state_t *state;
};

int index_reader_open(struct index_reader *r, const struct index_file *f, unsigned section, struct error *err);
/** The next record, valid until the next call: 1; 0: there are no more, and the checksum was right; negative. */
int index_reader_next(struct index_reader *r, const uint8_t **record, struct error *err);
void index_reader_close(struct index_reader *r);

#endif
