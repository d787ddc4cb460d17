/* Arrays from malloc that grow by one item at a time. */
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

#endif
