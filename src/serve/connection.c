/* SPDX-License-Identifier: MIT */
/*
 * What a connection does with the bytes of its client, state by state:
 *
 *	HEAD --head is good--> BODY --last byte--> REPLY --engine has done--> HEAD
 *
 * and from each of them to LINGER, when the last response is written, and to CLOSED. A body of no bytes is over at
 *once.
 */
#include "config.h"

#include "serve/connection.h"

#include <stdlib.h>

#include "io/loop.h"

/* ---- opening and closing ---- */

static void link_connection(struct connection *c)
{
	struct gate *g = c->gate;
	c->next = g->first;
	if (g->first)
		g->first->before = c;
	g->first = c;
	g->counts.connections++;
}

static void unlink_connection(struct connection *c)
{
	struct gate *g = c->gate;
	if (c->before)
		c->before->next = c->next;
	else
		g->first = c->next;
	if (c->next)
		c->next->before = c->before;
	g->counts.connections--;
	if (c->counted_peer)
		g->peers[c->peer]--;
}

void connection_closed_handle(struct connection *c)
{
	c->handles--;
	if (c->handles || c->in_request)
		return;
	unlink_connection(c);
	buf_free(&c->head);
	buf_free(&c->rest);
	free(c);
}

static void on_client_closed(uv_handle_t *handle)
{
	connection_closed_handle(handle->data);
}

void connection_close(struct connection *c)
{
	if (c->state == CONNECTION_CLOSED)
		return;
	c->state = CONNECTION_CLOSED;
	connection_close_inner(c, false);
	uv_close((uv_handle_t *)&c->client, on_client_closed);
	if (c->in_request)
		c->gate->config.gone(c->gate->config.arg, c);
}

/* Machines of the network are counted. */
static bool count_peer(struct connection *c)
{
	struct sockaddr_storage peer = { .ss_family = AF_UNSPEC };
	int length = sizeof(peer);
	struct gate *g = c->gate;
	if (c->reach != ADDRESS_NETWORK)
		return true;
	(void)uv_tcp_getpeername(&c->client.tcp, (struct sockaddr *)&peer, &length);
	c->peer = address_peer((const struct sockaddr *)&peer, g->seed) % (sizeof(g->peers) / sizeof(*g->peers));
	if (g->peers[c->peer] >= g->config.peer_most)
		return false;
	g->peers[c->peer]++;
	c->counted_peer = true;
	return true;
}

static int init_client(struct connection *c, bool tcp)
{
	uv_loop_t *loop = loop_uv(c->gate->config.loop);
	return tcp ? uv_tcp_init(loop, &c->client.tcp) : uv_pipe_init(loop, &c->client.pipe, 0);
}

bool connection_open(struct gate *g, const struct listener *from)
{
	bool tcp = from->handle.stream.type == UV_TCP;
	struct connection *c = calloc(1, sizeof(*c));
	if (!c)
		return false;
	c->gate = g;
	c->reach = from->reach;
	if (init_client(c, tcp) < 0) {
		free(c);
		return false;
	}
	c->client.stream.data = c;
	c->handles = 1;
	link_connection(c);
	if (uv_accept((uv_stream_t *)(uintptr_t)&from->handle.stream, &c->client.stream) < 0) {
		connection_close(c);
		return true;
	}
	if (tcp)
		(void)uv_tcp_nodelay(&c->client.tcp, 1);
	g->counts.accepted++;
	if (!count_peer(c))
		connection_refuse(c, 429, NULL);
	else if (g->counts.connections > g->config.connections_most + REFUSED_AT_ONCE)
		connection_close(c);
	else if (g->counts.connections > g->config.connections_most)
		connection_refuse(c, 503, NULL);
	else
		connection_start_reading(c);
	return true;
}

/* ---- requests ---- */

void connection_refuse(struct connection *c, int status, const char *text)
{
	if (c->state == CONNECTION_CLOSED || c->state == CONNECTION_LINGER)
		return;
	if (c->answered) {
		connection_close(c); /* the client sees that the response has no end */
		return;
	}
	connection_close_inner(c, false);
	connection_send_status(c, status, text);
	connection_linger(c);
}

void connection_finish(struct connection *c)
{
	connection_close_inner(c, false);
	connection_linger(c);
}

void connection_set_user(struct connection *c, void *user)
{
	c->user = user;
}

void *connection_user(const struct connection *c)
{
	return c->user;
}

static int begin_request(struct connection *c)
{
	struct gate *g = c->gate;
	int status = (int)request_head_read(buf_slice(&c->head), &c->request);
	if (status == REQUEST_GOOD && g->counts.requests >= g->config.requests_most)
		status = 503;
	if (status == REQUEST_GOOD)
		status = g->config.admit(g->config.arg, c, &c->request);
	if (status != REQUEST_GOOD)
		return status;
	int fd = connection_open_inner(c);
	if (fd < 0)
		return 503;
	c->in_request = true;
	c->answered = false;
	c->served++;
	g->counts.requests++;
	if (g->config.begin(g->config.arg, c, fd) < 0) {
		c->in_request = false;
		g->counts.requests--;
		return 503;
	}
	connection_feed(c, buf_slice(&c->head));
	return 0;
}

/* The engine's request is over with its body's last byte; a client that has more to say waits. */
static void body_ends(struct connection *c)
{
	c->state = CONNECTION_REPLY;
	c->seconds = 0;
	connection_stop_reading(c);
}

static void head_ends(struct connection *c, size_t len)
{
	struct slice rest = slice_skip(buf_slice(&c->head), len);
	bool kept = buf_append(&c->rest, rest.data, rest.len) == 0;
	c->head.len = len;
	c->chunks = (struct chunk_frames){ .state = CHUNK_SIZE };
	c->body = 0;
	c->slow_seconds = 0;
	int status = kept ? begin_request(c) : 503;
	if (status) {
		connection_refuse(c, status, NULL);
		return;
	}
	c->state = CONNECTION_BODY;
	if (!c->request.chunked && c->request.length == 0)
		body_ends(c);
}

static void drop_blank_lines(struct connection *c)
{
	while (c->head.len >= 2 && memcmp(c->head.data, "\r\n", 2) == 0 && c->blank_lines <= BLANK_LINES_MOST) {
		buf_consume(&c->head, 2);
		c->scan = (struct request_scan){ .seen = 0 };
		c->blank_lines++;
	}
}

/* Returns how many bytes were taken. */
static size_t take_head(struct connection *c, struct slice bytes)
{
	size_t before = c->head.len;
	size_t n = REQUEST_HEAD_MOST + 1 - before;
	n = bytes.len < n ? bytes.len : n;
	if (before == 0)
		c->seconds = 0;
	if (buf_append(&c->head, bytes.data, n) < 0) {
		connection_refuse(c, 503, NULL);
		return n;
	}
	drop_blank_lines(c);
	int result = request_head_scan(&c->scan, buf_slice(&c->head));
	if (result < 0 || c->blank_lines > BLANK_LINES_MOST)
		connection_refuse(c, result < 0 ? -result : REQUEST_BAD, NULL);
	else if (result > 0)
		head_ends(c, (size_t)result);
	return n;
}

static size_t take_body(struct connection *c, struct slice bytes)
{
	size_t n = bytes.len;
	bool over;
	if (c->request.chunked) {
		if (!chunk_frames_take(&c->chunks, bytes, &n)) {
			connection_refuse(c, REQUEST_BAD, NULL);
			return bytes.len;
		}
		c->body = c->chunks.bytes;
		over = c->chunks.state == CHUNK_END;
	} else {
		n = bytes.len < c->request.length - c->body ? bytes.len : (size_t)(c->request.length - c->body);
		c->body += n;
		over = c->body == c->request.length;
	}
	connection_feed(c, slice_first(bytes, n));
	if (over && c->state == CONNECTION_BODY)
		body_ends(c);
	return n;
}

/* Up to the end of a head or of a body; what comes after it waits in `rest`. */
static void take(struct connection *c, struct slice bytes)
{
	if (c->state == CONNECTION_HEAD) {
		while (bytes.len && c->state == CONNECTION_HEAD)
			bytes = slice_skip(bytes, take_head(c, bytes));
	} else if (c->state == CONNECTION_BODY) {
		bytes = slice_skip(bytes, take_body(c, bytes));
	}
	bool waits = c->state == CONNECTION_BODY || c->state == CONNECTION_REPLY;
	if (waits && buf_append(&c->rest, bytes.data, bytes.len) < 0)
		connection_close(c);
}

/* Nothing is read while something waits in `rest`: at most a read and a head are there. */
void connection_take(struct connection *c, struct slice bytes)
{
	take(c, bytes);
	while (c->rest.len && (c->state == CONNECTION_HEAD || c->state == CONNECTION_BODY)) {
		struct buf rest = c->rest;
		c->rest = (struct buf){ 0 };
		take(c, buf_slice(&rest));
		buf_free(&rest);
	}
}

const struct request_head *connection_head(const struct connection *c)
{
	return &c->request;
}

enum address_reach connection_reach(const struct connection *c)
{
	return c->reach;
}

uint64_t connection_body(const struct connection *c)
{
	return c->body;
}

bool connection_ends(const struct connection *c)
{
	return c->request.closes || c->gate->draining || c->served >= REQUESTS_OF_CONNECTION;
}

void connection_set_last(struct connection *c)
{
	c->request.closes = true;
}

void connection_done(struct connection *c)
{
	bool answered = c->state == CONNECTION_REPLY;
	c->in_request = false;
	c->gate->counts.requests--;
	connection_close_inner(c, true);
	if (c->state == CONNECTION_CLOSED) {
		c->handles++;
		connection_closed_handle(c); /* it may have waited for this only */
		return;
	}
	if (!answered || c->ended || connection_ends(c)) {
		connection_linger(c);
		return;
	}
	if (!c->full)
		connection_next(c);
}

void connection_next(struct connection *c)
{
	c->state = CONNECTION_HEAD;
	c->answered = false;
	c->seconds = 0;
	c->blank_lines = 0;
	c->scan = (struct request_scan){ .seen = 0 };
	buf_shrink(&c->head, READ_BYTES / 16);
	connection_start_reading(c);
	if (c->rest.len)
		connection_take(c, slice_of(NULL, 0));
}

/* ---- time ---- */

static void tick_body(struct connection *c)
{
	c->slow_seconds += c->reading;
	if (c->slow_seconds > SLOW_SECONDS && c->body < (uint64_t)(c->slow_seconds - SLOW_SECONDS) * SLOW_BYTES)
		connection_refuse(c, 408, NULL);
}

/* A client that takes nothing of what waits for it. */
static bool is_stuck(struct connection *c)
{
	if (c->client.stream.write_queue_size == 0) {
		c->stuck_seconds = 0;
		c->written_before = c->written;
		return false;
	}
	c->stuck_seconds++;
	return c->stuck_seconds > STUCK_SECONDS &&
	       c->written - c->written_before < (uint64_t)(c->stuck_seconds - STUCK_SECONDS) * SLOW_BYTES;
}

void connection_tick(struct connection *c)
{
	const struct gate_config *config = &c->gate->config;
	c->seconds++;
	if (is_stuck(c)) {
		connection_close(c);
	} else if (c->state == CONNECTION_HEAD && c->head.len) {
		if (c->seconds > config->head_seconds)
			connection_refuse(c, 408, NULL);
	} else if (c->state == CONNECTION_HEAD) {
		if (c->seconds > config->idle_seconds || (c->gate->draining && c->seconds > 1))
			connection_close(c);
	} else if (c->state == CONNECTION_BODY) {
		tick_body(c);
	} else if (c->state == CONNECTION_LINGER && c->client.stream.write_queue_size == 0) {
		if (c->seconds > LINGER_SECONDS)
			connection_close(c);
	}
}
