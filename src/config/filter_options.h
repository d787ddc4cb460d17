/* Settings of `dana filter`. */
#ifndef DANA_CONFIG_FILTER_OPTIONS_H
#define DANA_CONFIG_FILTER_OPTIONS_H

#include "config/option.h"
#include "stream/limits.h"

enum filter_format { FORMAT_JSONL, FORMAT_WARC };
enum filter_schema {
	FILTER_SCHEMA_DANA,
	FILTER_SCHEMA_DATATROVE,
	FILTER_SCHEMA_DOLMA
}; /* numbers of enum sink_schema */
enum filter_warc_version { FILTER_WARC_1_1, FILTER_WARC_1_0 };
enum filter_progress { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };
enum filter_compress { COMPRESS_NONE, COMPRESS_GZIP, COMPRESS_ZSTD };

struct filter_settings {
	const char *output; /* NULL: standard output, or output_dir; "-": standard output */
	const char *output_dir;
	int format;           /* enum filter_format */
	const char *compress; /* as written; see compress_kind */
	const char *method;
	unsigned jobs, parallel_inputs;
	const char *list;
	const char *status, *mime, *type; /* for filter_chain_init */
	uint64_t min_chars;
	int schema;       /* enum filter_schema */
	int warc_version; /* enum filter_warc_version */
	bool rejects;
	const char *stats;
	bool force;
	int progress; /* enum filter_progress */
	bool quiet, verbose;
	const char *config;
	bool print_config, print_limits;
	struct limits limits;
	/* Set by filter_options_resolve. */
	enum filter_compress compress_kind;
	int compress_level; /* 0: the format's default */
};

extern const struct option_table filter_options;

/**
 * After options_parse: checks what excludes each other and fills what depends on other options (format and compression
 * from the name of the output, jobs from the number of cores). 0 or DANA_ECONFIG.
 */
int filter_options_resolve(struct filter_settings *s, unsigned cores, struct error *err);
/** "none", "gzip", "zstd": the name for encoder_find. */
const char *filter_compress_name(enum filter_compress kind);
/** Appends what --print-limits prints: every limit with its option, and the memory they add up to. */
int filter_print_limits(const struct filter_settings *s, struct buf *out);

#endif
