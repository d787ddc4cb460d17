/* SPDX-License-Identifier: MIT */
/*
 * JSON (RFC 8259), read and written. The reader checks a whole text and then returns values as slices of it; only
 * strings with escapes are copied. A number may have any size, and an escape may be half of a surrogate pair: values
 * that are passed through stay as written.
 *
 * Threads: one at a time for each reader. Ownership: a value borrows its reader and the text, until the next json_read.
 * Memory: 4 bytes for each part of the largest text so far; later texts that are not larger allocate nothing.
 */
#ifndef DANA_BASE_JSON_H
#define DANA_BASE_JSON_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

enum { JSON_DEPTH_MOST = 2048 };

/**
 * Finds the parts of a text, in linear time: each bracket, comma and colon outside strings, and the first byte of each
 * run of other bytes there (a number, a word, the quote that begins a string). *parts: their offsets, valid until the
 * next call. *state: the function's memory, NULL at the first call. Returns 0 or DANA_ENOMEM; any other status means
 * that the text is not JSON, or that this function cannot be used.
 */
typedef int json_find(void **state, const uint8_t *text, size_t len, const uint32_t **parts, size_t *n);

struct json_rules {
	unsigned depth_most; /* nested arrays and objects, at most JSON_DEPTH_MOST */
	bool unique_names;   /* a duplicate name in an object is an error */
	bool first_only;     /* ignore what follows the first value; needs `find` NULL */
	json_find *find;     /* a fast one (base/simdjson_call.h); NULL: in plain C */
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

/** `rules` is borrowed. */
struct json_reader *json_reader_new(const struct json_rules *rules);
void json_reader_free(struct json_reader *r);
/**
 * Reads a text of one value. Returns 0, DANA_ENOMEM or DANA_EFORMAT; `err` then names the first wrong byte and what
 * would be right, the same for each `find`.
 */
int json_read(struct json_reader *r, struct slice text, struct json_value *root, struct error *err);
enum json_kind json_kind(struct json_value value);
/** Returns the value as it is written. */
struct slice json_written(struct json_value value);
/** Appends the value without the white space between its parts. */
int json_append(struct json_value value, struct buf *out);
/**
 * Stores the characters of a string in *text, empty for other kinds: a slice of the JSON text or, if the string has
 * escapes, of `space`, to which they are appended. Half of a surrogate pair becomes U+FFFD and sets *repaired to true;
 * otherwise *repaired is left alone.
 */
int json_characters(struct json_value value, struct buf *space, struct slice *text, bool *repaired);
/** Appends the characters of a string that is written with its quotes; as json_characters. */
int json_string_decode(struct slice written, struct buf *out);
/** A walk over the members of an object or the items of an array. */
struct json_walk {
	struct slice name; /* of a member, as written, with its quotes */
	struct json_value value;
	const struct json_reader *reader;
	size_t next; /* part; 0 at the end */
};

/** Begins before the first item; values of other kinds have no items. */
struct json_walk json_walk(struct json_value of);
/** Moves to the next item. Returns false at the end. */
bool json_walk_next(struct json_walk *w);
/** Returns whether a name or string, as written, means `text`, which is ASCII. */
bool json_name_is(struct slice name, const char *text);
/** Returns the last member of that name, as most readers do, or JSON_IS_NOTHING if there is no such member. */
struct json_value json_member(struct json_value object, const char *name);

/* JSON text (RFC 8259): always valid, always well-formed UTF-8. All functions append to a buffer. */

/**
 * Appends `s` as the inside of a JSON string, without quotes: quote, backslash, controls and U+2028, U+2029 are
 * escaped, malformed UTF-8 becomes U+FFFD (Unicode 15, section 3.9, table 3-8), everything else is copied.
 */
int json_escape(struct buf *out, struct slice s);
/** The same in quotes. */
int json_put_string(struct buf *out, struct slice s);
int json_put_number(struct buf *out, uint64_t number);

/*
 * Writes JSON (RFC 8259) piece by piece and adds the commas. Failures latch in the buffer: write everything, then check
 * buf_status. Member names are constants of the program and are not escaped. Example:
 *
 *	struct json_writer w = { .out = buffer };
 *	json_object_begin(&w), json_count(&w, "pages", 3), json_key(&w, "words"), json_array_begin(&w),
 *		json_element(&w, word), json_array_end(&w), json_object_end(&w);
 *
 * writes {"pages":3,"words":["..."]}.
 */

/** Begin with { .out = buffer }. */
struct json_writer {
	struct buf *out;
	bool comma; /* before the next member or element */
};

/* Values: of the whole text, of the member whose name json_key wrote, or the next element of an array. */

void json_object_begin(struct json_writer *w);
void json_object_end(struct json_writer *w);
void json_array_begin(struct json_writer *w);
void json_array_end(struct json_writer *w);
/** Appends a string. */
void json_element(struct json_writer *w, struct slice value);
/** Appends null. */
void json_no_value(struct json_writer *w);

/* Members of an object. */

/** Appends a member's name; its value must follow. */
void json_key(struct json_writer *w, const char *name);
/** As json_key, for a name that is no constant: it is escaped. */
void json_name(struct json_writer *w, struct slice name);
void json_text(struct json_writer *w, const char *name, struct slice value);
/** Appends null if `value` is empty. */
void json_text_or_null(struct json_writer *w, const char *name, struct slice value);
void json_count(struct json_writer *w, const char *name, uint64_t value);
void json_count_or_null(struct json_writer *w, const char *name, bool known, uint64_t value);
/** `value` is finite. */
void json_decimal(struct json_writer *w, const char *name, double value, int decimals);
/** A value that is JSON already. */
void json_raw(struct json_writer *w, const char *name, struct slice json);
void json_bool(struct json_writer *w, const char *name, bool value);

#endif
