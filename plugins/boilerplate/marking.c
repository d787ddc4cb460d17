/* SPDX-License-Identifier: MIT */
/*
 * Counts lines and marks those that are boilerplate. What a page has changed goes into b->entry: with a sketch the
 * number of the site and all keys, with keep=first the keys of the lines that the page has kept.
 */
#include "plugins/boilerplate/boilerplate.h"

int boilerplate_learn(struct boilerplate *b, struct lines *l, struct error *err)
{
	size_t n;
	const uint64_t *keys = lines_keys(l, b->rule.min_chars, &n);
	int status = keys ? line_counter_page(b->counter, l->scope, err) : error_no_memory(err);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = line_counter_add(b->counter, keys[i], err);
	return status;
}

/* ---- by a table ---- */

/* Returns 1 if this is the first copy, which is kept; 0 if an earlier page has kept one; or a negative status. */
static int keep_first(struct boilerplate *b, uint64_t key, struct error *err)
{
	uint64_t *place;
	int status = hash_map_put(&b->kept, key, &place);
	if (status == DANA_ELIMIT)
		return error_set(err, DANA_ELIMIT, "memory is full after %zu lines; raise memory=", b->kept.n);
	if (status < 0)
		return error_no_memory(err);
	if (status == 0 && b->journal && buf_append(&b->entry, &key, sizeof(key)) < 0)
		return error_no_memory(err);
	return !status;
}

int boilerplate_mark(struct boilerplate *b, struct lines *l, struct error *err)
{
	uint64_t pages = line_table_pages(&b->table, l->scope);
	for (size_t i = 0; i < l->lines.n; i++) {
		struct page_line *line = &l->lines.items[i];
		const uint64_t needed = line->mark;
		line->mark = 0;
		if (!line->key || line->chars < b->rule.min_chars)
			continue;
		uint64_t count = line_table_count(&b->table, line->key);
		if (!boilerplate_is(&b->rule, needed, count, pages))
			continue;
		int first = b->keep_first ? keep_first(b, line->key, err) : 0;
		if (first < 0)
			return first;
		line->mark = first ? 0 : count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	}
	return DANA_OK;
}

/* ---- by a sketch ---- */

static int count_page(struct boilerplate *b, uint64_t scope, uint64_t **pages, struct error *err)
{
	int status = hash_map_put(&b->sites, scope, pages);
	if (status == DANA_ELIMIT)
		return error_set(err, DANA_ELIMIT, "memory is full after %zu sites; raise memory=", b->sites.n);
	if (status < 0)
		return error_no_memory(err);
	++**pages;
	return DANA_OK;
}

static int check_error(const struct boilerplate *b, struct error *err)
{
	if (sketch_error(&b->sketch) <= b->most_error)
		return DANA_OK;
	return error_set(err, DANA_ELIMIT,
			 "the sketch of %zu bytes counts up to %.1f pages too many after %llu lines; raise memory= or "
			 "max-error=, or split the run",
			 b->memory, sketch_error(&b->sketch), (unsigned long long)b->sketch.sum);
}

/* Collects the counts of all keys, so that they can be looked up for each line. */
static int count_keys(struct boilerplate *b, struct lines *l, struct hash_map *counts, struct error *err)
{
	size_t n;
	uint64_t *count;
	const uint64_t *keys = lines_keys(l, b->rule.min_chars, &n);
	if (!keys)
		return error_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		uint32_t now = sketch_add(&b->sketch, keys[i]);
		if (hash_map_put(counts, keys[i], &count) < 0)
			return error_no_memory(err);
		*count = now;
	}
	if (b->journal) {
		buf_append(&b->entry, &l->scope, sizeof(l->scope));
		buf_append(&b->entry, keys, n * sizeof(*keys));
	}
	return buf_status(&b->entry) < 0 ? error_no_memory(err) : check_error(b, err);
}

int boilerplate_stream(struct boilerplate *b, struct lines *l, bool *known, struct error *err)
{
	struct hash_map counts = { .most_bytes = SIZE_MAX };
	uint64_t *pages;
	int status = count_page(b, l->scope, &pages, err);
	if (status == DANA_OK) {
		*known = *pages >= boilerplate_usual_pages(&b->rule);
		status = count_keys(b, l, &counts, err);
	}
	for (size_t i = 0; i < l->lines.n && status == DANA_OK; i++) {
		struct page_line *line = &l->lines.items[i];
		const uint64_t *count = line->key ? hash_map_get(&counts, line->key) : NULL;
		/* a count may be too high by the sketch's error, so that much more is needed */
		const uint64_t needed = line->mark + (uint64_t)sketch_error(&b->sketch);
		line->mark = count && boilerplate_is(&b->rule, needed, *count, *pages) ? (uint32_t)*count : 0;
	}
	hash_map_free(&counts);
	return status;
}

/* ---- after a kill ---- */

int boilerplate_again(struct boilerplate *b, struct slice entry, struct error *err)
{
	uint64_t number, *place;
	int status = DANA_OK;
	for (size_t at = 0; at + sizeof(number) <= entry.len && status == DANA_OK; at += sizeof(number)) {
		memcpy(&number, entry.data + at, sizeof(number));
		if (!b->sketch.counters)
			status = hash_map_put(&b->kept, number, &place) < 0 ? error_no_memory(err) : DANA_OK;
		else if (at == 0)
			status = count_page(b, number, &place, err);
		else
			(void)sketch_add(&b->sketch, number);
	}
	return status;
}
