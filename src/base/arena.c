/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>

enum { FIRST_CHUNK = 16 << 10, KEEP = 256 << 10 };

/* Allocations come from the top chunk. When it is full, a new one of twice its size, up to 8 MiB, is put on top. */
struct chunk {
	struct chunk *next; /* filled before this one */
	size_t cap, used;
	alignas(max_align_t) uint8_t bytes[];
};

struct arena {
	struct chunk *top;
	size_t first; /* bytes of the first chunk */
};

struct arena *arena_new(void)
{
	return arena_new_of(FIRST_CHUNK);
}

struct arena *arena_new_of(size_t bytes)
{
	struct arena *a = calloc(1, sizeof(*a));
	if (a)
		a->first = bytes;
	return a;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + align - 1) & ~(align - 1);
	struct chunk *c = a->top;
	if (!c || c->cap - c->used < size) {
		size_t cap = c ? c->cap * 2 : a->first;
		if (cap > (8U << 20))
			cap = 8U << 20;
		if (cap < size)
			cap = size;
		c = malloc(sizeof(*c) + cap);
		if (!c)
			return NULL;
		*c = (struct chunk){ .next = a->top, .cap = cap };
		a->top = c;
	}
	void *p = c->bytes + c->used;
	c->used += size;
	return p;
}

struct slice arena_copy(struct arena *a, struct slice s)
{
	uint8_t *p = arena_alloc(a, s.len + 1);
	if (!p)
		return slice_of(NULL, 0);
	if (s.len)
		memcpy(p, s.data, s.len);
	p[s.len] = 0;
	return slice_of(p, s.len);
}

void arena_reset(struct arena *a)
{
	struct chunk *keep = NULL;
	for (struct chunk *c = a->top, *next; c; c = next) {
		next = c->next;
		if (!keep && c->cap <= KEEP) {
			keep = c;
			c->next = NULL;
			c->used = 0;
		} else {
			free(c);
		}
	}
	a->top = keep;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct chunk *c = a->top, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}
