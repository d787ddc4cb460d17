/* SPDX-License-Identifier: MIT */
/* Sorting an object's names brings duplicates together, so no choice of names makes this slow. */
#include <stdlib.h>

#include "base/grow.h"
#include "base/json_reader_private.h"

int json_names_add(struct json_reader *r, struct slice name)
{
	struct slice *names = grow_items(r->names, r->n_names, &r->cap_names, sizeof(*names));
	if (!names)
		return DANA_ENOMEM;
	r->names = names;
	names[r->n_names++] = slice_of(name.data + 1, name.len - 2);
	return DANA_OK;
}

/* One character may be written in several ways. */
static int compare(const void *left, const void *right)
{
	struct slice a = *(const struct slice *)left, b = *(const struct slice *)right;
	while (a.len && b.len) {
		const uint32_t x = json_character(&a), y = json_character(&b);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return (a.len > 0) - (b.len > 0);
}

const uint8_t *json_names_end(struct json_reader *r, size_t first)
{
	struct slice *names = r->names + first;
	const size_t n = r->n_names - first;
	r->n_names = first;
	if (n > 1)
		qsort(names, n, sizeof(*names), compare);
	for (size_t i = 1; i < n; i++) {
		if (compare(&names[i - 1], &names[i]) == 0)
			return names[i - 1].data > names[i].data ? names[i - 1].data : names[i].data;
	}
	return NULL;
}
