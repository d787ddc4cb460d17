/* SPDX-License-Identifier: MIT */
/*
 * Reads spans, for one worker: file, codec, framer and the worker's stage, without a step between them.
 * One thread at a time. Ownership: borrows all that its config points to.
 */
#ifndef DANA_RUN_SPAN_READER_H
#define DANA_RUN_SPAN_READER_H

#include "archive/stream/limits.h"
#include "run/batch.h"
#include "run/handoff.h"
#include "run/span.h"

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
/** NULL allowed. */
void span_reader_free(struct span_reader *r);

#endif
