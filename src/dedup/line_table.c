/* SPDX-License-Identifier: MIT */
/*
 * Builds and merges tables of how many pages each line is on.
 *
 * Counts are kept in a table in memory; when it is full, they are put among sorted runs, and counting starts again. At
 * the end equal keys come out together, and their counts are added up. They are first written to a temporary file, with
 * a histogram of the counts, which shows from which count on all lines fit into the requested size.
 *
 * Tables are sorted runs of counts: they are merged, and counts of one line added up.
 */
#include "config.h"

#include "dedup/line_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

enum { LINE_COUNTS = 1 << 16 }; /* larger counts are one class */

/* ---- looking up ---- */

static int load_pairs(const struct index_file *f, unsigned section, uint8_t **pairs, size_t *n, struct error *err)
{
	if (f->sections[section].record != PAIR_BYTES)
		return index_file_refuse(f, "is damaged: its records have another size", err);
	int status = index_file_load(f, section, pairs, err);
	*n = (size_t)index_file_count(f, section);
	return status;
}

/* Opens the file, and reads what it says of itself. */
static int open_file(struct line_table *t, struct index_file *f, const char *path, struct error *err)
{
	uint8_t *text = NULL;
	*t = (struct line_table){ 0 };
	int status = index_file_open(f, path, INDEX_LINES, err);
	if (status < 0)
		return status;
	t->identity = f->identity;
	status = index_file_load(f, LINE_TABLE_TEXT, &text, err);
	if (status == DANA_OK) {
		t->by_site = strncmp((const char *)text, "scope=site\n", 11) == 0;
		if ((!t->by_site && strncmp((const char *)text, "scope=all\n", 10) != 0) ||
		    !index_file_setting(text, "least", &t->least) || !index_file_setting(text, "pages", &t->pages))
			status = index_file_refuse(f, "has unknown settings: made by a newer dana?", err);
	}
	free(text);
	if (status < 0)
		index_file_close(f);
	return status;
}

int line_table_open(struct line_table *t, const char *path, struct error *err)
{
	struct index_file f;
	int status = open_file(t, &f, path, err);
	if (status < 0)
		return status;
	status = load_pairs(&f, LINE_TABLE_LINES, &t->lines, &t->n_lines, err);
	if (status == DANA_OK)
		status = load_pairs(&f, LINE_TABLE_SCOPES, &t->scopes, &t->n_scopes, err);
	index_file_close(&f);
	if (status < 0)
		line_table_close(t);
	return status;
}

static int by_key(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Sorts the pairs, and makes a section of the sums of each key's that are at least `least`. */
static int sum_equal(struct buf *pairs, uint64_t least, uint8_t **section, size_t *n)
{
	struct pair *all = (void *)pairs->data;
	const size_t count = pairs->len / sizeof(*all);
	uint8_t *to = malloc(count * PAIR_BYTES + 1);
	*section = to;
	*n = 0;
	if (!to)
		return DANA_ENOMEM;
	if (count)
		qsort(all, count, sizeof(*all), by_key);
	for (size_t i = 0; i < count;) {
		struct pair sum = all[i++];
		for (; i < count && all[i].key == sum.key; i++)
			sum.value += all[i].value;
		if (sum.value >= least)
			pair_write(to + PAIR_BYTES * (*n)++, sum);
	}
	uint8_t *less = realloc(to, *n * PAIR_BYTES + 1);
	*section = less ? less : to;
	return DANA_OK;
}

int line_table_of_pairs(struct line_table *t, struct buf *lines, struct buf *scopes)
{
	enum { LEAST = 2 };
	*t = (struct line_table){ .by_site = true, .least = LEAST, .pages = scopes->len / sizeof(struct pair) };
	int status = sum_equal(lines, LEAST, &t->lines, &t->n_lines);
	if (status == DANA_OK)
		status = sum_equal(scopes, 1, &t->scopes, &t->n_scopes);
	if (status < 0)
		line_table_close(t);
	return status;
}

void line_table_close(struct line_table *t)
{
	free(t->lines);
	free(t->scopes);
	*t = (struct line_table){ 0 };
}

/*
 * Returns the value of a key among sorted pairs; 0 if it is missing. Keys are hashes, so the search begins where the
 * key would be if keys were spread evenly, and then halves the range.
 */
static uint64_t look_up(const uint8_t *pairs, size_t n, uint64_t key)
{
	size_t low = 0, high = n;
	for (unsigned step = 0; low < high; step++) {
		size_t middle = low + (high - low) / 2;
		if (step < 2) {
			middle = (size_t)((double)key / 18446744073709551616.0 * (double)n);
			middle = middle < low ? low : middle >= high ? high - 1 : middle;
		}
		uint64_t found = little_endian_64(pairs + middle * PAIR_BYTES);
		if (found == key)
			return little_endian_64(pairs + middle * PAIR_BYTES + 8);
		if (found < key)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

uint64_t line_table_count(const struct line_table *t, uint64_t key)
{
	return look_up(t->lines, t->n_lines, key);
}

uint64_t line_table_pages(const struct line_table *t, uint64_t scope)
{
	return look_up(t->scopes, t->n_scopes, scope);
}

/* ---- writing ---- */

static void put_text(struct index_writer *w, bool by_site, uint64_t least, uint64_t pages)
{
	char text[128];
	int len = snprintf(text, sizeof(text), "scope=%s\nleast=%llu\npages=%llu\n", by_site ? "site" : "all",
			   (unsigned long long)least, (unsigned long long)pages);
	index_writer_put(w, text, (size_t)len);
	index_writer_next_section(w);
}

static void put_sum(struct index_writer *w, struct pair sum, uint64_t least, uint64_t *histogram)
{
	if (sum.value < least)
		return;
	pair_put(w, sum);
	if (histogram)
		histogram[sum.value < LINE_COUNTS ? sum.value : LINE_COUNTS - 1]++;
}

/*
 * Adds up the values of equal keys, and writes sums of `least` (1 or more) and above as a section. histogram[n] counts
 * the sums that are n, unless it is NULL.
 */
static int put_sums(struct runs *r, struct index_writer *w, uint64_t least, uint64_t *histogram, struct error *err)
{
	struct pair sum = { 0 };
	struct runs_record next;
	int status = runs_sort(r, err);
	index_writer_record(w, PAIR_BYTES);
	while (status >= 0 && (status = runs_next(r, &next, err)) == 1) {
		if (next.pair.key == sum.key) {
			sum.value += next.pair.value;
			continue;
		}
		put_sum(w, sum, least, histogram);
		sum = next.pair;
	}
	if (status == 0)
		put_sum(w, sum, least, histogram);
	return status;
}

/* ---- counting ---- */

struct line_counter {
	struct line_counter_settings settings;
	struct index_writer *out;
	char *folder;
	struct hash_map lines, scopes;
	struct runs *runs;
	uint64_t pages;
};

void line_counter_abandon(struct line_counter *c)
{
	if (!c)
		return;
	index_writer_abandon(c->out);
	hash_map_free(&c->lines);
	hash_map_free(&c->scopes);
	runs_free(c->runs);
	free(c->folder);
	free(c);
}

struct line_counter *line_counter_new(const char *path, const struct line_counter_settings *settings, struct error *err)
{
	struct line_counter *c = calloc(1, sizeof(*c));
	if (c)
		c->folder = path_folder(path);
	if (c && c->folder) {
		c->settings = *settings;
		c->lines.most_bytes = settings->memory / 2;
		c->scopes.most_bytes = SIZE_MAX;
		c->out = index_writer_open(path, INDEX_LINES, settings->force, err);
		c->runs = c->out ? runs_new(c->folder, PAIR_BYTES, settings->memory / 2, err) : NULL;
	} else {
		(void)error_no_memory(err);
	}
	if (c && c->runs) {
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

/*
 * Simulates counting: the table grows, and its contents go to the runs whenever it is full; when the sorter is full
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

/* Puts what a table holds among runs. */
static int put_map(const struct hash_map *m, struct runs *r, struct error *err)
{
	int status = DANA_OK;
	for (size_t i = 0; m->slots && i < (size_t)1 << m->bits && status == DANA_OK; i++) {
		if (m->slots[i].key)
			status = runs_put_pair(r, (struct pair){ m->slots[i].key, m->slots[i].value }, err);
	}
	return status;
}

static int spill(struct line_counter *c, struct error *err)
{
	int status = put_map(&c->lines, c->runs, err);
	hash_map_free(&c->lines);
	return status;
}

static int count_pages(struct line_counter *c, uint64_t scope, uint64_t n, struct error *err)
{
	uint64_t *pages;
	if (hash_map_put(&c->scopes, scope, &pages) < 0)
		return error_no_memory(err);
	*pages += n;
	return DANA_OK;
}

int line_counter_page(struct line_counter *c, uint64_t scope, struct error *err)
{
	c->pages++;
	return count_pages(c, scope, 1, err);
}

int line_counter_add(struct line_counter *c, uint64_t key, struct error *err)
{
	return line_counter_add_number(c, key, 1, err);
}

int line_counter_add_number(struct line_counter *c, uint64_t key, uint64_t n, struct error *err)
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
	*count += n;
	return DANA_OK;
}

int line_counter_add_table(struct line_counter *c, const struct line_table *t, struct error *err)
{
	int status = DANA_OK;
	for (size_t i = 0; i < t->n_lines && status == DANA_OK; i++)
		status = runs_put(c->runs, t->lines + i * PAIR_BYTES, err);
	for (size_t i = 0; i < t->n_scopes && status == DANA_OK; i++) {
		const struct pair scope = pair_read(t->scopes + i * PAIR_BYTES);
		status = count_pages(c, scope.key, scope.value, err);
	}
	c->pages += t->pages;
	return status;
}

static int write_table(struct line_counter *c, struct error *err)
{
	uint64_t *histogram = calloc(LINE_COUNTS, sizeof(*histogram)), least = LINE_COUNTS;
	struct index_file sums = { .fd = -1 };
	const uint64_t scopes = c->scopes.n * PAIR_BYTES;
	/* the sums of lines on enough pages */
	struct index_writer *temporary = histogram ? index_writer_open_temporary(c->folder, INDEX_RUN, err) : NULL;
	int status = !histogram  ? error_no_memory(err)
		     : temporary ? put_sums(c->runs, temporary, c->settings.least, histogram, err)
				 : (int)err->status;
	if (status == DANA_OK)
		status = index_writer_finish_temporary(temporary, &sums, err);
	else
		index_writer_abandon(temporary);
	if (status == DANA_OK && scopes > c->settings.size)
		status = error_set(err, DANA_ELIMIT, "%zu sites alone need %llu bytes, more than --size", c->scopes.n,
				   (unsigned long long)scopes);
	if (status == DANA_OK) {
		/* from which count on all lines fit */
		uint64_t room = (c->settings.size - scopes) / PAIR_BYTES;
		while (least > c->settings.least && histogram[least - 1] <= room)
			room -= histogram[--least];
		put_text(c->out, c->settings.by_site, least, c->pages);
		/* copy the lines on at least `least` pages */
		struct index_writer *w = c->out;
		struct index_reader reader = { 0 };
		const uint8_t *record;
		status = index_reader_open(&reader, &sums, 0, err);

		index_writer_record(w, PAIR_BYTES);
		while (status >= 0 && (status = index_reader_next(&reader, &record, err)) == 1) {
			if (pair_read(record).value >= least)
				index_writer_put(w, record, PAIR_BYTES);
		}
		index_reader_close(&reader);
		index_writer_next_section(w);
	}
	index_file_close(&sums);
	free(histogram);
	if (status < 0)
		return status;
	struct runs *r = runs_new(c->folder, PAIR_BYTES, c->scopes.n * 2 * PAIR_BYTES, err);
	status = r ? put_map(&c->scopes, r, err) : err->status;
	if (status == DANA_OK)
		status = put_sums(r, c->out, 1, NULL, err);
	runs_free(r);
	return status;
}

int line_counter_finish(struct line_counter *c, struct error *err)
{
	int status = spill(c, err);
	if (status == DANA_OK)
		status = write_table(c, err);
	if (status == DANA_OK) {
		status = index_writer_finish(c->out, err);
		c->out = NULL;
	}
	line_counter_abandon(c);
	return status;
}

/* ---- merging ---- */

static int merge_section(const char *const *paths, size_t n, unsigned section, uint64_t least, struct index_writer *w,
			 struct error *err)
{
	struct runs *r = runs_new("", PAIR_BYTES, 0, err);
	int status = r ? DANA_OK : err->status;
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = runs_add(r, &(struct sorted_run){ .path = paths[i], .section = section }, err);
	if (status == DANA_OK)
		status = put_sums(r, w, least, NULL, err);
	runs_free(r);
	return status;
}

int line_tables_merge(const char *const *paths, size_t n, const char *output, uint64_t least, bool force,
		      struct error *err)
{
	struct line_table first = { .least = least };
	int status = DANA_OK;
	if (n > RUNS_MOST)
		return error_set(err, DANA_ECONFIG, "%zu tables are more than the %d of one merge; merge them in steps",
				 n, RUNS_MOST);
	for (size_t i = 0; i < n; i++) {
		struct line_table t;
		struct index_file f;
		status = open_file(&t, &f, paths[i], err);
		if (status < 0)
			return status;
		index_file_close(&f);
		if (i && t.by_site != first.by_site)
			status = error_set(err, DANA_ECONFIG, "%s and %s cannot be merged: one counts by site",
					   paths[0], paths[i]);
		first.by_site = t.by_site;
		first.least = t.least > first.least ? t.least : first.least;
		first.pages += t.pages;
		if (status < 0)
			return status;
	}
	struct index_writer *w = index_writer_open(output, INDEX_LINES, force, err);
	if (!w)
		return err->status;
	put_text(w, first.by_site, first.least, first.pages);
	status = merge_section(paths, n, LINE_TABLE_LINES, least, w, err);
	index_writer_next_section(w);
	if (status == DANA_OK)
		status = merge_section(paths, n, LINE_TABLE_SCOPES, 1, w, err);
	if (status == DANA_OK)
		return index_writer_finish(w, err);
	index_writer_abandon(w);
	return status;
}
