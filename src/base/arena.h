/* SPDX-License-Identifier: MIT */
/* A bump allocator: many small allocations, freed together. Not for concurrent use. */
#ifndef DANA_BASE_ARENA_H
#define DANA_BASE_ARENA_H

#include "base/slice.h"

struct arena;

struct arena *arena_new(void);
/** For one of many, each of which has about so many bytes. */
struct arena *arena_new_of(size_t bytes);
/** Returns memory aligned for any object, or NULL when memory is exhausted. Valid until arena_reset or arena_free. */
void *arena_alloc(struct arena *a, size_t size);
/**
 * Returns a copy of `s`, followed by a NUL that its length does not count. `.data` is NULL when memory is exhausted.
 */
struct slice arena_copy(struct arena *a, struct slice s);
/** Frees all allocations at once; keeps up to 256 KiB of memory for the next use. */
void arena_reset(struct arena *a);
void arena_free(struct arena *a);

#endif
