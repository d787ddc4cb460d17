/* SPDX-License-Identifier: MIT */
#include "dedup/site_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"
#include "dana/site.h"
#include "dedup/line_table.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"

struct site_table {
	struct line_table lines;
	struct site_sources sources;
};

/* Of one thread. */
struct site_reader {
	struct site_source source;
	const struct line_table *table;
	struct text_hasher *hasher;
	struct buf site;
	uint64_t scope; /* the page's site */
};

/* A count of the table without the page itself. */
static uint32_t others_of(uint64_t pages)
{
	return pages == 0 ? 0 : pages > UINT32_MAX ? UINT32_MAX : (uint32_t)(pages - 1);
}

static int take_page(void *arg, struct slice url, uint32_t *others)
{
	struct site_reader *r = arg;
	buf_clear(&r->site);
	int status = site_of_url(url, &r->site);
	r->scope = line_scope(buf_slice(&r->site));
	*others = status < 0 || r->site.len == 0 ? 0 : others_of(line_table_pages(r->table, r->scope));
	return status;
}

/* Of several lines the one on the fewest pages counts. */
static int take_text(void *arg, struct slice text, uint32_t *pages)
{
	struct site_reader *r = arg;
	uint32_t least = UINT32_MAX;
	while (text.len && least) {
		const size_t len = slice_until(text, "\n");
		uint64_t key;
		size_t chars;
		int status = line_hash(r->hasher, slice_first(text, len), r->scope, &key, &chars);
		if (status < 0)
			return status;
		const uint32_t others = chars ? others_of(line_table_count(r->table, key | (key == 0))) : least;
		least = others < least ? others : least;
		text = slice_skip(text, len < text.len ? len + 1 : len);
	}
	*pages = least == UINT32_MAX ? 0 : least;
	return DANA_OK;
}

static void close_source(const struct site_source *source)
{
	struct site_reader *r = source ? source->arg : NULL;
	if (!r)
		return;
	text_hasher_free(r->hasher);
	buf_free(&r->site);
	free(r);
}

static const struct site_source *open_source(void *table)
{
	const struct site_table *t = table;
	struct site_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->source = (struct site_source){ take_page, take_text, r };
	r->table = &t->lines;
	r->hasher = text_hasher_new(NORMAL_SMALL);
	if (r->hasher)
		return &r->source;
	close_source(&r->source);
	return NULL;
}

struct site_table *site_table_empty(struct error *err)
{
	struct site_table *t = calloc(1, sizeof(*t));
	struct buf site = { 0 };
	/* loads libpsl, for which it may be too late in a thread */
	int status = t ? site_of_url(slice_from_text("http://example.org/"), &site) : DANA_ENOMEM;
	buf_free(&site);
	if (status == DANA_OK) {
		t->sources = (struct site_sources){ open_source, close_source, t };
		return t;
	}
	(void)error_set(err, (enum dana_status)status, "--site: %s", library_status_text(status));
	free(t);
	return NULL;
}

struct site_table *site_table_open(const char *path, struct error *err)
{
	struct site_table *t = site_table_empty(err);
	int status = t ? line_table_open(&t->lines, path, err) : (int)err->status;
	if (status == DANA_OK && !t->lines.by_site)
		status = error_set(err, DANA_ECONFIG,
				   "%s counts lines of all pages, not by site; dana site learn makes a table by site",
				   path);
	if (status == DANA_OK)
		return t;
	site_table_free(t);
	return NULL;
}

void site_table_take(struct site_table *t, const struct line_table *lines)
{
	line_table_close(&t->lines);
	t->lines = *lines;
}

uint64_t site_table_identity(const struct site_table *t)
{
	return t->lines.identity;
}

const struct site_sources *site_table_sources(const struct site_table *t)
{
	return &t->sources;
}

void site_table_free(struct site_table *t)
{
	if (!t)
		return;
	line_table_close(&t->lines);
	free(t);
}

/* ---- dana/site.h ---- */

enum { MEMORY_LEAST = 8192 };

struct dana_site_learner {
	struct line_counter *counter; /* NULL: it has ended */
	struct text_hasher *hasher;
	struct page_lines lines;
	struct buf site, keys;
	struct error err;
};

/* What callers see of a status; the reason is stored unless the place for it is NULL. */
static int answer(const struct error *err, char *error, size_t size)
{
	if (error && size)
		(void)snprintf(error, size, "%s", err->text);
	return err->status == DANA_EFORMAT ? DANA_EIO : (int)err->status;
}

int dana_site_learner_new(struct dana_site_learner **out, const struct dana_site_options *options)
{
	struct dana_site_options o = { 0 };
	struct error err = { 0 };
	struct buf site = { 0 };
	if (!out || !options || !options->path)
		return DANA_ESTATE;
	*out = NULL;
	memcpy(&o, options, options->struct_size < sizeof(o) ? options->struct_size : sizeof(o));
	const struct line_counter_settings settings = { .by_site = true,
							.least = o.least ? o.least : 2,
							.size = o.size ? o.size : (uint64_t)1 << 30,
							.memory = (size_t)(o.memory ? o.memory : 256 << 20),
							.force = o.force != 0 };
	struct dana_site_learner *l = calloc(1, sizeof(*l));
	if (l)
		l->hasher = text_hasher_new(NORMAL_SMALL);
	int status = l && l->hasher ? site_of_url(slice_from_text("http://example.org/"), &site) : DANA_ENOMEM;
	buf_free(&site);
	if (status < 0)
		(void)error_set(&err, (enum dana_status)status, "%s", library_status_text(status));
	else if (settings.memory < MEMORY_LEAST)
		(void)error_set(&err, DANA_ECONFIG, "memory is %zu bytes; expected %d or more", settings.memory,
				MEMORY_LEAST);
	else
		l->counter = line_counter_new(o.path, &settings, &err);
	if (l && l->counter) {
		*out = l;
		return DANA_OK;
	}
	dana_site_learner_free(l);
	return answer(&err, o.error, o.error_size);
}

/* Counts each line of the page once. */
static int count_lines(struct dana_site_learner *l, uint64_t scope)
{
	buf_clear(&l->keys);
	int status = page_lines_keys(&l->lines, 1, &l->keys) < 0 ? error_no_memory(&l->err)
								 : line_counter_page(l->counter, scope, &l->err);
	const uint64_t *keys = (const uint64_t *)(const void *)l->keys.data;
	for (size_t i = 0; i < l->keys.len / sizeof(*keys) && status == DANA_OK; i++)
		status = line_counter_add(l->counter, keys[i], &l->err);
	return status;
}

int dana_site_learner_page(struct dana_site_learner *l, struct dana_view url, struct dana_view text)
{
	if (!l || (!url.data && url.len) || (!text.data && text.len))
		return DANA_ESTATE;
	if (!l->counter)
		return l->err.status ? (int)l->err.status : DANA_ESTATE;
	buf_clear(&l->site);
	page_lines_clear(&l->lines);
	int status = site_of_url(slice_of(url.data, url.len), &l->site);
	const uint64_t scope = line_scope(buf_slice(&l->site));
	if (status == DANA_OK)
		status = page_lines_add(&l->lines, l->hasher, slice_of(text.data, text.len), scope);
	if (status < 0)
		(void)error_set(&l->err, (enum dana_status)status, "%s", library_status_text(status));
	else
		status = count_lines(l, scope);
	if (status == DANA_OK)
		return DANA_OK;
	line_counter_abandon(l->counter);
	l->counter = NULL;
	return answer(&l->err, NULL, 0);
}

int dana_site_learner_finish(struct dana_site_learner *l)
{
	if (!l || (!l->counter && !l->err.status))
		return DANA_ESTATE;
	struct line_counter *counter = l->counter;
	l->counter = NULL;
	return counter && line_counter_finish(counter, &l->err) == DANA_OK ? DANA_OK : answer(&l->err, NULL, 0);
}

const char *dana_site_learner_error(const struct dana_site_learner *l)
{
	return l ? l->err.text : "";
}

void dana_site_learner_free(struct dana_site_learner *l)
{
	if (!l)
		return;
	line_counter_abandon(l->counter);
	text_hasher_free(l->hasher);
	page_lines_free(&l->lines);
	buf_free(&l->site);
	buf_free(&l->keys);
	free(l);
}

int dana_site_merge(const char *const *tables, size_t n, const char *path, int force, char *error, size_t error_size)
{
	struct error err = { 0 };
	if (!tables || n == 0 || !path)
		return DANA_ESTATE;
	return line_tables_merge(tables, n, path, force != 0, &err) == DANA_OK ? DANA_OK
									       : answer(&err, error, error_size);
}

int dana_site_table_open(struct dana_site_table **out, const char *path, char *error, size_t error_size)
{
	struct error err = { 0 };
	if (!out || !path)
		return DANA_ESTATE;
	struct site_table *t = site_table_open(path, &err);
	*out = t ? (struct dana_site_table *)(void *)&t->sources : NULL;
	return t ? DANA_OK : answer(&err, error, error_size);
}

void dana_site_table_free(struct dana_site_table *t)
{
	if (t)
		site_table_free(((struct site_sources *)(void *)t)->arg);
}
