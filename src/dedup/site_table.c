/* SPDX-License-Identifier: MIT */
/*
 * Learns tables of sites, and answers from them on how many other pages of a site a text is, and what blocks on a path
 * are like.
 */
#include "dedup/site_table.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"
#include "dana/site.h"
#include "dedup/counts.h"
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
	struct site_scopes scopes;
	uint64_t scope; /* the page's site */
	bool counted;   /* the page is one of those that the table has counted */
};

/* Which page it is; at the beginning of what is learned of it. */
struct page_name {
	uint64_t scope, address; /* its site (0: none), and its key (SITE_ADDRESS) */
};

static int page_name_of(struct slice url, struct site_scopes *scopes, struct page_name *page)
{
	const int status = site_scope(scopes, url, &page->scope);
	page->address = site_key((uint32_t)hash64(url), SITE_ADDRESS, page->scope);
	return status;
}

/* A count of the table without the page itself. */
static uint32_t others_of(const struct site_reader *r, uint64_t pages)
{
	const uint64_t others = pages - (pages && r->counted);
	return others > UINT32_MAX ? UINT32_MAX : (uint32_t)others;
}

static int take_page(void *arg, struct slice url, uint32_t *others)
{
	struct site_reader *r = arg;
	struct page_name page;
	const int status = page_name_of(url, &r->scopes, &page);
	r->scope = page.scope;
	r->counted = !line_table_count(r->table, site_key(0, SITE_IN_PART, r->scope)) ||
		     line_table_count(r->table, page.address);
	*others = r->scope ? others_of(r, line_table_pages(r->table, r->scope)) : 0;
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
		const uint32_t others = chars ? others_of(r, line_table_count(r->table, key | (key == 0))) : least;
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
	*pages = others_of(r, line_table_count(r->table, site_key(path, PATH_PAGES, r->scope)));
	*sum = *pages ? line_table_count(r->table, site_key(path, PATH_SUM, r->scope)) : 0;
	if (r->counted)
		*sum -= *sum > own ? own : *sum;
	return DANA_OK;
}

static void close_source(const struct site_source *source)
{
	struct site_reader *r = source ? source->arg : NULL;
	if (!r)
		return;
	text_hasher_free(r->hasher);
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
		t->sources = (struct site_sources){ .open = open_source, .close = close_source, .arg = t };
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

/* Of one thread. */
struct page_collector {
	struct site_source source;
	struct text_hasher *hasher;
	struct site_scopes scopes;
	struct page_name page;
	struct page_lines lines;
	struct buf paths; /* pairs */
	struct buf all;   /* the page and its pairs */
};

static int learn_page(void *arg, struct slice url, uint32_t *others)
{
	struct page_collector *c = arg;
	page_lines_clear(&c->lines);
	buf_clear(&c->paths);
	const int status = page_name_of(url, &c->scopes, &c->page);
	*others = c->page.scope != 0;
	return status;
}

static int learn_text(void *arg, struct slice text, uint32_t *pages)
{
	struct page_collector *c = arg;
	*pages = 0;
	return page_lines_add(&c->lines, c->hasher, text, c->page.scope);
}

static int learn_path(void *arg, uint32_t path, uint32_t own, uint32_t *pages, uint64_t *sum)
{
	struct page_collector *c = arg;
	const struct pair pairs[] = { { site_key(path, PATH_PAGES, c->page.scope), 1 },
				      { site_key(path, PATH_SUM, c->page.scope), own } };
	*pages = 0;
	*sum = 0;
	return buf_append(&c->paths, pairs, sizeof(pairs));
}

static int learned(void *arg, struct slice *page)
{
	struct page_collector *c = arg;
	const bool any = c->paths.len;
	buf_clear(&c->all);
	int status = DANA_OK;
	if (any) {
		(void)buf_append(&c->all, &c->page, sizeof(c->page));
		(void)buf_append(&c->all, c->paths.data, c->paths.len);
		status = page_lines_keys(&c->lines, 1, &c->all);
	}
	const size_t start = any ? sizeof(c->page) + c->paths.len : 0;
	const size_t keys = (c->all.len - start) / sizeof(uint64_t);
	if (status < 0 || buf_reserve(&c->all, keys * sizeof(uint64_t)) < 0)
		return DANA_ENOMEM;
	/* the keys become pairs, from the last one on */
	for (size_t i = keys; i-- > 0;) {
		struct pair pair = { .value = 1 };
		memcpy(&pair.key, c->all.data + start + i * sizeof(pair.key), sizeof(pair.key));
		memcpy(c->all.data + start + i * sizeof(pair), &pair, sizeof(pair));
	}
	c->all.len = start + keys * sizeof(struct pair);
	page_lines_clear(&c->lines);
	buf_clear(&c->paths);
	*page = buf_slice(&c->all);
	return DANA_OK;
}

static void close_collector(const struct site_source *source)
{
	struct page_collector *c = source ? source->arg : NULL;
	if (!c)
		return;
	text_hasher_free(c->hasher);
	page_lines_free(&c->lines);
	buf_free(&c->paths);
	buf_free(&c->all);
	free(c);
}

static const struct site_source *open_collector(void *unused)
{
	struct page_collector *c = calloc(1, sizeof(*c));
	(void)unused;
	if (!c)
		return NULL;
	c->source = (struct site_source){ .page = learn_page,
					  .text = learn_text,
					  .path = learn_path,
					  .arg = c,
					  .learned = learned };
	c->hasher = text_hasher_new(NORMAL_SMALL);
	if (c->hasher)
		return &c->source;
	close_collector(&c->source);
	return NULL;
}

const struct site_sources site_collectors = { .open = open_collector, .close = close_collector };

struct slice site_learned_pairs(struct slice learned, uint64_t *scope)
{
	struct page_name page = { 0 };
	if (learned.len)
		memcpy(&page, learned.data, sizeof(page));
	*scope = page.scope;
	return slice_skip(learned, sizeof(page));
}

/* ---- tables of what pages have ---- */

enum { SAMPLE_FIRST = 8 };

struct site_learner {
	struct site_sources sources;  /* first: it is the public dana_site_table, too */
	struct line_counter *counter; /* NULL: it has ended */
	pthread_mutex_t lock;
	uint64_t pages;
	/*
	 * A sample of each site: its first pages, and then ever fewer, spread over all that come: with each one that is
	 * taken the keys of addresses need two zero bits more. By scope the number of addresses, and by address the
	 * scope. When these are full nothing is added to them: sites with fewer than SAMPLE_FIRST by then are learned
	 * whole.
	 */
	bool samples;
	struct hash_map sites, addresses;
	struct site_scopes scopes;
	struct error err; /* the first of any thread */
};

static uint64_t addresses_of(const struct site_learner *l, uint64_t scope)
{
	const uint64_t *n = hash_map_get(&l->sites, scope);
	return n ? *n : 0;
}

static bool is_wanted(const struct site_learner *l, struct page_name page)
{
	const uint64_t n = addresses_of(l, page.scope);
	const uint64_t bits = n < SAMPLE_FIRST ? 0 : 2 * (n - SAMPLE_FIRST + 1);
	return bits == 0 || (bits < 64 && page.address << (64 - bits) == 0) ||
	       hash_map_get(&l->addresses, page.address);
}

static bool wants(void *learner, struct slice url)
{
	struct site_learner *l = learner;
	struct page_name page;
	(void)pthread_mutex_lock(&l->lock);
	/* where memory is exhausted, the page itself will show it */
	const bool wanted = page_name_of(url, &l->scopes, &page) < 0 || (page.scope && is_wanted(l, page));
	(void)pthread_mutex_unlock(&l->lock);
	return wanted;
}

/* Returns whether a page belongs to the sample, which it is added to. DANA_ENOMEM is noted. */
static bool sample(struct site_learner *l, struct page_name page)
{
	uint64_t *n, *scope;
	if (!is_wanted(l, page))
		return false;
	int status = hash_map_put(&l->sites, page.scope, &n);
	if (status >= 0)
		status = hash_map_put(&l->addresses, page.address, &scope);
	if (status == 0) {
		*scope = page.scope;
		++*n;
	}
	if (status == DANA_ENOMEM)
		(void)error_no_memory(&l->err);
	return status >= 0 || (status == DANA_ELIMIT && addresses_of(l, page.scope) < SAMPLE_FIRST);
}

static int take(void *learner, struct slice learned)
{
	struct site_learner *l = learner;
	struct page_name page;
	memcpy(&page, learned.data, sizeof(page));
	(void)pthread_mutex_lock(&l->lock);
	/* an archive may be read after the learner's end */
	if (l->counter && !l->err.status && (!l->samples || sample(l, page))) {
		l->pages++;
		int status = line_counter_page(l->counter, page.scope, &l->err);
		for (size_t at = sizeof(page); at < learned.len && status == DANA_OK; at += sizeof(struct pair)) {
			struct pair pair;
			memcpy(&pair, learned.data + at, sizeof(pair));
			status = line_counter_add_number(l->counter, pair.key, pair.value, &l->err);
		}
	}
	(void)pthread_mutex_unlock(&l->lock);
	return DANA_OK; /* it ends with the error */
}

struct site_learner *site_learner_open(const char *path, const struct line_counter_settings *settings, bool samples,
				       struct error *err)
{
	struct site_learner *l = calloc(1, sizeof(*l));
	const int status = l ? load_sites() : DANA_ENOMEM;
	if (status < 0)
		(void)error_set(err, (enum dana_status)status, "%s", library_status_text(status));
	else
		l->counter = line_counter_new(path, settings, err);
	if (l && l->counter) {
		l->sources = (struct site_sources){ open_collector, close_collector, l, take, samples ? wants : NULL };
		l->samples = samples;
		l->sites.most_bytes = l->addresses.most_bytes = settings->memory / 4;
		(void)pthread_mutex_init(&l->lock, NULL);
		return l;
	}
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

/* Puts the addresses of sites of which a sample is learned into the table, with counts that no `size` drops. */
static int put_addresses(struct site_learner *l)
{
	const struct hash_map *m = &l->addresses;
	int status = DANA_OK;
	for (size_t i = 0; m->slots && i < (size_t)1 << m->bits && status == DANA_OK; i++) {
		const struct hash_map_slot *slot = &m->slots[i];
		if (!slot->key || addresses_of(l, slot->value) < SAMPLE_FIRST)
			continue;
		status = line_counter_add_number(l->counter, slot->key, UINT32_MAX, &l->err);
		if (status == DANA_OK)
			status = line_counter_add_number(l->counter, site_key(0, SITE_IN_PART, slot->value), UINT32_MAX,
							 &l->err);
	}
	return status;
}

int site_learner_finish(struct site_learner *l, struct error *err)
{
	if (!l->err.status && put_addresses(l) == DANA_OK) {
		(void)line_counter_finish(l->counter, &l->err);
		l->counter = NULL;
	}
	*err = l->err;
	site_learner_abandon(l);
	return (int)err->status;
}

void site_learner_abandon(struct site_learner *l)
{
	if (!l)
		return;
	line_counter_abandon(l->counter);
	hash_map_free(&l->sites);
	hash_map_free(&l->addresses);
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
		*out = (struct dana_site_learner *)(void *)site_learner_open(o.path, &settings, false, &err);
	return *out ? DANA_OK : answer(&err, o.error, o.error_size);
}

const struct dana_site_table *dana_site_learner_site(const struct dana_site_learner *learner)
{
	return (const struct dana_site_table *)(const void *)learner;
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
