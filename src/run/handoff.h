/* SPDX-License-Identifier: MIT */
/*
 * Records on their way to a worker and back: heads, blocks, and then what became of each. Copies of what the framer
 * delivers, packed one after the other in memory that the batch keeps when it is cleared, so that a run allocates
 * nothing for each record. Threads: one at a time. Ownership: slices of its records point into the batch until
 * batch_clear.
 */
#ifndef DANA_RUN_HANDOFF_H
#define DANA_RUN_HANDOFF_H

#include <stdatomic.h>

#include "archive/document.h"
#include "archive/limits.h"
#include "archive/pump.h"
#include "archive/record.h"
#include "base/buf.h"
#include "base/status.h"
#include "run/checkpoint.h"

struct arena;

struct batch_record {
	struct batch_record *next;
	struct record record;
	struct slice warcinfo_date;
	size_t block_start, block_len; /* in batch.blocks: these bytes move while the batch grows */
	struct record_end end;
	bool is_region; /* a damaged region: its outcome is known from the start */

	/* The result. */
	int status;
	struct slice fault; /* when the status is negative: the stage's words for it */
	struct outcome outcome;
	struct document document; /* all of it, or what document_forget leaves */
	size_t formatted_len;     /* in batch.formatted, where the documents follow each other */
	bool kept;                /* the document is not formatted yet */
};

struct batch {
	struct arena *arena;
	struct buf blocks, formatted;
	struct batch_record *first, *last; /* complete */
	struct batch_record *open;         /* its end has not come; NULL: no record is open */
	size_t bytes;                      /* of blocks and heads, with what the batch itself needs for them */
	struct resume_point point;         /* at or before its first record; kept by batch_clear */
};

/** Opens a record whose outcome comes before its memory goes: of its head only what batch_keep copies stays. */
int batch_begin_borrowed(struct batch *b, const struct record *rec);
void batch_end(struct batch *b, const struct record_end *end);
/** Forgets the records after `last`, which had `formatted` bytes of documents with all before it; NULL: all records. */
void batch_cut(struct batch *b, struct batch_record *last, size_t formatted);

/*
 * A span: a stretch of an input that a worker reads before it is known what state the input is in there. The worker
 * looks for a member in it, and reads from there as if nothing were open, until a member ends at or after its end.
 * Whether that was right shows when all before it has been read (handoff.c).
 * Threads: one at a time, but for `dropped`. Ownership: borrows `file` and `fd`.
 */

struct batch;

enum span_state {
	SPAN_WAITS, /* for a worker */
	SPAN_READ,  /* by a worker */
	SPAN_DONE,
};

struct input_span {
	/* The task. */
	uint64_t begin, end; /* offsets: the members that begin in [begin, end) */
	bool sure;           /* one begins at `begin` */
	int fd;              /* of the file, in which the input is `fd_size` bytes from fd_begin on */
	uint64_t fd_begin, fd_size;
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

static inline bool span_has_records(const struct input_span *s)
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

struct span_reader *span_reader_new(const struct span_reader_config *config);
/**
 * Reads the span, and fills in what became of it, and its batch. What could not be read, or is not certain to be as if
 * all had been read in order (damage, failures), is left out; so it cannot fail.
 */
void span_reader_read(struct span_reader *r, struct input_span *s);
/** A document of the last record has come: notes whether it depends on what a span does not know. */
void span_reader_document(struct span_reader *r, const struct document *doc);
void span_reader_free(struct span_reader *r);

/*
 * The worker pool as one stage: a record_sink that packs records into batches of about 128 KiB and puts full batches
 * into a ring; workers replay them into a processor of their own; results are taken in the order of the records, on
 * the loop's thread.
 *
 *     loop thread                          workers                           loop thread
 *     begin, body, end -> batch -> ring -> processor, formatter -> batch -> take, in order
 *
 * A batch is handed over with the record that fills it, or by handoff_flush when the input makes us wait: threads wake
 * each other once for each batch, not for each record, most of which are small or refused.
 *
 * Of a compressed file the workers also read spans (span_reader.c) by themselves, ahead of the framer, so that not one
 * thread has to inflate for all. handoff_border decides whether such a span counts.
 *
 * Deadlock cannot occur: the oldest batch of the ring is always with a worker or done, and workers wait for nobody.
 * Bounds: the ring, and limits.in_flight bytes of records plus one record.
 */

struct handoff;

/** What a worker does. `arg` is the config's; `stage` is what open returned, one for each worker. */
struct handoff_stage_ops {
	void *(*open)(void *arg, struct document_sink *next, struct error *err);
	struct record_sink *(*records)(void *stage);
	/** File and WARC-Date of the last warcinfo, before each record. */
	void (*context)(void *stage, const char *file, struct slice warcinfo_date);
	void (*close)(void *stage);
	/** Returns why the last record failed, if the stage knows more than its status; else "". */
	const char *(*fault)(void *stage);
};

struct handoff_config {
	unsigned jobs;               /* at least 1 */
	size_t in_flight;            /* bytes of records; a soft limit: see handoff_wants_input */
	struct archive_dates *dates; /* noted before the records go to workers, in the order of the input */
	const struct handoff_stage_ops *stage;
	void *arg;
	/**
	 * Loop thread: RECORD_UNWANTED when the record's block need not be copied, because the stage will refuse it;
	 * else RECORD_WANTED or a negative status.
	 */
	int (*refuses)(void *arg, const struct record *rec);
	const struct resume_point *point; /* where the record that comes can be resumed from; NULL: nobody asks */
	size_t n_counters;                /* of the plugins */
	bool keep_starts;                 /* `take` gets what document_keep_start keeps of documents */
	bool keep_documents;              /* they are not formatted by workers: `take` gets them as they are */
	/** Worker: appends the formatted document. */
	int (*format)(void *arg, struct document *doc, struct buf *out);
	/** Loop thread, in the order of the records. `formatted`: the document; NULL: it is not formatted. */
	int (*take)(void *arg, const struct outcome *outcome, const struct slice *formatted);
	/* For spans (handoff_ahead). */
	const struct limits *limits;
	size_t span_bytes;      /* of input; 0: 512 KiB. Changes no result */
	bool numbers_documents; /* what `format` writes depends on the number of the record */
	/**
	 * Loop thread: records from `place` on were read by a worker, and come next; `dated`: a warcinfo is among them.
	 */
	int (*passed)(void *arg, const struct pump_place *place, bool dated);
	/** Any thread: the oldest batch is done; call handoff_drain on the loop's thread soon. */
	void (*wake)(void *arg);
};

struct handoff *handoff_new(const struct handoff_config *config, struct error *err);
struct record_sink *handoff_records(struct handoff *h);
/** An input begins; all earlier records must be drained, and a failure of theirs is forgotten. `file` is borrowed. */
void handoff_input(struct handoff *h, const char *file);
/**
 * After handoff_input: workers may read the input ahead, which is the `size` bytes of a file from `begin` on, until
 * handoff_finish. `fd` -1: they may not.
 */
void handoff_ahead(struct handoff *h, int fd, uint64_t begin, uint64_t size);
/**
 * For pump_config.at_border: gives out spans of what follows, and takes one over that begins here. Records with numbers
 * below `least` must be read in order. Returns 0 to continue, PUMP_PAUSED, or a negative status.
 */
int handoff_border(struct handoff *h, struct pump *pump, uint64_t least);
/** Returns false while the ring or the limit of bytes is full. */
bool handoff_wants_input(const struct handoff *h);
/**
 * Hands over the complete records of a batch that is not full, unless another one is open: no input may come for a
 * while.
 */
void handoff_flush(struct handoff *h);
/** Takes what is done, in order. Returns 0 or the first negative status of a worker or of `take`. */
int handoff_drain(struct handoff *h);
/**
 * Returns what the stage has said of the worker's failure that was first in the order of the records; "" if it said
 * nothing.
 */
const char *handoff_fault(const struct handoff *h);
/**
 * With config.point: returns where the records that `take` gets can be resumed from; at or before the first one of
 * their batch.
 */
const struct resume_point *handoff_point(const struct handoff *h);
/** Waits for all records that are complete and takes them; one whose end has not come is dropped. Returns the same. */
int handoff_finish(struct handoff *h);
void handoff_free(struct handoff *h);

#endif
