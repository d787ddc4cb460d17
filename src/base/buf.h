/* SPDX-License-Identifier: MIT */
/*
 * Memory that grows: bytes (struct buf), and arrays of items (grow_items, grow_arrays). A zeroed `struct buf` is empty
 * and valid; buf_free frees the memory and leaves the buffer empty.
 *
 * The first failure latches: from then on nothing is appended and each append returns DANA_ENOMEM, so that a caller can
 * make many appends and check once, at the end: `return buf_status(out)`. buf_clear, buf_shrink and buf_free reset it.
 */
#ifndef DANA_BASE_BUF_H
#define DANA_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/slice.h"

struct buf {
	uint8_t *data;
	size_t len, cap;
	bool failed; /* see buf_status */
};

/** Returns 0, or DANA_ENOMEM if an append failed: that one and all later ones are then missing. */
int buf_status(const struct buf *b);
/** Latches a failure of the caller: a `status` below 0 acts as if an append had failed. */
void buf_latch(struct buf *b, int status);
/** Makes room for `extra` more bytes. Returns 0 or DANA_ENOMEM (the content stays as it was). */
int buf_reserve(struct buf *b, size_t extra);
int buf_append(struct buf *b, const void *data, size_t len);
/** Inline, so that the compiler knows the length of a literal. */
static inline int buf_append_text(struct buf *b, const char *text)
{
	return buf_append(b, text, strlen(text));
}

int buf_append_byte(struct buf *b, uint8_t byte);
/** Appends formatted text. */
int buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The same with a va_list, which is used up. */
int buf_vprintf(struct buf *b, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void buf_free(struct buf *b);
/** Drops the content and keeps the memory. */
static inline void buf_clear(struct buf *b)
{
	b->len = 0;
	b->failed = false;
}

/** Drops the first `n` bytes. */
void buf_consume(struct buf *b, size_t n);
/** Drops the content, and frees the memory if it is more than `keep` bytes. */
void buf_shrink(struct buf *b, size_t keep);

static inline struct slice buf_slice(const struct buf *b)
{
	return slice_of(b->data, b->len);
}

/* Growable arrays from malloc: a single one, or several of the same length. */

enum { GROW_FIRST = 64 }; /* items of a new array */

/**
 * Makes room for one more item after the first `len` of `items`, an array with room for `*cap`. Returns the array,
 * which may have moved, or NULL when memory is exhausted: then `items` and `*cap` are as before. Example:
 *
 *	struct item *more = grow_items(list->items, list->len, &list->cap, sizeof(*more));
 *	if (!more)
 *		return DANA_ENOMEM;
 *	list->items = more;
 */
static inline void *grow_items(void *items, size_t len, size_t *cap, size_t size)
{
	size_t more = *cap ? *cap : GROW_FIRST / 2, bytes;
	if (len < *cap)
		return items;
	if (__builtin_add_overflow(more, more, &more) || __builtin_mul_overflow(more, size, &bytes))
		return NULL;

	void *moved = realloc(items, bytes);
	if (moved)
		*cap = more;
	return moved;
}

/** One of several arrays of the same length: the address of the pointer to it, and the size of an item. */
struct grow_array {
	void *pointer;
	size_t size;
};

#define GROW_ARRAY(items) \
	{ \
		&(items), sizeof(*(items)) \
	}

/**
 * Makes room for `n` items in each of the arrays, which have room for `*cap`; the room doubles. Returns 0, or
 * DANA_ENOMEM: then the arrays keep their content, and `*cap` is as before.
 */
int grow_arrays(const struct grow_array *arrays, size_t count, size_t n, size_t *cap);
/** The same for arrays whose content is not needed: it is not copied, and after DANA_ENOMEM they have no room. */
int renew_arrays(const struct grow_array *arrays, size_t count, size_t n, size_t *cap);

#endif
