/* SPDX-License-Identifier: MIT */
/* What `dana filter` needs to be gone on with, and whether it can be. */
#ifndef DANA_RUN_RESUME_H
#define DANA_RUN_RESUME_H

#include "run/inputs.h"

/** What its way is about outputs of an earlier run. */
enum output_way run_resume_way(const struct run_settings *s);
/** With --resume. Returns 0, or DANA_ECONFIG for an input that cannot be read again from an earlier place. */
int run_resume_check(const struct filter_inputs *in, const struct run_settings *s, struct error *err);
/** Appends what the outputs depend on: program, options, model (pipeline_config.run). Returns 0 or DANA_ENOMEM. */
int run_resume_lines(const struct run_settings *s, struct buf *out);

#endif
