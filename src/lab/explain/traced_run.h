/* SPDX-License-Identifier: MIT */
/* Runs one method over one page, with a trace that records its decisions. */
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
 * `options` name the method; for `auto` the method that it chooses is run. `url` may be empty. Returns status codes of
 * dana.h; call traced_run_free in every case. `run` must not move.
 */
int traced_run_make(struct traced_run *run, const struct dana_options *options, struct slice html, struct slice url);
void traced_run_free(struct traced_run *run);

#endif
