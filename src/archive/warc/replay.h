/* SPDX-License-Identifier: MIT */
/*
 * The framer's memory of bytes that it may have to read again: those from a plausible head on that was seen inside a
 * block. Events between the bytes say where members begin and end. It also carries the few bytes at the end of a chunk
 * that do not yet decide anything. Bounded by `max`.
 */
#ifndef DANA_ARCHIVE_WARC_REPLAY_H
#define DANA_ARCHIVE_WARC_REPLAY_H

#include "base/buf.h"

enum { REPLAY_MAX = 16 << 20 }; /* bytes kept from a plausible head on */

enum replay_event_kind {
	REPLAY_MEMBER_END,
	REPLAY_MEMBER_BEGIN,
	REPLAY_HOLE, /* bytes are missing here: they were more than `max` */
};

struct replay_event {
	enum replay_event_kind kind;
	size_t at;               /* before this byte of the buffer */
	uint64_t value;          /* offset in the input; of a hole: the position after it */
	bool verified, checksum; /* of the member that begins: as in struct framer_member */
};

struct replay {
	size_t max;       /* REPLAY_MAX; tests set less */
	struct buf bytes; /* what is kept, read or not, then what is carried */
	size_t next;      /* the next byte to read; bytes.len = all are read */
	uint64_t base;    /* position of the first byte */
	bool overflow;    /* bytes after the first `kept` ones were not kept */
	size_t kept;      /* when overflow is set */
	struct replay_event *events;
	size_t n_events, cap_events, next_event;
};

/** Drops all bytes; memory beyond a modest size is freed. */
void replay_clear(struct replay *r);
/**
 * Appends bytes as read. Beyond `max` from position `from` on they are not kept: r->overflow. Returns 0 or DANA_ENOMEM.
 */
int replay_keep(struct replay *r, struct slice bytes, uint64_t from);
/**
 * The last `len` bytes before r->next were read from the buffer, and lay in it because they were kept or carried.
 * Beyond `max` from position `from` on they are no longer kept, so that what is kept does not depend on what was
 * carried.
 */
void replay_pass(struct replay *r, size_t len, uint64_t from);
/** Appends bytes as not yet read; they lie at `pos` when the buffer is empty. Returns 0 or DANA_ENOMEM. */
int replay_carry(struct replay *r, struct slice bytes, uint64_t pos);
/** Notes an event after the last byte, as already handled. Returns 0 or DANA_ENOMEM. */
int replay_note(struct replay *r, enum replay_event_kind kind, uint64_t value);
/** After overflow: drops carried bytes once they are read; with `all` the kept ones, too (the source can seek). */
void replay_trim(struct replay *r, bool all);
/**
 * Makes position `pos` the next one to be read. Bytes before it and events before or at it are forgotten, in time
 * proportional to the bytes forgotten. After overflow, a hole that ends at position `hole_end` follows the kept bytes.
 * Returns 0 or DANA_ENOMEM.
 */
int replay_rewind(struct replay *r, uint64_t pos, uint64_t hole_end);
/** After overflow: forgets what is read. What was carried and is unread lies at position `pos` now. */
void replay_close_hole(struct replay *r, uint64_t pos);
void replay_free(struct replay *r);

static inline bool replay_unread(const struct replay *r)
{
	return r->next < r->bytes.len || r->next_event < r->n_events;
}

#endif
