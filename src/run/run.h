/* SPDX-License-Identifier: MIT */
#ifndef DANA_RUN_RUN_H
#define DANA_RUN_RUN_H

#include "base/status.h"
#include "run/inputs.h"
#include "run/journal.h"
#include "run/pipeline.h"
#include "run/settings.h"
#include "run/watch.h"

/* The pipelines of `dana filter`: one for all inputs, or several at once that take an input each. */

/** What became of all jobs. */
struct run_result {
	struct stats stats;
	bool ran;           /* the jobs have begun */
	bool failed;        /* an input or an output */
	bool refused;       /* an output */
	bool model_refused; /* a file that a key of the method names */
	bool reader_gone;   /* of standard output */
	bool stopped;       /* by a signal */
	bool unfinished;    /* an output is not complete */
	bool resumable;     /* a FILE.part is left that can be resumed */
	size_t done_before; /* outputs that an earlier run has completed */
	size_t uncounted;   /* ... of which the statistics are not known any more */
};

/** Read only. */
struct filter_jobs_config {
	const struct pipeline_config *pipeline;
	const struct filter_inputs *inputs;
	const char *output;             /* of all inputs, where each has none of its own; NULL: standard output */
	unsigned parallel_inputs;       /* at most this many at once */
	struct filter_journal *journal; /* of outputs of their own */
	struct filter_watch *watch;     /* where inputs come from; NULL: `inputs` */
	const struct notices *messages;
};

/** Signals (run/signals.h) end the jobs early. Returns 0, or an error without which none could begin. */
int filter_jobs_run(const struct filter_jobs_config *config, struct run_result *result, struct error *err);

/* Archives to documents: a whole run, as `dana filter` does it. Once in a process, for its signals and its sandbox. */

/**
 * Returns 0 when the run is over, whatever has become of its inputs: result->failed and the others say it. Else a
 * negative status with a text in `err`: where result->ran is false nothing was done; where it is true the statistics
 * could not be written, or what was kept for --resume could not be removed.
 */
int run_archives(struct run_settings *s, struct run_result *result, struct error *err);

#endif
