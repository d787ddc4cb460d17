/* SPDX-License-Identifier: MIT */
#include "plugins/dedup_common/dedup_run.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/library.h"
#include "dedup/normal_text.h"

/* ---- objects that threads borrow ---- */

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
	if (!object)
		return;
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

/* ---- the life of a plugin ---- */

int dedup_run_open(void **instance, void *shared, const struct dana_host *host, struct dana_context *c)
{
	(void)host;
	((struct dedup_run *)shared)->context = c;
	*instance = shared;
	return 0;
}

void dedup_run_free(struct dedup_run *o, const struct dana_host *host)
{
	journal_close(o->journal, host->run_is_over(o->loaded));
	while (o->pool.n)
		o->pool.free(o->pool.idle[--o->pool.n]);
	free(o->pool.idle);
	(void)pthread_mutex_destroy(&o->pool.lock);
}

int dedup_run_save(const struct dedup_run *o, const struct dana_host *host, struct dana_store *store, uint64_t identity)
{
	uint8_t state[JOURNAL_STATE];
	struct error err = { 0 };
	int status = journal_save(o->journal, identity, state, &err);
	return status < 0 ? dedup_run_result(o, host, status, &err) : host->store(store, state, sizeof(state));
}

int dedup_run_begin(const struct dedup_run *o, const struct dana_host *host, const struct dana_page *p,
		    uint64_t identity, struct error *err)
{
	if (!o->journal)
		return DANA_OK;
	return journal_begin(o->journal, slice_of_view(host->text_item(p, DANA_FILE_NAME)), identity, err);
}

int dedup_run_result(const struct dedup_run *o, const struct dana_host *host, int status, const struct error *err)
{
	return status < 0 ? host->fail(o->context, "%s", err->text[0] ? err->text : status_text(status)) : 0;
}

bool option_is(const struct dana_host *host, const struct dana_context *c, const char *name, const char *word)
{
	const char *value = host->option_text(c, name);
	return value && strcmp(value, word) == 0;
}

/* ---- duplicates ---- */

struct origin duplicate_origin(const struct dana_host *host, const struct dana_page *p)
{
	int64_t offset = host->number_item(p, DANA_OFFSET);
	return (struct origin){ .id = slice_of_view(host->text_item(p, DANA_RECORD_ID)),
				.file = slice_of_view(host->text_item(p, DANA_FILE_NAME)),
				.offset = offset < 0 ? UINT64_MAX : (uint64_t)offset };
}

/* Puts a member whose value is in `json`, which is freed. */
static int put_json(const struct dana_host *host, struct dana_page *p, const char *name, struct buf *json)
{
	int status = buf_status(json) < 0
			     ? host->page_fail(p, "%s", status_text(DANA_ENOMEM))
			     : host->put_json(p, name, (struct dana_view){ (const char *)json->data, json->len });
	buf_free(json);
	return status;
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
	return put_json(host, p, "duplicate_of", &json);
}

/* ---- lines: in the workers ---- */

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
	struct line_maker *m = calloc(1, sizeof(*m));
	(void)arg;
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
		      struct buf *attached)
{
	uint64_t scope = LINE_SCOPE_ALL;
	int status = DANA_OK;
	buf_clear(&m->site);
	page_lines_clear(&m->lines);
	if (by_site) {
		status = site_of_url(slice_of_view(host->text_item(page, DANA_URL)), &m->site);
		scope = line_scope(buf_slice(&m->site));
	}
	if (status == DANA_OK)
		status = page_lines_add(&m->lines, m->hasher, slice_of_view(host->text(page)), scope);
	if (status < 0)
		return status;
	buf_append(attached, &scope, sizeof(scope));
	return buf_append(attached, m->lines.items, m->lines.n * sizeof(*m->lines.items));
}

int lines_attach(const struct dana_host *host, struct pool *p, struct dana_page *page, bool by_site)
{
	struct line_maker *m = pool_take(p);
	struct buf attached = { 0 };
	int status = m ? make_lines(m, host, page, by_site, &attached) : DANA_ENOMEM;
	pool_give(p, m);
	status = status < 0 ? host->page_fail(page, "%s", library_status_text(status))
			    : host->attach(page, attached.data, attached.len);
	buf_free(&attached);
	return status;
}

/* ---- lines: in order ---- */

int lines_take(struct attached_lines *l, const struct dana_host *host, const struct dana_page *page)
{
	const struct slice bytes = slice_of_view(host->attached(page));
	const size_t head = sizeof(l->scope), n = bytes.len < head ? 0 : (bytes.len - head) / sizeof(*l->lines.items);
	page_lines_clear(&l->lines);
	if (n > l->lines.cap) {
		struct page_line *items = realloc(l->lines.items, n * sizeof(*items));
		if (!items)
			return DANA_ENOMEM;
		l->lines.items = items;
		l->lines.cap = n;
	}
	if (bytes.len)
		memcpy(&l->scope, bytes.data, head);
	if (n)
		memcpy(l->lines.items, bytes.data + head, n * sizeof(*l->lines.items));
	l->lines.n = n;
	for (size_t i = 0; i < n; i++)
		l->lines.chars += l->lines.items[i].chars;
	return DANA_OK;
}

void lines_free(struct attached_lines *l)
{
	page_lines_free(&l->lines);
	buf_free(&l->text);
	buf_free(&l->keys);
}

const uint64_t *lines_keys(struct attached_lines *l, size_t min_chars, size_t *n)
{
	buf_clear(&l->keys);
	if (page_lines_keys(&l->lines, min_chars, &l->keys) < 0)
		return NULL;
	*n = l->keys.len / sizeof(uint64_t);
	return (const uint64_t *)(const void *)l->keys.data;
}

struct lines_left lines_left_of(const struct attached_lines *l)
{
	struct lines_left left = { .chars = l->lines.chars };
	for (size_t i = 0; i < l->lines.n; i++) {
		if (l->lines.items[i].mark) {
			left.dropped++;
			left.dropped_chars += l->lines.items[i].chars;
		}
	}
	left.chars -= left.dropped_chars;
	return left;
}

int lines_put_dropped(const struct dana_host *host, struct dana_page *page, const struct lines_left *left)
{
	int status = host->put_integer(page, "dropped_lines", (int64_t)left->dropped);
	return status < 0 ? status : host->put_integer(page, "dropped_chars", (int64_t)left->dropped_chars);
}

int lines_drop(struct attached_lines *l, const struct dana_host *host, struct dana_page *page,
	       const struct lines_left *left)
{
	host->count(page, LINES_DROPPED, left->dropped);
	host->count(page, LINES_CHARS, left->dropped_chars);
	host->count(page, LINES_CHANGED, 1);
	buf_clear(&l->text);
	if (page_lines_left(&l->lines, slice_of_view(host->text(page)), &l->text) < 0)
		return host->page_fail(page, "%s", status_text(DANA_ENOMEM));
	int status = lines_put_dropped(host, page, left);
	return status < 0 ? status
			  : host->set_text(page, (struct dana_view){ (const char *)l->text.data, l->text.len });
}

int lines_put_marks(struct attached_lines *l, const struct dana_host *host, struct dana_page *page)
{
	struct buf numbers = { 0 }, marks = { 0 };
	for (size_t i = 0; i < l->lines.n; i++) {
		if (!l->lines.items[i].mark)
			continue;
		buf_printf(&numbers, "%s%zu", numbers.len ? "," : "[", i);
		buf_printf(&marks, "%s%u", marks.len ? "," : "[", l->lines.items[i].mark);
	}
	buf_append_byte(&numbers, ']');
	buf_append_byte(&marks, ']');
	int status = put_json(host, page, "lines", &numbers);
	if (status == 0)
		return put_json(host, page, "marks", &marks);
	buf_free(&marks);
	return status;
}
