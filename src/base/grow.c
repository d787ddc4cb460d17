/* SPDX-License-Identifier: MIT */
/*
 * A pointer to any type of array is stored by memcpy: C does not allow writing a `struct item *` through a `void **`.
 * If a later array fails to grow, the earlier ones keep their extra room, which does no harm: `*cap` is still what all
 * of them have.
 */
#include "base/grow.h"

#include <string.h>

#include "base/status.h"

static int resize(const struct grow_array *array, size_t n)
{
	void *items;
	size_t bytes;
	if (__builtin_mul_overflow(n, array->size, &bytes))
		return DANA_ENOMEM;
	memcpy(&items, array->pointer, sizeof(items));
	items = realloc(items, bytes);
	if (!items)
		return DANA_ENOMEM;
	memcpy(array->pointer, &items, sizeof(items));
	return DANA_OK;
}

int grow_arrays(const struct grow_array *arrays, size_t count, size_t n, size_t *cap)
{
	size_t more = *cap ? *cap : GROW_FIRST;
	int status = DANA_OK;
	if (n <= *cap)
		return DANA_OK;
	while (more < n) {
		if (__builtin_add_overflow(more, more, &more))
			return DANA_ENOMEM;
	}

	for (size_t i = 0; i < count && status == DANA_OK; i++)
		status = resize(&arrays[i], more);
	if (status == DANA_OK)
		*cap = more;
	return status;
}
