/* SPDX-License-Identifier: MIT */
/* Archives to documents: a whole run, as `dana filter` does it. Once in a process, for its signals and its sandbox. */
#ifndef DANA_RUN_RUN_H
#define DANA_RUN_RUN_H

#include "archive/stats.h"
#include "base/status.h"
#include "run/settings.h"

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
	size_t unsurveyed;  /* ... of which a report that is wanted has nothing */
};

/**
 * Returns 0 when the run is over, whatever has become of its inputs: result->failed and the others say it. Else a
 * negative status with a text in `err`: where result->ran is false nothing was done; where it is true the statistics
 * could not be written, or what was kept for --resume could not be removed.
 */
int run_archives(struct run_settings *s, struct run_result *result, struct error *err);

#endif
