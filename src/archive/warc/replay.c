/* SPDX-License-Identifier: MIT */
/*
 * One buffer with three parts: bytes read and kept, bytes kept and to be read again, bytes carried.
 *
 * Example with max = 6. A head begins at position 100 and "abcdefgh" is read: "abcdef" is kept (kept = 6), "gh" is
 * not, and overflow is set. If the framer goes back to 100, it reads "abcdef", then a hole event that says that the
 * next byte is at position 108. If it does not, replay_close_hole forgets everything.
 */
#include "archive/warc/replay.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"

enum { KEPT_BYTES = 256 << 10, KEPT_EVENTS = 4096 };

void replay_clear(struct replay *r)
{
	if (r->bytes.cap > KEPT_BYTES) {
		buf_free(&r->bytes);
	} else {
		buf_clear(&r->bytes);
	}
	if (r->cap_events > KEPT_EVENTS) {
		free(r->events);
		r->events = NULL;
		r->cap_events = 0;
	}
	r->next = r->n_events = r->next_event = 0;
	r->overflow = false;
}

/* The first event after byte `at`. */
static size_t event_after(const struct replay *r, size_t at)
{
	size_t low = 0, high = r->n_events;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (r->events[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How much of the buffer may be kept: `max` from position `from` on, where each event counts with its size. */
static size_t end_of_room(const struct replay *r, uint64_t from)
{
	const size_t start = (size_t)(from - r->base);
	const size_t events = (r->n_events - event_after(r, start)) * sizeof(*r->events);
	return events < r->max ? start + r->max - events : start;
}

int replay_keep(struct replay *r, struct slice bytes, uint64_t from)
{
	if (r->overflow)
		return DANA_OK;
	const size_t end = end_of_room(r, from), room = r->bytes.len < end ? end - r->bytes.len : 0;
	const size_t part = bytes.len < room ? bytes.len : room;
	int status = buf_append(&r->bytes, bytes.data, part);
	r->next = r->kept = r->bytes.len;
	r->overflow = part < bytes.len;
	return status;
}

void replay_pass(struct replay *r, size_t len, uint64_t from)
{
	if (r->overflow)
		return;
	const size_t end = end_of_room(r, from), before = r->next - len;
	if (r->next <= end)
		return;
	r->kept = end > before ? end : before;
	r->overflow = true;
}

void replay_trim(struct replay *r, bool all)
{
	if (all)
		r->kept = 0;
	if (r->next < r->bytes.len || r->next_event < r->n_events)
		return;
	r->bytes.len = r->next = r->kept;
	while (r->n_events && r->events[r->n_events - 1].at > r->kept) /* they are in the hole */
		r->n_events--;
	r->next_event = r->n_events;
}

int replay_carry(struct replay *r, struct slice bytes, uint64_t pos)
{
	if (r->bytes.len == 0)
		r->base = pos;
	return buf_append(&r->bytes, bytes.data, bytes.len);
}

int replay_note(struct replay *r, enum replay_event_kind kind, uint64_t value)
{
	/* of members in a row without any bytes, only the begin of the last is kept, so that any number of them costs
	 * no memory */
	const struct replay_event *last = r->n_events ? &r->events[r->n_events - 1] : NULL;
	if (last && last->at == r->bytes.len && last->kind == REPLAY_MEMBER_BEGIN && kind == REPLAY_MEMBER_END) {
		r->next_event = --r->n_events;
		return DANA_OK;
	}
	struct replay_event *events = grow_items(r->events, r->n_events, &r->cap_events, sizeof(*events));
	if (!events)
		return DANA_ENOMEM;
	r->events = events;
	r->events[r->n_events++] = (struct replay_event){ .kind = kind, .at = r->bytes.len, .value = value };
	r->next_event = r->n_events;
	return DANA_OK;
}

int replay_rewind(struct replay *r, uint64_t pos, uint64_t hole_end)
{
	if (r->overflow) {
		/* the hole comes after the kept bytes, and the carried bytes that are unread after the hole */
		const size_t carried = r->bytes.len - r->next;
		if (carried)
			memmove(r->bytes.data + r->kept, r->bytes.data + r->next, carried);
		r->bytes.len = r->kept;
		r->overflow = false;
		const int status = replay_note(r, REPLAY_HOLE, hole_end);
		r->bytes.len += carried;
		if (status < 0)
			return status;
	}
	/* the first bytes are dropped when they are the larger part: no more bytes are moved than dropped */
	const size_t before = (size_t)(pos - r->base);
	size_t kept = 0;
	if (before > r->bytes.len / 2) {
		for (size_t i = 0; i < r->n_events; i++) {
			if (r->events[i].at <= before)
				continue;
			r->events[kept] = r->events[i];
			r->events[kept++].at -= before;
		}
		r->n_events = kept;
		buf_consume(&r->bytes, before);
		r->base += before;
	}
	r->next = (size_t)(pos - r->base);
	r->next_event = event_after(r, r->next);
	return DANA_OK;
}

void replay_close_hole(struct replay *r, uint64_t pos)
{
	buf_consume(&r->bytes, r->next);
	r->base = pos;
	r->overflow = false;
	r->next = r->n_events = r->next_event = 0;
}

void replay_free(struct replay *r)
{
	buf_free(&r->bytes);
	free(r->events);
	*r = (struct replay){ 0 };
}
