/* SPDX-License-Identifier: MIT */
/*
 * The extractors are made as they are needed, at most one for each thread, and kept. A page that finds none free waits
 * for its turn.
 */
#include "config.h"

#include "serve/pages.h"

#include <stdlib.h>
#include <uv.h>

#include "archive/single_page.h"
#include "archive/sink/text.h"
#include "dana/dana.h"
#include "io/loop.h"
#include "serve/server.h"

/* One page that is asked for. */
struct job {
	uv_work_t work;
	struct job *next; /* in the queue */
	struct request *request;
	struct single_page *page;
	struct buf url, charset, content_type; /* NUL ended */
	bool json, markdown;
	/* Set by the pool: */
	int status;
	struct error err;
	struct buf out;
	uint64_t html_bytes, text_chars;
};

struct pages {
	struct single_page_config config;
	struct single_page **free;
	unsigned n_free, n_made, most;
	struct job *first, *last; /* that wait for an extractor */
};

struct pages *pages_new(const struct server *s, struct error *err)
{
	struct pages *p = calloc(1, sizeof(*p));
	if (!p) {
		(void)error_no_memory(err);
		return NULL;
	}
	p->config = (struct single_page_config){ .method = s->config->method,
						 .read_file = s->config->read_file,
						 .read_arg = s->config->read_arg,
						 .texts = s->config->texts };
	p->most = s->config->jobs;
	p->free = calloc(p->most, sizeof(*p->free));
	int status = p->free ? single_page_new(&p->free[0], &p->config) : DANA_ENOMEM;
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
	free(p->free);
	free(p);
}

/* ---- the pool ---- */

static struct slice text_of(const struct buf *b)
{
	return slice_of(b->data, b->len ? b->len - 1 : 0);
}

static void work(uv_work_t *work)
{
	struct job *j = work->data;
	struct document doc;
	const struct single_page_source source = {
		.url = text_of(&j->url),
		.charset = text_of(&j->charset),
		.content_type = text_of(&j->content_type),
	};
	j->status = single_page_read(j->page, &source, buf_slice(&j->request->body), &doc, &j->err);
	if (j->status == DANA_OK)
		j->status = j->json ? text_page_json(&doc, &j->out) : text_page(&doc, j->markdown, &j->out);
	if (j->status == DANA_ECONFIG && j->charset.len > 1)
		j->status = error_set(&j->err, DANA_ECONFIG, "the charset is not known");
	if (j->status < 0) {
		(void)single_page_fault(j->status, &j->err);
		return;
	}
	j->html_bytes = doc.html_bytes;
	j->text_chars = doc.text_chars;
}

static int http_status(const struct job *j)
{
	switch (j->status) {
	case DANA_ECONFIG: /* a model of a site, or what the request asks for */
		return j->charset.len > 1 ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_INTERNAL_SERVER_ERROR;
	case DANA_EFORMAT:
		return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE; /* no HTML */
	case DANA_ELIMIT:
		return MHD_HTTP_UNPROCESSABLE_CONTENT;
	case DANA_ENOMEM:
	case DANA_EFILES:
		return MHD_HTTP_SERVICE_UNAVAILABLE;
	default:
		return MHD_HTTP_INTERNAL_SERVER_ERROR;
	}
}

static void reply(struct job *j)
{
	struct request *r = j->request;
	struct server *s = r->server;
	if (j->status < 0) {
		request_reply_reason(r, http_status(j), j->err.text);
	} else {
		s->metrics.pages++;
		s->metrics.html_bytes += j->html_bytes;
		s->metrics.text_chars += j->text_chars;
		request_reply(r, MHD_HTTP_OK,
			      j->json       ? "application/json"
			      : j->markdown ? "text/markdown; charset=utf-8"
					    : "text/plain; charset=utf-8",
			      &j->out);
	}
	metrics_time(&s->metrics, (double)(uv_hrtime() - r->started) / 1e9);
}

static void begin_next(struct server *s);

static void after_work(uv_work_t *work, int status)
{
	struct job *j = work->data;
	struct server *s = j->request->server;
	struct pages *p = s->pages;
	(void)status;
	p->free[p->n_free++] = j->page;
	reply(j);
	begin_next(s);
}

static struct single_page *take_page(struct pages *p)
{
	struct single_page *page = NULL;
	if (p->n_free == 0 && p->n_made < p->most && single_page_new(&page, &p->config) == DANA_OK) {
		p->n_made++;
		return page;
	}
	return p->n_free ? p->free[--p->n_free] : NULL;
}

static void begin_next(struct server *s)
{
	struct pages *p = s->pages;
	while (p->first && (p->n_free || p->n_made < p->most)) {
		struct job *j = p->first;
		j->page = take_page(p);
		if (!j->page)
			return;
		p->first = j->next;
		if (!p->first)
			p->last = NULL;
		(void)uv_queue_work(loop_uv(s->loop), &j->work, work, after_work);
	}
}

/* ---- the route ---- */

/* What curl says of every body is not the media type of the page. */
static void read_content_type(struct job *j)
{
	const char *type = request_header(j->request, MHD_HTTP_HEADER_CONTENT_TYPE);
	if (type && strcmp(type, "application/x-www-form-urlencoded") != 0)
		buf_append(&j->content_type, type, strlen(type) + 1);
}

/* Which text is sent where JSON is not asked for: of those that the service makes, the plain one first. */
static const char *read_text(struct job *j)
{
	const struct texts *made = &j->request->server->config->texts;
	struct buf name = { 0 };
	bool good = request_parameter(j->request, "text", &name) && buf_append_byte(&name, 0) == DANA_OK;
	const bool markdown = good && strcmp((const char *)name.data, "markdown") == 0;
	if (markdown)
		good = made->structure & DANA_MARKDOWN;
	else
		good = good && (name.data[0] == 0 || strcmp((const char *)name.data, "plain") == 0);
	j->markdown = markdown || (made->without_plain && good && name.data[0] == 0);
	buf_free(&name);
	return good ? NULL
		    : "the parameter text is neither plain nor markdown, or the service makes no markdown (--text)";
}

static const char *read_wishes(struct job *j)
{
	if (!request_parameter(j->request, "url", &j->url))
		return "the parameter url cannot be decoded";
	if (!request_parameter(j->request, "charset", &j->charset))
		return "the parameter charset cannot be decoded";
	const char *wrong = read_text(j);
	if (wrong)
		return wrong;
	j->json = request_wants_json(j->request);
	read_content_type(j);
	return NULL;
}

static void extract(struct request *r)
{
	struct pages *p = r->server->pages;
	struct job *j = calloc(1, sizeof(*j));
	r->state = j;
	if (!j) {
		request_reply_reason(r, MHD_HTTP_SERVICE_UNAVAILABLE, status_text(DANA_ENOMEM));
		return;
	}
	j->request = r;
	j->work.data = j;
	const char *wrong = read_wishes(j);
	if (wrong) {
		request_reply_reason(r, MHD_HTTP_BAD_REQUEST, wrong);
		return;
	}
	if (p->last)
		p->last->next = j;
	else
		p->first = j;
	p->last = j;
	request_wait(r);
	begin_next(r->server);
}

static void over(struct request *r)
{
	struct job *j = r->state;
	if (!j)
		return;
	buf_free(&j->url);
	buf_free(&j->charset);
	buf_free(&j->content_type);
	buf_free(&j->out);
	free(j);
}

static const char *const parameters[] = { "url", "charset", "text", NULL };

const struct route pages_route = {
	.path = "/extract", .post = true, .parameters = parameters, .end = extract, .over = over
};
