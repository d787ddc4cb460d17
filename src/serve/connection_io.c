/* SPDX-License-Identifier: MIT */
/* Bytes in and out of a connection: libuv's reads and writes, and how much waits. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/loop.h"
#include "serve/connection.h"

/* A write that could not be done at once. */
struct write {
	uv_write_t request;
	struct connection *connection;
	size_t len;
	uint8_t bytes[];
};

static void on_inner_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf);

static void on_alloc(uv_handle_t *handle, size_t wish, uv_buf_t *buf)
{
	struct connection *c = handle->data;
	(void)wish;
	*buf = uv_buf_init((char *)c->gate->buffer, READ_BYTES);
}

/* ---- to the client ---- */

static void written(struct connection *c, size_t n)
{
	c->written += n;
	c->gate->counts.bytes_written += n;
}

static void on_client_written(uv_write_t *request, int status)
{
	struct write *w = (struct write *)(void *)request;
	struct connection *c = w->connection;
	c->gate->counts.waiting -= w->len;
	if (status == 0)
		written(c, w->len);
	free(w);
	if (status < 0 && status != UV_ECANCELED)
		connection_close(c);
	if (c->state == CONNECTION_CLOSED || !c->full || c->client.stream.write_queue_size > GATE_FULL / 2)
		return;
	c->full = false;
	if (c->inner)
		(void)uv_read_start((uv_stream_t *)c->inner, on_alloc, on_inner_read);
	c->gate->config.writable(c->gate->config.arg, c);
	if (c->state == CONNECTION_REPLY && !c->in_request)
		connection_next(c);
}

static size_t write_now(uv_stream_t *stream, struct slice bytes)
{
	uv_buf_t buf = uv_buf_init((char *)(uintptr_t)bytes.data, (unsigned)bytes.len);
	int n = stream->write_queue_size == 0 ? uv_try_write(stream, &buf, 1) : 0;
	return n > 0 ? (size_t)n : 0;
}

/* What the stream does not take now is copied. Returns false if memory is exhausted. */
static bool write_later(struct connection *c, uv_stream_t *stream, struct slice bytes, uv_write_cb done)
{
	struct write *w = malloc(sizeof(*w) + bytes.len);
	if (!w)
		return false;
	w->connection = c;
	w->len = bytes.len;
	memcpy(w->bytes, bytes.data, bytes.len);
	uv_buf_t buf = uv_buf_init((char *)w->bytes, (unsigned)bytes.len);
	if (uv_write(&w->request, stream, &buf, 1, done) == 0)
		return true;
	free(w);
	return false;
}

size_t connection_write(struct connection *c, struct slice bytes)
{
	if (c->state == CONNECTION_CLOSED)
		return 0;
	c->answered = true;
	size_t n = write_now(&c->client.stream, bytes);
	written(c, n);
	bytes = slice_skip(bytes, n);
	if (bytes.len && !write_later(c, &c->client.stream, bytes, on_client_written)) {
		connection_close(c);
		return 0;
	}
	c->gate->counts.waiting += bytes.len;
	c->full = c->client.stream.write_queue_size > GATE_FULL;
	return c->client.stream.write_queue_size;
}

void connection_send_status(struct connection *c, int status, const char *text)
{
	char head[400];
	const char *reason = request_reason(status);
	const char *retry = status == 503 || status == 429 ? "Retry-After: 1\r\n" : "";
	text = text ? text : reason;
	int n = snprintf(head, sizeof(head),
			 "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
			 "X-Content-Type-Options: nosniff\r\n%sConnection: close\r\n\r\n",
			 status, reason, strlen(text) + 1, retry);
	if (status >= 400 && status < 600)
		c->gate->counts.refused[status - 400]++;
	(void)connection_write(c, slice_of(head, (size_t)n));
	(void)connection_write(c, slice_from_text(text));
	(void)connection_write(c, slice_from_text("\n"));
}

/* ---- from the client ---- */

/* Nothing more comes, but the client may wait for what is to be said of that, or of requests before. */
static void client_ends(struct connection *c)
{
	connection_stop_reading(c);
	c->ended = true;
	if (c->state == CONNECTION_LINGER && c->shut)
		connection_close(c);
	else if (c->state == CONNECTION_BODY || (c->state == CONNECTION_HEAD && c->head.len))
		connection_refuse(c, REQUEST_BAD, NULL);
	else if (c->state == CONNECTION_HEAD)
		connection_linger(c);
}

static void on_client_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct connection *c = stream->data;
	if (n > 0) {
		c->gate->counts.bytes_read += (uint64_t)n;
		connection_take(c, slice_of(buf->base, (size_t)n));
	} else if (n == UV_EOF) {
		client_ends(c);
	} else if (n < 0) {
		connection_close(c);
	}
}

void connection_start_reading(struct connection *c)
{
	if (c->reading || c->state == CONNECTION_CLOSED)
		return;
	c->reading = true;
	if (uv_read_start(&c->client.stream, on_alloc, on_client_read) < 0)
		connection_close(c);
}

void connection_stop_reading(struct connection *c)
{
	c->reading = false;
	(void)uv_read_stop(&c->client.stream);
}

/* ---- the engine ---- */

/* What the engine writes at first where the client waits for leave to send the body. */
static bool is_go_on(struct slice bytes)
{
	static const char begin[] = "HTTP/1.1 100 ";
	return bytes.len > sizeof(begin) && memcmp(bytes.data, begin, sizeof(begin) - 1) == 0;
}

static void on_inner_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct connection *c = stream->data;
	if (n > 0) {
		struct slice bytes = slice_of(buf->base, (size_t)n);
		bool answered = c->answered || !is_go_on(bytes);
		(void)connection_write(c, bytes);
		c->answered = answered;
	}
	if (n < 0 || c->full)
		(void)uv_read_stop(stream);
}

static void on_inner_written(uv_write_t *request, int status)
{
	struct write *w = (struct write *)(void *)request;
	struct connection *c = w->connection;
	free(w);
	if (status == 0 && c->state == CONNECTION_BODY && c->inner && c->inner->write_queue_size < GATE_FULL / 2)
		connection_start_reading(c);
}

/* The engine closes its end when it has answered before the end of the body: then the rest is dropped. */
void connection_feed(struct connection *c, struct slice bytes)
{
	uv_stream_t *inner = (uv_stream_t *)c->inner;
	if (!inner)
		return;
	bytes = slice_skip(bytes, write_now(inner, bytes));
	if (bytes.len && !write_later(c, inner, bytes, on_inner_written)) {
		connection_close(c);
		return;
	}
	if (inner->write_queue_size > GATE_FULL)
		connection_stop_reading(c);
}

static void on_inner_closed(uv_handle_t *handle)
{
	struct connection *c = handle->data;
	free(handle);
	connection_closed_handle(c);
}

/* The pipe of the request before may still be closing, so each has its own. */
static bool init_inner(struct connection *c)
{
	uv_pipe_t *inner = malloc(sizeof(*inner));
	if (!inner || uv_pipe_init(loop_uv(c->gate->config.loop), inner, 0) < 0) {
		free(inner);
		return false;
	}
	inner->data = c;
	c->inner = inner;
	c->handles++;
	return true;
}

int connection_open_inner(struct connection *c)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0)
		return -1;
	bool opened = init_inner(c) && uv_pipe_open(c->inner, ends[0]) == 0;
	if (opened && uv_read_start((uv_stream_t *)c->inner, on_alloc, on_inner_read) == 0)
		return ends[1];
	if (!opened)
		(void)close(ends[0]);
	(void)close(ends[1]);
	connection_close_inner(c, false);
	return -1;
}

static void drain_inner(struct connection *c)
{
	uv_os_fd_t fd;
	ssize_t n;
	if (uv_fileno((uv_handle_t *)c->inner, &fd) < 0)
		return;
	while ((n = read(fd, c->gate->buffer, READ_BYTES)) > 0)
		(void)connection_write(c, slice_of(c->gate->buffer, (size_t)n));
}

void connection_close_inner(struct connection *c, bool drain)
{
	uv_pipe_t *inner = c->inner;
	if (!inner)
		return;
	if (drain)
		drain_inner(c);
	if (c->inner != inner)
		return; /* the client had gone */
	c->inner = NULL;
	uv_close((uv_handle_t *)inner, on_inner_closed);
}

/* ---- the end ---- */

static void on_shutdown(uv_shutdown_t *request, int status)
{
	struct connection *c = request->data;
	(void)status;
	free(request);
	c->shut = true;
	c->seconds = 0;
	if (c->ended)
		connection_close(c);
}

void connection_linger(struct connection *c)
{
	if (c->state == CONNECTION_CLOSED || c->state == CONNECTION_LINGER)
		return;
	c->state = CONNECTION_LINGER;
	c->seconds = 0;
	buf_free(&c->rest);
	uv_shutdown_t *request = malloc(sizeof(*request));
	if (request)
		request->data = c;
	if (!request || uv_shutdown(request, &c->client.stream, on_shutdown) < 0) {
		free(request);
		connection_close(c);
		return;
	}
	if (!c->ended)
		connection_start_reading(c);
}
