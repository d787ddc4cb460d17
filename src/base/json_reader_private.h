/* SPDX-License-Identifier: MIT */
/* State of the reader, shared by json_reader.c, json_value.c and json_names.c. */
#ifndef DANA_BASE_JSON_READER_PRIVATE_H
#define DANA_BASE_JSON_READER_PRIVATE_H

#include "base/json_reader.h"

enum { JSON_LARGE = 4096 };

static inline struct slice json_inside(struct slice string)
{
	return slice_of(string.data + 1, string.len - 2);
}

/** An array or object that is not closed yet. */
struct json_level {
	uint32_t n_names; /* of the enclosing objects */
	bool object;
};

struct json_reader {
	const struct json_rules *rules;
	struct slice text;
	const uint32_t *parts; /* offsets of the parts */
	size_t n;
	uint32_t *own; /* parts that json_reader.c finds */
	size_t cap;
	void *state;        /* of rules->find */
	struct slice large; /* the longest string with escapes, of at least JSON_LARGE bytes, */
	struct buf decoded; /* its characters */
	bool repaired;
	unsigned depth;
	struct json_level levels[JSON_DEPTH_MOST];
	struct slice *names; /* of open objects, if they must be unique */
	size_t n_names, cap_names;
};

static inline bool json_is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/** Returns part `i` without the white space after it. */
static inline struct slice json_part(const struct json_reader *r, size_t i)
{
	const size_t begin = r->parts[i];
	size_t end = i + 1 < r->n ? r->parts[i + 1] : r->text.len;

	while (json_is_space(r->text.data[end - 1]))
		end--;
	return slice_of(r->text.data + begin, end - begin);
}

/* json_escapes.c: these take the inside of a string, which a quote follows. */
/** Returns whether all escapes are valid. */
bool json_escapes_are_good(struct slice s);
/**
 * Appends the characters, for which `out` has s.len bytes of room. `repaired` as in json_characters. Returns false if
 * an escape is not valid.
 */
bool json_escapes_decode(struct slice s, struct buf *out, bool *repaired);
/**
 * Stores the character, or half of a surrogate pair, of the escape at `at`. Returns the place after it, or NULL if it
 * is not valid.
 */
const uint8_t *json_escape_read(const uint8_t *at, const uint8_t *end, uint32_t *c);
/**
 * json_value.c: removes the first character, or half of a surrogate pair, from the inside of a string and returns it.
 */
uint32_t json_character(struct slice *rest);

/** json_names.c: records a name of the innermost object. Returns 0 or DANA_ENOMEM. */
int json_names_add(struct json_reader *r, struct slice name);
/** json_names.c: drops the names from number `first` on. Returns a duplicate among them, or NULL. */
const uint8_t *json_names_end(struct json_reader *r, size_t first);

#endif
