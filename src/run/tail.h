/* SPDX-License-Identifier: MIT */
/*
 * The ordered end of a run: counts outcomes, reports damage, formats, encodes, writes. One for each output.
 * Threads: the loop's. Ownership: borrows all that its config points to.
 */
#ifndef DANA_RUN_TAIL_H
#define DANA_RUN_TAIL_H

#include "archive/archive_dates.h"
#include "archive/sink/encoder.h"
#include "archive/sink/sink.h"
#include "archive/stats.h"
#include "run/report.h"

struct plugin_chain;
struct tail;

struct tail_config {
	const struct sink_ops *format;
	struct sink *sink;
	struct encoder *encoder;
	struct byte_sink *rejects; /* NULL: none */
	struct stats *stats;
	const struct archive_dates *dates; /* for the date of the first record */
	struct reporter *reporter;
	struct plugin_chain *plugins; /* the ordered part; NULL: no plugin is ordered */
	/** After each record, when all of it has been taken. NULL: nobody asks. */
	int (*taken)(void *arg);
	void *taken_arg;
};

struct tail *tail_new(void);
/** A new output begins. */
void tail_begin(struct tail *t, const struct tail_config *config);
/** An input begins; `file` is borrowed until the next one. */
void tail_input(struct tail *t, const char *file);
/**
 * Returns the number of the next record of the input; *opened: whether what comes before the first document has been
 * written.
 */
uint64_t tail_next(const struct tail *t, bool *opened);
/** After tail_input: an earlier run has done the records before number `next`. */
void tail_go_on(struct tail *t, uint64_t next, bool opened);
/** Returns the front without workers, or with ordered plugins: it asks these, and formats documents itself. */
struct document_sink *tail_documents(struct tail *t);
/** Any thread: appends the formatted document. */
int tail_format(const struct tail *t, struct document *doc, struct buf *out);
/** As tail's sink, for outcomes that come from workers: `formatted` is what the sink made of the document. */
int tail_take(struct tail *t, const struct outcome *outcome, struct slice formatted);
/** The last input is over: opening of an empty output, and what the encoder holds. */
int tail_finish(struct tail *t);
void tail_free(struct tail *t);

#endif
