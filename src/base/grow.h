/* SPDX-License-Identifier: MIT */
/* Growable arrays from malloc: a single one, or several of the same length. */
#ifndef DANA_BASE_GROW_H
#define DANA_BASE_GROW_H

#include <stddef.h>
#include <stdlib.h>

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

#endif
