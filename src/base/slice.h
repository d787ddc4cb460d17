/* SPDX-License-Identifier: MIT */
/* Borrowed bytes: a pointer and a length, passed by value. */
#ifndef DANA_BASE_SLICE_H
#define DANA_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Does not own its bytes. A slice passed to a function need only be valid until the function returns. */
struct slice {
	const uint8_t *data;
	size_t len;
};

static inline struct slice slice_of(const void *data, size_t len)
{
	return (struct slice){ (const uint8_t *)data, len };
}

static inline struct slice slice_from_text(const char *text)
{
	return slice_of(text, strlen(text));
}

static inline bool slice_equal(struct slice a, struct slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/** Returns the slice without its first `n` bytes; empty if it is shorter. */
static inline struct slice slice_skip(struct slice s, size_t n)
{
	if (n > s.len)
		n = s.len;
	return n ? slice_of(s.data + n, s.len - n) : s;
}

/** Returns the first `n` bytes; all of them if the slice is shorter. */
static inline struct slice slice_first(struct slice s, size_t n)
{
	return slice_of(s.data, s.len < n ? s.len : n);
}

/** Returns where the first of `ends` is, or the length. */
static inline size_t slice_until(struct slice s, const char *ends)
{
	size_t i = 0;
	if (ends[0] && !ends[1]) { /* by vector instructions */
		const uint8_t *at = s.len ? (const uint8_t *)memchr(s.data, ends[0], s.len) : NULL;
		return at ? (size_t)(at - s.data) : s.len;
	}
	while (i < s.len && (s.data[i] == 0 || !strchr(ends, s.data[i])))
		i++;
	return i;
}

enum { TEXT_LIST_MOST = 64 };

/** The values of an option that is repeatable; borrowed. */
struct text_list {
	const char *at[TEXT_LIST_MOST];
	unsigned n;
	bool standard; /* these are replaced by the next value, not added to */
};

#endif
