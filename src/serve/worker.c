/* SPDX-License-Identifier: MIT */
/* The process that makes the texts of pages, one after the other. Whatever a page does to it, the service lives on. */
#include "config.h"

#include "serve/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/limits.h"
#include "archive/page_line.h"
#include "archive/plugin/plugins.h"
#include "archive/single_page.h"
#include "archive/sink/sink.h"
#include "base/simdjson_call.h"
#include "serve/parameters.h"
#include "serve/report.h"
#include "serve/serve.h"

enum { KEEP_BUFFER = 1 << 20 };

#define CHARSET_UNKNOWN "the charset is not known; expected a name of the web, as utf-8"

/* Returns 0; 1 at the end of the input; DANA_EIO. */
static int read_all(void *memory, size_t len)
{
	uint8_t *at = memory;
	while (len) {
		const ssize_t n = read(STDIN_FILENO, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 ? 1 : DANA_EIO;
		at += n;
		len -= (size_t)n;
	}
	return DANA_OK;
}

static int write_all(struct slice bytes)
{
	while (bytes.len) {
		const ssize_t n = write(STDOUT_FILENO, bytes.data, bytes.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return DANA_EIO;
		bytes = slice_skip(bytes, (size_t)n);
	}
	return DANA_OK;
}

static struct slice take(struct slice *rest, uint64_t len)
{
	const struct slice part = slice_first(*rest, (size_t)len);
	*rest = slice_skip(*rest, part.len);
	return part;
}

/* ---- the readers ---- */

enum { WISHES_MOST = 32 };

/* What a request asks for and the defaults with it. It is borrowed from the bytes that it was read from. */
struct page_wishes {
	const char *methods[WISHES_MOST + 1], *named[WISHES_MOST + 1]; /* NULL ended; "exclude=nav" */
	struct single_page_config config;
};

static void note_page(void *notes, int status, const struct document *doc, struct slice url, const struct error *err)
{
	(void)page_note_write(status, doc, url, err, notes); /* without memory the report lacks the page */
}

/*
 * Reads `options`, texts with NUL after each: "method=danag", "exclude=nav". Returns 0, or DANA_ECONFIG with what is
 * wrong with them, together with the defaults.
 */
static int page_wishes_read(struct page_wishes *w, const struct serve_config *config, struct slice options,
			    struct buf *notes, struct error *err)
{
	static const char method[] = "method=";
	size_t n_methods = 0, n_named = 0;
	*w = (struct page_wishes){ .config = { .method = config->method,
					       .read_file = config->read_file,
					       .read_arg = config->read_arg,
					       .texts = config->texts,
					       .read = config->report ? note_page : NULL,
					       .note_arg = notes } };
	bool has_text = false;
	while (options.len) {
		const char *text = (const char *)options.data;
		options = slice_skip(options, strlen(text) + 1);
		has_text |= strncmp(text, "text=", 5) == 0;
		if (n_methods == WISHES_MOST || n_named == WISHES_MOST)
			return error_set(err, DANA_ECONFIG, "the query has too many options");
		if (strncmp(text, method, sizeof(method) - 1) == 0)
			w->methods[n_methods++] = text + sizeof(method) - 1;
		else
			w->named[n_named++] = text;
	}
	struct texts *texts = &w->config.texts;
	texts->page.structure = 0;
	for (size_t i = 0; i < n_methods; i++) {
		for (size_t before = 0; before < i; before++) {
			if (strcmp(w->methods[i], w->methods[before]) == 0)
				return error_set(err, DANA_ECONFIG, "the method %s is given twice", w->methods[i]);
		}
	}
	if (n_methods) {
		w->config.method = w->methods[0];
		texts->others = w->methods + 1;
		texts->n_others = n_methods - 1;
	}
	int status = page_options_set(&texts->page, w->named, n_named, err);
	if (status < 0)
		return status;
	const struct page_options given = texts->page;
	status = page_options_check(&texts->page, w->config.method, "", err);
	if (status < 0 && n_methods && !has_text) { /* a method without Markdown has the plain text */
		struct error same = { 0 };
		texts->page = given;
		texts->page.text = "plain";
		status = page_options_check(&texts->page, w->config.method, "", &same);
		if (status == DANA_OK)
			*err = (struct error){ 0 };
	}
	return status;
}

/* Of a page that is sent as JSON, or as a text. */
struct reader {
	struct single_page *page;
	bool markdown, elements, front; /* as struct page_options has it: what the text of the page is */
};

/*
 * The readers of a worker: one with the defaults of the service, and one with the options that were asked for last.
 * Lines have others, because plugins say in them what they find under other names.
 */
struct readers {
	const struct serve_config *config;
	struct buf *notes;       /* get what a report needs of each page */
	struct plugins *plugins; /* NULL: none */
	uint32_t unasked;        /* those that are called for JSON alone, where the request chooses none */
	struct reader usual, other;
	struct buf options; /* of the other */
	bool begun;
};

struct worker_state {
	struct readers pages, lines;
	struct page_line_reader *line;
	struct parameters parameters;
	struct buf options;
	struct buf notes; /* of the page */
};

static int reader_open(struct readers *r, struct slice options, struct reader *to, struct error *err)
{
	struct page_wishes wishes;
	if (page_wishes_read(&wishes, r->config, options, r->notes, err) < 0)
		return (int)err->status;
	wishes.config.plugins = r->plugins;
	*to = (struct reader){ .markdown = wishes.config.texts.page.without_plain,
			       .elements = wishes.config.texts.page.elements,
			       .front = wishes.config.texts.page.front };
	const int status = single_page_new(&to->page, &wishes.config, err);
	return status < 0 && err->status == DANA_OK
		       ? error_set(err, (enum dana_status)status, "%s", status_text(status))
		       : status;
}

static int readers_begin(struct readers *r, const struct serve_config *config, bool lines, struct error *err)
{
	const struct limits limits = LIMITS_DEFAULT;
	const struct plugins_config plugins = { .rows = config->plugins,
						.folder = DANA_PLUGIN_FOLDER,
						.max_html = limits.body,
						.metadata_object = lines ? "page_metadata" : NULL,
						.quiet = true };
	bool has_metadata = false;
	if (r->begun)
		return DANA_OK;
	r->config = config;
	r->plugins = plugins_new_of_pages(&plugins, true, err);
	for (size_t i = 0; i < config->plugins->n; i++)
		has_metadata |= slice_is(config->plugins->at[i].name, "metadata");
	if (err->status == DANA_OK && r->plugins && !has_metadata)
		(void)plugins_choose(r->plugins, slice_from_text("metadata"), &r->unasked, err);
	if (err->status == DANA_OK)
		(void)reader_open(r, slice_of(NULL, 0), &r->usual, err);
	r->begun = err->status == DANA_OK;
	return (int)err->status;
}

static void readers_end(struct readers *r)
{
	single_page_free(r->usual.page);
	single_page_free(r->other.page);
	buf_free(&r->options);
	plugins_free(r->plugins);
}

/* Returns the reader for these options; NULL with an error. */
static struct reader *reader_for(struct readers *r, struct slice options, struct error *err)
{
	if (options.len == 0)
		return &r->usual;
	if (r->other.page && slice_equal(buf_slice(&r->options), options))
		return &r->other;
	single_page_free(r->other.page);
	r->other.page = NULL;
	buf_clear(&r->options);
	if (buf_append(&r->options, options.data, options.len) < 0)
		(void)error_no_memory(err);
	else
		(void)reader_open(r, buf_slice(&r->options), &r->other, err);
	return err->status == DANA_OK ? &r->other : NULL;
}

/* ---- a page ---- */

/* Which plugins are called: those that the request names; none where it names an empty one. */
static int choose_plugins(const struct worker_state *s, const struct readers *r, const struct reader *reader, bool json,
			  uint32_t *chosen, struct error *err)
{
	*chosen = json || (reader->markdown && (reader->elements || reader->front)) ? UINT32_MAX : ~r->unasked;
	if (!s->parameters.given[PARAMETER_PLUGIN])
		return DANA_OK;
	*chosen = 0;
	return plugins_choose(r->plugins, parameter_value(&s->parameters, PARAMETER_PLUGIN), chosen, err);
}

/* Returns the number of the format that the parameter names, -1 if it names none, -2 if it is none. */
static int named_format(const struct parameters *p)
{
	const struct slice name = parameter_value(p, PARAMETER_FORMAT);
	int i = 0;
	while (i < FORMATS && !slice_equal(name, slice_from_text(reply_formats[i].name)))
		i++;
	return name.len == 0 ? -1 : i < FORMATS ? i : -2;
}

/* Returns the reader for what the request asks for, and in *format as what it is sent; NULL with an error. */
static struct reader *choose_reader(struct worker_state *s, struct readers *r, const struct page_order *order,
				    enum reply_format *format, struct error *err)
{
	const int named = named_format(&s->parameters);
	const bool lines = order->kind == BODY_LINE;
	if (named == -2 || (lines && named >= 0 && named != FORMAT_JSON)) {
		(void)error_set(err, DANA_ECONFIG, "the parameter format is %s",
				lines ? "json for lines; text=markdown writes Markdown into them"
				      : "none of text, json, markdown, html, xml and tei");
		return NULL;
	}
	*format = lines                 ? FORMAT_JSON
		  : named >= 0          ? (enum reply_format)named
		  : order->accepts >= 0 ? (enum reply_format)order->accepts
					: FORMAT_TEXT;
	buf_clear(&s->options);
	if (parameters_options(&s->parameters, *format, &s->options, err) < 0)
		return NULL;
	struct reader *reader = reader_for(r, buf_slice(&s->options), err);
	if (reader || named >= 0 || *format < FORMAT_MARKDOWN || err->status != DANA_ECONFIG)
		return reader;
	/* what Accept prefers cannot be had of this method: the text can */
	*err = (struct error){ 0 };
	*format = FORMAT_TEXT;
	buf_clear(&s->options);
	return parameters_options(&s->parameters, *format, &s->options, err) < 0
		       ? NULL
		       : reader_for(r, buf_slice(&s->options), err);
}

static int http_status(int status, bool charset_given)
{
	switch (status) {
	case DANA_OK:
		return 200;
	case DANA_ECONFIG: /* else a model of a site that is wrong */
		return charset_given ? 400 : 500;
	case DANA_EFORMAT: /* no HTML */
		return 415;
	case DANA_ELIMIT:
	case SINGLE_PAGE_DROPPED:
		return 422;
	case DANA_ENOMEM:
	case DANA_EFILES:
		return 503;
	default:
		return 500;
	}
}

/* What is no page, with the request that is right, where there is one. */
static void advise(struct error *err)
{
	static const struct {
		const char *fault, *here;
	} faults[] = {
		{ PAGE_IS_ARCHIVE, "an archive (WARC or ARC), not one HTML page: POST it to /filter" },
		{ PAGE_IS_JSON, "JSON, not an HTML page: its Content-Type is application/json for one object with html "
				"or html_base64, application/jsonl for lines of them" },
	};
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		if (strcmp(err->text, faults[i].fault) == 0)
			(void)snprintf(err->text, sizeof(err->text), "%s", faults[i].here);
	}
}

static void read_page(struct reader *reader, struct single_page_source *source, struct slice html, bool repaired,
		      struct page_answer *answer, struct buf *out, struct error *err)
{
	struct document doc;
	const bool json = answer->format == FORMAT_JSON;
	source->alone = !json;
	int status = single_page_read(reader->page, source, html, &doc, err);
	if (status == DANA_OK) {
		doc.problems |= repaired ? PROBLEM_BAD_CHARSET : 0;
		answer->html_bytes = doc.html_bytes;
		answer->text_chars = doc.text_chars;
		status = json ? text_page_json(&doc, slice_of(NULL, 0), out) : text_page(&doc, reader->markdown, out);
	} else if (status == SINGLE_PAGE_DROPPED && json) {
		status = text_failure_json(NULL, err->text, out);
	}
	if (status == DANA_ECONFIG && source->charset.len)
		status = error_set(err, DANA_ECONFIG, CHARSET_UNKNOWN);
	if (status < 0)
		(void)single_page_fault(status, err);
	advise(err);
	answer->status = http_status(status, source->charset.len > 0);
}

static void read_line(struct worker_state *s, struct reader *reader, struct slice line, struct page_answer *answer,
		      struct buf *out)
{
	const struct single_page_source usual = { .url = parameter_value(&s->parameters, PARAMETER_URL),
						  .charset = parameter_value(&s->parameters, PARAMETER_CHARSET) };
	int status = page_line_text(s->line, reader->page, &usual, line, out);
	if (status == DANA_ECONFIG)
		status = page_line_failure(
			usual.charset.len ? CHARSET_UNKNOWN : "a model of the page's site cannot be used", out);
	answer->status = status == DANA_ENOMEM ? 503 : 200;
}

/* Makes the answer to an order; `rest`: what follows it. */
static void answer_order(struct worker_state *s, const struct serve_config *config, const struct page_order *order,
			 struct slice rest, struct page_answer *answer, struct buf *out, struct error *err)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST,
						 .unique_names = true,
						 JSON_BY_SIMDJSON };
	struct readers *r = order->kind == BODY_LINE ? &s->lines : &s->pages;
	const struct slice query = take(&rest, order->query);
	struct page_in_json page = { .source = { .content_type = take(&rest, order->content_type) } };
	const struct slice url = take(&rest, order->url);
	enum reply_format format = FORMAT_TEXT;
	uint32_t chosen = 0;
	page.html = rest;
	parameters_clear(&s->parameters);
	if (!s->line && order->kind != BODY_PAGE)
		s->line = page_line_new(&rules);
	int status = s->line || order->kind == BODY_PAGE ? readers_begin(r, config, order->kind == BODY_LINE, err)
							 : error_no_memory(err);
	if (status == DANA_OK)
		status = parameters_read_query(&s->parameters, query, err);
	if (status == DANA_OK && order->kind == BODY_JSON)
		status = page_line_read(s->line, rest, parameters_set_json, &s->parameters, &page, err);
	struct reader *reader = status == DANA_OK ? choose_reader(s, r, order, &format, err) : NULL;
	if (!reader || choose_plugins(s, r, reader, format == FORMAT_JSON, &chosen, err) < 0) {
		status = (int)err->status;
		if (status == DANA_OK)
			status = error_no_memory(err);
		answer->status = status == DANA_ECONFIG || status == DANA_EFORMAT ? 400
				 : status == DANA_ENOMEM                          ? 503
										  : 500;
		return;
	}
	single_page_choose(reader->page, chosen);
	if (order->kind == BODY_LINE) {
		read_line(s, reader, rest, answer, out);
		return;
	}
	if (!page.source.charset.len)
		page.source.charset = parameter_value(&s->parameters, PARAMETER_CHARSET);
	if (!page.source.url.len)
		page.source.url = url.len ? url : parameter_value(&s->parameters, PARAMETER_URL);
	answer->format = format;
	if (format == FORMAT_TEXT && reader->markdown && !reader->elements)
		answer->format = FORMAT_MARKDOWN; /* by the options, or the service's */
	read_page(reader, &page.source, page.html, page.repaired, answer, out, err);
}

/* ---- orders ---- */

static int work(const struct serve_config *config, struct worker_state *state)
{
	/* A page that the service can end no more, since it has ended, ends here a moment later. */
	const unsigned last_seconds = config->page_seconds + 2;
	struct buf in = { 0 }, out = { 0 };
	struct page_order order;
	int status;
	while ((status = read_all(&order, sizeof(order))) == DANA_OK) {
		const size_t len = (size_t)(order.query + order.content_type + order.url + order.body);
		struct page_answer answer = { 0 };
		struct error err = { 0 };
		status = buf_reserve(&in, len);
		if (status == DANA_OK)
			status = read_all(in.data, len);
		if (status != DANA_OK)
			break;
		in.len = len;
		(void)alarm(last_seconds);
		answer_order(state, config, &order, buf_slice(&in), &answer, &out, &err);
		(void)alarm(0);
		answer.error = strlen(err.text);
		answer.text = out.len;
		answer.notes = state->notes.len;
		status = write_all(slice_of(&answer, sizeof(answer)));
		if (status == DANA_OK)
			status = write_all(slice_from_text(err.text));
		if (status == DANA_OK)
			status = write_all(buf_slice(&out));
		if (status == DANA_OK)
			status = write_all(buf_slice(&state->notes));
		buf_clear(&state->notes);
		if (status < 0)
			break;
		buf_shrink(&in, KEEP_BUFFER);
		buf_shrink(&out, KEEP_BUFFER);
	}
	buf_free(&in);
	buf_free(&out);
	return status < 0 ? status : DANA_OK;
}

int worker_check(const struct serve_config *config, struct error *err)
{
	struct buf notes = { 0 };
	struct readers readers = { .notes = &notes };
	const int status = readers_begin(&readers, config, false, err);
	readers_end(&readers);
	return status;
}

int serve_worker(const struct serve_config *config, struct error *err)
{
	struct worker_state state = { .pages.notes = &state.notes, .lines.notes = &state.notes };
	int status = readers_begin(&state.pages, config, false, err);
	if (status == DANA_OK) {
		status = work(config, &state);
		if (status < 0)
			(void)error_set(err, (enum dana_status)status, "%s", status_text(status));
	}
	readers_end(&state.pages);
	readers_end(&state.lines);
	page_line_free(state.line);
	parameters_free(&state.parameters);
	buf_free(&state.options);
	buf_free(&state.notes);
	return err->status;
}
