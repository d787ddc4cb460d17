/* SPDX-License-Identifier: MIT */
/*
 * The engine decodes the body and passes it on; the response does not go through it, because it writes none before the
 * request is read. The head of the response is written with the first bytes of output, so that a request which
 * nothing comes of can still be answered with an error; chunks follow, and a trailer that says how it ended.
 */
#include "config.h"

#include "serve/streams.h"

#include <stdio.h>

#include "serve/child_route.h"
#include "serve/server.h"

enum { FEED_FULL = 1 << 20, DAMAGED = 2 /* exit status: some records were */ };

struct stream {
	struct child_route child;
	const char *content_type;
	bool begun; /* the head of the response is written */
	bool chunked;
	bool child_ended;
};

/* ---- the response ---- */

static void write_text(struct stream *s, const char *text)
{
	(void)connection_write(s->child.request->connection, slice_from_text(text));
}

static void write_head(struct stream *s)
{
	char head[400];
	s->begun = s->child.request->direct = true;
	s->child.request->server->metrics.responses[MHD_HTTP_OK]++;
	connection_set_last(s->child.request->connection);
	(void)snprintf(head, sizeof(head),
		       "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%sCache-Control: no-store\r\n"
		       "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
		       s->content_type, s->chunked ? "Transfer-Encoding: chunked\r\nTrailer: Dana-Status\r\n" : "");
	write_text(s, head);
}

static void on_output(void *arg, struct slice bytes)
{
	struct stream *s = arg;
	char size[32];
	if (!s->begun)
		write_head(s);
	if (s->chunked) {
		(void)snprintf(size, sizeof(size), "%zx\r\n", bytes.len);
		write_text(s, size);
	}
	(void)connection_write(s->child.request->connection, bytes);
	if (s->chunked)
		write_text(s, "\r\n");
	if (connection_write(s->child.request->connection, slice_of("", 0)) > GATE_FULL)
		process_pause(s->child.process, true);
}

/* Exit status 0 is a good end, 2 one with damaged records. Without chunks only a cut connection shows another one.
 */
static void write_end(struct stream *s, int status)
{
	char end[80];
	if (!s->begun)
		write_head(s);
	(void)snprintf(end, sizeof(end), "0\r\nDana-Status: %s\r\n\r\n",
		       status == 0         ? "good"
		       : status == DAMAGED ? "damaged"
					   : "failed");
	if (s->chunked && (status == 0 || status == DAMAGED))
		write_text(s, end);
	connection_finish(s->child.request->connection);
	request_leave(s->child.request);
}

/* After the first bytes nothing can be taken back. */
static void on_ended(void *arg, int status, const char *error)
{
	struct stream *s = arg;
	bool good = status == 0 || status == DAMAGED;
	s->child_ended = true;
	error = child_route_error(&s->child, error);
	if (good || s->begun) {
		write_end(s, status);
		return;
	}
	int refusal = status == 3 ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_INTERNAL_SERVER_ERROR;
	if (s->child.request->ended) {
		request_reply_reason(s->child.request, refusal, error);
		return;
	}
	connection_refuse(s->child.request->connection, refusal, error);
	request_leave(s->child.request);
}

void streams_writable(struct request *r)
{
	struct stream *s = r->state;
	if (s && s->child.process && !s->child_ended)
		process_pause(s->child.process, false);
}

/* ---- the request ---- */

static void on_hungry(void *arg)
{
	struct stream *s = arg;
	if (!s->child.request->ended)
		request_go_on(s->child.request);
}

static const char *content_type(const struct request *r)
{
	struct buf value = { 0 };
	bool warc = request_parameter(r, "format", &value) && strcmp((const char *)value.data, "warc") == 0;
	bool packed = request_parameter(r, "compress", &value) && value.len > 1 &&
		      strcmp((const char *)value.data, "none") != 0;
	buf_free(&value);
	return packed ? "application/octet-stream" : warc ? "application/warc" : "application/x-ndjson";
}

static void begin(struct request *r)
{
	struct stream *s = child_route_begin(r, sizeof(*s), "filter", "too many archives are worked on; try again");
	if (!s)
		return;
	s->content_type = content_type(r);
	s->chunked = !connection_head(r->connection)->old;
	arguments_add(&s->child.arguments, "jobs", "0");
	const char *wrong = arguments_take(&s->child.arguments, r);
	if (wrong)
		request_reply_reason(r, MHD_HTTP_BAD_REQUEST, wrong);
	else
		(void)child_route_start(&s->child, on_output, on_hungry, on_ended);
}

/* The rest of a body that nobody reads any more is taken and dropped. */
static bool take(struct request *r, struct slice bytes)
{
	struct stream *s = r->state;
	if (!s || !s->child.process || s->child_ended)
		return true;
	if (process_feed(s->child.process, bytes) > FEED_FULL)
		request_wait(r);
	return true;
}

static void end(struct request *r)
{
	struct stream *s = r->state;
	if (!s || !s->child.process || s->child_ended)
		return;
	process_feed_end(s->child.process);
	request_wait(r);
}

static const char *const parameters[] = { "format",     "compress", "method",       "schema", "min-chars", "status",
					  "mime",       "type",     "warc-version", "source", "text",      "markdown",
					  "text-field", NULL };

const struct route streams_route = { .path = "/filter",
				     .post = true,
				     .streams = true,
				     .parameters = parameters,
				     .begin = begin,
				     .data = take,
				     .end = end,
				     .gone = child_route_gone,
				     .over = child_route_over };
