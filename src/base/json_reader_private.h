/* SPDX-License-Identifier: MIT */
/* What json_reader.c finds in a text, for json_value.c and json_names.c. */
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
	uint32_t n_names; /* of the objects around it */
	bool object;
};

struct json_reader {
	const struct json_rules *rules;
	struct slice text;
	const uint32_t *parts; /* where they begin */
	size_t n;
	uint32_t *own; /* room for parts that are found here */
	size_t cap;
	void *state;        /* of rules->find */
	struct slice large; /* the longest string with escapes, of at least JSON_LARGE bytes, */
	struct buf decoded; /* and its characters */
	bool repaired;
	unsigned depth;
	struct json_level levels[JSON_DEPTH_MOST];
	struct slice *names; /* of open objects, where they must be unique */
	size_t n_names, cap_names;
};

static inline bool json_is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/** Part `i` without the white space after it. */
static inline struct slice json_part(const struct json_reader *r, size_t i)
{
	const size_t begin = r->parts[i];
	size_t end = i + 1 < r->n ? r->parts[i + 1] : r->text.len;

	while (json_is_space(r->text.data[end - 1]))
		end--;
	return slice_of(r->text.data + begin, end - begin);
}

/* json_escapes.c: they take the inside of a string; a quote is after it. */
/** Whether all escapes are valid. */
bool json_escapes_are_good(struct slice s);
/** Appends the characters, for which `out` has s.len bytes of room. `repaired` as for json_characters. False: an escape is not valid. */
bool json_escapes_decode(struct slice s, struct buf *out, bool *repaired);
/** The character, or half of a pair of surrogates, of the escape at `at`. Returns what is after it; NULL: it is not valid. */
const uint8_t *json_escape_read(const uint8_t *at, const uint8_t *end, uint32_t *c);
/** json_value.c: takes the first character, or half of a pair of surrogates, off the inside of a string. */
uint32_t json_character(struct slice *rest);

/** json_names.c: notes a name of the innermost object. 0 or DANA_ENOMEM. */
int json_names_add(struct json_reader *r, struct slice name);
/** json_names.c: forgets those from number `first` on; returns one of them that is the same as an earlier one, or NULL. */
const uint8_t *json_names_end(struct json_reader *r, size_t first);

#endif
