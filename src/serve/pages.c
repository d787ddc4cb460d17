/* SPDX-License-Identifier: MIT */
/*
 * The texts of pages: jobs, each with one page, are done by processes (worker.c) of which each has one page at a time
 * and is kept. A page that finds none free waits for its turn. Then POST /extract with one page; lines.c and fetch.c
 * give jobs, too.
 *
 * No page may hold others. One that takes longer than SLOW_MS counts no more among the pages at once (--jobs): its
 * process comes after all others, and another process takes the next page. When there are too many such processes and a
 * page waits, the one with the oldest page is ended; and each is ended after --page-time.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/loop.h"
#include "serve/parameters.h"
#include "serve/process.h"
#include "serve/report.h"
#include "serve/request.h"

enum {
	SLOW_MS = 1000,
	SLOW_MOST = 2,        /* processes with slow pages for each page at once */
	KEEP_BUFFER = 1 << 20 /* of a text, for the next page */
};

struct worker {
	struct server *server;
	struct worker *next;
	struct process *process;
	struct page_job *job; /* NULL: it is free */
	uint64_t began;       /* the job, in nanoseconds */
	bool slow;            /* the job is */
	struct buf answer;    /* so far */
};

struct pages {
	struct worker *workers;
	unsigned n_workers, n_busy, most; /* busy: not with slow pages; the most of these */
	struct page_job *first, *last;    /* that wait for a worker */
};

size_t workers_most(const struct serve_config *config)
{
	return (size_t)config->jobs * (1 + SLOW_MOST);
}

size_t pages_workers(const struct pages *p)
{
	return p->n_workers;
}

struct pages *pages_new(struct server *s, struct error *err)
{
	struct pages *p = NULL;
	if (worker_check(s->config, err) < 0) /* said before the first page comes */
		return NULL;
	p = calloc(1, sizeof(*p));
	if (p)
		p->most = s->config->jobs;
	else
		(void)error_no_memory(err);
	return p;
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
	free(p);
}

/* ---- jobs ---- */

struct page_job *page_job_new(struct request *r, enum page_body kind,
			      void (*done)(struct page_job *, int, struct buf *))
{
	struct page_job *j = calloc(1, sizeof(*j));
	if (!j)
		return NULL;
	const struct slice query = r->head->query;
	j->server = r->server;
	j->done = done;
	j->began = kind == BODY_LINE ? uv_hrtime() : r->started;
	j->answer.format = FORMAT_TEXT;
	j->order = (struct page_order){ .query = query.len, .kind = kind, .accepts = r->accepts };
	buf_append(&j->head, query.data, query.len);
	return j;
}

static void job_free(struct page_job *j)
{
	j->server->memory -= j->charged;
	buf_free(&j->head);
	buf_free(&j->body);
	free(j);
}

void page_job_take(struct page_job *j, struct request *r, struct buf *body)
{
	j->arg = r;
	j->body = *body;
	j->charged = r->charged;
	*body = (struct buf){ 0 };
	r->charged = 0;
	r->job = j;
}

void page_job_drop(struct page_job *j)
{
	if (!j)
		return;
	struct pages *p = j->server->pages;
	if (j->given && !j->waits) { /* a worker has it */
		j->done = NULL;
		return;
	}
	if (j->given) {
		*(j->before ? &j->before->next : &p->first) = j->next;
		*(j->next ? &j->next->before : &p->last) = j->before;
	}
	job_free(j);
}

/* Takes over the memory of `text`. */
static void job_done(struct page_job *j, struct buf *text)
{
	struct metrics *m = &j->server->metrics;
	metrics_time(m, (double)(uv_hrtime() - j->began) / 1e9);
	if (j->answer.status == 200) {
		m->pages++;
		m->html_bytes += j->answer.html_bytes;
		m->text_chars += j->answer.text_chars;
	}
	if (j->done)
		j->done(j, j->answer.status, text);
	else
		buf_free(text);
	job_free(j);
}

/* The job has come to nothing. */
static void job_fail(struct page_job *j, int status, const char *reason)
{
	struct buf text = { 0 };
	buf_append_text(&text, reason);
	j->answer = (struct page_answer){ .status = status };
	job_done(j, &text);
}

static void begin_next(struct server *s);

/* The worker has no page any more. */
static struct page_job *take_job(struct worker *w)
{
	struct page_job *j = w->job;
	w->job = NULL;
	w->server->pages->n_busy -= j && !w->slow;
	process_time(w->process, 0);
	return j;
}

/* Ends the worker, and its page with this reason. */
static void end_worker(struct worker *w, int status, const char *reason)
{
	struct server *s = w->server;
	struct page_job *j = take_job(w);
	drop_worker(s->pages, w);
	if (!j)
		return;
	job_fail(j, status, reason);
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
	if (rest.len < answer.error + answer.text + answer.notes)
		return;
	(void)server_report_add(s, slice_skip(rest, (size_t)(answer.error + answer.text)));
	rest = slice_first(rest, (size_t)(answer.error + answer.text));
	struct page_job *j = take_job(w);
	struct buf text = { 0 };
	j->answer = answer;
	/* of a page without a text, what is wrong */
	rest = answer.status == 200 ? slice_skip(rest, (size_t)answer.error) : slice_first(rest, (size_t)answer.error);
	if (buf_append(&text, rest.data, rest.len) < 0)
		j->answer.status = 503;
	buf_shrink(&w->answer, KEEP_BUFFER);
	if (w->slow) /* it comes after all others, and is one more than there are pages at once */
		drop_worker(s->pages, w);
	job_done(j, &text); /* another request may have the worker now */
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
	w->process = process_start(s->loop, s->config->worker, slice_of(NULL, 0), &worker_calls, w);
	if (!w->process) {
		free(w);
		return NULL;
	}
	w->next = p->workers;
	p->workers = w;
	p->n_workers++;
	return w;
}

static bool give(struct worker *w, struct page_job *j)
{
	struct buf head = { 0 };
	j->order.body = j->body.len;
	buf_append(&head, &j->order, sizeof(j->order));
	buf_append(&head, j->head.data, j->head.len);
	const bool good = buf_status(&j->head) == 0 && buf_status(&head) == 0 &&
			  process_feed(w->process, buf_slice(&head), &j->body) >= 0;
	buf_free(&head);
	return good;
}

static struct page_job *take_first(struct pages *p)
{
	struct page_job *j = p->first;
	p->first = j->next;
	*(p->first ? &p->first->before : &p->last) = NULL;
	j->waits = false;
	return j;
}

static void begin_next(struct server *s)
{
	struct pages *p = s->pages;
	while (p->first && p->n_busy < p->most) {
		struct worker *w = free_worker(s);
		struct page_job *j = take_first(p);
		if (!w) {
			job_fail(j, 503, "no process can be started; try again");
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
	while (p->first)
		job_fail(take_first(p), 503, reason);
	while (p->workers)
		end_worker(p->workers, 503, reason);
}

void page_job_give(struct page_job *j, struct slice content_type, struct slice url)
{
	struct pages *p = j->server->pages;
	j->order.content_type = content_type.len;
	j->order.url = url.len;
	buf_append(&j->head, content_type.data, content_type.len);
	buf_append(&j->head, url.data, url.len);
	j->given = j->waits = true;
	j->before = p->last;
	*(p->last ? &p->last->next : &p->first) = j;
	p->last = j;
	begin_next(j->server);
}

/* ---- POST /extract with one page ---- */

void page_reply(struct page_job *j, int status, struct buf *text)
{
	struct request *r = j->arg;
	const struct reply_format_row *format = &reply_formats[j->answer.format];
	r->job = NULL;
	if (status != 200) {
		if (buf_append_byte(text, 0) < 0)
			request_reply_reason(r, status, status_text(DANA_ENOMEM));
		else
			request_reply_reason(r, status, (const char *)text->data);
		buf_free(text);
		return;
	}
	if (j->answer.format == FORMAT_HTML) /* it has no scripts; should it have, they do not run */
		request_add_field(r, "Content-Security-Policy", "default-src 'none'; sandbox");
	request_reply(r, 200, format->content_type, text);
}

/* The page of a form, which may have parameters, too: they become such of the query, where those before them count. */
static const char *take_form(struct request *r, struct buf *query, struct slice *type)
{
	struct form_field fields[IN_OTHERS + PARAMETERS] = { FORM_PAGE };
	bool is_text;
	for (size_t i = 0; i < PARAMETERS; i++)
		fields[IN_OTHERS + i].name = page_parameters[i];
	const char *wrong = request_take_form(r, fields, IN_OTHERS + PARAMETERS, &is_text);
	for (size_t i = 0; i < PARAMETERS; i++) {
		const struct slice value = buf_slice(&fields[IN_OTHERS + i].value);
		if (value.len > REQUEST_TARGET_MOST)
			wrong = "a parameter in the form is longer than 8 KiB";
		if (value.len && !wrong)
			buf_printf(query, "&%s=", page_parameters[i]);
		for (size_t k = 0; k < value.len && !wrong; k++)
			buf_printf(query, "%%%02x", value.data[k]);
	}
	for (size_t i = 0; i < IN_OTHERS + PARAMETERS; i++)
		buf_free(&fields[i].value);
	*type = slice_from_text(is_text ? "text/html; charset=utf-8" : "");
	return wrong;
}

static void extract(struct request *r)
{
	struct slice type = request_field(r->head, "Content-Type");
	const enum page_body kind = request_has_type(type, "application/json") ? BODY_JSON : BODY_PAGE;
	struct page_job *j = page_job_new(r, kind, page_reply);
	if (!j) {
		request_reply_reason(r, 503, status_text(DANA_ENOMEM));
		return;
	}
	const char *wrong = NULL;
	if (request_has_type(type, "multipart/form-data")) {
		wrong = take_form(r, &j->head, &type);
		j->order.query = j->head.len;
	}
	if (wrong) {
		job_free(j);
		request_reply_reason(r, 400, wrong);
		return;
	}
	page_job_take(j, r, &r->body);
	/* The type that curl gives every body is not the media type of the page. */
	if (kind == BODY_JSON || request_has_type(type, "application/x-www-form-urlencoded"))
		type.len = 0;
	page_job_give(j, type, slice_of(NULL, 0));
}

const struct route pages_route = { .path = "/extract", .post = true, .parameters = page_parameters, .end = extract };
