/* SPDX-License-Identifier: MIT */
/*
 * What a connection does with the bytes of its client, state by state:
 *
 *	HEAD --head is good--> BODY --last byte--> REPLY --connection_done--> HEAD
 *
 * and from each of them to LINGER, when the last response is on its way, and to CLOSED. A body of no bytes is over at
 * once. In REPLY nothing is read: what came after the request waits in `rest`, at most the bytes of one read.
 */
#include "config.h"

#include "serve/connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/system.h"
#include "io/loop.h"
#include "serve/serve.h"

enum {
	READ_BYTES = 64 << 10,
	REQUESTS_OF_CONNECTION = 1000, /* then it ends */
	LINGER_SECONDS = 2,            /* after the last byte of a response, for what the client still sends */
	SLOW_SECONDS = 10,             /* of a body; from then on SLOW_BYTES a second are the least */
	STUCK_SECONDS = 30,            /* of a response, likewise */
	SLOW_BYTES = 1 << 10,
	BLANK_LINES_MOST = 8, /* before a request */
	REFUSED_AT_ONCE = 64, /* connections beyond the most, which get a 503 */
	BACKLOG = 1024,
	FIRST_INHERITED = 3,
	TICK_MS = 1000,
	HEAD_STEP = 1 << 10, /* bytes that are looked at at once; what is no head any more was copied in vain */
};

enum connection_state {
	CONNECTION_HEAD,   /* waits for a head, or reads it */
	CONNECTION_BODY,   /* reads the body */
	CONNECTION_REPLY,  /* the request is read; nothing more is until little of its response waits for the client */
	CONNECTION_LINGER, /* the last response is written or on its way; what comes is dropped */
	CONNECTION_CLOSED,
};

union client_handle {
	uv_handle_t handle;
	uv_stream_t stream;
	uv_tcp_t tcp;
	uv_pipe_t pipe;
};

struct connection {
	struct gate *gate;
	struct connection *next, *before; /* in the gate's list */
	struct request *user;             /* begun, and connection_done is to come */
	union client_handle client;
	struct outflow out;
	enum connection_state state;
	enum address_reach reach;
	uint32_t peer;
	bool counted_peer;
	bool reading;       /* from the client */
	bool taking;        /* inside of take() */
	bool full;          /* more waits for the client than should */
	bool ended;         /* the client sends nothing any more; it may still read */
	bool shut;          /* the last byte is written */
	bool answered;      /* bytes of the response are on their way; no other can take its place */
	bool handle_closed; /* libuv has done with it */

	struct buf head; /* the head under way, or of the request */
	struct request_scan scan;
	struct request_head request;
	struct buf rest; /* what came after the request, and waits from `rest_at` on */
	size_t rest_at;
	unsigned blank_lines, served;

	struct chunk_frames chunks;
	uint64_t body; /* bytes of the body that were read */

	unsigned seconds;                 /* in this state, or since its first byte */
	unsigned slow_seconds;            /* in which the body could have been read */
	unsigned stuck_seconds;           /* in which something waited for the client */
	uint64_t given;                   /* bytes of responses */
	uint64_t written, written_before; /* of them, that the client has taken; when it became stuck */
	size_t held;                      /* memory of responses */
};

struct listener {
	struct listener *next;
	struct gate *gate;
	union client_handle handle;
	struct address address;
	bool made;  /* here, and its file with it */
	bool waits; /* a client was accepted for which there was no memory */
};

struct gate {
	const struct serve_config *config;
	struct loop *loop;
	const struct gate_calls *calls;
	void *arg; /* of calls->begin */
	size_t connections_most;
	struct gate_counts counts;
	struct listener *listeners;
	struct connection *first; /* the newest */
	uv_timer_t timer;
	size_t open_handles; /* listeners and the timer */
	uint32_t seed;
	uint16_t peers[1 << 16]; /* connections by a hash of the machine */
	bool draining;
	uint8_t buffer[READ_BYTES];
};

/* ---- bytes on their way into a stream ---- */

static void on_shutdown(uv_shutdown_t *request, int status)
{
	struct outflow *o = request->data;
	if (status != UV_ECANCELED)
		o->ended(o->arg);
}

static void shut_down(struct outflow *o)
{
	o->shutdown.data = o;
	if (uv_shutdown(&o->shutdown, o->stream, on_shutdown) < 0)
		o->ended(o->arg);
}

static void on_written(uv_write_t *request, int status);

static int begin_write(struct outflow *o, size_t from)
{
	uv_buf_t buf = uv_buf_init((char *)o->writing.data + from, (unsigned)(o->writing.len - from));
	o->write.data = o;
	int status = uv_write(&o->write, o->stream, &buf, 1, on_written);
	o->busy = status == 0;
	return status;
}

static void on_written(uv_write_t *request, int status)
{
	struct outflow *o = request->data;
	const bool ends = o->ends; /* else outflow_end is called by `moved` */
	buf_free(&o->writing);
	o->busy = false;
	if (status == 0 && o->waiting.len) {
		o->writing = o->waiting;
		o->waiting = (struct buf){ 0 };
		status = begin_write(o, 0);
	}
	o->moved(o->arg, status);
	if (status == 0 && !o->busy && ends && !uv_is_closing((uv_handle_t *)o->stream))
		shut_down(o);
}

bool outflow_put(struct outflow *o, struct slice bytes, struct buf *body)
{
	struct slice rest = body ? buf_slice(body) : slice_of(NULL, 0);
	size_t whole = rest.len;
	if (!o->busy && bytes.len + rest.len) {
		uv_buf_t parts[2] = { uv_buf_init((char *)(uintptr_t)bytes.data, (unsigned)bytes.len),
				      uv_buf_init((char *)(uintptr_t)rest.data, (unsigned)rest.len) };
		int n = uv_try_write(o->stream, parts, rest.len ? 2 : 1);
		size_t done = n > 0 ? (size_t)n : 0, of_bytes = done < bytes.len ? done : bytes.len;
		bytes = slice_skip(bytes, of_bytes);
		rest = slice_skip(rest, done - of_bytes);
	}
	bool good = true;
	if (!o->busy && body && bytes.len == 0 && rest.len) {
		o->writing = *body; /* it need not be copied */
		*body = (struct buf){ 0 };
		good = begin_write(o, whole - rest.len) == 0;
	} else if (bytes.len + rest.len) {
		struct buf *to = o->busy ? &o->waiting : &o->writing;
		good = buf_append(to, bytes.data, bytes.len) == 0 && buf_append(to, rest.data, rest.len) == 0 &&
		       (o->busy || begin_write(o, 0) == 0);
	}
	if (body)
		buf_free(body);
	return good;
}

void outflow_end(struct outflow *o)
{
	o->ends = true;
	if (!o->busy)
		shut_down(o);
}

size_t outflow_waits(const struct outflow *o)
{
	return o->stream->write_queue_size + o->waiting.len;
}

void outflow_free(struct outflow *o)
{
	buf_free(&o->writing);
	buf_free(&o->waiting);
}

/* ---- the life of a connection ---- */

static void free_connection(struct connection *c)
{
	struct gate *g = c->gate;
	*(c->before ? &c->before->next : &g->first) = c->next;
	if (c->next)
		c->next->before = c->before;
	g->counts.connections--;
	g->counts.waiting -= c->held;
	if (c->counted_peer)
		g->peers[c->peer]--;
	buf_free(&c->head);
	buf_free(&c->rest);
	outflow_free(&c->out);
	free(c);
}

/* The request may have the connection in hand when it is closed, so it hears of that later. */
static void on_client_closed(uv_handle_t *handle)
{
	struct connection *c = handle->data;
	c->handle_closed = true;
	if (c->user)
		c->gate->calls->gone(c->user);
	else
		free_connection(c);
}

/* At once, without another byte. */
void connection_cut(struct connection *c)
{
	if (c->state == CONNECTION_CLOSED)
		return;
	c->state = CONNECTION_CLOSED;
	uv_close(&c->client.handle, on_client_closed);
}

static void on_alloc(uv_handle_t *handle, size_t wish, uv_buf_t *buf)
{
	struct connection *c = handle->data;
	(void)wish;
	*buf = uv_buf_init((char *)c->gate->buffer, READ_BYTES);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf);

static void set_reading(struct connection *c, bool reading)
{
	if (c->reading == reading || c->state == CONNECTION_CLOSED)
		return;
	c->reading = reading;
	if (!reading)
		(void)uv_read_stop(&c->client.stream);
	else if (uv_read_start(&c->client.stream, on_alloc, on_read) < 0)
		connection_cut(c);
}

void connection_finish(struct connection *c)
{
	if (c->state == CONNECTION_CLOSED || c->state == CONNECTION_LINGER)
		return;
	c->state = CONNECTION_LINGER;
	c->seconds = 0;
	if (!c->taking)
		buf_free(&c->rest);
	outflow_end(&c->out);
	set_reading(c, !c->ended);
	if (c->user && c->state == CONNECTION_LINGER)
		c->gate->calls->gone(c->user);
}

static void on_out_ended(void *arg)
{
	struct connection *c = arg;
	c->shut = true;
	c->seconds = 0;
	if (c->ended)
		connection_cut(c);
}

/* ---- responses ---- */

static void count_output(struct connection *c)
{
	struct gate_counts *counts = &c->gate->counts;
	size_t held = c->out.writing.len + c->out.waiting.len;
	counts->waiting += held - c->held;
	c->held = held;
	if (c->state == CONNECTION_CLOSED)
		return;
	uint64_t written = c->given - outflow_waits(&c->out);
	counts->bytes_written += written - c->written;
	c->written = written;
}

static void next_request(struct connection *c);

static void on_out_moved(void *arg, int status)
{
	struct connection *c = arg;
	if (status < 0)
		connection_cut(c);
	count_output(c);
	if (c->state == CONNECTION_CLOSED || !c->full || outflow_waits(&c->out) > GATE_FULL / 2)
		return;
	c->full = false;
	if (c->user)
		c->gate->calls->writable(c->user);
	else if (c->state == CONNECTION_REPLY)
		next_request(c);
}

size_t connection_write(struct connection *c, struct slice bytes, struct buf *body)
{
	if (c->state == CONNECTION_CLOSED) {
		if (body)
			buf_free(body);
		return 0;
	}
	c->answered = true;
	c->given += bytes.len + (body ? body->len : 0);
	if (!outflow_put(&c->out, bytes, body)) {
		connection_cut(c);
		return 0;
	}
	count_output(c);
	size_t waits = outflow_waits(&c->out);
	c->full = waits > GATE_FULL;
	return waits;
}

void connection_refuse(struct connection *c, int status, const char *text)
{
	char response[1024];
	const char *reason = request_reason(status);
	if (c->state == CONNECTION_CLOSED || c->state == CONNECTION_LINGER)
		return;
	if (c->answered) {
		connection_cut(c); /* the client sees that the response has no end */
		return;
	}
	text = text ? text : reason;
	int n = snprintf(response, sizeof(response),
			 "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
			 "X-Content-Type-Options: nosniff\r\n%sConnection: close\r\n\r\n%s\n",
			 status, reason, strlen(text) + 1, status == 503 || status == 429 ? "Retry-After: 1\r\n" : "",
			 text);
	c->gate->counts.refused[status - 400]++;
	(void)connection_write(c, slice_of(response, (size_t)n), NULL);
	connection_finish(c);
}

/* ---- requests ---- */

/* What a client sends next waits. */
static void body_ends(struct connection *c)
{
	c->state = CONNECTION_REPLY;
	c->seconds = 0;
	set_reading(c, false);
}

static void begin_request(struct connection *c)
{
	static const char leave[] = "HTTP/1.1 100 Continue\r\n\r\n";
	struct gate *g = c->gate;
	const struct gate_calls *calls = g->calls;
	int status = (int)request_head_read(buf_slice(&c->head), &c->request);
	if (status == REQUEST_GOOD && g->counts.requests >= g->config->requests_most)
		status = 503;
	if (status != REQUEST_GOOD) {
		connection_refuse(c, status, NULL);
		return;
	}
	c->served++;
	g->counts.requests++;
	c->chunks = (struct chunk_frames){ .state = CHUNK_SIZE };
	c->body = 0;
	c->slow_seconds = 0;
	c->state = CONNECTION_BODY;
	const bool no_body = !c->request.chunked && c->request.length == 0;
	if (no_body)
		body_ends(c);
	status = calls->begin(g->arg, c, &c->request, &c->user);
	if (status) {
		g->counts.requests--;
		connection_refuse(c, status, NULL);
	}
	if (!c->user || c->state == CONNECTION_CLOSED)
		return;
	if (c->request.expects) {
		(void)connection_write(c, slice_from_text(leave), NULL);
		c->answered = false;
	}
	if (no_body && c->state != CONNECTION_CLOSED)
		calls->end(c->user);
}

/* Returns how many of the bytes belong to the head. */
static size_t take_head(struct connection *c, struct slice bytes)
{
	size_t most = REQUEST_HEAD_MOST + 1 - c->head.len, n = bytes.len < HEAD_STEP ? bytes.len : HEAD_STEP;
	n = n < most ? n : most;
	if (c->head.len == 0)
		c->seconds = 0;
	if (buf_append(&c->head, bytes.data, n) < 0) {
		connection_refuse(c, 503, NULL);
		return n;
	}
	while (c->head.len >= 2 && memcmp(c->head.data, "\r\n", 2) == 0 && c->blank_lines <= BLANK_LINES_MOST) {
		buf_consume(&c->head, 2);
		c->scan = (struct request_scan){ .seen = 0 };
		c->blank_lines++;
	}
	int result = request_head_scan(&c->scan, buf_slice(&c->head));
	if (result < 0 || c->blank_lines > BLANK_LINES_MOST) {
		connection_refuse(c, result < 0 ? -result : REQUEST_BAD, NULL);
	} else if (result > 0) {
		n -= c->head.len - (size_t)result;
		c->head.len = (size_t)result;
		begin_request(c);
	}
	return n;
}

/* The frames of chunks are taken out where the bytes are. */
static size_t take_body(struct connection *c, uint8_t *bytes, size_t len)
{
	const struct gate_calls *calls = c->gate->calls;
	uint64_t missing = c->request.length - c->body;
	size_t taken = len < missing ? len : (size_t)missing, kept = taken;
	bool over = taken == missing;
	if (c->request.chunked) {
		if (!chunk_frames_take(&c->chunks, bytes, len, &taken, &kept)) {
			connection_refuse(c, REQUEST_BAD, NULL);
			return len;
		}
		over = c->chunks.state == CHUNK_END;
	}
	c->body += kept;
	if (kept)
		calls->data(c->user, slice_of(bytes, kept));
	if (over && c->user && c->state == CONNECTION_BODY) {
		body_ends(c);
		calls->end(c->user);
	}
	return taken;
}

/* Requests that are answered at once follow each other here. Returns how many bytes are left, for later or for nobody.
 */
static size_t take(struct connection *c, uint8_t *bytes, size_t len)
{
	size_t at = 0;
	c->taking = true;
	while (at < len && (c->state == CONNECTION_HEAD || c->state == CONNECTION_BODY)) {
		if (c->state == CONNECTION_HEAD)
			at += take_head(c, slice_of(bytes + at, len - at));
		else
			at += take_body(c, bytes + at, len - at);
	}
	c->taking = false;
	return len - at;
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct connection *c = stream->data;
	if (n > 0) {
		uint8_t *bytes = (uint8_t *)buf->base;
		c->gate->counts.bytes_read += (uint64_t)n;
		size_t left = take(c, bytes, (size_t)n);
		if (c->state == CONNECTION_REPLY && buf_append(&c->rest, bytes + (size_t)n - left, left) < 0)
			connection_cut(c);
	} else if (n == UV_EOF) {
		/* The client may wait for what is to be said of the request, or of requests before. */
		set_reading(c, false);
		c->ended = true;
		if (c->state == CONNECTION_LINGER && c->shut)
			connection_cut(c);
		else if (c->state == CONNECTION_BODY || (c->state == CONNECTION_HEAD && c->head.len))
			connection_refuse(c, REQUEST_BAD, NULL);
		else if (c->state == CONNECTION_HEAD)
			connection_finish(c);
	} else if (n < 0) {
		connection_cut(c);
	}
}

static void next_request(struct connection *c)
{
	c->state = CONNECTION_HEAD;
	c->answered = false;
	c->seconds = 0;
	c->blank_lines = 0;
	c->scan = (struct request_scan){ .seen = 0 };
	buf_shrink(&c->head, READ_BYTES / 16);
	set_reading(c, true);
	if (c->taking || c->rest.len == 0)
		return;
	size_t left = take(c, c->rest.data + c->rest_at, c->rest.len - c->rest_at);
	c->rest_at = c->rest.len - left;
	if (left == 0 || c->state != CONNECTION_REPLY) {
		buf_free(&c->rest);
		c->rest_at = 0;
	}
}

void connection_done(struct connection *c)
{
	bool complete = c->state == CONNECTION_REPLY;
	c->user = NULL;
	c->gate->counts.requests--;
	if (c->handle_closed)
		free_connection(c);
	else if (!complete || connection_ends(c))
		connection_finish(c);
	else if (!c->full)
		next_request(c);
}

enum address_reach connection_reach(const struct connection *c)
{
	return c->reach;
}

bool connection_ends(const struct connection *c)
{
	return c->request.closes || c->gate->draining || c->served >= REQUESTS_OF_CONNECTION;
}

void connection_hold(struct connection *c, bool held)
{
	if (c->state == CONNECTION_BODY)
		set_reading(c, !held);
}

/* ---- time ---- */

/* ---- addresses ---- */

static enum address_reach reach_of(const struct address *a)
{
	uint32_t ip4 = a->socket.ip4.sin_addr.s_addr;
	if (a->socket.any.sa_family != AF_INET && a->socket.any.sa_family != AF_INET6)
		return a->socket.any.sa_family == AF_UNIX ? ADDRESS_UNIX : ADDRESS_NETWORK;
	if (a->socket.any.sa_family == AF_INET6) {
		const struct in6_addr *ip6 = &a->socket.ip6.sin6_addr;
		if (!IN6_IS_ADDR_V4MAPPED(ip6))
			return IN6_IS_ADDR_LOOPBACK(ip6) ? ADDRESS_LOOPBACK : ADDRESS_NETWORK;
		memcpy(&ip4, ip6->s6_addr + 12, sizeof(ip4));
	}
	return ntohl(ip4) >> 24 == 127 ? ADDRESS_LOOPBACK : ADDRESS_NETWORK;
}

/* An IPv6 address has brackets. */
static bool read_host(struct slice host, in_port_t port, struct address *a)
{
	char text[INET6_ADDRSTRLEN + 1] = "";
	bool six = host.len > 2 && host.data[0] == '[' && host.data[host.len - 1] == ']';
	if (six)
		host = slice_of(host.data + 1, host.len - 2);
	if (host.len >= sizeof(text))
		return false;
	memcpy(text, host.data, host.len);
	if (six) {
		a->socket.ip6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = port };
		a->length = sizeof(a->socket.ip6);
		return inet_pton(AF_INET6, text, &a->socket.ip6.sin6_addr) == 1;
	}
	a->socket.ip4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = port };
	a->length = sizeof(a->socket.ip4);
	return inet_pton(AF_INET, slice_is(host, "localhost") ? "127.0.0.1" : text, &a->socket.ip4.sin_addr) == 1;
}

int address_read(struct slice text, struct address *a, struct error *err)
{
	static const char scheme[] = "unix:";
	struct sockaddr_un *un = &a->socket.un;
	char shown[120];
	*a = (struct address){ .length = 0 };
	if (text.len >= sizeof(scheme) - 1 && memcmp(text.data, scheme, sizeof(scheme) - 1) == 0) {
		struct slice path = slice_skip(text, sizeof(scheme) - 1);
		if (path.len == 0 || path.len >= sizeof(un->sun_path) || memchr(path.data, 0, path.len))
			return error_set(err, DANA_ECONFIG, "--listen: a path of a unix socket has 1 to %zu bytes",
					 sizeof(un->sun_path) - 1);
		un->sun_family = AF_UNIX;
		memcpy(un->sun_path, path.data, path.len);
		a->length = sizeof(*un);
		return DANA_OK;
	}
	const uint8_t *colon = text.len ? memrchr(text.data, ':', text.len) : NULL;
	size_t len = colon ? (size_t)(colon - text.data) : 0;
	uint64_t port;
	if (!colon || !decimal_number(slice_skip(text, len + 1), UINT16_MAX, &port) ||
	    !read_host(slice_first(text, len), htons((uint16_t)port), a))
		return error_set(err, DANA_ECONFIG,
				 "--listen: '%s' is not an address; expected 127.0.0.1:PORT, [::1]:PORT or unix:PATH",
				 printable(text, shown, sizeof(shown)));
	a->reach = reach_of(a);
	return DANA_OK;
}

void address_show(const struct address *a, char *out, size_t size)
{
	const struct sockaddr_un *un = &a->socket.un;
	char text[INET6_ADDRSTRLEN] = "", path[sizeof(un->sun_path) * 4 + 8];
	if (a->socket.any.sa_family == AF_UNIX) {
		struct slice bytes = slice_of(un->sun_path, strnlen(un->sun_path, sizeof(un->sun_path)));
		(void)snprintf(out, size, "unix:%s", printable(bytes, path, sizeof(path)));
	} else if (a->socket.any.sa_family == AF_INET6) {
		(void)inet_ntop(AF_INET6, &a->socket.ip6.sin6_addr, text, sizeof(text));
		(void)snprintf(out, size, "http://[%s]:%u/", text, (unsigned)ntohs(a->socket.ip6.sin6_port));
	} else {
		(void)inet_ntop(AF_INET, &a->socket.ip4.sin_addr, text, sizeof(text));
		(void)snprintf(out, size, "http://%s:%u/", text, (unsigned)ntohs(a->socket.ip4.sin_port));
	}
}

/* ---- the gate ---- */

/* Machines of the network are counted. Returns false if this one has too many connections. */
static bool count_peer(struct connection *c)
{
	struct address a = { .length = 0 };
	struct gate *g = c->gate;
	int length = sizeof(a.socket);
	(void)uv_tcp_getpeername(&c->client.tcp, &a.socket.any, &length);
	struct slice machine = slice_of(&a.socket.ip4.sin_addr, sizeof(a.socket.ip4.sin_addr));
	if (a.socket.any.sa_family == AF_INET6) /* a machine has at least a network of 64 bits */
		machine = slice_of(&a.socket.ip6.sin6_addr, 8);
	c->peer = hash_fnv32(machine, g->seed) % (sizeof(g->peers) / sizeof(*g->peers));
	c->counted_peer = g->peers[c->peer] < g->config->peer_most;
	g->peers[c->peer] += c->counted_peer;
	return c->counted_peer;
}

/* A client that libuv has accepted. Returns false if memory is exhausted. */
static bool take_client(struct gate *g, struct listener *from)
{
	uv_loop_t *loop = loop_uv(g->loop);
	bool tcp = from->handle.handle.type == UV_TCP;
	struct connection *c = calloc(1, sizeof(*c));
	if (!c)
		return false;
	if ((tcp ? uv_tcp_init(loop, &c->client.tcp) : uv_pipe_init(loop, &c->client.pipe, 0)) < 0) {
		free(c);
		return false;
	}
	c->gate = g;
	c->reach = from->address.reach;
	c->client.handle.data = c;
	c->out =
		(struct outflow){ .stream = &c->client.stream, .moved = on_out_moved, .ended = on_out_ended, .arg = c };
	c->next = g->first;
	if (g->first)
		g->first->before = c;
	g->first = c;
	g->counts.connections++;
	if (uv_accept(&from->handle.stream, &c->client.stream) < 0) {
		connection_cut(c);
		return true;
	}
	if (tcp)
		(void)uv_tcp_nodelay(&c->client.tcp, 1);
	g->counts.accepted++;
	if (c->reach == ADDRESS_NETWORK && !count_peer(c))
		connection_refuse(c, 429, NULL);
	else if (g->counts.connections > g->connections_most + REFUSED_AT_ONCE)
		connection_cut(c);
	else if (g->counts.connections > g->connections_most)
		connection_refuse(c, 503, NULL);
	else
		set_reading(c, true);
	return true;
}

static void on_tick(uv_timer_t *timer)
{
	struct gate *g = timer->data;
	for (struct connection *c = g->first, *next; c; c = next) {
		next = c->next;
		count_output(c);
		c->seconds++;
		size_t waits = outflow_waits(&c->out);
		if (waits == 0) {
			c->stuck_seconds = 0;
			c->written_before = c->written;
		} else if (++c->stuck_seconds > STUCK_SECONDS &&
			   c->written - c->written_before < (uint64_t)(c->stuck_seconds - STUCK_SECONDS) * SLOW_BYTES) {
			connection_cut(c);
			continue;
		}
		if (c->state == CONNECTION_HEAD && c->head.len) {
			if (c->seconds > g->config->head_seconds)
				connection_refuse(c, 408, NULL);
		} else if (c->state == CONNECTION_HEAD) {
			if (c->seconds > g->config->idle_seconds || (g->draining && c->seconds > 1))
				connection_cut(c);
		} else if (c->state == CONNECTION_BODY) {
			c->slow_seconds += c->reading;
			if (c->slow_seconds > SLOW_SECONDS &&
			    c->body < (uint64_t)(c->slow_seconds - SLOW_SECONDS) * SLOW_BYTES)
				connection_refuse(c, 408, NULL);
		} else if (c->state == CONNECTION_LINGER && waits == 0 && c->seconds > LINGER_SECONDS) {
			connection_cut(c);
		}
	}
	for (struct listener *l = g->listeners; l; l = l->next)
		l->waits = l->waits && !take_client(g, l);
}

struct gate *gate_new(const struct serve_config *config, size_t connections_most, struct loop *loop,
		      const struct gate_calls *calls, void *arg, struct error *err)
{
	struct gate *g = calloc(1, sizeof(*g));
	if (!g) {
		(void)error_no_memory(err);
		return NULL;
	}
	g->config = config;
	g->connections_most = connections_most;
	g->loop = loop;
	g->calls = calls;
	g->arg = arg;
	if (!system_random(&g->seed, sizeof(g->seed)))
		g->seed = (uint32_t)getpid();
	(void)uv_timer_init(loop_uv(loop), &g->timer);
	g->timer.data = g;
	(void)uv_timer_start(&g->timer, on_tick, TICK_MS, TICK_MS);
	return g;
}

/* ---- sockets ---- */

static int fault(const struct address *a, int error, struct error *err)
{
	char shown[ADDRESS_SHOWN];
	address_show(a, shown, sizeof(shown));
	return error_set(err, DANA_EIO, "--listen: %s: %s", shown, system_text(error));
}

/* A socket of a service that was killed: nobody listens at it. */
static bool is_left_over(const struct address *a)
{
	struct stat st;
	if (lstat(a->socket.un.sun_path, &st) < 0 || !S_ISSOCK(st.st_mode))
		return false;
	int fd = system_socket(AF_UNIX);
	bool dead = fd >= 0 && connect(fd, &a->socket.any, a->length) < 0 && errno == ECONNREFUSED;
	if (fd >= 0)
		(void)close(fd);
	return dead;
}

static int open_socket(const struct address *a, struct error *err)
{
	const int on = 1;
	int family = a->socket.any.sa_family;
	int fd = system_socket(family);
	if (fd < 0)
		return fault(a, errno, err);
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	if (family != AF_UNIX)
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* Only its owner may use a unix socket. */
	const mode_t before = family == AF_UNIX ? umask(0177) : 0;
	int result = bind(fd, &a->socket.any, a->length);
	if (family == AF_UNIX) {
		if (result < 0 && errno == EADDRINUSE && is_left_over(a) && unlink(a->socket.un.sun_path) == 0)
			result = bind(fd, &a->socket.any, a->length);
		int error = errno;
		(void)umask(before);
		errno = result < 0 && error == ECONNREFUSED ? EADDRINUSE : error;
	}
	if (result == 0)
		return fd;
	(void)fault(a, errno, err);
	(void)close(fd);
	return DANA_EIO;
}

/* libuv accepts no other client before this one is taken. */
static void on_client(uv_stream_t *stream, int status)
{
	struct listener *l = stream->data;
	if (status == 0)
		l->waits = !take_client(l->gate, l);
}

/* Takes over `fd`; `made`: it was bound here. */
static int listen_at(struct gate *g, int fd, bool made, struct error *err)
{
	struct address a = { .length = sizeof(a.socket) };
	char shown[ADDRESS_SHOWN], line[ADDRESS_SHOWN + 20];
	uv_loop_t *loop = loop_uv(g->loop);
	struct listener *l = calloc(1, sizeof(*l));
	int status = DANA_OK;
	if (!l) {
		status = error_no_memory(err);
	} else if (getsockname(fd, &a.socket.any, &a.length) < 0) {
		status = error_set(err, DANA_EIO, "socket %d: %s", fd, system_text(errno));
	} else {
		a.reach = reach_of(&a);
		address_show(&a, shown, sizeof(shown));
		if (a.reach == ADDRESS_NETWORK && g->config->token.len == 0)
			status = error_set(err, DANA_ECONFIG,
					   "--listen: %s can be reached from the network; give --token-file FILE",
					   shown);
	}
	if (status < 0) {
		free(l);
		(void)close(fd);
		return status;
	}
	*l = (struct listener){ .gate = g, .address = a, .made = made, .next = g->listeners };
	g->listeners = l;
	bool is_unix = a.reach == ADDRESS_UNIX;
	int error = is_unix ? uv_pipe_init(loop, &l->handle.pipe, 0) : uv_tcp_init(loop, &l->handle.tcp);
	if (error == 0)
		error = is_unix ? uv_pipe_open(&l->handle.pipe, fd) : uv_tcp_open(&l->handle.tcp, fd);
	l->handle.handle.data = l;
	if (error == 0)
		error = uv_listen(&l->handle.stream, BACKLOG, on_client);
	if (error < 0)
		return fault(&a, -error, err);
	(void)snprintf(line, sizeof(line), "listening on %s", shown);
	g->config->line(line);
	return DANA_OK;
}

int gate_check_inherited(const struct serve_config *config, struct error *err)
{
	for (unsigned i = 0; i < config->inherited; i++) {
		int fd = FIRST_INHERITED + (int)i, listens = 0;
		socklen_t size = sizeof(listens);
		if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 || !listens)
			return error_set(err, DANA_ECONFIG, "LISTEN_FDS: descriptor %d is not a socket that listens",
					 fd);
	}
	return DANA_OK;
}

int gate_open(struct gate *g, struct error *err)
{
	struct slice rest = slice_from_text(g->config->listen ? g->config->listen : "");
	struct address a;
	int status = DANA_OK;
	for (unsigned i = 0; i < g->config->inherited && status == DANA_OK; i++) {
		(void)fcntl(FIRST_INHERITED + (int)i, F_SETFD, FD_CLOEXEC);
		status = listen_at(g, FIRST_INHERITED + (int)i, false, err);
	}
	while (status == DANA_OK && rest.len) {
		struct slice text = slice_first(rest, slice_until(rest, ","));
		rest = slice_skip(rest, text.len + 1);
		status = address_read(text, &a, err);
		int fd = status == DANA_OK ? open_socket(&a, err) : status;
		status = fd < 0 ? fd : listen_at(g, fd, true, err);
	}
	return status;
}

void gate_drain(struct gate *g)
{
	g->draining = true;
	on_tick(&g->timer);
}

const struct gate_counts *gate_counts(const struct gate *g)
{
	return &g->counts;
}

bool gate_is_busy(const struct gate *g)
{
	const struct connection *c = g->first;
	while (c && outflow_waits(&c->out) == 0)
		c = c->next;
	return c || g->counts.requests;
}

void gate_close(struct gate *g)
{
	for (struct connection *c = g->first; c; c = c->next)
		connection_cut(c);
}

static void on_handle_closed(uv_handle_t *handle)
{
	size_t *open_handles = handle->data;
	--*open_handles;
}

void gate_free(struct gate *g)
{
	if (!g)
		return;
	g->open_handles = 1;
	g->timer.data = &g->open_handles;
	uv_close((uv_handle_t *)&g->timer, on_handle_closed);
	for (struct listener *l = g->listeners; l; l = l->next) {
		g->open_handles++;
		l->handle.handle.data = &g->open_handles;
		uv_close(&l->handle.handle, on_handle_closed);
	}
	gate_close(g);
	while (g->open_handles || g->first)
		(void)uv_run(loop_uv(g->loop), UV_RUN_ONCE);
	while (g->listeners) {
		struct listener *l = g->listeners;
		g->listeners = l->next;
		if (l->made && l->address.reach == ADDRESS_UNIX)
			(void)unlink(l->address.socket.un.sun_path);
		free(l);
	}
	free(g);
}
