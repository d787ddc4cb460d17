/* SPDX-License-Identifier: MIT */
/*
 * POST /extract: the text of one page, made by libuv's pool of threads. The extractors are made as they are needed, at
 * most one for each thread, and kept. A page that finds none free waits for its turn.
 */
#include "config.h"

#include <stdlib.h>

#include "archive/limits.h"
#include "archive/plugin/plugins.h"
#include "archive/single_page.h"
#include "archive/sink/sink.h"
#include "dana/dana.h"
#include "io/loop.h"
#include "serve/request.h"

struct job {
	uv_work_t work;
	struct job *next; /* in the queue */
	struct request *request;
	struct single_page *page;
	struct buf url, charset;
	struct slice content_type;
	bool json, markdown;
	uint32_t plugins; /* to be called */
	/* Set by the pool: */
	int status;
	struct error err;
	struct buf out;
	uint64_t html_bytes, text_chars;
};

struct pages {
	struct single_page_config config;
	struct plugins *plugins; /* NULL: none */
	uint32_t unasked;        /* those that are called for JSON alone, where the request chooses none */
	struct single_page **free;
	unsigned n_free, n_made, most;
	struct job *first, *last; /* that wait for an extractor */
};

static int load_plugins(struct pages *p, const struct plugin_rows *rows, struct error *err)
{
	const struct limits limits = LIMITS_DEFAULT;
	const struct plugins_config config = { .rows = rows,
					       .folder = DANA_PLUGIN_FOLDER,
					       .max_html = limits.body,
					       .quiet = true };
	p->plugins = plugins_new_of_pages(&config, true, err);
	if (!p->plugins && err->status < 0)
		return (int)err->status;
	for (size_t i = 0; i < rows->n; i++) {
		if (slice_is(rows->at[i].name, "metadata"))
			return DANA_OK;
	}
	return p->plugins ? plugins_choose(p->plugins, slice_from_text("metadata"), &p->unasked, err) : DANA_OK;
}

struct pages *pages_new(const struct server *s, struct error *err)
{
	struct pages *p = calloc(1, sizeof(*p));
	if (!p) {
		(void)error_no_memory(err);
		return NULL;
	}
	if (load_plugins(p, s->config->plugins, err) < 0) {
		pages_free(p);
		return NULL;
	}
	p->config = (struct single_page_config){ .method = s->config->method,
						 .read_file = s->config->read_file,
						 .read_arg = s->config->read_arg,
						 .texts = s->config->texts,
						 .plugins = p->plugins };
	p->most = s->config->jobs;
	p->free = calloc(p->most, sizeof(*p->free));
	int status = p->free ? single_page_new(&p->free[0], &p->config, err) : DANA_ENOMEM;
	if (status == DANA_OK) {
		p->n_free = p->n_made = 1;
		return p;
	}
	(void)error_set(err, (enum dana_status)status, "%s", status_text(status));
	pages_free(p);
	return NULL;
}

void pages_free(struct pages *p)
{
	if (!p)
		return;
	while (p->n_free)
		single_page_free(p->free[--p->n_free]);
	plugins_free(p->plugins);
	free(p->free);
	free(p);
}

/* ---- the pool ---- */

/* A thread of the pool. */
static void work(uv_work_t *work)
{
	struct job *j = work->data;
	struct document doc;
	const struct single_page_source source = {
		.url = buf_slice(&j->url),
		.charset = buf_slice(&j->charset),
		.content_type = j->content_type,
	};
	single_page_choose(j->page, j->plugins);
	j->status = single_page_read(j->page, &source, buf_slice(&j->request->body), &doc, &j->err);
	if (j->status == SINGLE_PAGE_DROPPED) {
		if (j->json && text_failure_json(NULL, j->err.text, &j->out) < 0)
			j->status = DANA_ENOMEM;
		return;
	}
	if (j->status == DANA_OK)
		j->status = j->json ? text_page_json(&doc, &j->out) : text_page(&doc, j->markdown, &j->out);
	if (j->status == DANA_ECONFIG && j->charset.len)
		j->status = error_set(&j->err, DANA_ECONFIG,
				      "the charset is not known; expected a name of the web, as utf-8");
	if (j->status < 0) {
		(void)single_page_fault(j->status, &j->err);
		return;
	}
	j->html_bytes = doc.html_bytes;
	j->text_chars = doc.text_chars;
}

static void reply(struct job *j)
{
	struct request *r = j->request;
	struct metrics *m = &r->server->metrics;
	metrics_time(m, (double)(uv_hrtime() - r->started) / 1e9);
	if (j->status == DANA_OK || (j->status == SINGLE_PAGE_DROPPED && j->json)) {
		m->pages++;
		m->html_bytes += j->html_bytes;
		m->text_chars += j->text_chars;
		request_reply(r, 200,
			      j->json                                                  ? "application/json"
			      : j->markdown && !r->server->config->texts.page.elements ? "text/markdown; charset=utf-8"
										       : "text/plain; charset=utf-8",
			      &j->out);
		return;
	}
	int status = 500; /* such as a model of a site that is wrong */
	if (j->status == DANA_ECONFIG && j->charset.len)
		status = 400;
	else if (j->status == DANA_EFORMAT)
		status = 415; /* no HTML */
	else if (j->status == DANA_ELIMIT || j->status == SINGLE_PAGE_DROPPED)
		status = 422;
	else if (j->status == DANA_ENOMEM || j->status == DANA_EFILES)
		status = 503;
	request_reply_reason(r, status, j->err.text);
}

static void after_work(uv_work_t *work, int status);

static void begin_next(struct server *s)
{
	struct pages *p = s->pages;
	while (p->first && (p->n_free || p->n_made < p->most)) {
		struct job *j = p->first;
		struct error err = { 0 };
		if (p->n_free)
			j->page = p->free[--p->n_free];
		else if (single_page_new(&j->page, &p->config, &err) == DANA_OK)
			p->n_made++;
		else
			return;
		p->first = j->next;
		(void)uv_queue_work(loop_uv(s->loop), &j->work, work, after_work);
	}
}

static void after_work(uv_work_t *work, int status)
{
	struct job *j = work->data;
	struct server *s = j->request->server;
	(void)status;
	s->pages->free[s->pages->n_free++] = j->page;
	reply(j);
	begin_next(s);
}

/* ---- the route ---- */

/* Which plugins are called: all that the query names, as often as it names some; none where it names an empty one. */
static bool choose_plugins(struct job *j)
{
	const struct pages *p = j->request->server->pages;
	struct slice rest = j->request->head->query, name, value;
	struct buf list = { 0 };
	bool good = true, any = false;
	j->plugins = 0;
	while (good && request_query_next(&rest, &name, &value)) {
		uint32_t chosen = 0;
		if (!slice_is(name, "plugin"))
			continue;
		any = true;
		buf_clear(&list);
		good = request_decode(value, false, &list) &&
		       plugins_choose(p->plugins, buf_slice(&list), &chosen, &j->err) == DANA_OK;
		j->plugins |= chosen;
	}
	buf_free(&list);
	if (!any)
		j->plugins = j->json ? UINT32_MAX : ~p->unasked;
	return good;
}

static const char *read_wishes(struct job *j)
{
	const struct texts *made = &j->request->server->config->texts;
	struct slice type = request_field(j->request->head, "Content-Type");
	struct buf name = { 0 };
	if (!request_parameter(j->request, "url", &j->url))
		return "the parameter url cannot be decoded; expected %XX for each byte that is escaped";
	if (!request_parameter(j->request, "charset", &j->charset))
		return "the parameter charset cannot be decoded; expected %XX for each byte that is escaped";
	/* Which text is sent where JSON is not wanted: of the texts that the service makes, the plain one first. */
	bool good = request_parameter(j->request, "text", &name);
	bool markdown = slice_equal(buf_slice(&name), slice_from_text("markdown"));
	good = good && (markdown ? (made->page.structure & DANA_MARKDOWN) != 0
				 : name.len == 0 || slice_equal(buf_slice(&name), slice_from_text("plain")));
	j->markdown = markdown || (made->page.without_plain && name.len == 0);
	buf_free(&name);
	if (!good)
		return "the parameter text is neither plain nor markdown, or the service makes no markdown (--text)";
	j->json = request_wants_json(j->request);
	if (!choose_plugins(j))
		return j->err.text[0] ? j->err.text : "the parameter plugin cannot be decoded";
	/* The type that curl gives every body is not the media type of the page. */
	if (!slice_equal(type, slice_from_text("application/x-www-form-urlencoded")))
		j->content_type = type;
	return NULL;
}

static void extract(struct request *r)
{
	struct pages *p = r->server->pages;
	struct job *j = calloc(1, sizeof(*j));
	r->state = j;
	if (!j) {
		request_reply_reason(r, 503, status_text(DANA_ENOMEM));
		return;
	}
	j->request = r;
	j->work.data = j;
	const char *wrong = read_wishes(j);
	if (wrong) {
		request_reply_reason(r, 400, wrong);
		return;
	}
	if (p->first)
		p->last->next = j;
	else
		p->first = j;
	p->last = j;
	r->works = true;
	begin_next(r->server);
}

static void over(struct request *r)
{
	struct job *j = r->state;
	if (!j)
		return;
	buf_free(&j->url);
	buf_free(&j->charset);
	buf_free(&j->out);
	free(j);
}

static const char *const parameters[] = { "url", "charset", "text", "plugin", NULL };

const struct route pages_route = {
	.path = "/extract", .post = true, .parameters = parameters, .end = extract, .over = over
};
