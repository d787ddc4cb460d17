/* SPDX-License-Identifier: MIT */
/*
 * libmicrohttpd calls request_handle when the head is there, for each piece of the body, and when the body is complete.
 * What is refused by its head is answered in the first of these calls; otherwise the route answers in the last one, or
 * has the engine wait and answers later.
 */
#include "config.h"

#include "serve/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "base/ascii.h"
#include "base/json_writer.h"
#include "io/loop.h"
#include "serve/accept.h"
#include "serve/server.h"

/* ---- what the head says ---- */

static const struct route *find_route(const struct server *s, const struct request_head *head)
{
	struct slice path = head->path.len ? head->path : slice_from_text("/");
	for (size_t i = 0; s->routes[i]; i++) {
		if (slice_equal(path, slice_from_text(s->routes[i]->path)))
			return s->routes[i];
	}
	return NULL;
}

/* The response to a page that was taken is made in any case, so more may be held than is allowed. */
static bool has_room(const struct server *s, size_t bytes)
{
	size_t held = server_memory(s);
	return held <= s->config->memory_most && bytes <= s->config->memory_most - held;
}

int request_admit(void *arg, struct connection *c, const struct request_head *head)
{
	const struct server *s = arg;
	const struct route *route = find_route(s, head);
	(void)c;
	if (!head->has_length || (route && route->streams))
		return REQUEST_GOOD;
	if (head->length > s->config->body_most)
		return 413;
	return has_room(s, head->length) ? REQUEST_GOOD : 503;
}

const char *request_header(const struct request *r, const char *name)
{
	return http_library.MHD_lookup_connection_value(r->engine, MHD_HEADER_KIND, name);
}

static struct slice header(const struct request *r, const char *name)
{
	const char *value = request_header(r, name);
	return slice_from_text(value ? value : "");
}

/* Every byte is looked at, so that the time reveals nothing. */
static bool is_token(const struct server *s, struct slice given)
{
	struct slice token = s->config->token;
	unsigned differs = given.len != token.len;
	for (size_t i = 0; i < given.len; i++)
		differs |= (unsigned)(given.data[i] ^ token.data[token.len ? i % token.len : 0]);
	return !differs;
}

/* "Bearer TOKEN", or the token as a password, which browsers ask for. */
static bool has_token(const struct request *r)
{
	static const char bearer[] = "Bearer ";
	struct slice field = header(r, MHD_HTTP_HEADER_AUTHORIZATION);
	size_t len = sizeof(bearer) - 1;
	if (r->server->config->token.len == 0)
		return true;
	if (field.len > len && slice_is(slice_first(field, len), bearer))
		return is_token(r->server, slice_skip(field, len));
	char *password = NULL;
	char *name = http_library.MHD_basic_auth_get_username_password(r->engine, &password);
	bool good = password && is_token(r->server, slice_from_text(password));
	http_library.MHD_free(name);
	http_library.MHD_free(password);
	return good;
}

/*
 * A page of another site that a browser of this machine shows can send requests here. It reads no answer, but it would
 * under a name of its own that leads to this machine, so only names of this machine are taken.
 */
static bool is_for_us(const struct request *r)
{
	const struct request_head *head = connection_head(r->connection);
	if (connection_reach(r->connection) != ADDRESS_LOOPBACK)
		return true;
	/* Without a Host it is HTTP/1.0, which no browser speaks. */
	return (!head->has_host || accept_loopback_host(head->host)) &&
	       (head->authority.len == 0 || accept_loopback_host(head->authority));
}

static bool is_same_origin(const struct request *r)
{
	const char *origin = request_header(r, "Origin");
	const char *host = origin ? strstr(origin, "://") : NULL;
	if (!origin)
		return true;
	return host && slice_equal_nocase(slice_from_text(host + 3), connection_head(r->connection)->host);
}

static enum MHD_Result check_parameter(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct request *r = arg;
	char text[200];
	(void)kind;
	(void)value;
	for (size_t i = 0; r->route->parameters && r->route->parameters[i]; i++) {
		if (strcmp(name, r->route->parameters[i]) == 0)
			return MHD_YES;
	}
	(void)snprintf(text, sizeof(text), "%s has no such parameter; it takes:", r->route->path);
	for (size_t i = 0; r->route->parameters && r->route->parameters[i]; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s", r->route->parameters[i]);
	request_reply_reason(r, MHD_HTTP_BAD_REQUEST, text);
	return MHD_NO;
}

static bool takes_method(struct request *r, const char *method)
{
	bool get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
	if ((get && r->route->get) || (strcmp(method, "POST") == 0 && r->route->post))
		return true;
	request_reply_reason(r, MHD_HTTP_METHOD_NOT_ALLOWED, "the method is not allowed here");
	request_add_header(r, MHD_HTTP_HEADER_ALLOW,
			   !r->route->post ? "GET, HEAD"
			   : r->route->get ? "GET, HEAD, POST"
					   : "POST");
	return false;
}

/* Replies where the head is enough to refuse the request. */
static void check_head(struct request *r, const char *method)
{
	struct slice coding = header(r, MHD_HTTP_HEADER_CONTENT_ENCODING);
	r->route = find_route(r->server, connection_head(r->connection));
	if (!is_for_us(r)) {
		request_reply_reason(r, 421, "the Host is not a name of this machine");
	} else if (!is_same_origin(r)) {
		request_reply_reason(r, MHD_HTTP_FORBIDDEN, "cross-site requests are refused");
	} else if (!(r->route && r->route->is_open) && !has_token(r)) {
		request_reply_reason(r, MHD_HTTP_UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN");
		request_add_header(r, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer realm=\"dana\"");
		request_add_header(r, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Basic realm=\"dana\", charset=\"UTF-8\"");
	} else if (!r->route) {
		request_reply_reason(r, MHD_HTTP_NOT_FOUND, "nothing is here; see GET /");
	} else if (!takes_method(r, method)) {
		return;
	} else if (r->server->draining && !r->route->is_open) {
		request_reply_reason(r, MHD_HTTP_SERVICE_UNAVAILABLE, "the service is about to end");
	} else if (coding.len && !slice_is(coding, "identity")) {
		request_reply_reason(r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "the body may have no Content-Encoding");
		request_add_header(r, MHD_HTTP_HEADER_ACCEPT_ENCODING, "identity");
	} else {
		(void)http_library.MHD_get_connection_values(r->engine, MHD_GET_ARGUMENT_KIND, check_parameter, r);
	}
}

bool request_parameter(const struct request *r, const char *name, struct buf *value)
{
	const char *text = http_library.MHD_lookup_connection_value(r->engine, MHD_GET_ARGUMENT_KIND, name);
	buf_clear(value);
	for (; text && *text; text++) {
		int byte = (uint8_t)*text;
		if (*text == '%') {
			int high = ascii_hex((uint8_t)text[1]), low = high < 0 ? -1 : ascii_hex((uint8_t)text[2]);
			byte = high * 16 + low;
			if (high < 0 || low < 0 || byte == 0)
				return false;
			text += 2;
		}
		buf_append_byte(value, (uint8_t)byte);
	}
	return buf_append_byte(value, 0) == 0;
}

bool request_wants_json(const struct request *r)
{
	return accept_json(header(r, MHD_HTTP_HEADER_ACCEPT));
}

/* ---- responses ---- */

bool request_charge(struct request *r, size_t bytes)
{
	struct server *s = r->server;
	if (!has_room(s, bytes)) {
		connection_refuse(r->connection, 503, NULL);
		return false;
	}
	s->memory += bytes;
	r->charged += bytes;
	return true;
}

void request_add_header(struct request *r, const char *name, const char *value)
{
	if (r->response)
		(void)http_library.MHD_add_response_header(r->response, name, value);
}

void request_reply(struct request *r, int status, const char *content_type, struct buf *body)
{
	r->status = status;
	r->response = buf_status(body) < 0 ? NULL
					   : http_library.MHD_create_response_from_buffer(
						     body->len, body->len ? body->data : NULL, MHD_RESPMEM_MUST_FREE);
	if (!r->response || body->len == 0)
		buf_free(body); /* libmicrohttpd has not taken it */
	if (r->response) {
		/* What waits to be written counts, as what was read does. */
		r->server->memory += body->len;
		r->charged += body->len;
	}
	*body = (struct buf){ 0 };
	request_add_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, content_type);
	request_add_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	request_add_header(r, "X-Content-Type-Options", "nosniff");
	request_add_header(r, "Referrer-Policy", "same-origin"); /* with no-referrer the Origin of the form is null */
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
		request_add_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
	request_go_on(r);
}

void request_reply_reason(struct request *r, int status, const char *reason)
{
	struct buf body = { 0 };
	if (request_wants_json(r)) {
		struct json_writer w = { .out = &body };
		json_object_begin(&w);
		json_text(&w, "reason", slice_from_text(reason));
		json_object_end(&w);
	} else {
		buf_append_text(&body, reason);
	}
	buf_append_byte(&body, '\n');
	request_reply(r, status, request_wants_json(r) ? "application/json" : "text/plain; charset=utf-8", &body);
}

/* MHD_NO, if memory for the response is exhausted, ends the connection. */
static enum MHD_Result send_response(struct request *r)
{
	if (!r->response)
		return MHD_NO;
	if (connection_ends(r->connection))
		request_add_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
	r->server->metrics.responses[r->status]++;
	enum MHD_Result result = http_library.MHD_queue_response(r->engine, (unsigned)r->status, r->response);
	http_library.MHD_destroy_response(r->response);
	r->response = NULL;
	return result;
}

void request_wait(struct request *r)
{
	if (r->waits)
		return;
	r->waits = true;
	http_library.MHD_suspend_connection(r->engine);
}

void request_go_on(struct request *r)
{
	if (!r->waits)
		return;
	r->waits = false;
	http_library.MHD_resume_connection(r->engine);
	engine_run(r->server->engine);
}

void request_leave(struct request *r)
{
	r->direct = r->is_over = true;
	request_go_on(r);
}

void request_gone(void *arg, struct connection *c)
{
	struct request *r = connection_user(c);
	(void)arg;
	if (r && r->route && r->route->gone)
		r->route->gone(r);
}

/* ---- what the engine calls ---- */

static enum MHD_Result begin(struct server *s, struct MHD_Connection *engine, const char *method, void **request)
{
	struct request *r = calloc(1, sizeof(*r));
	if (!r)
		return MHD_NO;
	*request = r;
	r->server = s;
	r->engine = engine;
	r->connection = engine_context(engine);
	connection_set_user(r->connection, r);
	r->started = uv_hrtime();
	check_head(r, method);
	if (!r->response && r->route->begin)
		r->route->begin(r);
	return r->response ? send_response(r) : MHD_YES;
}

static bool keep(struct request *r, struct slice bytes)
{
	if (bytes.len > r->server->config->body_most - r->body.len) {
		connection_refuse(r->connection, 413, NULL);
		return false;
	}
	if (!request_charge(r, bytes.len))
		return false;
	if (buf_append(&r->body, bytes.data, bytes.len) == 0)
		return true;
	connection_refuse(r->connection, 503, NULL);
	return false;
}

enum MHD_Result request_handle(void *arg, struct MHD_Connection *engine, const char *url, const char *method,
			       const char *version, const char *data, size_t *len, void **request)
{
	struct request *r = *request;
	(void)url; /* the gate has read it more exactly */
	(void)version;
	if (!r)
		return begin(arg, engine, method, request);
	if (r->direct && r->is_over)
		return MHD_NO; /* the response is written; the engine has none */
	if (*len) {
		struct slice bytes = slice_of(data, *len);
		*len = 0;
		return (r->route->data ? r->route->data(r, bytes) : keep(r, bytes)) ? MHD_YES : MHD_NO;
	}
	if (!r->ended) {
		r->ended = true;
		r->route->end(r);
	}
	return r->response || !r->waits ? send_response(r) : MHD_YES;
}

void request_done(void *arg, void *context, void *request)
{
	struct request *r = request;
	struct server *s = arg;
	connection_set_user(context, NULL);
	if (r) {
		if (r->route && r->route->over)
			r->route->over(r);
		s->memory -= r->charged;
		if (r->response)
			http_library.MHD_destroy_response(r->response);
		buf_free(&r->body);
		free(r);
	}
	connection_done(context);
}
