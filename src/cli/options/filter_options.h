/* SPDX-License-Identifier: MIT */
/* Settings of `dana filter`. */
#ifndef DANA_CONFIG_FILTER_OPTIONS_H
#define DANA_CONFIG_FILTER_OPTIONS_H

#include "archive/plugin/plugin_rows.h"
#include "archive/stream/limits.h"
#include "cli/options/option.h"
#include "run/output_kind.h"

enum filter_warc_version { FILTER_WARC_1_1, FILTER_WARC_1_0 };
enum filter_sandbox_mode { SANDBOX_MODE_AUTO, SANDBOX_MODE_OFF, SANDBOX_MODE_REQUIRE };
enum filter_progress { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct filter_settings {
	const char *output; /* NULL: standard output, or output_dir; "-": standard output */
	const char *output_dir;
	const char *format, *compress; /* as written; NULL: see `kind` */
	const char *method;
	struct plugin_rows plugins;
	unsigned jobs, parallel_inputs;
	const char *list, *range, *base, *watch;
	struct option_texts cdx, cdx_match;
	unsigned connections;
	uint64_t retry_time; /* seconds */
	const char *user_agent, *ca_file, *proxy;
	bool insecure;
	const char *status, *mime, *type; /* of the built-in filters */
	uint64_t min_chars;
	bool require_digest;
	int schema; /* enum sink_schema */
	const char *source;
	int warc_version; /* enum filter_warc_version */
	bool rejects;
	const char *stats;
	bool force, resume;
	uint64_t checkpoint_bytes;
	int progress; /* enum filter_progress */
	int sandbox;  /* enum filter_sandbox_mode */
	bool quiet, verbose;
	const char *config;
	bool print_config, print_limits;
	struct limits limits;
	/* Set by filter_options_resolve. */
	struct output_kind kind;
};

extern const struct option_table filter_options;

/**
 * After options_parse: checks what excludes each other and fills what depends on other options (format and compression
 * from the name of the output, jobs from the number of cores). 0 or DANA_ECONFIG.
 */
int filter_options_resolve(struct filter_settings *s, unsigned cores, struct error *err);
/** Appends what --print-limits prints: every limit with its option, and the memory they add up to. */
int filter_print_limits(const struct filter_settings *s, struct buf *out);

#endif
