/* SPDX-License-Identifier: MIT */
/*
 * The one layout of all files of this room: a head, then up to INDEX_SECTIONS sections, each an array of records of one
 * size (or plain bytes), each with a checksum. The head gives what the file holds and how long it must be, so that a
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
#ifndef DANA_DEDUP_INDEX_FILE_H
#define DANA_DEDUP_INDEX_FILE_H

#include "base/slice.h"
#include "base/status.h"
#include "dedup/hash.h"

enum {
	INDEX_SECTIONS = 6,
	INDEX_HEAD = 176,
	INDEX_MAGIC = 8,
	INDEX_AT_KIND = 8,
	INDEX_AT_VERSION = 12,
	INDEX_AT_LENGTH = 16,
	INDEX_AT_SECTIONS = 24,
	INDEX_SECTION_BYTES = 24,
	INDEX_AT_SUM = INDEX_HEAD - 8,
};

extern const uint8_t index_magic[INDEX_MAGIC];

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

/** Returns "signatures"; NULL if the kind is unknown. */
const char *index_kind_words(enum index_kind kind);
/** Returns the version of the kind that this program writes and reads. */
uint32_t index_kind_version(enum index_kind kind);

/* ---- reading ---- */

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
	uint64_t identity; /* of its content: the checksum of its head, which holds the sections' checksums */
	struct index_section sections[INDEX_SECTIONS];
};

/** Opens and checks the head. INDEX_ANY takes every kind. On success the caller closes. */
int index_file_open(struct index_file *f, const char *path, enum index_kind kind, struct error *err);
/** A file that was not opened, all zero with fd -1, is allowed. */
void index_file_close(struct index_file *f);
/** Returns the number of records in a section. */
uint64_t index_file_count(const struct index_file *f, unsigned section);
/** Reads `len` bytes of a section from `offset` on, which must exist; their checksum is not compared. */
int index_file_read(const struct index_file *f, unsigned section, uint64_t offset, void *to, size_t len,
		    struct error *err);
/** Reads a whole section into memory from malloc, with its checksum compared; a NUL follows. */
int index_file_load(const struct index_file *f, unsigned section, uint8_t **data, struct error *err);
/** Finds the line "NAME=NUMBER" in a text that index_file_load has read. */
bool index_file_setting(const uint8_t *text, const char *name, uint64_t *number);
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
/**
 * Returns 1 and the next record, which is valid until the next call; 0 at the end, if the checksum was right; or a
 * negative status.
 */
int index_reader_next(struct index_reader *r, const uint8_t **record, struct error *err);
void index_reader_close(struct index_reader *r);

/* ---- writing ---- */

/**
 * Writes a file. Until it is finished it is PATH.part, locked against a second writer, and its head is zero;
 * index_writer_finish writes the head, and makes the file and its name durable. A temporary file has no name, so that
 * nothing of it stays after a kill. The first error latches: what follows does nothing, and finish returns it.
 */
struct index_writer;

/** Without `force` a file PATH must not exist (DANA_ECONFIG). Returns NULL with `err` set if it cannot be opened. */
struct index_writer *index_writer_open(const char *path, enum index_kind kind, bool force, struct error *err);
/** Opens a file without a name in `folder`. */
struct index_writer *index_writer_open_temporary(const char *folder, enum index_kind kind, struct error *err);
/** Ends the section under way and begins the next one; the first is begun already, and holds plain bytes. */
void index_writer_next_section(struct index_writer *w);
/** Sets the bytes of a record of the section under way, before anything is put into it; 1 unless this is called. */
void index_writer_record(struct index_writer *w, uint32_t bytes);
void index_writer_put(struct index_writer *w, const void *data, size_t len);
/** Returns what failed so far, or DANA_OK. */
int index_writer_status(const struct index_writer *w);

/**
 * What is called before the file gets its name, when its bytes are durable, with what it will be known by. A negative
 * status keeps it from getting the name.
 */
struct index_ready {
	int (*call)(void *arg, uint64_t identity, struct error *err);
	void *arg;
};

/** `ready` is copied. */
void index_writer_on_ready(struct index_writer *w, const struct index_ready *ready);
/** Gives the file its name, and frees the writer in every case. */
int index_writer_finish(struct index_writer *w, struct error *err);
/** Opens a temporary file for reading, and frees the writer in every case. */
int index_writer_finish_temporary(struct index_writer *w, struct index_file *f, struct error *err);
/** Removes PATH.part and frees the writer. NULL is allowed. */
void index_writer_abandon(struct index_writer *w);

#endif
