/* SPDX-License-Identifier: MIT */
/*
 * POST /extract: the text of one page, made by libuv's pool of threads. A request has the options of a page in its
 * query, by which readers are made as they are needed, at most one for each thread, and kept for requests that ask for
 * the same. A page that finds none free waits for its turn.
 */
#include "config.h"

#include <stdlib.h>

#include "archive/limits.h"
#include "archive/plugin/plugins.h"
#include "archive/single_page.h"
#include "archive/sink/sink.h"
#include "base/diagnostics.h"
#include "dana/dana.h"
#include "io/loop.h"
#include "serve/request.h"

enum { NAMED_MOST = 32, METHODS_MOST = 8 };

/* What a request asks for besides the defaults of the service: NULL ended texts, which it owns. */
struct wishes {
	char *methods[METHODS_MOST + 1];
	char *named[NAMED_MOST + 1]; /* options of a page, "exclude=nav" */
};

struct reader {
	struct single_page *page;
	struct wishes wishes;
};

struct job {
	uv_work_t work;
	struct job *next; /* in the queue */
	struct request *request;
	struct wishes wishes;
	struct single_page_config config; /* by them */
	struct reader reader;
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
	struct reader *free;
	unsigned n_free, n_made, most;
	struct job *first, *last; /* that wait for a reader */
};

static void wishes_free(struct wishes *w)
{
	for (size_t i = 0; w->methods[i]; i++)
		free(w->methods[i]);
	for (size_t i = 0; w->named[i]; i++)
		free(w->named[i]);
	*w = (struct wishes){ { NULL }, { NULL } };
}

static bool same_texts(char *const *a, char *const *b)
{
	while (*a && *b && strcmp(*a, *b) == 0) {
		a++;
		b++;
	}
	return !*a && !*b;
}

static void reader_free(struct reader *r)
{
	single_page_free(r->page);
	wishes_free(&r->wishes);
}

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
	int status = p->free ? single_page_new(&p->free[0].page, &p->config, err) : DANA_ENOMEM;
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
		reader_free(&p->free[--p->n_free]);
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
	single_page_choose(j->reader.page, j->plugins);
	j->status = single_page_read(j->reader.page, &source, buf_slice(&j->request->body), &doc, &j->err);
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
			      j->json                                         ? "application/json"
			      : j->markdown && !j->config.texts.page.elements ? "text/markdown; charset=utf-8"
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

/* Takes a reader for what the job asks for: one that is free, or a new one, in place of the one idle longest. */
static int take_reader(struct pages *p, struct job *j)
{
	unsigned i = p->n_free;
	while (i && !(same_texts(p->free[i - 1].wishes.methods, j->wishes.methods) &&
		      same_texts(p->free[i - 1].wishes.named, j->wishes.named)))
		i--;
	const bool found = i > 0;
	if (!found && p->n_made < p->most) {
		p->n_made++;
	} else {
		i = found ? i - 1 : 0;
		j->reader = p->free[i];
		p->n_free--;
		memmove(&p->free[i], &p->free[i + 1], (p->n_free - i) * sizeof(*p->free));
	}
	if (found)
		return DANA_OK;
	reader_free(&j->reader);
	j->reader = (struct reader){ .page = NULL };
	const int status = single_page_new(&j->reader.page, &j->config, &j->err);
	if (status < 0) {
		p->n_made--;
		return status;
	}
	j->reader.wishes = j->wishes; /* its texts are borrowed as long as the reader lives */
	j->wishes = (struct wishes){ { NULL }, { NULL } };
	return DANA_OK;
}

static void begin_next(struct server *s)
{
	struct pages *p = s->pages;
	while (p->first && (p->n_free || p->n_made < p->most)) {
		struct job *j = p->first;
		const int status = take_reader(p, j);
		if (status == DANA_ENOMEM && p->n_made > p->n_free)
			return; /* when a page is done, it is tried again */
		p->first = j->next;
		if (status == DANA_OK)
			(void)uv_queue_work(loop_uv(s->loop), &j->work, work, after_work);
		else
			request_reply_reason(j->request, status == DANA_ECONFIG ? 400 : 503,
					     status == DANA_ECONFIG ? "a method is given twice, or cannot be used"
								    : status_text(status));
	}
}

static void after_work(uv_work_t *work, int status)
{
	struct job *j = work->data;
	struct server *s = j->request->server;
	(void)status;
	s->pages->free[s->pages->n_free++] = j->reader;
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

/* Appends a text to a list of at most `most`. */
static bool add_wish(char **list, size_t most, const char *name, struct slice value)
{
	struct buf text = { 0 };
	size_t n = 0;
	while (list[n])
		n++;
	if (n < most && buf_printf(&text, "%s%s", name, *name ? "=" : "") == DANA_OK &&
	    buf_append(&text, value.data, value.len) == DANA_OK && buf_append_byte(&text, 0) == DANA_OK)
		list[n] = (char *)text.data;
	else
		buf_free(&text);
	return list[n] != NULL;
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
static const char *read_options(struct job *j)
{
	struct buf value = { 0 };
	struct wishes *w = &j->wishes;
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
		else if (!add_wish(w->methods, METHODS_MOST, "", name))
			wrong = "the parameter method has too many items";
	}
	for (const struct page_option *row = page_option_list; row->name && !wrong; row++) {
		if (!request_parameter(j->request, *row->option ? row->option : row->name, &value))
			wrong = "a parameter of the query cannot be decoded; expected %XX for each byte that is "
				"escaped";
		else if (value.len && memchr(value.data, 0, value.len))
			wrong = "a parameter of the query has the character U+0000";
		else if (value.len && !add_wish(w->named, NAMED_MOST, row->name, buf_slice(&value)))
			wrong = status_text(DANA_ENOMEM);
	}
	buf_free(&value);
	return wrong;
}

/*
 * Reads `format`, which is another way to say what text and markdown say, and whether JSON is wanted. Returns NULL, or
 * what is wrong.
 */
static const char *read_format(struct job *j)
{
	static const char formats[] = "text|json|markdown|html|xml|tei";
	enum { TEXT, JSON, MARKDOWN };
	struct buf value = { 0 }, keys = { 0 };
	const char *wrong = NULL;
	bool good = request_parameter(j->request, "format", &value);
	const int format = value.len ? word_index(formats, buf_slice(&value)) : -1;
	j->json = format == JSON || (format < 0 && request_wants_json(j->request));
	if (!good || (value.len && format < 0))
		wrong = "the parameter format is none of text, json, markdown, html, xml and tei";
	else if (format >= MARKDOWN)
		good = add_wish(j->wishes.named, NAMED_MOST, "text", slice_from_text("markdown"));
	if (format > MARKDOWN && good) {
		good = request_parameter(j->request, "markdown", &keys) &&
		       buf_printf(&keys, "%sformat=%s", keys.len ? "," : "", (const char *)value.data) == DANA_OK &&
		       add_wish(j->wishes.named, NAMED_MOST, "markdown", buf_slice(&keys));
	}
	buf_free(&value);
	buf_free(&keys);
	return wrong ? wrong : good ? NULL : status_text(DANA_ENOMEM);
}

/* Checks the options of a page, with the defaults of the service. Returns NULL, or what is wrong. */
static const char *check_options(struct job *j)
{
	const struct wishes *w = &j->wishes;
	j->config = j->request->server->pages->config;
	struct texts *texts = &j->config.texts;
	struct page_options *page = &texts->page;
	page->structure = 0;
	if (w->methods[0]) {
		j->config.method = w->methods[0];
		texts->others = (const char *const *)w->methods + 1;
		for (texts->n_others = 0; texts->others[texts->n_others];)
			texts->n_others++;
	}
	size_t n = 0;
	bool has_text = false;
	while (w->named[n])
		has_text |= strncmp(w->named[n++], "text=", 5) == 0;
	int status = page_options_set(page, (const char *const *)w->named, n, &j->err);
	if (status < 0)
		return j->err.text;
	const struct page_options given = *page;
	status = page_options_check(page, j->config.method, "", &j->err);
	if (status < 0 && w->methods[0] && !has_text) { /* a method without Markdown has the plain text */
		struct error same = { 0 };
		*page = given;
		page->text = "plain";
		status = page_options_check(page, j->config.method, "", &same);
	}
	return status < 0 ? j->err.text : NULL;
}

static const char *read_wishes(struct job *j)
{
	struct slice type = request_field(j->request->head, "Content-Type");
	if (!request_parameter(j->request, "url", &j->url))
		return "the parameter url cannot be decoded; expected %XX for each byte that is escaped";
	if (!request_parameter(j->request, "charset", &j->charset))
		return "the parameter charset cannot be decoded; expected %XX for each byte that is escaped";
	const char *wrong = read_options(j);
	if (!wrong)
		wrong = read_format(j);
	if (!wrong)
		wrong = check_options(j);
	if (wrong)
		return wrong;
	/* where JSON is not wanted, one text is sent: the plain one, if it is asked for */
	j->markdown = j->config.texts.page.without_plain;
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
	wishes_free(&j->wishes);
	buf_free(&j->url);
	buf_free(&j->charset);
	buf_free(&j->out);
	free(j);
}

static const char *const parameters[] = { "url",    "charset", "plugin",
					  "method", "format",  PAGE_OPTIONS(PAGE_PARAMETER, ) NULL };

const struct route pages_route = {
	.path = "/extract", .post = true, .parameters = parameters, .end = extract, .over = over
};
