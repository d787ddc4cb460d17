/* SPDX-License-Identifier: MIT */
/*
 * The reader of JSON (RFC 8259). It checks a whole text, and then gives out its values where they stand: only strings with escapes
 * are copied. A number may have any size, and an escape may be half of a pair of surrogates: values that are handed through stay
 * as they are written.
 *
 * Threads: one at a time for each reader. Ownership: a value borrows its reader and the text, until the next json_read. Memory: 4
 * bytes for each part of the largest text so far; no more is allocated for texts that are not larger.
 */
#ifndef DANA_BASE_JSON_READER_H
#define DANA_BASE_JSON_READER_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

enum { JSON_DEPTH_MOST = 2048 };

/**
 * Finds the parts of a text, in linear time: each bracket, comma and colon outside strings, and the first byte of each run of other
 * bytes there (a number, a word, the quote that begins a string). *parts: their places, valid until the next call. *state: NULL at
 * the first call, where memory is kept. 0; DANA_ENOMEM; any other status: the text is not JSON, or this function cannot be used.
 */
typedef int json_find(void **state, const uint8_t *text, size_t len, const uint32_t **parts, size_t *n);

struct json_rules {
	unsigned depth_most; /* arrays and objects in each other, at most JSON_DEPTH_MOST */
	bool unique_names;   /* a name that stands twice in an object is a fault */
	bool first_only;     /* what comes after the first value does not count; without `find` */
	json_find *find;     /* a fast one (base/ondemand/simdjson_call.h); NULL: in plain C */
	void (*end)(void **state);
};

enum json_kind {
	JSON_IS_NOTHING,
	JSON_IS_NULL,
	JSON_IS_BOOLEAN,
	JSON_IS_NUMBER,
	JSON_IS_STRING,
	JSON_IS_ARRAY,
	JSON_IS_OBJECT
};

struct json_reader;

struct json_value {
	const struct json_reader *reader; /* NULL: no value */
	uint32_t part;
};

/** NULL when memory is exhausted. `rules` is borrowed. */
struct json_reader *json_reader_new(const struct json_rules *rules);
/** NULL allowed. */
void json_reader_free(struct json_reader *r);
/**
 * Reads a text of one value. 0; DANA_EFORMAT, with the first byte that is wrong and what would be right in `err`, the same for each
 * `find`; DANA_ENOMEM.
 */
int json_read(struct json_reader *r, struct slice text, struct json_value *root, struct error *err);

enum json_kind json_kind(struct json_value value);
/** The value as it is written. */
struct slice json_written(struct json_value value);
/** Appends it without the white space between its parts. 0 or DANA_ENOMEM. */
int json_append(struct json_value value, struct buf *out);
/**
 * The characters of a string, empty for other kinds: a part of the text, or, where the string has escapes, appended to `space`.
 * U+FFFD stands for half of a pair of surrogates; `*repaired` is then set to true, and left alone otherwise. 0 or DANA_ENOMEM.
 */
int json_characters(struct json_value value, struct buf *space, struct slice *text, bool *repaired);

/** Walks over the members of an object, or the items of an array. */
struct json_walk {
	struct slice name; /* of a member, as it is written, with its quotes */
	struct json_value value;
	const struct json_reader *reader;
	size_t next; /* part; 0: none */
};

/** Begins before the first one; of other kinds there is none. */
struct json_walk json_walk(struct json_value of);
/** Moves on; false at the end. */
bool json_walk_next(struct json_walk *w);
/** Whether a name, or string, as it is written stands for `text`, which is ASCII. */
bool json_name_is(struct slice name, const char *text);
/** The last member of that name, as most readers take it; JSON_IS_NOTHING where there is none. */
struct json_value json_member(struct json_value object, const char *name);

#endif
