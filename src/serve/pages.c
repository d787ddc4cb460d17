/* SPDX-License-Identifier: MIT */
/*
 * POST /extract: the text of one page, made by a process (worker.c) of which each has one page at a time and is kept. A
 * page that finds none free waits for its turn.
 *
 * No page may hold others. One that takes longer than SLOW_MS counts no more among the pages at once (--jobs): its
 * process comes after all others, and another process takes the next page. When there are too many such processes and a
 * page waits, the one with the oldest page is ended; and each is ended after --page-time.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/plugin/plugins.h"
#include "archive/single_page.h"
#include "dana/dana.h"
#include "io/loop.h"
#include "serve/process.h"
#include "serve/request.h"
#include "serve/worker.h"

enum {
	SLOW_MS = 1000,
	SLOW_MOST = 2,        /* processes with slow pages for each page at once */
	KEEP_BUFFER = 1 << 20 /* of a text, for the next page */
};

struct job {
	struct job *next; /* in the queue */
	struct request *request;
	struct buf url, charset;
	struct slice content_type;
	bool json, markdown;
	uint32_t plugins; /* to be called */
	struct error err;
};

struct worker {
	struct server *server;
	struct worker *next;
	struct process *process;
	struct job *job;   /* NULL: it is free */
	uint64_t began;    /* the job, in nanoseconds */
	bool slow;         /* the job is */
	struct buf answer; /* so far */
};

struct pages {
	struct plugins *plugins; /* NULL: none */
	uint32_t unasked;        /* those that are called for JSON alone, where the request chooses none */
	struct worker *workers;
	unsigned n_workers, n_busy, most; /* busy: not with slow pages; the most of these */
	struct job *first, *last;         /* that wait for a worker */
};

size_t workers_most(const struct serve_config *config)
{
	return (size_t)config->jobs * (1 + SLOW_MOST);
}

size_t pages_workers(const struct pages *p)
{
	return p->n_workers;
}

static int load_plugins(struct pages *p, const struct serve_config *config, struct error *err)
{
	p->plugins = worker_plugins(config, err);
	if (!p->plugins && err->status < 0)
		return (int)err->status;
	for (size_t i = 0; i < config->plugins->n; i++) {
		if (slice_is(config->plugins->at[i].name, "metadata"))
			return DANA_OK;
	}
	return p->plugins ? plugins_choose(p->plugins, slice_from_text("metadata"), &p->unasked, err) : DANA_OK;
}

struct pages *pages_new(struct server *s, struct error *err)
{
	struct pages *p = calloc(1, sizeof(*p));
	struct single_page *page = NULL;
	if (!p) {
		(void)error_no_memory(err);
		return NULL;
	}
	p->most = s->config->jobs;
	/* what no process could do is said before the first page comes */
	if (load_plugins(p, s->config, err) == DANA_OK && worker_page(s->config, p->plugins, &page, err) == DANA_OK) {
		single_page_free(page);
		return p;
	}
	pages_free(p);
	return NULL;
}

/* ---- the processes ---- */

static void drop_worker(struct pages *p, struct worker *w)
{
	struct worker **at = &p->workers;
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	p->n_workers--;
	process_drop(w->process);
	buf_free(&w->answer);
	free(w);
}

void pages_free(struct pages *p)
{
	if (!p)
		return;
	plugins_free(p->plugins);
	free(p);
}

/* Takes over the memory of `text`. */
static void reply(struct job *j, const struct page_answer *answer, struct buf *text)
{
	struct request *r = j->request;
	struct metrics *m = &r->server->metrics;
	metrics_time(m, (double)(uv_hrtime() - r->started) / 1e9);
	if (answer->status == DANA_OK || (answer->status == SINGLE_PAGE_DROPPED && j->json)) {
		m->pages++;
		m->html_bytes += answer->html_bytes;
		m->text_chars += answer->text_chars;
		request_reply(r, 200,
			      j->json                                             ? "application/json"
			      : j->markdown && !r->server->config->texts.elements ? "text/markdown; charset=utf-8"
										  : "text/plain; charset=utf-8",
			      text);
		return;
	}
	buf_free(text);
	int status = 500; /* such as a model of a site that is wrong */
	if (answer->status == DANA_ECONFIG && j->charset.len)
		status = 400;
	else if (answer->status == DANA_EFORMAT)
		status = 415; /* no HTML */
	else if (answer->status == DANA_ELIMIT || answer->status == SINGLE_PAGE_DROPPED)
		status = 422;
	else if (answer->status == DANA_ENOMEM || answer->status == DANA_EFILES)
		status = 503;
	request_reply_reason(r, status, j->err.text);
}

static void begin_next(struct server *s);

/* The worker has no page any more. */
static struct job *take_job(struct worker *w)
{
	struct job *j = w->job;
	w->job = NULL;
	w->server->pages->n_busy -= j && !w->slow;
	process_time(w->process, 0);
	return j;
}

/* Ends the worker, and its page with this reason. */
static void end_worker(struct worker *w, int status, const char *reason)
{
	struct server *s = w->server;
	struct job *j = take_job(w);
	drop_worker(s->pages, w);
	if (!j)
		return;
	metrics_time(&s->metrics, (double)(uv_hrtime() - j->request->started) / 1e9);
	request_reply_reason(j->request, status, reason);
}

static void on_text(void *arg, struct slice bytes)
{
	struct worker *w = arg;
	struct server *s = w->server;
	struct page_answer answer;
	if (buf_append(&w->answer, bytes.data, bytes.len) < 0) {
		end_worker(w, 503, status_text(DANA_ENOMEM));
		begin_next(s);
		return;
	}
	struct slice rest = buf_slice(&w->answer);
	if (!w->job || rest.len < sizeof(answer))
		return;
	memcpy(&answer, rest.data, sizeof(answer));
	rest = slice_skip(rest, sizeof(answer));
	if (rest.len < answer.error + answer.text)
		return;
	struct job *j = take_job(w);
	struct buf text = { 0 };
	(void)snprintf(j->err.text, sizeof(j->err.text), "%.*s", (int)answer.error, (const char *)rest.data);
	rest = slice_skip(rest, (size_t)answer.error);
	buf_append(&text, rest.data, rest.len);
	buf_shrink(&w->answer, KEEP_BUFFER);
	if (w->slow) /* it comes after all others, and is one more than there are pages at once */
		drop_worker(s->pages, w);
	reply(j, &answer, &text); /* another request may have the worker now */
	begin_next(s);
}

static void on_ended(void *arg, int status, const char *error)
{
	struct worker *w = arg;
	struct server *s = w->server;
	(void)status;
	end_worker(w, 500, *error ? error : "the process that read the page has ended");
	begin_next(s);
}

static void on_late(void *arg)
{
	struct worker *w = arg;
	struct server *s = w->server;
	if (!w->slow) {
		const uint64_t all = s->config->page_seconds * UINT64_C(1000);
		w->slow = true;
		s->pages->n_busy--;
		process_lower(w->process);
		process_time(w->process, all > SLOW_MS ? all - SLOW_MS : 1);
	} else {
		end_worker(w, 422, PAGE_IS_LATE);
	}
	begin_next(s);
}

static const struct process_calls worker_calls = { .output = on_text, .ended = on_ended, .late = on_late };

/* Returns a worker that is free; NULL if there is none and none can be started. */
static struct worker *free_worker(struct server *s)
{
	struct pages *p = s->pages;
	struct worker *w = p->workers, *oldest = NULL;
	unsigned slow = 0;
	for (; w && w->job; w = w->next) {
		slow += w->slow;
		if (w->slow && (!oldest || w->began < oldest->began))
			oldest = w;
	}
	if (w)
		return w;
	if (oldest && slow >= p->most * SLOW_MOST)
		end_worker(oldest, 422, PAGE_IS_LATE ", as others wait");
	w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->server = s;
	w->process = process_start(s->loop, s->config->worker, &worker_calls, w);
	if (!w->process) {
		free(w);
		return NULL;
	}
	w->next = p->workers;
	p->workers = w;
	p->n_workers++;
	return w;
}

static bool give(struct worker *w, struct job *j)
{
	const struct page_order order = {
		.url = j->url.len,
		.charset = j->charset.len,
		.content_type = j->content_type.len,
		.html = j->request->body.len,
		.plugins = j->plugins,
		.wishes = (j->json ? PAGE_AS_JSON : 0) | (j->markdown ? PAGE_AS_MARKDOWN : 0),
	};
	struct buf head = { 0 };
	buf_append(&head, &order, sizeof(order));
	buf_append(&head, j->url.data, j->url.len);
	buf_append(&head, j->charset.data, j->charset.len);
	buf_append(&head, j->content_type.data, j->content_type.len);
	const bool good = buf_status(&head) == 0 && process_feed(w->process, buf_slice(&head), &j->request->body) >= 0;
	buf_free(&head);
	return good;
}

static void begin_next(struct server *s)
{
	struct pages *p = s->pages;
	while (p->first && p->n_busy < p->most) {
		struct job *j = p->first;
		struct worker *w = free_worker(s);
		p->first = j->next;
		if (!w) {
			request_reply_reason(j->request, 503, "no process can be started; try again");
			continue;
		}
		w->job = j;
		w->slow = false;
		w->began = uv_hrtime();
		p->n_busy++;
		process_time(w->process, SLOW_MS);
		if (!give(w, j))
			end_worker(w, 503, status_text(DANA_ENOMEM));
	}
}

void pages_stop(struct server *s)
{
	struct pages *p = s->pages;
	static const char reason[] = "the service ends";
	while (p->first) {
		struct job *j = p->first;
		p->first = j->next;
		request_reply_reason(j->request, 503, reason);
	}
	while (p->workers)
		end_worker(p->workers, 503, reason);
}

/* ---- the route ---- */

/* Which plugins are called: all that the query names, as often as it names some; none where it names an empty one. */
static bool choose_plugins(struct job *j)
{
	const struct pages *p = j->request->server->pages;
	const struct texts *made = &j->request->server->config->texts;
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
		j->plugins = j->json || (j->markdown && (made->elements || texts_need_metadata(made))) ? UINT32_MAX
												       : ~p->unasked;
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
	good = good && (markdown ? (made->structure & DANA_MARKDOWN) != 0
				 : name.len == 0 || slice_equal(buf_slice(&name), slice_from_text("plain")));
	j->markdown = markdown || (made->without_plain && name.len == 0);
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
	free(j);
}

static const char *const parameters[] = { "url", "charset", "text", "plugin", NULL };

const struct route pages_route = {
	.path = "/extract", .post = true, .parameters = parameters, .end = extract, .over = over
};
