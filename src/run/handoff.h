/* SPDX-License-Identifier: MIT */
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
 * Of a compressed file the workers also read spans (span_reader.h) by themselves, ahead of the framer, so that not one
 * thread has to inflate for all. handoff_border decides whether such a span counts.
 *
 * Deadlock cannot occur: the oldest batch of the ring is always with a worker or done, and workers wait for nobody.
 * Bounds: the ring, and limits.in_flight bytes of records plus one record.
 */
#ifndef DANA_RUN_HANDOFF_H
#define DANA_RUN_HANDOFF_H

#include "archive/archive_dates.h"
#include "archive/document_sink.h"
#include "archive/limits.h"
#include "archive/pump.h"
#include "archive/record_sink.h"
#include "base/buf.h"
#include "base/status.h"
#include "run/checkpoint.h"

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
/** Returns the sink that takes the records. */
struct record_sink *handoff_records(struct handoff *h);
/** An input begins; all earlier records must be drained, and a failure of theirs is forgotten. `file` is borrowed. */
void handoff_input(struct handoff *h, const char *file);
/**
 * After handoff_input: workers may read the input ahead, by the descriptor of a file of `size` bytes, until
 * handoff_finish.
 */
void handoff_ahead(struct handoff *h, int fd, uint64_t size);
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
/** Waits for the workers. */
void handoff_free(struct handoff *h);

#endif
