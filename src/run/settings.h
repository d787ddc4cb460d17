/* SPDX-License-Identifier: MIT */
/* What a run over archives is to do. Texts are borrowed. The table of options of `dana filter` fills it. */
#ifndef DANA_RUN_SETTINGS_H
#define DANA_RUN_SETTINGS_H

#include "archive/limits.h"
#include "archive/plugin/plugins.h"
#include "archive/processor.h"
#include "base/diagnostics.h"
#include "base/slice.h"
#include "io/network.h"
#include "run/methods.h"
#include "run/outputs.h"

enum run_warc_version { RUN_WARC_1_1, RUN_WARC_1_0 };
enum run_revisits { RUN_REVISITS_COUNT, RUN_REVISITS_RESOLVE };
enum run_sandbox_mode { SANDBOX_MODE_AUTO, SANDBOX_MODE_OFF, SANDBOX_MODE_REQUIRE };
struct run_result;

struct run_inputs {
	const char *const
		*names; /* paths and addresses; "-": standard input, which is also read where nothing is named */
	size_t n;
	const char *list, *range, *base, *watch;
	const char *shard;    /* "R/N" and others (run/inputs.h); NULL: all */
	bool recursive;       /* folders below folders, too */
	uint64_t split_bytes; /* of the parts that inputs are cut into; 0: they are not */
	struct text_list cdx, cdx_match;
};

struct run_outputs {
	const char *file, *folder; /* one of them; "-" or none: standard output */
	struct output_kind kind;
	int schema; /* enum sink_schema */
	const char *source;
	const char *fields; /* names, joined by commas; NULL: all */
	int warc_version;   /* enum run_warc_version */
	bool rejects, force, resume;
	uint64_t checkpoint_bytes;
};

struct run_reports {
	const char *stats;   /* a file; "-": standard error; NULL: none */
	const char *page;    /* a file for the report of the run; NULL: none */
	const char *metrics; /* a file that is replaced during the run; NULL: none */
	bool quiet, verbose;
	struct notices lines;           /* of inputs and plugins: whole lines */
	struct notices messages;        /* of the run */
	struct notices progress;        /* the progress line, each time anew; `line` NULL: none is wanted */
	unsigned (*columns)(void *arg); /* of the terminal, with the `arg` of progress */
	void (*waits)(void *arg);       /* standard input is read from now on */
	void (*ended)(void *arg, const struct run_result *result); /* before the statistics are written */
	void *arg;
};

struct run_settings {
	struct run_inputs inputs;
	struct run_outputs outputs;
	struct plugins_choice choice;
	struct processor_choice records;
	int revisits;             /* enum run_revisits */
	struct text_list methods; /* the first makes the text that everything else is about */
	struct text_options text;
	bool site_auto;       /* text.site is learned from the inputs first */
	uint64_t site_window; /* bytes of pages that wait for each other (run/window.h); 0: none do */
	struct plugin_rows plugins;
	unsigned jobs, parallel_inputs;
	int sandbox;                   /* enum run_sandbox_mode */
	struct network_config network; /* `report` and `arg`: set by the run */
	struct limits limits;
	struct run_reports reports;
	struct slice option_lines; /* the options that outputs depend on, in the form of run/state_file.h */
};

#endif
