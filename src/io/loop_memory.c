/* SPDX-License-Identifier: MIT */
/*
 * The reserve is handed out once and never comes back: a table takes 8 bytes for each descriptor and is enlarged by
 * doubling, so what there is lasts for the tables of dozens of loops. All else that libuv asks for may fail.
 */
#include "config.h"

#include "io/loop_memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { RESERVE = 64 << 10, PIECE = 16 };

static _Alignas(PIECE) uint8_t reserve[RESERVE];
static atomic_size_t used;

static bool is_reserve(const void *p)
{
	return (uintptr_t)p - (uintptr_t)reserve < RESERVE;
}

static void *from_reserve(void *old, size_t size)
{
	if (size > RESERVE)
		return NULL;
	size_t rounded = (size + PIECE - 1) / PIECE * PIECE, at = atomic_load(&used);
	do {
		if (rounded > RESERVE - at)
			return NULL;
	} while (!atomic_compare_exchange_weak(&used, &at, at + rounded));
	size_t had = !old ? 0 : is_reserve(old) ? (size_t)(reserve + at - (uint8_t *)old) : malloc_usable_size(old);
	if (had)
		memcpy(reserve + at, old, had < size ? had : size);
	return reserve + at;
}

static void release(void *p)
{
	if (!is_reserve(p))
		free(p);
}

static void *enlarge(void *old, size_t size)
{
	void *moved = is_reserve(old) ? NULL : realloc(old, size);
	if (moved || size == 0)
		return moved;
	moved = from_reserve(old, size);
	if (moved)
		release(old);
	return moved;
}

static void start(void)
{
	(void)uv_replace_allocator(malloc, enlarge, calloc, release);
}

void loop_memory_start(void)
{
	static uv_once_t once = UV_ONCE_INIT;
	uv_once(&once, start);
}
