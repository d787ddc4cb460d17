/* SPDX-License-Identifier: MIT */
/* What people see of a run: the line of progress, and reports on inputs. */
#ifndef DANA_RUN_REPORT_H
#define DANA_RUN_REPORT_H

#include "archive/document.h"
#include "archive/stats.h"

/*
 * How far a run is, for a line on a terminal. Several pipelines add to one object.
 * Threads: any; the object has a lock.
 */

enum { PROGRESS_TICK_MS = 500 };
struct progress;

/**
 * `total`: bytes of all inputs, 0 = unknown. `draw(arg, line)` gets a line that leaves the last of the terminal's
 * `columns(arg)` (at least 2) free, at most twice a second, never from two threads at once. On a narrow terminal the
 * line has fewer parts.
 */
struct progress *progress_new(uint64_t total, void (*draw)(void *arg, const char *line), unsigned (*columns)(void *arg),
			      void *arg);

/** Draws now: the terminal has another size. */
void progress_redraw(struct progress *p);
/** Adds what an earlier run has done, which took no time of this one. */
void progress_pass(struct progress *p, const struct stats *done);
/** Adds what `now` has more than `before`, and draws when it is time. */
void progress_add(struct progress *p, const struct stats *before, const struct stats *now);
void progress_free(struct progress *p);

/*
 * What is reported during a run: damaged records with file, offset and reason, faults, charsets that this
 * system cannot read, and with `verbose` what was skipped. Bytes of the input are made printable. Repeated reports on
 * one input are summed up. Threads: a reporter belongs to one thread; `line` may be called from several reporters at
 * once.
 */

struct buf;
struct fields;

enum { REPORTS_MOST = 20 }; /* on one input; more are counted */

struct reporter {
	void (*line)(void *arg, const char *text); /* without a line feed */
	void *arg;
	bool quiet;                         /* faults only */
	const struct plugin_names *plugins; /* as in struct stats */
	bool verbose;                       /* skipped records too, and no summing up */
	/* Of this input: */
	uint64_t reported, unreported;
	uint64_t others; /* documents and damaged records */
	uint64_t skipped[SKIP_REASONS];
	uint64_t types[RECORD_TYPES]; /* of those skipped for their type */
};

/**
 * What became of a record; reports damaged ones, documents in spite of damage, the first that was skipped for its
 * charset, and with `verbose` all that were skipped.
 */
void report_outcome(struct reporter *r, const char *file, const struct outcome *outcome);
/**
 * The input is over: how many more damaged records there were; and where no record was written or damaged, why they
 * were all passed over and which option takes them, unless only a part of it was read (`broken_off`).
 */
void report_input_end(struct reporter *r, const char *file, bool broken_off);
/** Appends what has been counted of the input under way as fields (run/state_file.h); reads it again. */
void report_save(const struct reporter *r, struct buf *list);
void report_load(struct reporter *r, struct fields *list);
/** Reports a fault of the run (a file that cannot be read), quiet or not. `file` may be NULL. */
void report_fault(struct reporter *r, const char *file, const char *text);

#endif
