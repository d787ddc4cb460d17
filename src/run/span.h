/* SPDX-License-Identifier: MIT */
/*
 * A span: a stretch of an input that a worker reads before it is known what state the input is in there. The worker
 * looks for a member in it, and reads from there as if nothing were open, until a member ends at or after its end.
 * Whether that was right shows when all before it has been read (handoff_border.c).
 * Threads: one at a time, but for `dropped`. Ownership: borrows `file` and `fd`.
 */
#ifndef DANA_RUN_SPAN_H
#define DANA_RUN_SPAN_H

#include <stdatomic.h>

#include "archive/pump.h"
#include "base/buf.h"

struct batch;

enum span_state {
	SPAN_WAITS, /* for a worker */
	SPAN_READ,  /* by a worker */
	SPAN_DONE,
};

struct span {
	/* What is asked. */
	uint64_t begin, end; /* offsets: the members that begin in [begin, end) */
	bool sure;           /* one begins at `begin` */
	int fd;
	const char *file;
	struct pump_place like; /* of a member before it: what was known of the input there */
	struct buf like_date;   /* WARC-Date of the last warcinfo by then */
	struct batch *batch;    /* for the outcomes; their numbers count on from that of `like` */
	atomic_bool dropped;    /* nobody wants it any more */

	/* What became of it. */
	struct pump_place from, to; /* all between these borders was read, and is good; equal: nothing */
	bool asked_date;            /* something depends on the date of the last warcinfo before it, or ... */
	bool asked_number;          /* ... on the numbers of its records */
	bool dated;                 /* it has a warcinfo, the last with this date: */
	struct buf last_date;
	struct buf date; /* while it is read: of the last warcinfo by now */

	enum span_state state; /* guarded by the lock of the handoff */
};

/** Returns whether it has records. */
static inline bool span_has_records(const struct span *s)
{
	return s->to.warc.seq > s->from.warc.seq;
}

#endif
