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

#include "base/ascii.h"
#include "base/json.h"

/* ---- responses ---- */

static void finish(struct request *r)
{
	struct connection *c = r->connection;
	if (r->route && r->route->over)
		r->route->over(r);
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
		   "Content-Type: %s\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
		   "Referrer-Policy: same-origin\r\n%s", /* with no-referrer the Origin of the form is null */
		   content_type, status == 503 ? "Retry-After: 1\r\n" : "");
	buf_append(&head, r->fields.data, r->fields.len);
	buf_printf(&head, "Content-Length: %zu\r\n\r\n", body->len);
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

bool request_wants_json(const struct request *r)
{
	return request_accepts_json(request_field(r->head, "Accept"));
}

void request_reply_reason(struct request *r, int status, const char *reason)
{
	struct buf body = { 0 };
	const bool json = request_wants_json(r);
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

/* ---- whether the head is good ---- */

size_t server_memory(const struct server *s)
{
	return s->memory + gate_counts(s->gate)->waiting;
}

/* The response to a page that was taken is made in any case, so more may be held than is allowed. */
static bool has_room(const struct server *s, size_t bytes)
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
	return (!head->has_host || request_is_loopback_host(head->host)) &&
	       (head->authority.len == 0 || request_is_loopback_host(head->authority));
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

/* Returns 0, or the status with which the head is enough to refuse the request, and why: *reason, or `text`. */
static int check_head(struct request *r, const char **reason, struct buf *text)
{
	struct slice method = r->head->method, coding = request_field(r->head, "Content-Encoding");
	const struct route *route = r->route;
	if (!is_for_us(r)) {
		*reason = "the Host is not a name of this machine";
		return 421;
	}
	const struct slice origin = request_field(r->head, "Origin");
	const uint8_t *host = origin.len ? memmem(origin.data, origin.len, "://", 3) : NULL;
	if (origin.data &&
	    !(host && slice_equal_nocase(slice_skip(origin, (size_t)(host + 3 - origin.data)), r->head->host))) {
		*reason = "cross-site requests are refused";
		return 403;
	}
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
	if (!(get && route->get) && !(slice_is(method, "POST") && route->post)) {
		request_add_field(r, "Allow", !route->post ? "GET, HEAD" : route->get ? "GET, HEAD, POST" : "POST");
		*reason = "the method is not allowed here";
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

static int on_begin(void *arg, struct connection *c, const struct request_head *head, struct request **request)
{
	struct server *s = arg;
	const struct route *route = NULL;
	struct slice path = head->path.len ? head->path : slice_from_text("/");
	const char *reason = NULL;
	struct buf text = { 0 };
	for (size_t i = 0; s->routes[i] && !route; i++)
		route = slice_equal(path, slice_from_text(s->routes[i]->path)) ? s->routes[i] : NULL;
	if (head->has_length && !(route && route->data)) {
		if (head->length > s->config->body_most)
			return 413;
		if (!has_room(s, head->length))
			return 503;
	}
	struct request *r = calloc(1, sizeof(*r));
	if (!r)
		return 503;
	*r = (struct request){ .server = s, .connection = c, .head = head, .route = route, .started = uv_hrtime() };
	*request = r;
	int status = check_head(r, &reason, &text);
	if (status)
		request_reply_reason(r, status, reason);
	else if (route->begin)
		route->begin(r);
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
	size_t most = r->route->body_most ? r->route->body_most : s->config->body_most;
	if (bytes.len > most - r->body.len) {
		connection_refuse(r->connection, 413, NULL);
	} else if (!has_room(s, bytes.len) || buf_append(&r->body, bytes.data, bytes.len) < 0) {
		connection_refuse(r->connection, 503, NULL);
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
	if (!r->works)
		finish(r);
}

const struct gate_calls request_calls = { on_begin, on_data, on_end, on_writable, on_gone };
