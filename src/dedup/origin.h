/* SPDX-License-Identifier: MIT */
/*
 * Where a document came from, in ORIGIN_BYTES of a record: its id, its file, its offset in it. A file's name is stored
 * once; an id of the form urn:uuid:... takes 16 bytes, another one its place among the strings.
 *
 *	 0  8  offset; all ones: not known
 *	 8 16  the UUID, or 8 bytes place and 8 bytes length of the id among the strings
 *	24  4  number of the file's name
 *	28  4  form of the id: 0 none, 1 UUID, 2 string
 *
 * And the inputs that documents are counted in.
 */
#ifndef DANA_DEDUP_ORIGIN_H
#define DANA_DEDUP_ORIGIN_H

#include "base/buf.h"
#include "dedup/counts.h"
#include "dedup/index_file.h"

enum { ORIGIN_BYTES = 32 };

/** The slices are borrowed. */
struct origin {
	struct slice id, file; /* id: of the record, without <>; empty: none */
	uint64_t offset;       /* UINT64_MAX: not known */
};

/** Takes names and strings while records are made; zeroed: empty. */
struct origin_store {
	struct buf names;     /* each: length (4), bytes */
	struct buf strings;   /* of ids */
	struct hash_map seen; /* hash of a name to its number + 1 */
	uint32_t n_names;
};

/** Writes a record and stores what it refers to. Returns 0 or DANA_ENOMEM. */
int origin_pack(struct origin_store *store, const struct origin *o, uint8_t record[ORIGIN_BYTES]);
/** Ends the section under way, and puts names and strings into the next two. */
void origin_store_write(const struct origin_store *store, struct index_writer *w);
void origin_store_free(struct origin_store *store);

/**
 * Appends an entry of a journal: offset (8), lengths of the id and of the file's name (4 each), both, then `len` bytes.
 */
int origin_entry_put(struct buf *out, const struct origin *o, const void *rest, size_t len);
/** Reads an entry; slices point into it. Returns false if it is not a valid one. */
bool origin_entry_get(struct slice entry, struct origin *o, struct slice *rest);

/** Names and strings of a file, in memory. Zeroed: empty. */
struct origin_names {
	uint8_t *names, *strings;
	size_t names_len, strings_len;
	struct slice *files;
	uint32_t n_files;
};

/** Loads the two sections. */
int origin_names_load(struct origin_names *n, const struct index_file *f, unsigned names, unsigned strings,
		      struct error *err);
/** Takes the names and strings of a store. */
int origin_names_take(struct origin_names *n, struct origin_store *store, struct error *err);
/**
 * Reads a record; an id of UUID form is spelt into `id`. Returns false if the record is impossible or, as
 * buf_status(id) shows then, memory is exhausted.
 */
bool origin_unpack(const struct origin_names *n, const uint8_t record[ORIGIN_BYTES], struct buf *id, struct origin *o);
void origin_names_free(struct origin_names *n);

/* ---- inputs ---- */

/**
 * An input that rows are counted in: its name, as it was given to dana, and how many documents it had. In a file a line
 * "COUNT NAME"; a line end or backslash in a name is written \n or \\.
 */
struct origin_part {
	char *name;
	uint32_t count;
};

/** Zeroed: empty. */
struct parts {
	struct origin_part *items;
	size_t n, cap;
};

/** Adds a part at the end; its name is copied. Returns 0 or DANA_ENOMEM. */
int parts_add(struct parts *p, struct slice name, uint32_t count);
/** Ends the section under way, and puts the list into the next one, names and strings into the two after it. */
void inputs_write(const struct parts *p, const struct origin_store *store, struct index_writer *w);
/** Reads the list of a section. */
int parts_load(struct parts *p, const struct index_file *f, unsigned section, struct error *err);
/** Returns the number of the part with this name, or SIZE_MAX. */
size_t parts_find(const struct parts *p, struct slice name);
void parts_free(struct parts *p);

#endif
