/* SPDX-License-Identifier: MIT */
/*
 * POST /extract: the text of one page, made by a process (worker.c) of which each has one page at a time and is kept. A
 * page that finds none free waits for its turn. The options of a page in the query go to the process with it.
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
#include "base/diagnostics.h"
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

struct page_job {
	struct page_job *next; /* in the queue */
	struct request *request;
	struct buf options; /* as page_wishes_read takes them */
	struct buf url, charset;
	struct slice content_type;
	bool json, markdown, elements, has_facts;
	uint32_t plugins; /* to be called */
	struct error err;
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
	struct plugins *plugins; /* NULL: none */
	uint32_t unasked;        /* those that are called for JSON alone, where the request chooses none */
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
	struct page_wishes usual;
	if (!p) {
		(void)error_no_memory(err);
		return NULL;
	}
	p->most = s->config->jobs;
	/* what no process could do is said before the first page comes */
	if (load_plugins(p, s->config, err) == DANA_OK &&
	    page_wishes_read(&usual, s->config, slice_of(NULL, 0), err) == DANA_OK &&
	    worker_page(&usual, p->plugins, &page, err) == DANA_OK) {
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
static void reply(struct page_job *j, const struct page_answer *answer, struct buf *text)
{
	struct request *r = j->request;
	struct metrics *m = &r->server->metrics;
	metrics_time(m, (double)(uv_hrtime() - r->started) / 1e9);
	if (answer->status == DANA_OK || (answer->status == SINGLE_PAGE_DROPPED && j->json)) {
		m->pages++;
		m->html_bytes += answer->html_bytes;
		m->text_chars += answer->text_chars;
		request_reply(r, 200,
			      j->json                       ? "application/json"
			      : j->markdown && !j->elements ? "text/markdown; charset=utf-8"
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
	struct page_job *j = take_job(w);
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

static bool give(struct worker *w, struct page_job *j)
{
	const struct page_order order = {
		.options = j->options.len,
		.url = j->url.len,
		.charset = j->charset.len,
		.content_type = j->content_type.len,
		.html = j->request->body.len,
		.plugins = j->plugins,
		.wishes = (j->json ? PAGE_AS_JSON : 0) | (j->markdown ? PAGE_AS_MARKDOWN : 0),
	};
	struct buf head = { 0 };
	buf_append(&head, &order, sizeof(order));
	buf_append(&head, j->options.data, j->options.len);
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
		struct page_job *j = p->first;
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
		struct page_job *j = p->first;
		p->first = j->next;
		request_reply_reason(j->request, 503, reason);
	}
	while (p->workers)
		end_worker(p->workers, 503, reason);
}

/* ---- the route ---- */

/* Which plugins are called: all that the query names, as often as it names some; none where it names an empty one. */
static bool choose_plugins(struct page_job *j)
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
		j->plugins = j->json || (j->markdown && j->has_facts) ? UINT32_MAX : ~p->unasked;
	return good;
}

/* Appends "name=value" and NUL. */
static int add_option(struct page_job *j, const char *name, struct slice value)
{
	buf_printf(&j->options, "%s=", name);
	buf_append(&j->options, value.data, value.len);
	return buf_append_byte(&j->options, 0);
}

/* Returns whether it is a name of a method: their keys may name files, and are no parameters. */
static bool is_method(struct slice name)
{
	const char *known;
	size_t i = 0;
	while ((known = dana_method_name(i)) && !slice_is(name, known))
		i++;
	return known != NULL;
}

/* Reads the methods and the options of a page. Returns NULL, or what is wrong. */
static const char *read_options(struct page_job *j)
{
	struct buf value = { 0 };
	const char *wrong = NULL;
	if (!request_parameter(j->request, "method", &value))
		wrong = "the parameter method cannot be decoded; expected %XX for each byte that is escaped";
	for (struct slice rest = buf_slice(&value); rest.len && !wrong;) {
		const struct slice name = slice_first(rest, slice_until(rest, ","));
		rest = slice_skip(rest, name.len + (name.len < rest.len));
		if (!is_method(name))
			wrong = "the parameter method has a name that is unknown; expected names of dana methods, "
				"joined "
				"by commas";
		else if (add_option(j, "method", name) < 0)
			wrong = status_text(DANA_ENOMEM);
	}
	for (const struct page_option *row = page_option_list; row->name && !wrong; row++) {
		if (!request_parameter(j->request, *row->option ? row->option : row->name, &value))
			wrong = "a parameter of the query cannot be decoded; expected %XX for each byte that is "
				"escaped";
		else if (value.len && memchr(value.data, 0, value.len))
			wrong = "a parameter of the query has the character U+0000";
		else if (value.len && add_option(j, row->name, buf_slice(&value)) < 0)
			wrong = status_text(DANA_ENOMEM);
	}
	buf_free(&value);
	return wrong;
}

/*
 * Reads `format`, which is another way to say what text and markdown say, and whether JSON is wanted. Returns NULL, or
 * what is wrong.
 */
static const char *read_format(struct page_job *j)
{
	static const char formats[] = "text|json|markdown|html|xml|tei";
	enum { TEXT, JSON, MARKDOWN };
	struct buf value = { 0 }, keys = { 0 };
	int status = DANA_OK;
	const bool good = request_parameter(j->request, "format", &value);
	const int format = value.len ? word_index(formats, buf_slice(&value)) : -1;
	const bool wrong = !good || (value.len && format < 0);
	j->json = format == JSON || (format < 0 && request_wants_json(j->request));
	if (format >= MARKDOWN)
		status = add_option(j, "text", slice_from_text("markdown"));
	if (format > MARKDOWN && status == DANA_OK && request_parameter(j->request, "markdown", &keys)) {
		buf_printf(&keys, "%sformat=%s", keys.len ? "," : "", (const char *)value.data);
		status = add_option(j, "markdown", buf_slice(&keys));
	}
	buf_free(&value);
	buf_free(&keys);
	return wrong        ? "the parameter format is none of text, json, markdown, html, xml and tei"
	       : status < 0 ? status_text(status)
			    : NULL;
}

static const char *read_wishes(struct page_job *j)
{
	struct slice type = request_field(j->request->head, "Content-Type");
	struct page_wishes wishes;
	if (!request_parameter(j->request, "url", &j->url))
		return "the parameter url cannot be decoded; expected %XX for each byte that is escaped";
	if (!request_parameter(j->request, "charset", &j->charset))
		return "the parameter charset cannot be decoded; expected %XX for each byte that is escaped";
	const char *wrong = read_options(j);
	if (!wrong)
		wrong = read_format(j);
	if (wrong)
		return wrong;
	if (page_wishes_read(&wishes, j->request->server->config, buf_slice(&j->options), &j->err) < 0)
		return j->err.text;
	/* where JSON is not wanted, one text is sent: the plain one, if it is asked for */
	j->markdown = wishes.config.texts.page.without_plain;
	j->elements = wishes.config.texts.page.elements;
	j->has_facts = j->elements || wishes.config.texts.page.front;
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
	struct page_job *j = calloc(1, sizeof(*j));
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
	struct page_job *j = r->state;
	if (!j)
		return;
	buf_free(&j->options);
	buf_free(&j->url);
	buf_free(&j->charset);
	free(j);
}

static const char *const parameters[] = { "url",    "charset", "plugin",
					  "method", "format",  PAGE_OPTIONS(PAGE_PARAMETER, ) NULL };

const struct route pages_route = {
	.path = "/extract", .post = true, .parameters = parameters, .end = extract, .over = over
};
