/* SPDX-License-Identifier: MIT */
/* The public calls for revisits: the table with its own limits and names. */
#include <stdlib.h>
#include <sys/stat.h>

#include "archive/revisit_table.h"
#include "base/arena.h"
#include "base/status.h"
#include "dana/archive.h"

struct dana_revisits {
	struct revisit_source source; /* first: what an archive asks */
	struct limits limits;
	struct revisit_table *table;
	struct arena *names;
};

struct dana_revisits *dana_revisits_new(uint64_t bytes)
{
	struct dana_revisits *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->limits = (struct limits)LIMITS_DEFAULT;
	if (bytes)
		r->limits.revisits = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
	r->names = arena_new();
	r->table = revisit_table_new(&r->limits);
	if (r->names && r->table) {
		r->source = *revisit_table_source(r->table);
		return r;
	}
	dana_revisits_free(r);
	return NULL;
}

static const char *copy(struct dana_revisits *r, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *out = arena_alloc(r->names, size);
	if (out)
		memcpy(out, text, size);
	return out;
}

int dana_revisits_add(struct dana_revisits *r, const char *path, const char *name, uint64_t begin, uint64_t length)
{
	struct stat found;
	if (!r || !path)
		return DANA_WRONG_ORDER;
	if (stat(path, &found) < 0 || !S_ISREG(found.st_mode))
		return DANA_CANNOT_READ;
	const uint64_t size = (uint64_t)found.st_size;
	struct revisit_place place = { .path = copy(r, path), .begin = begin };
	place.name = name ? copy(r, name) : place.path;
	if (!place.path || !place.name)
		return DANA_OUT_OF_MEMORY;
	if (begin >= size)
		return DANA_OK;
	place.size = length && length < size - begin ? length : size - begin;
	return revisit_table_add(r->table, &place) < 0 ? DANA_OUT_OF_MEMORY : DANA_OK;
}

uint64_t dana_revisits_left_out(const struct dana_revisits *r)
{
	return r ? revisit_table_left_out(r->table) : 0;
}

void dana_revisits_free(struct dana_revisits *r)
{
	if (!r)
		return;
	revisit_table_free(r->table);
	arena_free(r->names);
	free(r);
}
