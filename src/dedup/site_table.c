/* SPDX-License-Identifier: MIT */
#include "dedup/site_table.h"

#include <pthread.h>
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

/* The page's own part is taken off again. */
static int take_path(void *arg, uint32_t path, uint32_t own, uint32_t *pages, uint64_t *sum)
{
	const struct site_reader *r = arg;
	*pages = others_of(line_table_count(r->table, path_key(path, PATH_PAGES, r->scope)));
	const uint64_t all = *pages ? line_table_count(r->table, path_key(path, PATH_SUM, r->scope)) : 0;
	*sum = all > own ? all - own : 0;
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
	r->source = (struct site_source){ .page = take_page, .text = take_text, .path = take_path, .arg = r };
	r->table = &t->lines;
	r->hasher = text_hasher_new(NORMAL_SMALL);
	if (r->hasher)
		return &r->source;
	close_source(&r->source);
	return NULL;
}

/* Loads libpsl, for which it may be too late in a thread. */
static int load_sites(void)
{
	struct buf site = { 0 };
	const int status = site_of_url(slice_from_text("http://example.org/"), &site);
	buf_free(&site);
	return status;
}

struct site_table *site_table_empty(struct error *err)
{
	struct site_table *t = calloc(1, sizeof(*t));
	int status = t ? load_sites() : DANA_ENOMEM;
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

/* ---- what a page has ---- */

struct site_collector {
	struct site_source source;
	struct text_hasher *hasher;
	struct buf site;
	uint64_t scope;
	struct page_lines lines;
	struct buf paths;             /* pairs */
	struct site_learner *learner; /* gets all of a page when the next one begins; NULL: site_collector_take does */
};

static void count_page(struct site_collector *p);

void site_collector_forget(struct site_collector *p)
{
	page_lines_clear(&p->lines);
	buf_clear(&p->paths);
}

static int learn_page(void *arg, struct slice url, uint32_t *others)
{
	struct site_collector *p = arg;
	if (p->learner && p->paths.len)
		count_page(p);
	site_collector_forget(p);
	buf_clear(&p->site);
	const int status = site_of_url(url, &p->site);
	p->scope = line_scope(buf_slice(&p->site));
	*others = status == DANA_OK && p->site.len;
	return status;
}

static int learn_text(void *arg, struct slice text, uint32_t *pages)
{
	struct site_collector *p = arg;
	*pages = 0;
	return page_lines_add(&p->lines, p->hasher, text, p->scope);
}

static int learn_path(void *arg, uint32_t path, uint32_t own, uint32_t *pages, uint64_t *sum)
{
	struct site_collector *p = arg;
	const struct pair pairs[] = { { path_key(path, PATH_PAGES, p->scope), 1 },
				      { path_key(path, PATH_SUM, p->scope), own } };
	*pages = 0;
	*sum = 0;
	return buf_append(&p->paths, pairs, sizeof(pairs));
}

struct site_collector *site_collector_new(void)
{
	struct site_collector *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->source = (struct site_source){ .page = learn_page,
					  .text = learn_text,
					  .path = learn_path,
					  .arg = p,
					  .learns = true };
	p->hasher = text_hasher_new(NORMAL_SMALL);
	if (p->hasher)
		return p;
	site_collector_free(p);
	return NULL;
}

const struct site_source *site_collector_source(const struct site_collector *p)
{
	return &p->source;
}

int site_collector_take(struct site_collector *p, uint64_t *scope, struct buf *pairs)
{
	const size_t start = pairs->len;
	*scope = p->paths.len ? p->scope : 0;
	int status = page_lines_keys(&p->lines, 1, pairs);
	const size_t keys = (pairs->len - start) / sizeof(uint64_t);
	if (status == DANA_OK)
		status = buf_reserve(pairs, keys * sizeof(uint64_t) + p->paths.len);
	if (status < 0)
		return status;
	/* the keys become pairs, from the last one on */
	for (size_t i = keys; i-- > 0;) {
		uint64_t key;
		memcpy(&key, pairs->data + start + i * sizeof(key), sizeof(key));
		memcpy(pairs->data + start + i * sizeof(struct pair), &(struct pair){ key, 1 }, sizeof(struct pair));
	}
	pairs->len = start + keys * sizeof(struct pair);
	status = buf_append(pairs, p->paths.data, p->paths.len);
	site_collector_forget(p);
	return status;
}

void site_collector_free(struct site_collector *p)
{
	if (!p)
		return;
	text_hasher_free(p->hasher);
	page_lines_free(&p->lines);
	buf_free(&p->paths);
	buf_free(&p->site);
	free(p);
}

/* ---- tables of what pages have ---- */

struct site_learner {
	struct site_sources sources;      /* first: it is the public dana_site_table, too */
	struct line_counter *counter;     /* NULL: it has ended */
	struct site_collector *collector; /* of site_learner_page */
	pthread_mutex_t lock;
	uint64_t pages;
	struct buf pairs;
	struct error err; /* the first of any thread */
};

static void count_page(struct site_collector *p)
{
	struct site_learner *l = p->learner;
	uint64_t scope;
	(void)pthread_mutex_lock(&l->lock);
	if (!l->counter) { /* an archive is freed after the learner's end */
		(void)pthread_mutex_unlock(&l->lock);
		return;
	}
	l->pages++;
	buf_clear(&l->pairs);
	int status = l->err.status                                   ? (int)l->err.status
		     : site_collector_take(p, &scope, &l->pairs) < 0 ? error_no_memory(&l->err)
								     : line_counter_page(l->counter, p->scope, &l->err);
	for (size_t at = 0; at < l->pairs.len && status == DANA_OK; at += sizeof(struct pair)) {
		struct pair pair;
		memcpy(&pair, l->pairs.data + at, sizeof(pair));
		status = line_counter_add_number(l->counter, pair.key, pair.value, &l->err);
	}
	(void)pthread_mutex_unlock(&l->lock);
}

static void close_collector(const struct site_source *source)
{
	struct site_collector *p = source ? source->arg : NULL;
	if (p && p->paths.len)
		count_page(p);
	site_collector_free(p);
}

static const struct site_source *open_collector(void *learner)
{
	struct site_collector *p = site_collector_new();
	if (!p)
		return NULL;
	p->learner = learner;
	return &p->source;
}

struct site_learner *site_learner_open(const char *path, const struct line_counter_settings *settings,
				       struct error *err)
{
	struct site_learner *l = calloc(1, sizeof(*l));
	if (l)
		l->collector = site_collector_new();
	const int status = l && l->collector ? load_sites() : DANA_ENOMEM;
	if (status < 0)
		(void)error_set(err, (enum dana_status)status, "%s", library_status_text(status));
	else
		l->counter = line_counter_new(path, settings, err);
	if (l && l->counter) {
		l->collector->learner = l;
		l->sources = (struct site_sources){ open_collector, close_collector, l };
		(void)pthread_mutex_init(&l->lock, NULL);
		return l;
	}
	if (l)
		site_collector_free(l->collector);
	free(l);
	return NULL;
}

const struct site_sources *site_learner_sources(const struct site_learner *l)
{
	return &l->sources;
}

uint64_t site_learner_pages(const struct site_learner *l)
{
	return l->pages;
}

int site_learner_finish(struct site_learner *l, struct error *err)
{
	int status = (int)l->err.status;
	if (status == DANA_OK) {
		status = line_counter_finish(l->counter, &l->err);
		l->counter = NULL;
	}
	*err = l->err;
	site_learner_abandon(l);
	return status;
}

void site_learner_abandon(struct site_learner *l)
{
	if (!l)
		return;
	line_counter_abandon(l->counter);
	site_collector_free(l->collector);
	buf_free(&l->pairs);
	(void)pthread_mutex_destroy(&l->lock);
	free(l);
}

/* ---- dana/site.h ---- */

/* What callers see of a status; the reason is stored unless the place for it is NULL. */
static int answer(const struct error *err, char *error, size_t size)
{
	if (error && size)
		(void)snprintf(error, size, "%s", err->text);
	return err->status == DANA_EFORMAT ? DANA_EIO : (int)err->status;
}

static struct site_learner *learner_of(struct dana_site_learner *l)
{
	return (struct site_learner *)(void *)l;
}

int dana_site_learner_new(struct dana_site_learner **out, const struct dana_site_options *options)
{
	struct dana_site_options o = { 0 };
	struct error err = { 0 };
	if (!out || !options || !options->path)
		return DANA_ESTATE;
	*out = NULL;
	memcpy(&o, options, options->struct_size < sizeof(o) ? options->struct_size : sizeof(o));
	struct line_counter_settings settings = LINE_COUNTER_OF_SITES;
	settings.least = o.least ? o.least : settings.least;
	settings.size = o.size ? o.size : settings.size;
	settings.memory = o.memory ? (size_t)o.memory : settings.memory;
	settings.force = o.force != 0;
	if (settings.memory < LINE_COUNTER_MEMORY_LEAST)
		(void)error_set(&err, DANA_ECONFIG, "memory is %zu bytes; expected %d or more", settings.memory,
				LINE_COUNTER_MEMORY_LEAST);
	else
		*out = (struct dana_site_learner *)(void *)site_learner_open(o.path, &settings, &err);
	return *out ? DANA_OK : answer(&err, o.error, o.error_size);
}

const struct dana_site_table *dana_site_learner_site(const struct dana_site_learner *learner)
{
	return (const struct dana_site_table *)(const void *)learner;
}

int dana_site_learner_page(struct dana_site_learner *learner, struct dana_view url, struct dana_view text)
{
	struct site_learner *l = learner_of(learner);
	uint32_t others, pages;
	if (!l || (!url.data && url.len) || (!text.data && text.len))
		return DANA_ESTATE;
	if (!l->counter)
		return l->err.status ? (int)l->err.status : DANA_ESTATE;
	int status = learn_page(l->collector, slice_of(url.data, url.len), &others);
	if (status == DANA_OK)
		status = learn_text(l->collector, slice_of(text.data, text.len), &pages);
	if (status < 0 && !l->err.status)
		(void)error_set(&l->err, (enum dana_status)status, "%s", library_status_text(status));
	if (status == DANA_OK)
		count_page(l->collector);
	if (!l->err.status)
		return DANA_OK;
	line_counter_abandon(l->counter);
	l->counter = NULL;
	return answer(&l->err, NULL, 0);
}

int dana_site_learner_finish(struct dana_site_learner *learner)
{
	struct site_learner *l = learner_of(learner);
	if (!l || (!l->counter && !l->err.status))
		return DANA_ESTATE;
	struct line_counter *counter = l->counter;
	l->counter = NULL;
	if (l->err.status)
		line_counter_abandon(counter);
	else if (line_counter_finish(counter, &l->err) == DANA_OK)
		return DANA_OK;
	return answer(&l->err, NULL, 0);
}

uint64_t dana_site_learner_pages(const struct dana_site_learner *l)
{
	return l ? site_learner_pages((const struct site_learner *)(const void *)l) : 0;
}

const char *dana_site_learner_error(const struct dana_site_learner *l)
{
	return l ? ((const struct site_learner *)(const void *)l)->err.text : "";
}

void dana_site_learner_free(struct dana_site_learner *l)
{
	site_learner_abandon(learner_of(l));
}

int dana_site_merge(const char *const *tables, size_t n, const char *path, uint64_t least, int force, char *error,
		    size_t error_size)
{
	struct error err = { 0 };
	if (!tables || n == 0 || !path)
		return DANA_ESTATE;
	return line_tables_merge(tables, n, path, least ? least : 1, force != 0, &err) == DANA_OK
		       ? DANA_OK
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
