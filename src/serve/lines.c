/* SPDX-License-Identifier: MIT */
/*
 * POST /extract with lines of JSON: a page in each, and for each a line of the response, in the same order, which are
 * sent while other lines still come. (A body whose length is known is answered when it is there, as far as HELD_MOST
 * allows: its client has all of it already, and nginx forwards no more of a body once the response begins.)
 *
 *	bytes --> rest --whole lines--> lines, each a job of pages.c --in their order--> the client
 *
 * What is held is bounded: so few lines are under way that the workers have enough to do, no more is read from the
 * client meanwhile, and none is begun while the client does not read. A line that has no page, or whose page does not
 * become a text, is answered by a line with the reason.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/page_line.h"
#include "serve/parameters.h"
#include "serve/request.h"

enum { LINES_PER_WORKER = 2, HELD_MOST = 8 << 20 /* bytes of lines that wait for their turn */ };

struct line_under_way {
	struct line_under_way *next;
	struct lines *lines;
	struct page_job *job; /* NULL: it is done */
	struct buf text;      /* its response */
};

struct lines {
	struct request *request;
	struct buf rest; /* bytes of the client */
	size_t at, seen; /* of it: where the line under way begins; up to where there is no end of it */
	struct line_under_way *first, **last; /* under way, in their order */
	size_t n;                             /* of them, those that a worker has or will have */
	size_t held;                          /* bytes of the others */
	bool too_long;                        /* the rest of the line under way is passed over */
	bool begun;                           /* the response is */
	bool full;                            /* the client does not read */
	bool steps;                           /* in step() */
	bool ended;                           /* no bytes follow */
};

static bool is_lines(const struct request_head *head)
{
	const struct slice type = request_field(head, "Content-Type");
	static const char *const types[] = { "application/jsonl", "application/x-ndjson", "application/ndjson",
					     "application/x-jsonlines", "application/json-lines" };
	size_t i = 0;
	while (i < sizeof(types) / sizeof(*types) && !request_has_type(type, types[i]))
		i++;
	return i < sizeof(types) / sizeof(*types) && slice_is(head->method, "POST");
}

/* So many bytes are held for the request, beside those of its jobs. */
static void charge(struct lines *l, size_t bytes)
{
	l->request->server->memory += bytes;
	l->request->charged += bytes;
}

static void discharge(struct lines *l, size_t bytes)
{
	l->request->server->memory -= bytes;
	l->request->charged -= bytes;
}

static void step(struct lines *l);

/* The line has its response. */
static void keep_text(struct line_under_way *line)
{
	const size_t bytes = line->text.len + sizeof(*line);
	line->lines->held += bytes;
	charge(line->lines, bytes);
}

/* A line with the reason. */
static void fail_line(struct line_under_way *line, const char *reason)
{
	if (page_line_failure(reason, &line->text) < 0)
		connection_cut(line->lines->request->connection);
	keep_text(line);
}

static void on_line(struct page_job *j, int status, struct buf *text)
{
	struct line_under_way *line = j->arg;
	struct lines *l = line->lines;
	struct request *r = l->request;
	line->job = NULL;
	l->n--;
	if (status == 200) {
		line->text = *text;
		keep_text(line);
	} else if (buf_append_byte(text, 0) < 0) {
		connection_cut(r->connection);
		buf_free(text);
	} else if (status == 400) { /* the query is wrong, as the first line shows */
		if (l->begun)
			connection_cut(r->connection);
		else
			request_reply_reason(r, 400, (const char *)text->data);
		buf_free(text);
		return;
	} else {
		fail_line(line, (const char *)text->data);
		buf_free(text);
	}
	if (!l->steps)
		step(l);
}

/* Begins a line: `bytes`, or where they are too many none. */
static void begin_line(struct lines *l, struct slice bytes)
{
	struct request *r = l->request;
	struct line_under_way *line = calloc(1, sizeof(*line));
	struct page_job *j = line && !l->too_long ? page_job_new(r, BODY_LINE, on_line) : NULL;
	char reason[80];
	if (!line || (!j && !l->too_long)) {
		free(line);
		connection_cut(r->connection);
		return;
	}
	line->lines = l;
	*l->last = line;
	l->last = &line->next;
	if (l->too_long) {
		(void)snprintf(reason, sizeof(reason), "the line is longer than %zu bytes (--max-body)",
			       r->server->config->body_most);
		fail_line(line, reason);
		return;
	}
	line->job = j;
	l->n++;
	j->arg = line;
	j->charged = bytes.len;
	buf_append(&j->body, bytes.data, bytes.len);
	buf_latch(&j->head, buf_status(&j->body));
	charge(l, bytes.len); /* that of the job, which gives it back */
	l->request->charged -= bytes.len;
	page_job_give(j, slice_of(NULL, 0), slice_of(NULL, 0));
}

/* Takes the next line out of what came. Returns false if there is none that is whole. */
static bool take_line(struct lines *l)
{
	const struct slice rest = slice_skip(buf_slice(&l->rest), l->at);
	const size_t most = l->request->server->config->body_most;
	const size_t looked = l->seen - l->at;
	const uint8_t *end = rest.len > looked ? memchr(rest.data + looked, '\n', rest.len - looked) : NULL;
	size_t len = end ? (size_t)(end - rest.data) : rest.len;
	l->too_long |= len > most;
	const bool whole = end || (l->ended && (len || l->too_long));
	if (whole) {
		begin_line(l, slice_first(rest, len));
		l->too_long = false;
		len += end != NULL;
	} else if (!l->too_long) {
		l->seen = l->at + len;
		return false;
	}
	discharge(l, len);
	l->at += len;
	l->seen = l->at;
	return whole;
}

/* Writes lines that are done and begins others, as far as that goes. It may end the request. */
static void step(struct lines *l)
{
	struct request *r = l->request;
	const size_t most = (size_t)r->server->config->jobs * LINES_PER_WORKER;
	bool any = true;
	l->steps = true;
	while (any) {
		any = false;
		while (l->first && !l->first->job && !l->full &&
		       (l->begun || l->ended || !r->head->has_length || l->held > HELD_MOST)) {
			struct line_under_way *line = l->first;
			if (!l->begun)
				request_stream_begin(r, "application/jsonl");
			l->begun = true;
			l->full = request_stream_write(r, buf_slice(&line->text)) > GATE_FULL;
			l->held -= line->text.len + sizeof(*line);
			discharge(l, line->text.len + sizeof(*line));
			l->first = line->next;
			l->last = l->first ? l->last : &l->first;
			buf_free(&line->text);
			free(line);
			any = true;
		}
		while (l->n < most && l->held <= HELD_MOST && !l->full && take_line(l))
			any = true;
	}
	l->steps = false;
	connection_hold(r->connection, l->n >= most || l->held > HELD_MOST || l->full);
	if (!l->ended || l->first || l->at < l->rest.len || l->full)
		return;
	if (!l->begun)
		request_stream_begin(r, "application/jsonl");
	request_stream_end(r, "good");
}

/* ---- the route ---- */

static void begin_lines(struct request *r)
{
	struct lines *l = calloc(1, sizeof(*l));
	r->state = l;
	if (!l) {
		request_reply_reason(r, 503, status_text(DANA_ENOMEM));
		return;
	}
	l->request = r;
	l->last = &l->first;
}

static void feed_lines(struct request *r, struct slice bytes)
{
	struct lines *l = r->state;
	buf_consume(&l->rest, l->at);
	l->seen -= l->at;
	l->at = 0;
	if (!server_has_room(r->server, bytes.len) || buf_append(&l->rest, bytes.data, bytes.len) < 0) {
		connection_refuse(r->connection, 503, NULL);
		return;
	}
	charge(l, bytes.len);
	step(l);
}

static void end_lines(struct request *r)
{
	struct lines *l = r->state;
	l->ended = true;
	step(l);
}

static void resume_lines(struct request *r)
{
	struct lines *l = r->state;
	l->full = false;
	step(l);
}

static void over(struct request *r)
{
	struct lines *l = r->state;
	if (!l)
		return;
	while (l->first) {
		struct line_under_way *line = l->first;
		l->first = line->next;
		if (line->job)
			page_job_drop(line->job);
		buf_free(&line->text);
		free(line);
	}
	buf_free(&l->rest);
	free(l);
}

const struct route lines_route = { .path = "/extract",
				   .takes = is_lines,
				   .post = true,
				   .parameters = page_parameters,
				   .begin = begin_lines,
				   .data = feed_lines,
				   .end = end_lines,
				   .writable = resume_lines,
				   .over = over };
