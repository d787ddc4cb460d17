/* SPDX-License-Identifier: MIT */
/*
 * Each number has a parent that is not larger; the least of a set is its own parent. A look-up halves the path for the
 * next time, so paths stay short.
 */
#include "config.h"

#include "dedup/union_find.h"

#include <stdlib.h>

#include "dedup/store/mapped_array.h"

struct union_find {
	struct mapped_array parents;
};

struct union_find *union_find_new(const char *folder, uint32_t n, struct error *err)
{
	struct union_find *u = calloc(1, sizeof(*u));

	if (!u) {
		(void)error_no_memory(err);
		return NULL;
	}
	if (mapped_array_make(&u->parents, folder, n, err) < 0) {
		union_find_free(u);
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++)
		u->parents.items[i] = i;
	return u;
}

void union_find_free(struct union_find *u)
{
	if (!u)
		return;
	mapped_array_free(&u->parents);
	free(u);
}

uint32_t union_find_first(struct union_find *u, uint32_t a)
{
	uint32_t *parents = u->parents.items;

	while (parents[a] != a) {
		parents[a] = parents[parents[a]];
		a = parents[a];
	}
	return a;
}

void union_find_join(struct union_find *u, uint32_t a, uint32_t b)
{
	a = union_find_first(u, a);
	b = union_find_first(u, b);
	if (a < b)
		u->parents.items[b] = a;
	else
		u->parents.items[a] = b;
}
