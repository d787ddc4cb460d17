/* SPDX-License-Identifier: MIT */
/*
 * A span: a stretch of an input that a worker reads before it is known what state the input is in there. The worker
 * looks for a member in it, and reads from there as if nothing were open, until a member ends at or after its end.
 * Whether that was right shows when all before it has been read (handoff.c).
 * Threads: one at a time, but for `dropped`. Ownership: borrows `file` and `fd`.
 */
#ifndef DANA_RUN_SPAN_READER_H
#define DANA_RUN_SPAN_READER_H

#include <stdatomic.h>

#include "archive/limits.h"
#include "archive/pump.h"
#include "base/buf.h"
#include "run/batch.h"
#include "run/handoff.h"

struct batch;

enum span_state {
	SPAN_WAITS, /* for a worker */
	SPAN_READ,  /* by a worker */
	SPAN_DONE,
};

struct span {
	/* The task. */
	uint64_t begin, end; /* offsets: the members that begin in [begin, end) */
	bool sure;           /* one begins at `begin` */
	int fd;
	const char *file;
	struct pump_place like; /* of a member before it: what was known of the input there */
	struct buf like_date;   /* WARC-Date of the last warcinfo by then */
	struct batch *batch;    /* for the outcomes; their numbers count on from `like`'s */
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

/*
 * Reads spans, for one worker: file, codec, framer and the worker's stage, without a step between them.
 * One thread at a time. Ownership: borrows all that its config points to.
 */

struct span_reader;

struct span_reader_config {
	const struct limits *limits;
	const struct handoff_stage_ops *ops;
	void *stage;
	/** Called with each record, before the stage gives its outcome. */
	void (*record)(void *arg, struct batch_record *r);
	void *arg;
};

/** Returns NULL when memory is exhausted. */
struct span_reader *span_reader_new(const struct span_reader_config *config);

/**
 * Reads the span, and fills in what became of it, and its batch. What could not be read, or is not certain to be as if
 * all had been read in order (damage, failures), is left out; so it cannot fail.
 */
void span_reader_read(struct span_reader *r, struct span *s);

/** A document of the last record has come: notes whether it depends on what a span does not know. */
void span_reader_document(struct span_reader *r, const struct document *doc);

void span_reader_free(struct span_reader *r);

#endif
