/* SPDX-License-Identifier: MIT */
#include "plugins/dedup_common/ordered.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/json_writer.h"
#include "base/ondemand/library.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"

struct origin duplicate_origin(const struct dana_host *host, const struct dana_page *p)
{
	int64_t offset = host->number_item(p, DANA_OFFSET);

	return (struct origin){ .id = slice_of_view(host->text_item(p, DANA_RECORD_ID)),
				.file = slice_of_view(host->text_item(p, DANA_FILE_NAME)),
				.offset = offset < 0 ? UINT64_MAX : (uint64_t)offset };
}

int duplicate_put(const struct dana_host *host, struct dana_page *p, const struct origin *first)
{
	struct buf json = { 0 };
	struct json_writer w = { .out = &json };

	json_object_begin(&w);
	json_text_or_null(&w, "id", first->id);
	json_text_or_null(&w, "file", first->file);
	json_count_or_null(&w, "offset", first->offset != UINT64_MAX, first->offset);
	json_object_end(&w);
	int status = buf_status(&json) < 0 ? host->page_fail(p, "%s", status_text(DANA_ENOMEM))
					   : host->put_json(p, "duplicate_of",
							    (struct dana_view){ (const char *)json.data, json.len });
	buf_free(&json);
	return status;
}

void pool_init(struct pool *p, void *(*make)(const void *arg), void (*destroy)(void *object), const void *arg)
{
	*p = (struct pool){ .make = make, .free = destroy, .arg = arg };
	(void)pthread_mutex_init(&p->lock, NULL);
}

void *pool_take(struct pool *p)
{
	void *object = NULL;

	pthread_mutex_lock(&p->lock);
	if (p->n)
		object = p->idle[--p->n];
	pthread_mutex_unlock(&p->lock);
	return object ? object : p->make(p->arg);
}

void pool_give(struct pool *p, void *object)
{
	pthread_mutex_lock(&p->lock);
	void **idle = grow_items(p->idle, p->n, &p->cap, sizeof(*idle));
	if (idle) {
		p->idle = idle;
		idle[p->n++] = object;
		object = NULL;
	}
	pthread_mutex_unlock(&p->lock);
	if (object)
		p->free(object);
}

void pool_free(struct pool *p)
{
	while (p->n)
		p->free(p->idle[--p->n]);
	free(p->idle);
	(void)pthread_mutex_destroy(&p->lock);
}

/* ---- in the workers ---- */

struct line_maker {
	struct text_hasher *hasher;
	struct page_lines lines;
	struct buf site;
};

static void free_maker(void *object)
{
	struct line_maker *m = object;
	text_hasher_free(m->hasher);
	page_lines_free(&m->lines);
	buf_free(&m->site);
	free(m);
}

static void *make_maker(const void *arg)
{
	(void)arg;
	struct line_maker *m = calloc(1, sizeof(*m));
	if (m)
		m->hasher = text_hasher_new(NORMAL_SMALL);
	if (m && !m->hasher) {
		free_maker(m);
		return NULL;
	}
	return m;
}

void lines_pool_init(struct pool *p)
{
	pool_init(p, make_maker, free_maker, NULL);
}

static int make_lines(struct line_maker *m, const struct dana_host *host, struct dana_page *page, bool by_site,
		      uint64_t *scope)
{
	int status = DANA_OK;
	buf_clear(&m->site);
	page_lines_clear(&m->lines);
	if (by_site)
		status = site_of_url(slice_of_view(host->text_item(page, DANA_URL)), &m->site);
	*scope = by_site ? line_scope(buf_slice(&m->site)) : LINE_SCOPE_ALL;
	return status < 0 ? status : page_lines_add(&m->lines, m->hasher, slice_of_view(host->text(page)), *scope);
}

int lines_attach(const struct dana_host *host, struct pool *p, struct dana_page *page, bool by_site)
{
	struct line_maker *m = pool_take(p);
	struct buf bytes = { 0 };
	uint64_t scope = 0;
	int status = m ? make_lines(m, host, page, by_site, &scope) : DANA_ENOMEM;

	if (status == DANA_OK) {
		buf_append(&bytes, &scope, sizeof(scope));
		status = buf_append(&bytes, m->lines.items, m->lines.n * sizeof(*m->lines.items));
	}
	status = status < 0 ? host->page_fail(page, "%s", library_status_text(status))
			    : host->attach(page, bytes.data, bytes.len);
	buf_free(&bytes);
	if (m)
		pool_give(p, m);
	return status;
}

/* ---- in order ---- */

int lines_take(struct lines *l, const struct dana_host *host, const struct dana_page *page)
{
	const struct slice bytes = slice_of_view(host->attached(page));
	size_t n = bytes.len < sizeof(l->scope) ? 0 : (bytes.len - sizeof(l->scope)) / sizeof(*l->lines.items);

	page_lines_clear(&l->lines);
	if (n > l->lines.cap) {
		struct page_line *items = realloc(l->lines.items, n * sizeof(*items));
		if (!items)
			return DANA_ENOMEM;
		l->lines.items = items;
		l->lines.cap = n;
	}
	if (bytes.len)
		memcpy(&l->scope, bytes.data, sizeof(l->scope));
	if (n)
		memcpy(l->lines.items, bytes.data + sizeof(l->scope), n * sizeof(*l->lines.items));
	l->lines.n = n;
	for (size_t i = 0; i < n; i++)
		l->lines.chars += l->lines.items[i].chars;
	return DANA_OK;
}

void lines_free(struct lines *l)
{
	page_lines_free(&l->lines);
	buf_free(&l->text);
	buf_free(&l->keys);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x, y;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

const uint64_t *lines_keys(struct lines *l, size_t min_chars, size_t *n)
{
	buf_clear(&l->keys);
	if (buf_reserve(&l->keys, (l->lines.n + 1) * sizeof(uint64_t)) < 0)
		return NULL;
	uint64_t *keys = (void *)l->keys.data;
	size_t count = 0, once = 0;
	for (size_t i = 0; i < l->lines.n; i++) {
		if (l->lines.items[i].key && l->lines.items[i].chars >= min_chars)
			keys[count++] = l->lines.items[i].key;
	}
	qsort(keys, count, sizeof(*keys), by_number);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || keys[i] != keys[i - 1])
			keys[once++] = keys[i];
	}
	*n = once;
	return keys;
}

struct lines_dropped lines_count_marked(const struct lines *l)
{
	struct lines_dropped d = { 0 };
	for (size_t i = 0; i < l->lines.n; i++) {
		if (l->lines.items[i].mark) {
			d.lines++;
			d.chars += l->lines.items[i].chars;
		}
	}
	return d;
}

int lines_set_left(struct lines *l, const struct dana_host *host, struct dana_page *page)
{
	buf_clear(&l->text);
	if (page_lines_left(&l->lines, slice_of_view(host->text(page)), &l->text) < 0)
		return host->page_fail(page, "%s", status_text(DANA_ENOMEM));
	return host->set_text(page, (struct dana_view){ (const char *)l->text.data, l->text.len });
}

int lines_put_dropped(const struct dana_host *host, struct dana_page *page, struct lines_dropped d)
{
	int status = host->put_integer(page, "dropped_lines", (int64_t)d.lines);
	return status < 0 ? status : host->put_integer(page, "dropped_chars", (int64_t)d.chars);
}

static int put_numbers(struct lines *l, const struct dana_host *host, struct dana_page *page, const char *name,
		       bool marks)
{
	bool first = true;
	buf_clear(&l->text);
	buf_append_byte(&l->text, '[');
	for (size_t i = 0; i < l->lines.n; i++) {
		if (!l->lines.items[i].mark)
			continue;
		buf_printf(&l->text, "%s%zu", first ? "" : ",", marks ? (size_t)l->lines.items[i].mark : i);
		first = false;
	}
	buf_append_byte(&l->text, ']');
	if (buf_status(&l->text) < 0)
		return host->page_fail(page, "%s", status_text(DANA_ENOMEM));
	return host->put_json(page, name, (struct dana_view){ (const char *)l->text.data, l->text.len });
}

int lines_put_marks(struct lines *l, const struct dana_host *host, struct dana_page *page, const char *name)
{
	int status = put_numbers(l, host, page, name, false);
	return status < 0 ? status : put_numbers(l, host, page, "marks", true);
}
