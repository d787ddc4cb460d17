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

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "io/loop.h"

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
	void *user;
	union client_handle client;
	struct outflow out;
	enum connection_state state;
	enum address_reach reach;
	uint32_t peer;
	bool counted_peer;
	bool reading;       /* from the client */
	bool taking;        /* inside of take() */
	bool in_request;    /* begun, and connection_done is to come */
	bool full;          /* more waits for the client than should */
	bool ended;         /* the client sends nothing any more; it may still read */
	bool shut;          /* the last byte is written */
	bool answered;      /* bytes of the response are on their way; no other can take its place */
	bool handle_closed; /* libuv has done with it */

	struct buf head; /* the head under way, or that of the request */
	struct request_scan scan;
	struct request_head request;
	struct buf rest; /* what came after the request, and waits from `rest_at` on */
	size_t rest_at;
	unsigned blank_lines, served;

	struct chunk_frames chunks;
	uint64_t body; /* bytes of the body that were read */

	unsigned seconds;       /* in this state, or since its first byte */
	unsigned slow_seconds;  /* in which the body could have been read */
	unsigned stuck_seconds; /* in which something waited for the client */
	uint64_t given;         /* bytes of responses */
	uint64_t written;       /* of them, that the client has taken; written_before: when it became stuck */
	uint64_t written_before;
	size_t held; /* memory of responses */
};

struct listener {
	struct listener *next;
	struct gate *gate;
	union client_handle handle;
	enum address_reach reach;
	bool waits; /* a client was accepted for which there was no memory */
};

struct gate {
	struct gate_config config;
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
	if (c->in_request)
		c->gate->config.calls->gone(c->gate->config.arg, c);
	else
		free_connection(c);
}

/* At once, without another byte. */
static void close_connection(struct connection *c)
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
		close_connection(c);
}

/* After the last response: its end is told to the client, and what still comes is dropped. */
static void linger(struct connection *c)
{
	if (c->state == CONNECTION_CLOSED || c->state == CONNECTION_LINGER)
		return;
	c->state = CONNECTION_LINGER;
	c->seconds = 0;
	if (!c->taking)
		buf_free(&c->rest);
	outflow_end(&c->out);
	set_reading(c, !c->ended);
}

static void on_out_ended(void *arg)
{
	struct connection *c = arg;
	c->shut = true;
	c->seconds = 0;
	if (c->ended)
		close_connection(c);
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
		close_connection(c);
	count_output(c);
	if (c->state == CONNECTION_CLOSED || !c->full || outflow_waits(&c->out) > GATE_FULL / 2)
		return;
	c->full = false;
	if (c->in_request)
		c->gate->config.calls->writable(c->gate->config.arg, c);
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
		close_connection(c);
		return 0;
	}
	count_output(c);
	size_t waits = outflow_waits(&c->out);
	c->full = waits > GATE_FULL;
	return waits;
}

void connection_finish(struct connection *c)
{
	linger(c);
}

void connection_cut(struct connection *c)
{
	close_connection(c);
}

void connection_refuse(struct connection *c, int status, const char *text)
{
	char response[1024];
	const char *reason = request_reason(status);
	if (c->state == CONNECTION_CLOSED || c->state == CONNECTION_LINGER)
		return;
	if (c->answered) {
		close_connection(c); /* the client sees that the response has no end */
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
	linger(c);
}

/* ---- requests ---- */

/* A request whose body is wrong or does not come. */
static void break_off(struct connection *c, int status)
{
	connection_refuse(c, status, NULL);
	if (c->in_request && c->state == CONNECTION_LINGER)
		c->gate->config.calls->gone(c->gate->config.arg, c);
}

/* A client that has more to say waits. */
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
	const struct gate_calls *calls = g->config.calls;
	int status = (int)request_head_read(buf_slice(&c->head), &c->request);
	if (status == REQUEST_GOOD && g->counts.requests >= g->config.requests_most)
		status = 503;
	if (status != REQUEST_GOOD) {
		connection_refuse(c, status, NULL);
		return;
	}
	c->in_request = true;
	c->served++;
	g->counts.requests++;
	c->chunks = (struct chunk_frames){ .state = CHUNK_SIZE };
	c->body = 0;
	c->slow_seconds = 0;
	c->state = CONNECTION_BODY;
	const bool no_body = !c->request.chunked && c->request.length == 0;
	if (no_body)
		body_ends(c);
	status = calls->begin(g->config.arg, c);
	if (status) {
		c->in_request = false;
		g->counts.requests--;
		connection_refuse(c, status, NULL);
	}
	if (!c->in_request || c->state == CONNECTION_CLOSED)
		return;
	if (c->request.expects) {
		(void)connection_write(c, slice_from_text(leave), NULL);
		c->answered = false;
	}
	if (no_body && c->state != CONNECTION_CLOSED)
		calls->end(g->config.arg, c);
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
	const struct gate_config *config = &c->gate->config;
	uint64_t missing = c->request.length - c->body;
	size_t taken = len < missing ? len : (size_t)missing, kept = taken;
	bool over = taken == missing;
	if (c->request.chunked) {
		if (!chunk_frames_take(&c->chunks, bytes, len, &taken, &kept)) {
			break_off(c, REQUEST_BAD);
			return len;
		}
		over = c->chunks.state == CHUNK_END;
	}
	c->body += kept;
	if (kept)
		config->calls->data(config->arg, c, slice_of(bytes, kept));
	if (over && c->in_request && c->state == CONNECTION_BODY) {
		body_ends(c);
		config->calls->end(config->arg, c);
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
			close_connection(c);
	} else if (n == UV_EOF) {
		/* The client may wait for what is to be said of the request, or of requests before. */
		set_reading(c, false);
		c->ended = true;
		if (c->state == CONNECTION_LINGER && c->shut)
			close_connection(c);
		else if (c->state == CONNECTION_BODY || (c->state == CONNECTION_HEAD && c->head.len))
			break_off(c, REQUEST_BAD);
		else if (c->state == CONNECTION_HEAD)
			linger(c);
	} else if (n < 0) {
		close_connection(c);
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
	c->in_request = false;
	c->user = NULL;
	c->gate->counts.requests--;
	if (c->handle_closed)
		free_connection(c);
	else if (!complete || c->ended || connection_ends(c))
		linger(c);
	else if (!c->full)
		next_request(c);
}

enum address_reach connection_reach(const struct connection *c)
{
	return c->reach;
}

const struct request_head *connection_head(const struct connection *c)
{
	return &c->request;
}

void connection_set_user(struct connection *c, void *user)
{
	c->user = user;
}

void *connection_user(const struct connection *c)
{
	return c->user;
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

/* A second has passed. */
static void tick(struct connection *c)
{
	const struct gate *g = c->gate;
	count_output(c);
	c->seconds++;
	size_t waits = outflow_waits(&c->out);
	if (waits == 0) {
		c->stuck_seconds = 0;
		c->written_before = c->written;
	} else if (++c->stuck_seconds > STUCK_SECONDS &&
		   c->written - c->written_before < (uint64_t)(c->stuck_seconds - STUCK_SECONDS) * SLOW_BYTES) {
		close_connection(c);
		return;
	}
	if (c->state == CONNECTION_HEAD && c->head.len) {
		if (c->seconds > g->config.head_seconds)
			connection_refuse(c, 408, NULL);
	} else if (c->state == CONNECTION_HEAD) {
		if (c->seconds > g->config.idle_seconds || (g->draining && c->seconds > 1))
			close_connection(c);
	} else if (c->state == CONNECTION_BODY) {
		c->slow_seconds += c->reading;
		if (c->slow_seconds > SLOW_SECONDS && c->body < (uint64_t)(c->slow_seconds - SLOW_SECONDS) * SLOW_BYTES)
			break_off(c, 408);
	} else if (c->state == CONNECTION_LINGER && waits == 0 && c->seconds > LINGER_SECONDS) {
		close_connection(c);
	}
}

/* ---- the gate ---- */

/* Machines of the network are counted. Returns false if this one has too many connections. */
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

/* A client that libuv has accepted. Returns false if memory is exhausted. */
static bool take_client(struct gate *g, struct listener *from)
{
	uv_loop_t *loop = loop_uv(g->config.loop);
	bool tcp = from->handle.handle.type == UV_TCP;
	struct connection *c = calloc(1, sizeof(*c));
	if (!c)
		return false;
	if ((tcp ? uv_tcp_init(loop, &c->client.tcp) : uv_pipe_init(loop, &c->client.pipe, 0)) < 0) {
		free(c);
		return false;
	}
	c->gate = g;
	c->reach = from->reach;
	c->client.handle.data = c;
	c->out =
		(struct outflow){ .stream = &c->client.stream, .moved = on_out_moved, .ended = on_out_ended, .arg = c };
	c->next = g->first;
	if (g->first)
		g->first->before = c;
	g->first = c;
	g->counts.connections++;
	if (uv_accept(&from->handle.stream, &c->client.stream) < 0) {
		close_connection(c);
		return true;
	}
	if (tcp)
		(void)uv_tcp_nodelay(&c->client.tcp, 1);
	g->counts.accepted++;
	if (!count_peer(c))
		connection_refuse(c, 429, NULL);
	else if (g->counts.connections > g->config.connections_most + REFUSED_AT_ONCE)
		close_connection(c);
	else if (g->counts.connections > g->config.connections_most)
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
		tick(c);
	}
	for (struct listener *l = g->listeners; l; l = l->next)
		l->waits = l->waits && !take_client(g, l);
}

struct gate *gate_new(const struct gate_config *config, struct error *err)
{
	struct gate *g = calloc(1, sizeof(*g));
	if (!g) {
		(void)error_no_memory(err);
		return NULL;
	}
	g->config = *config;
	if (getrandom(&g->seed, sizeof(g->seed), GRND_NONBLOCK) < 0)
		g->seed = (uint32_t)getpid();
	(void)uv_timer_init(loop_uv(config->loop), &g->timer);
	g->timer.data = g;
	(void)uv_timer_start(&g->timer, on_tick, TICK_MS, TICK_MS);
	return g;
}

/* libuv accepts no other client before this one is taken. */
static void on_client(uv_stream_t *stream, int status)
{
	struct listener *l = stream->data;
	if (status == 0)
		l->waits = !take_client(l->gate, l);
}

int gate_listen(struct gate *g, int fd, const struct address *address, struct error *err)
{
	uv_loop_t *loop = loop_uv(g->config.loop);
	struct listener *l = calloc(1, sizeof(*l));
	char shown[ADDRESS_SHOWN];
	int error;
	if (!l)
		return error_no_memory(err);
	l->gate = g;
	l->reach = address->reach;
	if (l->reach == ADDRESS_UNIX) {
		error = uv_pipe_init(loop, &l->handle.pipe, 0);
		error = error < 0 ? error : uv_pipe_open(&l->handle.pipe, fd);
	} else {
		error = uv_tcp_init(loop, &l->handle.tcp);
		error = error < 0 ? error : uv_tcp_open(&l->handle.tcp, fd);
	}
	l->handle.handle.data = l;
	if (error == 0)
		error = uv_listen(&l->handle.stream, BACKLOG, on_client);
	l->next = g->listeners;
	g->listeners = l;
	if (error == 0)
		return DANA_OK;
	address_show(address, shown, sizeof(shown));
	return error_set(err, DANA_EIO, "--listen: %s: %s", shown, system_text(-error));
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
		close_connection(c);
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
		(void)uv_run(loop_uv(g->config.loop), UV_RUN_ONCE);
	while (g->listeners) {
		struct listener *l = g->listeners;
		g->listeners = l->next;
		free(l);
	}
	free(g);
}
