/* SPDX-License-Identifier: MIT */
/*
 * Two buffers: one in use by the owner of the source, one being filled from the network; when that is full, libcurl is
 * paused, and nothing more is read from the socket. What comes from libcurl is kept here and handed out after
 * libcurl has returned, because the owner may end the transfer.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "io/source.h"
#include "io/transfer.h"

enum { LEAST_ROOM = 2 * TRANSFER_PIECES };

struct room {
	uint8_t *data;
	size_t len;
};

struct http_source {
	struct source source;
	struct fetch *fetch;
	struct room rooms[2];
	unsigned fill;   /* the room that is being filled; the other one is the owner's */
	size_t capacity; /* of a room */
	uint64_t offset; /* of the first byte that is wanted */
	struct source_part part;
	bool is_part;
	uint64_t left;     /* bytes of the part that have not come yet */
	size_t chunk_most; /* bytes handed out at once */
	size_t given;      /* bytes of the owner's room that it has had */
	bool idle;         /* the owner waits for an event */
	bool delivering;   /* an event of ours is on the stack */
	bool at_end, quiet;
	struct buf fault; /* why nothing more comes; empty: it still does */
};

static struct room *filling(struct http_source *h)
{
	return &h->rooms[h->fill];
}

static struct room *owners(struct http_source *h)
{
	return &h->rooms[h->fill ^ 1];
}

/* Gives the next bytes; false when no bytes are left. */
static bool give(struct http_source *h)
{
	if (h->given == owners(h)->len) {
		if (filling(h)->len == 0)
			return false;
		owners(h)->len = 0;
		h->fill ^= 1;
		h->given = 0;
		fetch_go_on(h->fetch);
	}
	struct room *r = owners(h);
	struct slice chunk = slice_first(slice_of(r->data + h->given, r->len - h->given), h->chunk_most);
	h->given += chunk.len;
	h->idle = false;
	h->source.events.chunk(h->source.events.arg, chunk);
	return true;
}

/* An owner that asks for the next chunk from within the event finds `delivering` set: nothing recurses. */
static void deliver(struct http_source *h)
{
	if (h->delivering)
		return;
	h->delivering = true;
	while (h->idle && !h->quiet) {
		if (give(h))
			continue;
		if (!h->at_end && h->fault.len == 0)
			break;
		h->idle = false;
		if (h->at_end) {
			h->source.events.end(h->source.events.arg);
			continue;
		}
		h->quiet = true;
		h->source.events.failed(h->source.events.arg, (const char *)h->fault.data);
	}
	h->delivering = false;
}

/* ---- from the network ---- */

static void on_opened(void *arg, uint64_t total)
{
	struct http_source *h = arg;
	h->source.size = h->is_part ? h->part.length : total;
	h->source.seekable = total != UINT64_MAX;
	source_opened(&h->source);
}

static enum body_answer on_take(void *arg, struct slice bytes)
{
	struct http_source *h = arg;
	struct room *r = filling(h);
	if (h->is_part)
		bytes = slice_first(bytes, h->left < SIZE_MAX ? (size_t)h->left : SIZE_MAX);
	if (r->len + bytes.len > h->capacity)
		return BODY_NO_ROOM;
	memcpy(r->data + r->len, bytes.data, bytes.len);
	r->len += bytes.len;
	h->left -= h->is_part ? bytes.len : 0;
	return r->len + TRANSFER_PIECES > h->capacity ? BODY_TAKEN_LAST : BODY_TAKEN;
}

static void on_arrived(void *arg)
{
	deliver(arg);
}

static void on_end(void *arg)
{
	struct http_source *h = arg;
	h->at_end = true;
	deliver(h);
}

static void on_failed(void *arg, const char *why)
{
	struct http_source *h = arg;
	if (buf_append(&h->fault, why, strlen(why) + 1) < 0) {
		h->fault = (struct buf){ 0 };
		(void)buf_append(&h->fault, "", 1);
	}
	deliver(h);
}

/* ---- from the owner ---- */

/* What follows a part in its file is never asked for, but for a byte where nothing is left of it. */
static void fetch_from(struct http_source *h, uint64_t offset)
{
	if (!h->is_part) {
		fetch_begin(h->fetch, offset, UINT64_MAX);
		return;
	}
	offset = offset < h->part.length ? offset : h->part.length;
	h->left = h->part.length - offset;
	const uint64_t from = h->part.begin + offset;
	fetch_begin(h->fetch, from, from + (h->left ? h->left : 1));
}

static void http_start(struct source *s)
{
	struct http_source *h = (struct http_source *)s;
	h->idle = true;
	fetch_from(h, h->offset);
}

static void http_next(struct source *s)
{
	struct http_source *h = (struct http_source *)s;
	h->idle = true;
	deliver(h);
}

static int http_seek(struct source *s, uint64_t offset)
{
	struct http_source *h = (struct http_source *)s;
	h->rooms[0].len = h->rooms[1].len = h->given = 0;
	h->at_end = false;
	h->idle = true;
	fetch_from(h, offset);
	return DANA_OK;
}

static int http_identity(struct source *s, struct buf *out)
{
	struct http_source *h = (struct http_source *)s;
	if (!s->seekable)
		return DANA_ECONFIG;
	const int status = fetch_identity(h->fetch, out);
	return status < 0 ? status : source_part_identity(h->is_part ? &h->part : NULL, out);
}

static struct source_counts http_counts(const struct source *s)
{
	const struct http_source *h = (const struct http_source *)s;
	struct fetch_counts c = fetch_counts(h->fetch);
	return (struct source_counts){ c.requests, c.retries, c.bytes };
}

static void http_free(struct source *s)
{
	struct http_source *h = (struct http_source *)s;
	h->quiet = true;
	fetch_free(h->fetch);
	free(h->rooms[0].data);
	free(h->rooms[1].data);
	buf_free(&h->fault);
	free(h);
}

static const struct source_ops http_ops = {
	.name = "http",
	.start = http_start,
	.next = http_next,
	.seek = http_seek,
	.identity = http_identity,
	.counts = http_counts,
	.free = http_free,
};

int http_source_open(struct source **out, struct network_session *s, const char *address, const char *shown,
		     const struct source_part *part, uint64_t offset, const struct source_events *events,
		     struct error *err)
{
	struct http_source *h = calloc(1, sizeof(*h));
	const struct fetch_events fetch_events = { on_opened, on_take, on_arrived, on_end, on_failed, h, false };
	if (!h)
		return error_no_memory(err);
	h->source =
		(struct source){ .ops = &http_ops, .events = *events, .seekable = false, .size = UINT64_MAX, .fd = -1 };
	h->offset = offset;
	if (part)
		h->part = *part;
	h->is_part = part != NULL;
	h->chunk_most = source_read_size();
	h->capacity = h->chunk_most > LEAST_ROOM ? h->chunk_most : LEAST_ROOM;
	h->rooms[0].data = malloc(h->capacity);
	h->rooms[1].data = malloc(h->capacity);
	if (!h->rooms[0].data || !h->rooms[1].data) {
		http_free(&h->source);
		return error_no_memory(err);
	}
	h->fetch = fetch_new(s, &fetch_events);
	int status = h->fetch ? fetch_aim(h->fetch, address, shown, err) : error_no_memory(err);
	if (status < 0) {
		http_free(&h->source);
		return status;
	}
	if (part && part->served && part->served->known)
		fetch_expect(h->fetch, part->served);
	*out = &h->source;
	return DANA_OK;
}
