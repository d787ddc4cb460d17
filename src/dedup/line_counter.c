/* SPDX-License-Identifier: MIT */
/*
 * Counts are kept in a table in memory; when it is full, they go into a sorter, and counting starts again. At the end
 * equal keys come out of the sorter together, and their counts are added up. They are first written to a temporary
 * file, with a histogram of the counts, which shows from which count on all lines fit into the requested size.
 */
#include "config.h"

#include <stdlib.h>

#include "base/file/path.h"
#include "dedup/line_sums.h"

struct line_counter {
	struct line_counter_settings settings;
	struct index_writer *out;
	char *folder;
	struct hash_map lines, scopes;
	struct pair_sorter *sorter;
	uint64_t pages;
};

void line_counter_abandon(struct line_counter *c)
{
	if (!c)
		return;
	index_writer_abandon(c->out);
	hash_map_free(&c->lines);
	hash_map_free(&c->scopes);
	pair_sorter_free(c->sorter);
	free(c->folder);
	free(c);
}

struct line_counter *line_counter_new(const char *path, const struct line_counter_settings *settings, struct error *err)
{
	struct line_counter *c = calloc(1, sizeof(*c));
	int status = c ? DANA_OK : error_no_memory(err);

	if (c) {
		c->settings = *settings;
		c->lines.most_bytes = settings->memory / 2;
		c->scopes.most_bytes = SIZE_MAX;
		c->folder = path_folder(path);
		c->out = c->folder ? index_writer_open(path, INDEX_LINES, settings->force, err) : NULL;
		c->sorter = c->out ? pair_sorter_new(c->folder, settings->memory / 2, err) : NULL;
		status = c->sorter ? DANA_OK : c->folder ? err->status : error_no_memory(err);
	}
	if (status == DANA_OK) {
		index_writer_on_ready(c->out, &settings->ready);
		return c;
	}
	line_counter_abandon(c);
	return NULL;
}

bool line_counter_by_site(const struct line_counter *c)
{
	return c->settings.by_site;
}

/* ---- memory ---- */

/*
 * Simulates counting: the table grows, and its contents go to the sorter whenever it is full; when the sorter is full
 * for the first time, it has used all of its memory. Nothing after two more rounds needs more.
 */
size_t line_counter_bytes(size_t lines, size_t memory)
{
	const size_t room = hash_map_room(memory / 2), most_pairs = memory / 2 / (2 * sizeof(struct pair));
	size_t pairs = 0, most = 0, now;

	for (int full = 0; lines > 0 && full < 3; full += pairs >= most_pairs) {
		const size_t n = lines < room ? lines : room;
		const size_t sorter = full ? memory / 2 : pairs * sizeof(struct pair);
		now = sorter + hash_map_growing_bytes(n);
		most = most < now ? now : most;
		pairs += n;
		now = hash_map_bytes(n) + (pairs >= most_pairs ? memory / 2 : pairs * sizeof(struct pair));
		most = most < now ? now : most;
		lines -= n;
	}
	now = pairs >= most_pairs ? memory / 2
				  : pairs * 2 * sizeof(struct pair); /* sorted at the end, when the table is freed */
	return most < now ? now : most;
}

size_t line_counter_files(size_t lines, size_t memory)
{
	return lines <= memory / 2 / (2 * sizeof(struct pair)) ? 0 : lines * sizeof(struct pair);
}

/* ---- counting ---- */

static int spill(struct line_counter *c, struct error *err)
{
	int status = DANA_OK;

	for (size_t i = 0; c->lines.slots && i < (size_t)1 << c->lines.bits && status == DANA_OK; i++) {
		const struct hash_map_slot *s = &c->lines.slots[i];
		if (s->key)
			status = pair_sorter_add(c->sorter, (struct pair){ s->key, s->value }, err);
	}
	hash_map_free(&c->lines);
	return status;
}

int line_counter_page(struct line_counter *c, uint64_t scope, struct error *err)
{
	uint64_t *pages;

	if (hash_map_put(&c->scopes, scope, &pages) < 0)
		return error_no_memory(err);
	++*pages;
	c->pages++;
	return DANA_OK;
}

int line_counter_add(struct line_counter *c, uint64_t key, struct error *err)
{
	uint64_t *count;
	int status = hash_map_put(&c->lines, key, &count);

	if (status == DANA_ELIMIT) {
		status = spill(c, err);
		if (status == DANA_OK)
			status = hash_map_put(&c->lines, key, &count);
	}
	if (status < 0)
		return error_set(err, (enum dana_status)status, "%s", status_text(status));
	++*count;
	return DANA_OK;
}

int line_counter_add_table(struct line_counter *c, const struct line_table *t, struct error *err)
{
	int status = DANA_OK;

	for (size_t i = 0; i < t->n_lines && status == DANA_OK; i++)
		status = pair_sorter_add(c->sorter, pair_read(t->lines + i * PAIR_BYTES), err);
	for (size_t i = 0; i < t->n_scopes && status == DANA_OK; i++) {
		struct pair scope = pair_read(t->scopes + i * PAIR_BYTES);
		uint64_t *pages;
		if (hash_map_put(&c->scopes, scope.key, &pages) < 0)
			return error_no_memory(err);
		*pages += scope.value;
	}
	c->pages += t->pages;
	return status;
}

/* ---- the table ---- */

static int copy_lines(const struct index_file *sums, struct index_writer *w, uint64_t least, struct error *err)
{
	struct index_reader reader = { 0 };
	const uint8_t *record;
	int status = index_reader_open(&reader, sums, 0, err);

	index_writer_record(w, PAIR_BYTES);
	while (status >= 0 && (status = index_reader_next(&reader, &record, err)) == 1) {
		if (pair_read(record).value >= least)
			index_writer_put(w, record, PAIR_BYTES);
	}
	index_reader_close(&reader);
	index_writer_next_section(w);
	return status;
}

static int next_of_sorter(void *from, struct pair *p, struct error *err)
{
	return pair_sorter_next(from, p, err);
}

static int by_key(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int write_scopes(struct line_counter *c, struct error *err)
{
	struct pair *pairs = calloc(c->scopes.n + 1, sizeof(*pairs));
	size_t n = 0;

	if (!pairs)
		return error_no_memory(err);
	for (size_t i = 0; c->scopes.slots && i < (size_t)1 << c->scopes.bits; i++) {
		const struct hash_map_slot *s = &c->scopes.slots[i];
		if (s->key)
			pairs[n++] = (struct pair){ s->key, s->value };
	}
	qsort(pairs, n, sizeof(*pairs), by_key);
	index_writer_record(c->out, PAIR_BYTES);
	for (size_t i = 0; i < n; i++)
		pair_put(c->out, pairs[i]);
	free(pairs);
	return DANA_OK;
}

/* Writes the sums of lines on enough pages to a temporary file, and counts them by sum in `h`. */
static int write_sums(struct line_counter *c, struct index_file *sums, struct line_histogram *h, struct error *err)
{
	struct index_writer *w = index_writer_open_temporary(c->folder, INDEX_RUN, err);

	if (!w)
		return err->status;
	index_writer_record(w, PAIR_BYTES);
	int status = line_sums(next_of_sorter, c->sorter, w, c->settings.least, h, err);
	if (status == DANA_OK)
		return index_writer_finish_temporary(w, sums, err);
	index_writer_abandon(w);
	return status;
}

static int write_table(struct line_counter *c, struct error *err)
{
	struct line_histogram *h = calloc(1, sizeof(*h));
	struct index_file sums = { .fd = -1 };
	uint64_t scopes = c->scopes.n * PAIR_BYTES;
	int status = h ? write_sums(c, &sums, h, err) : error_no_memory(err);

	if (status == DANA_OK && scopes > c->settings.size)
		status = error_set(err, DANA_ELIMIT,
				   "%zu sites alone need %llu bytes, more than the size that was asked for",
				   c->scopes.n, (unsigned long long)scopes);
	if (status == DANA_OK) {
		uint64_t least = line_histogram_fit(h, c->settings.size - scopes, c->settings.least);
		line_table_write_text(c->out, c->settings.by_site, least, c->pages);
		status = copy_lines(&sums, c->out, least, err);
	}
	index_file_close(&sums);
	free(h);
	return status < 0 ? status : write_scopes(c, err);
}

int line_counter_finish(struct line_counter *c, struct error *err)
{
	int status = spill(c, err);

	if (status == DANA_OK)
		status = pair_sorter_finish(c->sorter, err);
	if (status == DANA_OK)
		status = write_table(c, err);
	if (status == DANA_OK) {
		status = index_writer_finish(c->out, err);
		c->out = NULL;
	}
	line_counter_abandon(c);
	return status;
}
