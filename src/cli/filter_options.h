/* SPDX-License-Identifier: MIT */
/* Settings of `dana filter`. */
#ifndef DANA_CLI_FILTER_OPTIONS_H
#define DANA_CLI_FILTER_OPTIONS_H

#include "cli/options.h"
#include "run/settings.h"

enum filter_progress { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct filter_settings {
	struct run_settings run;
	const char *format, *compress; /* as written; NULL: see run.outputs.kind, which filter_options_resolve sets */
	int progress;                  /* enum filter_progress */
	const char *config;
	bool damaged_ok, print_config, print_limits;
};

extern const struct option_table filter_options;

/**
 * After options_parse: checks what excludes each other and fills what depends on other options (format and compression
 * from the name of the output, jobs from the number of cores).
 */
int filter_options_resolve(struct filter_settings *s, unsigned cores, struct error *err);
/** Appends what --print-limits prints: every limit with its option, and the memory they add up to. */
int filter_print_limits(const struct filter_settings *s, struct buf *out);

#endif
