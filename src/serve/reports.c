/* SPDX-License-Identifier: MIT */
/*
 * The page needs no script: it is a form, and the report is the page that comes after it. A form sends a file or the
 * text of a field; programs may send the page itself as the body.
 */
#include "config.h"

#include "serve/reports.h"

#include "base/ascii.h"
#include "serve/child_route.h"
#include "serve/front_page.h"
#include "serve/server.h"

enum { PAGE_MOST = 4 << 20, REPORT_MOST = 64 << 20, FORM_MEMORY = 4 << 10 };

struct report {
	struct child_route child;
	struct MHD_PostProcessor *form; /* NULL: the body is the page */
	struct buf file, field, method; /* of the form */
	struct buf out;
};

/* Nothing is loaded; a report has its style and its script in itself. */
static void add_policy(struct request *r, const char *policy)
{
	request_add_header(r, "Content-Security-Policy", policy);
	request_add_header(r, "X-Frame-Options", "DENY");
	request_add_header(r, "Cross-Origin-Resource-Policy", "same-origin");
}

/* ---- the page ---- */

static void show_page(struct request *r)
{
	struct buf page = { 0 };
	front_page_write(r->server->config->method, &page);
	request_reply(r, MHD_HTTP_OK, "text/html; charset=utf-8", &page);
	add_policy(r, "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri "
		      "'none'; frame-ancestors 'none'");
}

const struct route reports_page_route = { .path = "/", .get = true, .end = show_page };

/* ---- the form ---- */

static enum MHD_Result on_part(void *arg, enum MHD_ValueKind kind, const char *key, const char *filename,
			       const char *type, const char *coding, const char *data, uint64_t offset, size_t size)
{
	struct report *p = arg;
	struct buf *to = strcmp(key, "file") == 0     ? &p->file
			 : strcmp(key, "html") == 0   ? &p->field
			 : strcmp(key, "method") == 0 ? &p->method
						      : NULL;
	(void)kind;
	(void)filename;
	(void)type;
	(void)coding;
	(void)offset;
	return to && size && buf_append(to, data, size) < 0 ? MHD_NO : MHD_YES;
}

static bool is_form(const struct request *r)
{
	static const char *const types[] = { MHD_HTTP_POST_ENCODING_MULTIPART_FORMDATA,
					     MHD_HTTP_POST_ENCODING_FORM_URLENCODED };
	const char *type = request_header(r, MHD_HTTP_HEADER_CONTENT_TYPE);
	for (size_t i = 0; type && i < sizeof(types) / sizeof(*types); i++) {
		size_t len = strlen(types[i]);
		if (strlen(type) >= len && slice_is(slice_of(type, len), types[i]))
			return true;
	}
	return false;
}

static void end_form(struct report *p)
{
	if (p->form)
		(void)http_library.MHD_destroy_post_processor(p->form);
	p->form = NULL;
}

/* ---- the report ---- */

static void begin(struct request *r)
{
	struct report *p = child_route_begin(r, sizeof(*p), "explain", "too many reports are made; try again");
	if (!p || !is_form(r))
		return;
	p->form = http_library.MHD_create_post_processor(r->engine, FORM_MEMORY, on_part, p);
	if (!p->form)
		request_reply_reason(r, MHD_HTTP_BAD_REQUEST, "the form cannot be read");
}

static bool take(struct request *r, struct slice bytes)
{
	struct report *p = r->state;
	bool kept = true;
	if (r->response)
		return true;
	if (connection_body(r->connection) > PAGE_MOST) {
		connection_refuse(r->connection, 413, NULL);
		return false;
	}
	if (!request_charge(r, bytes.len))
		return false;
	if (!p->form)
		kept = buf_append(&p->file, bytes.data, bytes.len) == 0;
	else
		kept = http_library.MHD_post_process(p->form, (const char *)bytes.data, bytes.len) == MHD_YES;
	if (!kept)
		connection_refuse(r->connection, REQUEST_BAD, "the form cannot be read");
	return kept;
}

static void on_output(void *arg, struct slice bytes)
{
	struct report *p = arg;
	if (p->out.len < REPORT_MOST)
		(void)buf_append(&p->out, bytes.data, bytes.len);
}

static void on_hungry(void *arg)
{
	(void)arg; /* it got all at once */
}

static void on_ended(void *arg, int status, const char *error)
{
	struct report *p = arg;
	struct request *r = p->child.request;
	error = child_route_error(&p->child, error);
	if (status == 0 && p->out.len < REPORT_MOST) {
		request_reply(r, MHD_HTTP_OK, "text/html; charset=utf-8", &p->out);
		/* the policy in the report itself allows its own style and script alone, by their digests */
		add_policy(
			r,
			"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
			"form-action 'none'; frame-ancestors 'none'");
	} else if (status == 3) {
		request_reply_reason(r, MHD_HTTP_BAD_REQUEST, error);
	} else {
		request_reply_reason(r, MHD_HTTP_UNPROCESSABLE_CONTENT, *error ? error : "no report could be made");
	}
}

/* A form's field is what the browser shows; files and bodies are bytes as they were. */
static const char *add_arguments(struct report *p, bool from_field)
{
	struct arguments *a = &p->child.arguments;
	if (from_field)
		arguments_add(a, "charset", "utf-8");
	const char *wrong = arguments_take(a, p->child.request);
	arguments_add(a, "-", NULL);
	if (wrong || p->method.len == 0)
		return wrong;
	for (size_t i = 0; i < p->method.len; i++) {
		uint8_t c = p->method.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-')
			return "the method has characters that it cannot have";
	}
	if (buf_append_byte(&p->method, 0) == 0)
		arguments_add(a, "method", (const char *)p->method.data);
	return NULL;
}

static void end(struct request *r)
{
	struct report *p = r->state;
	if (!p || r->response)
		return;
	end_form(p); /* which brings its last part */
	struct buf *page = p->file.len ? &p->file : &p->field;
	const char *wrong =
		page->len ? add_arguments(p, page == &p->field) : "the page is missing: give a file, or paste HTML";
	if (wrong) {
		request_reply_reason(r, MHD_HTTP_BAD_REQUEST, wrong);
		return;
	}
	if (!child_route_start(&p->child, on_output, on_hungry, on_ended))
		return;
	if (process_feed(p->child.process, buf_slice(page)) < 0) {
		request_reply_reason(r, MHD_HTTP_SERVICE_UNAVAILABLE, "no process can be started; try again");
		return;
	}
	process_feed_end(p->child.process);
	request_wait(r);
}

static void over(struct request *r)
{
	struct report *p = r->state;
	if (!p)
		return;
	end_form(p);
	buf_free(&p->file);
	buf_free(&p->field);
	buf_free(&p->method);
	buf_free(&p->out);
	child_route_over(r);
}

static const char *const parameters[] = { "method", "charset", "url", NULL };

const struct route reports_route = { .path = "/explain",
				     .post = true,
				     .parameters = parameters,
				     .begin = begin,
				     .data = take,
				     .end = end,
				     .gone = child_route_gone,
				     .over = over };
