/* SPDX-License-Identifier: MIT */
/* One method over one page, with a trace that records what it decides. */
#ifndef DANA_EXPLAIN_TRACED_RUN_H
#define DANA_EXPLAIN_TRACED_RUN_H

#include "dana/dana.h"
#include "lab/explain/recording.h"

struct traced_run {
	struct recording recording;
	struct trace trace;
	struct dana_extractor *extractor;
	struct dana_text text; /* borrowed from the extractor */
};

/**
 * `options` name the method. Where that is a choice of two (auto), the one chosen is run. `url` may be empty. Status
 * codes of dana.h; traced_run_free in every case. `run` must stay where it is.
 */
int traced_run_make(struct traced_run *run, const struct dana_options *options, struct slice html, struct slice url);
void traced_run_free(struct traced_run *run);

#endif
