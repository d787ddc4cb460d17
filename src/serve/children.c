/* SPDX-License-Identifier: MIT */
/*
 * Requests for which a process works, a dana of its own, counted, so that there are never too many:
 *
 *	POST /filter   an archive in, documents out while it comes in, by `dana filter`
 *	POST /explain  a page in, the report on it out, by `dana explain`
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/system.h"
#include "dana/dana.h"
#include "io/loop.h"
#include "serve/parameters.h"
#include "serve/process.h"
#include "serve/request.h"

enum {
	ARGUMENTS_MOST = 32,
	ITEMS_MOST = 8,      /* of a parameter that is a list */
	FEED_FULL = 1 << 20, /* bytes that wait for the process */
	DAMAGED = 2,         /* exit status: some records were */
	WRONG = 3,           /* exit status: an argument is */
	PAGE_MOST = 4 << 20,
	REPORT_MOST = 64 << 20,
};

struct child {
	struct request *request;
	struct process *process; /* NULL: not started */
	char *arguments[ARGUMENTS_MOST + 1];
	size_t n;
	bool no_memory;   /* for an argument */
	struct buf lines; /* of rules */
	const struct process_calls *calls;
	/* Of an archive: */
	const char *content_type;
	bool begun; /* the head of the response is written */
	bool late;  /* a page takes too long */
	/* Of a report: */
	struct buf out;
};

/* ---- arguments ---- */

/* "--name=value", or `name` alone where `value` is NULL. */
static void add_argument(struct child *c, const char *name, const char *value)
{
	struct buf text = { 0 };
	if (value)
		buf_printf(&text, "--%s=%s", name, value);
	else
		buf_append_text(&text, name);
	if (c->n == ARGUMENTS_MOST || buf_append_byte(&text, 0) < 0) {
		buf_free(&text);
		c->no_memory = true;
		return;
	}
	c->arguments[c->n++] = (char *)text.data;
}

/* Returns the type of the option of a page that a parameter is; -1: it is another one. */
static int page_type(const char *parameter)
{
	const struct page_option *row = page_option_list;
	while (row->name && strcmp(*row->option ? row->option : row->name, parameter) != 0)
		row++;
	return row->name ? (int)row->type : -1;
}

static void add_flag(struct child *c, const char *name)
{
	struct buf text = { 0 };
	if (buf_printf(&text, "--%s%c", name, 0) == DANA_OK)
		add_argument(c, (const char *)text.data, NULL);
	else
		c->no_memory = true;
	buf_free(&text);
}

/* The lines of a parameter for which the command has a file: the process reads them beside its input. */
static void add_lines(struct child *c, const char *name, struct buf *value)
{
	if (value->len == 0)
		return;
	add_argument(c, name, PROCESS_GIVEN);
	buf_free(&c->lines);
	c->lines = *value;
	*value = (struct buf){ 0 };
}

/* URLs and selectors may hold anything but control characters; the others are words, numbers and lists of them. */
static bool is_harmless(const char *name, const char *value)
{
	bool url = strcmp(name, "url") == 0 || page_type(name) == PAGE_OPTION_SELECTORS;
	for (; *value; value++) {
		uint8_t c = (uint8_t)*value;
		bool word = ascii_is_alpha(c) || ascii_is_digit(c) || strchr("-_.,+", c) ||
			    (c == '/' && strcmp(name, "mime") == 0) || (c == ':' && strcmp(name, "compress") == 0) ||
			    (c == '=' && strcmp(name, "markdown") == 0);
		if (url ? c < ' ' || c == 0x7f : !word)
			return false;
	}
	return true;
}

/* Appends the parameters that are keys of the first method: "recall=60,kind=forum". Returns as add_parameters. */
static const char *add_keys(struct child *c, struct buf *keys)
{
	const char *const *names = c->request->route->parameters;
	const char *wrong = NULL;
	struct buf value = { 0 };
	for (size_t i = 0; names[i] && !wrong; i++) {
		if (page_type(names[i]) != PAGE_OPTION_KEY || !request_parameter(c->request, names[i], &value) ||
		    value.len == 0)
			continue;
		if (strchr((char *)value.data, ',') || !is_harmless(names[i], (char *)value.data))
			wrong = "a parameter of the query has characters that it cannot have";
		buf_printf(keys, "%s%s=%s", keys->len ? "," : "", names[i], (char *)value.data);
	}
	buf_free(&value);
	return wrong;
}

/* The first method with the keys, which are used up. */
static void add_method(struct child *c, const char *method, struct buf *keys)
{
	struct buf text = { 0 };
	if (buf_printf(&text, "%s:%.*s", method, (int)keys->len, (const char *)keys->data) == DANA_OK)
		add_argument(c, "method", (const char *)text.data);
	else
		c->no_memory = true;
	buf_free(&text);
	buf_clear(keys);
}

/*
 * The parameters of the route become options of the same name. Returns NULL, or what is wrong with one of them: only
 * options of documents are taken, no name of a file and no key of a method.
 */
static const char *add_parameters(struct child *c)
{
	const char *const *names = c->request->route->parameters;
	struct buf value = { 0 }, keys = { 0 };
	const char *wrong = add_keys(c, &keys);
	for (size_t i = 0; names[i] && !wrong; i++) {
		if (!request_parameter(c->request, names[i], &value)) {
			wrong = "a parameter of the query cannot be decoded; expected %XX for each byte that is "
				"escaped";
			break;
		}
		const int type = page_type(names[i]);
		if (type == PAGE_OPTION_LINES) {
			add_lines(c, names[i], &value);
			continue;
		}
		char *item = (char *)value.data;
		if (!is_harmless(names[i], item))
			wrong = "a parameter of the query has characters that it cannot have";
		/* "learned,danag" becomes two arguments: keys of methods, which have commas too, are no parameters. */
		bool list = strcmp(names[i], "method") == 0;
		if (type == PAGE_OPTION_KEY)
			continue;
		if (type == PAGE_OPTION_FLAG && value.len && !wrong) { /* on the command line it has no value */
			const int word = word_index("0|1|no|yes|false|true", buf_slice(&value));
			if (word < 0)
				wrong = "a parameter of the query that is a flag is neither 0 nor 1";
			else if (word % 2)
				add_flag(c, names[i]);
			continue;
		}
		for (unsigned n = 0; !wrong && item && value.len; n++) {
			char *comma = list ? strchr(item, ',') : NULL;
			if (comma)
				*comma = 0;
			if (n == ITEMS_MOST)
				wrong = "a parameter of the query has too many items";
			else if (list && n == 0 && keys.len)
				add_method(c, item, &keys);
			else
				add_argument(c, names[i], item);
			item = comma ? comma + 1 : NULL;
		}
	}
	if (!wrong && keys.len)
		add_method(c, DANA_DEFAULT_METHOD, &keys);
	buf_free(&value);
	buf_free(&keys);
	return wrong;
}

/* ---- the process of a request ---- */

static struct child *begin_child(struct request *r, const char *command, const char *too_many)
{
	const struct serve_config *config = r->server->config;
	struct child *c = calloc(1, sizeof(*c));
	r->state = c;
	if (!c || r->server->children >= config->children_most) {
		request_reply_reason(r, 503, too_many);
		return NULL;
	}
	c->request = r;
	add_argument(c, config->program, NULL);
	add_argument(c, command, NULL);
	return c;
}

static bool start_child(struct child *c)
{
	struct server *s = c->request->server;
	c->process = c->no_memory ? NULL : process_start(s->loop, c->arguments, buf_slice(&c->lines), c->calls, c);
	s->children += c->process != NULL;
	if (c->process)
		process_time(c->process, s->config->page_seconds * UINT64_C(1000));
	else
		request_reply_reason(c->request, 503, "no process can be started; try again");
	return c->process != NULL;
}

/* What it has is a page, of its own or of an archive, that takes too long. */
static void on_late(void *arg)
{
	struct child *c = arg;
	c->late = process_is_asked(c->process);
	if (c->late)
		process_kill(c->process);
}

/* What the process has written, without "dana COMMAND: " before it. */
static const char *without_command(const struct child *c, const char *error)
{
	char begin[32];
	int n = snprintf(begin, sizeof(begin), "dana %s: ", c->arguments[1]);
	return strncmp(error, begin, (size_t)n) == 0 ? error + n : error;
}

static void over(struct request *r)
{
	struct child *c = r->state;
	if (!c)
		return;
	if (c->process) {
		r->server->children--;
		process_drop(c->process);
	}
	for (size_t i = 0; i < c->n; i++)
		free(c->arguments[i]);
	buf_free(&c->lines);
	buf_free(&c->out);
	free(c);
}

/* ---- archives ---- */

/*
 * The response begins with the first bytes of output, so that a request which nothing comes of can still be answered
 * with an error.
 */
static void begin_response(struct child *c)
{
	c->begun = true;
	request_stream_begin(c->request, c->content_type);
}

static void on_documents(void *arg, struct slice bytes)
{
	struct child *c = arg;
	if (!c->begun)
		begin_response(c);
	if (request_stream_write(c->request, bytes) > GATE_FULL)
		process_pause(c->process, true);
}

/* After the first bytes nothing can be taken back; without chunks only a cut connection shows a bad end. */
static void on_archive_ended(void *arg, int status, const char *error)
{
	struct child *c = arg;
	struct request *r = c->request;
	bool good = status == 0 || status == DAMAGED;
	if (!good && !c->begun) {
		status = c->late ? 422 : status == WRONG ? 400 : 500;
		error = c->late ? PAGE_IS_LATE : without_command(c, error);
		if (r->ended)
			request_reply_reason(r, status, error);
		else
			connection_refuse(r->connection, status, error);
		return;
	}
	if (!c->begun)
		begin_response(c);
	if (good)
		request_stream_end(r, status == 0 ? "good" : "damaged");
	else
		connection_finish(r->connection);
}

static void on_hungry(void *arg)
{
	struct child *c = arg;
	connection_hold(c->request->connection, false);
}

static const struct process_calls archive_calls = { on_documents, on_hungry, on_archive_ended, on_late };

static void begin_archive(struct request *r)
{
	struct child *c = begin_child(r, "filter", "too many archives are worked on; try again");
	struct buf value = { 0 };
	if (!c)
		return;
	static const char *const types[][2] = { { "warc", "application/warc" },
						{ "csv", "text/csv; charset=utf-8; header=present" },
						{ "tsv", "text/tab-separated-values; charset=utf-8" } };
	c->content_type = "application/x-ndjson";
	const bool named = request_parameter(r, "format", &value);
	for (size_t i = 0; named && i < sizeof(types) / sizeof(*types); i++) {
		if (strcmp((const char *)value.data, types[i][0]) == 0)
			c->content_type = types[i][1];
	}
	bool packed =
		request_parameter(r, "compress", &value) && value.len && strcmp((const char *)value.data, "none") != 0;
	buf_free(&value);
	if (packed)
		c->content_type = "application/octet-stream";
	c->calls = &archive_calls;
	add_argument(c, "jobs", "0");
	const char *wrong = add_parameters(c);
	if (wrong)
		request_reply_reason(r, 400, wrong);
	else
		(void)start_child(c);
}

/* The rest of a body that nobody reads any more is taken and dropped. */
static void feed_archive(struct request *r, struct slice bytes)
{
	struct child *c = r->state;
	if (process_feed(c->process, bytes, NULL) > FEED_FULL)
		connection_hold(r->connection, true);
}

static void end_archive(struct request *r)
{
	struct child *c = r->state;
	process_feed_end(c->process);
}

static void resume_archive(struct request *r)
{
	struct child *c = r->state;
	process_pause(c->process, false);
}

static const char *const archive_parameters[] = { "format",       "compress", "method",
						  "schema",       "fields",   "min-chars",
						  "status",       "mime",     "type",
						  "warc-version", "source",   PAGE_OPTIONS(PAGE_PARAMETER, ) NULL };

const struct route archives_route = { .path = "/filter",
				      .post = true,
				      .parameters = archive_parameters,
				      .begin = begin_archive,
				      .data = feed_archive,
				      .end = end_archive,
				      .writable = resume_archive,
				      .over = over };

/* ---- reports ---- */

static void begin_report(struct request *r)
{
	bool readable = true;
	if (begin_child(r, "explain", "too many reports are made; try again") &&
	    form_is(request_field(r->head, "Content-Type"), &readable) && !readable)
		request_reply_reason(r, 400, "the form cannot be read; expected multipart/form-data");
}

static void on_report(void *arg, struct slice bytes)
{
	struct child *c = arg;
	if (c->out.len < REPORT_MOST)
		(void)buf_append(&c->out, bytes.data, bytes.len);
}

static void on_report_ended(void *arg, int status, const char *error)
{
	struct child *c = arg;
	struct request *r = c->request;
	error = without_command(c, error);
	if (status == 0 && c->out.len < REPORT_MOST) {
		/* the policy in the report itself allows its own style and script alone, by their digests */
		request_add_policy(
			r,
			"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
			"form-action 'none'; frame-ancestors 'none'");
		request_reply(r, 200, "text/html; charset=utf-8", &c->out);
	} else if (status == WRONG) {
		request_reply_reason(r, 400, error);
	} else {
		error = c->late ? PAGE_IS_LATE : error;
		request_reply_reason(r, 422, *error ? error : "no report could be made");
	}
}

static const struct process_calls report_calls = { .output = on_report, .ended = on_report_ended, .late = on_late };

/* Returns NULL, or what is wrong. */
static const char *add_report_arguments(struct child *c, bool from_field, struct buf *method)
{
	/* A form's field is what the browser shows; files and bodies are bytes as they were. */
	if (from_field)
		add_argument(c, "charset", "utf-8");
	const char *wrong = add_parameters(c);
	add_argument(c, "-", NULL);
	for (size_t i = 0; i < method->len && !wrong; i++) {
		uint8_t byte = method->data[i];
		if (!ascii_is_alpha(byte) && !ascii_is_digit(byte) && byte != '-')
			wrong = "the method has characters that it cannot have; expected a name, as learned";
	}
	if (method->len && !wrong && buf_append_byte(method, 0) == 0)
		add_argument(c, "method", (const char *)method->data);
	return wrong;
}

/* A form sends a file or the text of a field; programs may send the page itself as the body. */
static void end_report(struct request *r)
{
	enum { METHOD = IN_OTHERS, FIELDS };
	struct form_field fields[FIELDS] = { FORM_PAGE, { .name = "method" } };
	struct child *c = r->state;
	c->calls = &report_calls;
	bool from_field;
	const char *wrong = request_take_form(r, fields, FIELDS, &from_field);
	if (!wrong)
		wrong = add_report_arguments(c, from_field, &fields[METHOD].value);
	for (size_t i = 0; i < FIELDS; i++)
		buf_free(&fields[i].value);
	if (wrong)
		request_reply_reason(r, 400, wrong);
	else if (start_child(c)) {
		if (process_feed(c->process, slice_of(NULL, 0), &r->body) < 0)
			request_reply_reason(r, 503, "no process can be started; try again");
		else
			process_feed_end(c->process);
	}
}

static const char *const report_parameters[] = { "method", "charset", "url", NULL };

const struct route reports_route = { .path = "/explain",
				     .post = true,
				     .body_most = PAGE_MOST,
				     .parameters = report_parameters,
				     .begin = begin_report,
				     .end = end_report,
				     .over = over };
