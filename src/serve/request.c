/* SPDX-License-Identifier: MIT */
/*
 * Decides which route a request takes, refuses what is not allowed, and answers.
 *
 * A request that can be refused by its head is answered before its body is read; otherwise the route answers when the
 * body is complete, or later.
 */
#include "config.h"

#include "serve/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "archive/codec/codec.h"
#include "archive/single_page.h"
#include "base/ascii.h"
#include "base/json.h"

/* ---- responses ---- */

static void finish(struct request *r)
{
	struct connection *c = r->connection;
	if (r->route && r->route->over)
		r->route->over(r);
	page_job_drop(r->job);
	r->server->memory -= r->charged;
	buf_free(&r->body);
	buf_free(&r->fields);
	free(r);
	connection_done(c);
}

void request_add_field(struct request *r, const char *name, const char *value)
{
	buf_printf(&r->fields, "%s: %s\r\n", name, value);
}

void request_add_policy(struct request *r, const char *policy)
{
	request_add_field(r, "Content-Security-Policy", policy);
	request_add_field(r, "X-Frame-Options", "DENY");
	request_add_field(r, "Cross-Origin-Resource-Policy", "same-origin");
}

/* Without regard to the locale. */
static const char *date(struct server *s)
{
	static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t now = time(NULL);
	struct tm tm;
	if (now != s->date_second && gmtime_r(&now, &tm)) {
		s->date_second = now;
		(void)snprintf(s->date, sizeof(s->date), "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
			       days + (ptrdiff_t)3 * tm.tm_wday, tm.tm_mday, months + (ptrdiff_t)3 * tm.tm_mon,
			       tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
	}
	return s->date;
}

void request_reply(struct request *r, int status, const char *content_type, struct buf *body)
{
	struct buf head = { 0 };
	/* After a request that was refused by its head clients are told to begin anew. */
	bool ends = !r->ended || connection_ends(r->connection);
	buf_printf(&head, "HTTP/1.1 %d %s\r\nDate: %s\r\n", status, request_reason(status), date(r->server));
	buf_append_text(&head, ends ? "Connection: close\r\n" : r->head->old ? "Connection: Keep-Alive\r\n" : "");
	buf_printf(&head,
		   "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
		   "Referrer-Policy: same-origin\r\n%s", /* with no-referrer the Origin of the form is null */
		   status == 503 ? "Retry-After: 1\r\n" : "");
	if (status != 204)
		buf_printf(&head, "Content-Type: %s\r\nContent-Length: %zu\r\n", content_type, body->len);
	buf_append(&head, r->fields.data, r->fields.len);
	buf_append_text(&head, "\r\n");
	if (buf_status(&head) < 0 || buf_status(body) < 0 || buf_status(&r->fields) < 0) {
		buf_free(body);
		connection_cut(r->connection);
	} else {
		if (slice_is(r->head->method, "HEAD"))
			buf_free(body);
		r->server->metrics.responses[status]++;
		(void)connection_write(r->connection, buf_slice(&head), body);
	}
	*body = (struct buf){ 0 };
	buf_free(&head);
	finish(r);
}

void request_reply_reason(struct request *r, int status, const char *reason)
{
	struct buf body = { 0 };
	const bool json = r->accepts == FORMAT_JSON;
	if (json) {
		struct json_writer w = { .out = &body };
		json_object_begin(&w);
		json_text(&w, "reason", slice_from_text(reason));
		json_object_end(&w);
	} else {
		buf_append_text(&body, reason);
	}
	buf_append_byte(&body, '\n');
	request_reply(r, status, json ? "application/json" : "text/plain; charset=utf-8", &body);
}

/* ---- forms ---- */

/* What curl sends without being told is called a form. The names of its fields begin with letters, and no page does. */
static bool is_page(struct slice body)
{
	bool need_more;
	const struct slice text = slice_trim(body);
	return text.len && (!ascii_is_alpha(*text.data) || page_begins(slice_first(body, PAGE_FIRST_BYTES)) ||
			    codec_detect(body, &need_more));
}

#define NO_PAGE \
	"the page is missing: give a file, or paste HTML; with curl: -H 'Content-Type: text/html' --data-binary " \
	"@page.html"

const char *request_take_form(struct request *r, struct form_field *fields, size_t n, bool *is_text)
{
	const struct slice type = request_field(r->head, "Content-Type");
	bool readable;
	*is_text = false;
	if (!form_is(type, &readable) ||
	    (!request_has_type(type, "multipart/form-data") && is_page(buf_slice(&r->body))))
		return r->body.len ? NULL : NO_PAGE;
	if (!readable || !form_read(type, buf_slice(&r->body), fields, n))
		return "the form cannot be read; expected multipart/form-data";
	if (fields[IN_FILE].found > 1)
		return "the form has several files; expected one page";
	*is_text = fields[IN_FILE].value.len == 0;
	struct buf *page = &fields[*is_text ? IN_HTML : IN_FILE].value;
	buf_free(&r->body);
	r->body = *page;
	*page = (struct buf){ 0 };
	return buf_status(&r->body) < 0 ? status_text(DANA_ENOMEM) : r->body.len ? NULL : NO_PAGE;
}

/* ---- responses that are written while they are made ---- */

void request_stream_begin(struct request *r, const char *content_type)
{
	struct buf head = { 0 };
	buf_printf(&head,
		   "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%sCache-Control: no-store\r\n"
		   "X-Content-Type-Options: nosniff\r\nConnection: close\r\n",
		   content_type, r->head->old ? "" : "Transfer-Encoding: chunked\r\nTrailer: Dana-Status\r\n");
	buf_append(&head, r->fields.data, r->fields.len);
	buf_append_text(&head, "\r\n");
	r->server->metrics.responses[200]++;
	if (buf_status(&head) < 0)
		connection_cut(r->connection);
	else
		(void)connection_write(r->connection, buf_slice(&head), NULL);
	buf_free(&head);
}

size_t request_stream_write(struct request *r, struct slice bytes)
{
	const bool chunked = !r->head->old;
	char size[32];
	if (bytes.len == 0) /* would be the last chunk */
		return 0;
	if (chunked)
		(void)connection_write(r->connection,
				       slice_of(size, (size_t)snprintf(size, sizeof(size), "%zx\r\n", bytes.len)),
				       NULL);
	(void)connection_write(r->connection, bytes, NULL);
	return connection_write(r->connection, slice_from_text(chunked ? "\r\n" : ""), NULL);
}

void request_stream_end(struct request *r, const char *how)
{
	char end[64];
	const int n = snprintf(end, sizeof(end), "0\r\nDana-Status: %s\r\n\r\n", how);
	if (!r->head->old)
		(void)connection_write(r->connection, slice_of(end, (size_t)n), NULL);
	connection_finish(r->connection);
}

/* ---- whether the head is good ---- */

#define TOO_LARGE "the body is larger than --max-body allows"
#define TOO_MUCH "too much is held at once; try again"

size_t server_memory(const struct server *s)
{
	return s->memory + gate_counts(s->gate)->waiting;
}

bool server_has_room(const struct server *s, size_t bytes)
{
	size_t held = server_memory(s);
	return held <= s->config->memory_most && bytes <= s->config->memory_most - held;
}

/* Every byte is looked at, so that the time reveals nothing. */
static bool is_token(struct slice token, struct slice given)
{
	unsigned differs = given.len != token.len;
	for (size_t i = 0; i < given.len; i++)
		differs |= (unsigned)(given.data[i] ^ token.data[i % token.len]);
	return !differs;
}

/* "Bearer TOKEN", or the token as a password, which browsers ask for. */
static bool has_token(const struct request *r)
{
	static const char bearer[] = "Bearer ";
	struct slice token = r->server->config->token, field = request_field(r->head, "Authorization");
	struct buf password = { 0 };
	size_t len = sizeof(bearer) - 1;
	if (token.len == 0)
		return true;
	if (field.len > len && slice_is(slice_first(field, len), bearer))
		return is_token(token, slice_skip(field, len));
	bool good = request_password(field, &password) && is_token(token, buf_slice(&password));
	buf_free(&password);
	return good;
}

/* The name is that of --host, which a proxy hands on; it may have any port. */
static bool is_named_host(const struct request *r, struct slice host)
{
	const struct text_list *names = r->server->config->hosts;
	const struct slice name = request_host_name(host);
	unsigned i = 0;
	while (i < names->n && !slice_equal_nocase(name, slice_from_text(names->at[i])))
		i++;
	return i < names->n;
}

static bool is_our_host(const struct request *r, struct slice host)
{
	return request_is_loopback_host(host) || is_named_host(r, host);
}

/*
 * A page of another site that a browser of this machine shows can send requests here. It reads no answer, but it would
 * under a name of its own that leads to this machine, so only names of this machine are taken.
 */
static bool is_for_us(const struct request *r)
{
	const struct request_head *head = r->head;
	if (connection_reach(r->connection) != ADDRESS_LOOPBACK)
		return true;
	/* Without a Host it is HTTP/1.0, which no browser speaks. */
	return (!head->has_host || is_our_host(r, head->host)) &&
	       (head->authority.len == 0 || is_our_host(r, head->authority));
}

/*
 * Returns whether a page of this origin may send requests here: a page of this service, or of --allow-origin. Its
 * scripts may then read the response, too.
 */
static bool allows_origin(struct request *r, struct slice origin)
{
	const uint8_t *mark = origin.len ? memmem(origin.data, origin.len, "://", 3) : NULL;
	const struct slice host = mark ? slice_skip(origin, (size_t)(mark + 3 - origin.data)) : slice_of(NULL, 0);
	const struct text_list *allowed = r->server->config->origins;
	unsigned i = 0;
	while (i < allowed->n && strcmp(allowed->at[i], "*") != 0 &&
	       !slice_equal_nocase(origin, slice_from_text(allowed->at[i])))
		i++;
	if (i < allowed->n) {
		buf_printf(&r->fields, "Access-Control-Allow-Origin: %.*s\r\nVary: Origin\r\n", (int)origin.len,
			   (const char *)origin.data);
		return true;
	}
	return host.len && (slice_equal_nocase(host, r->head->host) || is_named_host(r, host));
}

/* What a browser asks before a request that a form could not send. It brings no token. */
static bool is_preflight(const struct request *r)
{
	return slice_is(r->head->method, "OPTIONS") && request_field(r->head, "Origin").data &&
	       request_field(r->head, "Access-Control-Request-Method").data;
}

/* Returns whether the route takes all parameters of the query; else writes to `text` which it takes. */
static bool takes_parameters(const struct request *r, struct buf *text)
{
	static const char *const none[] = { NULL };
	const char *const *names = r->route->parameters ? r->route->parameters : none;
	struct slice rest = r->head->query, name, value;
	while (request_query_next(&rest, &name, &value)) {
		size_t i = 0;
		while (names[i] && !slice_equal(name, slice_from_text(names[i])))
			i++;
		if (names[i])
			continue;
		buf_printf(text, "%s has no such parameter; it takes:", r->route->path);
		for (i = 0; names[i]; i++)
			buf_printf(text, " %s", names[i]);
		buf_append_byte(text, 0);
		return false;
	}
	return true;
}

static size_t body_most(const struct request *r)
{
	return r->route->body_most ? r->route->body_most : r->server->config->body_most;
}

static bool takes_get(const struct request *r)
{
	return r->route->get || (r->route->get_if_fetch && r->server->config->fetch);
}

static const char *allowed_methods(const struct request *r)
{
	return !r->route->post ? "GET, HEAD" : takes_get(r) ? "GET, HEAD, POST" : "POST";
}

static void reply_preflight(struct request *r)
{
	struct buf none = { 0 };
	request_add_field(r, "Access-Control-Allow-Methods", allowed_methods(r));
	request_add_field(r, "Access-Control-Allow-Headers", "Accept, Authorization, Content-Type");
	request_add_field(r, "Access-Control-Max-Age", "600");
	request_reply(r, 204, NULL, &none);
}

/* Returns 0, or the status with which the head is enough to refuse the request, and why: *reason, or `text`. */
static int check_head(struct request *r, const char **reason, struct buf *text)
{
	struct slice method = r->head->method, coding = request_field(r->head, "Content-Encoding");
	const struct route *route = r->route;
	if (!is_for_us(r)) {
		*reason = "the Host is not a name of this machine; --host NAME allows the name of a proxy";
		return 421;
	}
	const struct slice origin = request_field(r->head, "Origin");
	if (origin.data && !allows_origin(r, origin)) {
		*reason = "cross-site requests are refused; --allow-origin ORIGIN allows them";
		return 403;
	}
	if (route && is_preflight(r))
		return 204;
	if (!(route && route->is_open) && !has_token(r)) {
		request_add_field(r, "WWW-Authenticate", "Bearer realm=\"dana\"");
		request_add_field(r, "WWW-Authenticate", "Basic realm=\"dana\", charset=\"UTF-8\"");
		*reason = "a token is needed: Authorization: Bearer TOKEN";
		return 401;
	}
	if (!route) {
		*reason = "nothing is here; see GET /";
		return 404;
	}
	bool get = slice_is(method, "GET") || slice_is(method, "HEAD");
	if (!(get && takes_get(r)) && !(slice_is(method, "POST") && route->post)) {
		request_add_field(r, "Allow", allowed_methods(r));
		*reason = get && route->get_if_fetch
				  ? "the method is not allowed here; GET needs a service with --fetch"
			  : route->post ? "the method is not allowed here; it is POST (curl -X POST -T FILE URL)"
					: "the method is not allowed here";
		return 405;
	}
	if (r->server->draining && !route->is_open) {
		*reason = "the service is about to end";
		return 503;
	}
	if (coding.len && !slice_is(coding, "identity")) {
		request_add_field(r, "Accept-Encoding", "identity");
		*reason = "the body may have no Content-Encoding; send it decoded";
		return 415;
	}
	if (!route->data && r->head->length > body_most(r)) {
		*reason = TOO_LARGE;
		return 413;
	}
	if (!route->data && !server_has_room(r->server, r->head->length)) {
		*reason = TOO_MUCH;
		return 503;
	}
	if (takes_parameters(r, text))
		return 0;
	*reason = buf_status(text) < 0 ? "an unknown parameter" : (const char *)text->data;
	return 400;
}

bool request_parameter(const struct request *r, const char *wanted, struct buf *value)
{
	struct slice rest = r->head->query, name, text;
	buf_clear(value);
	while (request_query_next(&rest, &name, &text)) {
		if (!slice_equal(name, slice_from_text(wanted)))
			continue;
		if (!request_decode(text, false, value))
			return false;
		break;
	}
	if (buf_append_byte(value, 0) < 0)
		return false;
	value->len--;
	return true;
}

/* ---- what the gate calls ---- */

static bool is_at(const struct route *route, const struct request_head *head)
{
	return slice_equal(head->path.len ? head->path : slice_from_text("/"), slice_from_text(route->path));
}

static int on_begin(void *arg, struct connection *c, const struct request_head *head, struct request **request)
{
	struct server *s = arg;
	const struct route *const *route = s->routes;
	const char *reason = NULL;
	struct buf text = { 0 };
	while (*route && !(is_at(*route, head) && (!(*route)->takes || (*route)->takes(head))))
		route++;
	struct request *r = calloc(1, sizeof(*r));
	if (!r)
		return 503;
	*r = (struct request){ .server = s, .connection = c, .head = head, .route = *route, .started = uv_hrtime() };
	r->accepts = request_accepts(request_field(head, "Accept"));
	*request = r;
	int status = check_head(r, &reason, &text);
	if (status == 204)
		reply_preflight(r);
	else if (status)
		request_reply_reason(r, status, reason);
	else if (r->route->begin)
		r->route->begin(r);
	buf_free(&text);
	return 0;
}

static void on_data(struct request *r, struct slice bytes)
{
	struct server *s = r->server;
	if (r->route->data) {
		r->route->data(r, bytes);
		return;
	}
	if (bytes.len > body_most(r) - r->body.len) {
		request_reply_reason(r, 413, TOO_LARGE);
	} else if (!server_has_room(s, bytes.len) || buf_append(&r->body, bytes.data, bytes.len) < 0) {
		request_reply_reason(r, 503, TOO_MUCH);
	} else {
		s->memory += bytes.len;
		r->charged += bytes.len;
	}
}

static void on_end(struct request *r)
{
	r->ended = true;
	r->route->end(r);
}

static void on_writable(struct request *r)
{
	r->route->writable(r);
}

static void on_gone(struct request *r)
{
	finish(r);
}

const struct gate_calls request_calls = { on_begin, on_data, on_end, on_writable, on_gone };
