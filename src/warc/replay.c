#include "warc/replay.h"

#include "base/status.h"

#include <stdlib.h>

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

int replay_keep(struct replay *r, struct slice bytes, uint64_t from)
{
	size_t start = (size_t)(from - r->base);
	size_t held = r->bytes.len - start + r->n_events * sizeof *r->events;
	size_t room = held < REPLAY_MAX ? REPLAY_MAX - held : 0;
	size_t part = bytes.len < room ? bytes.len : room;

	if (r->overflow)
		return DANA_OK;
	r->overflow = part < bytes.len;
	int status = buf_append(&r->bytes, bytes.data, part);

	r->next = r->bytes.len;
	return status;
}

int replay_carry(struct replay *r, struct slice bytes, uint64_t pos)
{
	if (r->bytes.len == 0)
		r->base = pos;
	return buf_append(&r->bytes, bytes.data, bytes.len);
}

/* Empty members leave no trace but the last one's begin, so that any number of them costs no memory. */
static bool swallows(const struct replay *r, enum replay_event_kind kind)
{
	const struct replay_event *last = r->n_events ? &r->events[r->n_events - 1] : NULL;

	return last && last->at == r->bytes.len && last->kind == REPLAY_MEMBER_BEGIN && kind == REPLAY_MEMBER_END;
}

int replay_note(struct replay *r, enum replay_event_kind kind, uint64_t value)
{
	if (swallows(r, kind)) {
		r->next_event = --r->n_events;
		return DANA_OK;
	}
	if (r->n_events == r->cap_events) {
		size_t cap = r->cap_events ? r->cap_events * 2 : 64;
		struct replay_event *events = realloc(r->events, cap * sizeof *events);

		if (!events)
			return DANA_ENOMEM;
		r->events = events;
		r->cap_events = cap;
	}
	r->events[r->n_events++] = (struct replay_event){ kind, r->bytes.len, value };
	r->next_event = r->n_events;
	return DANA_OK;
}

void replay_rewind(struct replay *r, uint64_t pos)
{
	size_t drop = (size_t)(pos - r->base);
	size_t kept = 0;

	for (size_t i = 0; i < r->n_events; i++) {
		if (r->events[i].at <= drop)
			continue;
		r->events[kept] = r->events[i];
		r->events[kept++].at -= drop;
	}
	r->n_events = kept;
	r->next_event = 0;
	buf_consume(&r->bytes, drop);
	r->base = pos;
	r->next = 0;
}

void replay_free(struct replay *r)
{
	buf_free(&r->bytes);
	free(r->events);
	*r = (struct replay){ 0 };
}
