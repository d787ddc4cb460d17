/* SPDX-License-Identifier: MIT */
/*
 * Shared by counting lines and merging tables: sums of pairs with the same key, and which of them fit into a file.
 *
 * Keys are hashes, so the search begins where a key would be if keys were spread evenly, and then halves the range.
 *
 * Counts are kept in a table in memory; when it is full, they go into a sorter, and counting starts again. At the end
 * equal keys come out of the sorter together, and their counts are added up. They are first written to a temporary
 * file, with a histogram of the counts, which shows from which count on all lines fit into the requested size.
 *
 * Tables are sorted runs of counts: they are merged, and counts of one line added up.
 */
#include "config.h"

#include "dedup/line_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/file/path.h"

enum { LINE_COUNTS = 1 << 16 }; /* larger counts are one class */

/** The number of lines for each count. */
struct line_histogram {
	uint64_t lines[LINE_COUNTS];
};

/* Reads the number after "NAME=" in a text of lines. Returns false if it is missing. */
static bool setting(const char *text, const char *name, uint64_t *number)
{
	const char *at = strstr(text, name);

	return at && at[strlen(name)] == '=' && decimal_prefix(slice_from_text(at + strlen(name) + 1), number) > 0;
}

static int read_text(struct line_table *t, const struct index_file *f, struct error *err)
{
	uint8_t *text;
	int status = index_file_load(f, LINE_TABLE_TEXT, &text, err);

	if (status < 0)
		return status;
	const char *words = (const char *)text;
	t->by_site = strncmp(words, "scope=site\n", 11) == 0;
	bool good = (t->by_site || strncmp(words, "scope=all\n", 10) == 0) && setting(words, "least", &t->least) &&
		    setting(words, "pages", &t->pages);
	free(text);
	return good ? DANA_OK : index_file_refuse(f, "has unknown settings: made by a newer dana?", err);
}

static int load_pairs(const struct index_file *f, unsigned section, uint8_t **pairs, size_t *n, struct error *err)
{
	if (f->sections[section].record != PAIR_BYTES)
		return index_file_refuse(f, "is damaged: its records have another size", err);
	int status = index_file_load(f, section, pairs, err);
	*n = (size_t)index_file_count(f, section);
	return status;
}

int line_table_open(struct line_table *t, const char *path, struct error *err)
{
	struct index_file f;

	*t = (struct line_table){ 0 };
	int status = index_file_open(&f, path, INDEX_LINES, err);
	if (status < 0)
		return status;
	t->identity = f.identity;
	status = read_text(t, &f, err);
	if (status == DANA_OK)
		status = load_pairs(&f, LINE_TABLE_LINES, &t->lines, &t->n_lines, err);
	if (status == DANA_OK)
		status = load_pairs(&f, LINE_TABLE_SCOPES, &t->scopes, &t->n_scopes, err);
	index_file_close(&f);
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

/* Returns the value of a key among sorted pairs; 0 if it is missing. */
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

static void put_sum(struct index_writer *w, struct pair p, uint64_t least, struct line_histogram *h)
{
	if (p.value < least)
		return;
	pair_put(w, p);
	h->lines[p.value < LINE_COUNTS ? p.value : LINE_COUNTS - 1]++;
}

/**
 * Adds up the values of equal keys, and writes sums of `least` (1 or more) and above. `next` gives pairs in the order
 * of their keys, as pair_merge_next.
 */
static int line_sums(int (*next)(void *from, struct pair *p, struct error *err), void *from, struct index_writer *w,
		     uint64_t least, struct line_histogram *h, struct error *err)
{
	struct pair sum = { 0 }, p;
	int status;

	while ((status = next(from, &p, err)) == 1) {
		if (p.key != sum.key) {
			put_sum(w, sum, least, h);
			sum = p;
		} else {
			sum.value += p.value;
		}
	}
	if (status == 0)
		put_sum(w, sum, least, h);
	return status;
}

/** Returns the least count, at least `least`, from which on all lines fit into `bytes`. */
static uint64_t line_histogram_fit(const struct line_histogram *h, uint64_t bytes, uint64_t least)
{
	uint64_t room = bytes / PAIR_BYTES, count = LINE_COUNTS;

	while (count > least && h->lines[count - 1] <= room)
		room -= h->lines[--count];
	return count;
}

/** Writes section 0 and begins the next one. */
static void line_table_write_text(struct index_writer *w, bool by_site, uint64_t least, uint64_t pages)
{
	char text[128];
	int len = snprintf(text, sizeof(text), "scope=%s\nleast=%llu\npages=%llu\n", by_site ? "site" : "all",
			   (unsigned long long)least, (unsigned long long)pages);

	index_writer_put(w, text, (size_t)len);
	index_writer_next_section(w);
}

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

struct merger {
	struct index_file files[PAIR_FAN_IN];
	size_t n;
	bool by_site;
	uint64_t least, pages;
};

static int open_table(struct merger *m, const char *path, struct error *err)
{
	struct line_table t;
	int status = line_table_open(&t, path, err);

	if (status < 0)
		return status;
	if (m->n && t.by_site != m->by_site)
		status = error_set(err, DANA_ECONFIG, "%s and %s cannot be merged: one counts by site",
				   m->files[0].path, path);
	m->by_site = t.by_site;
	m->least = t.least > m->least ? t.least : m->least;
	m->pages += t.pages;
	line_table_close(&t);
	if (status == DANA_OK)
		status = index_file_open(&m->files[m->n], path, INDEX_LINES, err);
	m->n += status == DANA_OK;
	return status;
}

static int next_of_merge(void *from, struct pair *p, struct error *err)
{
	return pair_merge_next(from, p, err);
}

static int merge_section(struct merger *m, unsigned section, struct index_writer *w, struct line_histogram *h,
			 struct error *err)
{
	struct pair_run runs[PAIR_FAN_IN];

	for (size_t i = 0; i < m->n; i++)
		runs[i] = (struct pair_run){ .file = &m->files[i], .section = section };
	struct pair_merge *merge = pair_merge_new(runs, m->n, err);
	index_writer_record(w, PAIR_BYTES);
	int status = merge ? line_sums(next_of_merge, merge, w, 1, h, err) : err->status;
	pair_merge_free(merge);
	return status;
}

static int merge_into(struct merger *m, const char *output, bool force, struct error *err)
{
	struct line_histogram *h = calloc(1, sizeof(*h));
	struct index_writer *w = h ? index_writer_open(output, INDEX_LINES, force, err) : NULL;
	int status = w ? DANA_OK : h ? (int)err->status : error_no_memory(err);

	if (w) {
		line_table_write_text(w, m->by_site, m->least, m->pages);
		status = merge_section(m, LINE_TABLE_LINES, w, h, err);
		index_writer_next_section(w);
	}
	if (status == DANA_OK)
		status = merge_section(m, LINE_TABLE_SCOPES, w, h, err);
	if (status == DANA_OK)
		status = index_writer_finish(w, err);
	else
		index_writer_abandon(w);
	free(h);
	return status;
}

int line_tables_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	struct merger *m = calloc(1, sizeof(*m));
	int status = m ? DANA_OK : error_no_memory(err);

	if (n > PAIR_FAN_IN)
		status = error_set(err, DANA_ECONFIG,
				   "%zu tables are more than the %d of one merge; merge them in steps", n, PAIR_FAN_IN);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = open_table(m, paths[i], err);
	if (status == DANA_OK)
		status = merge_into(m, output, force, err);
	while (m && m->n)
		index_file_close(&m->files[--m->n]);
	free(m);
	return status;
}
