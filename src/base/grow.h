/* Arrays from malloc that grow: one by an item at a time, or several together. */
#ifndef DANA_BASE_GROW_H
#define DANA_BASE_GROW_H

#include <stddef.h>
#include <stdlib.h>

enum { GROW_FIRST = 64 }; /* items of a new array */

/**
 * The array, with room for an item behind the first `len`: moved to a larger one when `len` has reached `*cap`, the items it has room
 * for. NULL when memory is exhausted: then `items` and `*cap` are as before.
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

/** One of several arrays of one length: where the pointer to it stands, and the size of an item. */
struct grow_array {
	void *pointer;
	size_t size;
};

#define GROW_ARRAY(items) \
	{ \
		&(items), sizeof(*(items)) \
	}

/**
 * Room for `n` items in each of the arrays, which have room for `*cap`; it grows as that of grow_items. 0, or DANA_ENOMEM: then the
 * arrays hold what they held, and `*cap` is as before.
 */
int grow_arrays(const struct grow_array *arrays, size_t count, size_t n, size_t *cap);

#endif
