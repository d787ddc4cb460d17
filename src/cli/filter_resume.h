/* SPDX-License-Identifier: MIT */
/* What `dana filter` needs to be gone on with, and whether it can be. */
#ifndef DANA_CLI_FILTER_RESUME_H
#define DANA_CLI_FILTER_RESUME_H

#include "run/inputs/inputs.h"

/** What its way is about outputs of an earlier run. */
enum output_way filter_resume_way(const struct filter_settings *s);
/** With --resume: 0, or DANA_ECONFIG for an input that cannot be read again from an earlier place. */
int filter_resume_check(const struct filter_inputs *in, const struct filter_settings *s, struct error *err);
/** Appends what the outputs depend on: program, options, model (pipeline_config.run). 0 or DANA_ENOMEM. */
int filter_resume_lines(const struct filter_settings *s, struct buf *out);

#endif
