/* SPDX-License-Identifier: MIT */
/* `dana filter`: options to pipelines, and what became of them to an exit status. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "archive/plugin/plugins.h"
#include "cli/command.h"
#include "cli/filter_console.h"
#include "cli/filter_end.h"
#include "cli/filter_print.h"
#include "cli/filter_resume.h"
#include "cli/method_check.h"
#include "cli/options/filter_options.h"
#include "run/inputs/inputs.h"
#include "run/inputs/network_of.h"
#include "run/inputs/paths.h"
#include "run/jobs.h"
#include "run/model_reader.h"
#include "run/outputs.h"
#include "run/sandbox_paths.h"
#include "run/signals.h"
#include "run/stats_fields.h"
#include "run/stats_file.h"

struct filter_run {
	const struct filter_settings *settings;
	struct filter_inputs inputs;
	struct plugins *plugins;
	struct pipeline_config pipeline;
	struct filter_console console;
	struct model_reader models;
	struct network *network; /* NULL: all inputs are files */
	struct timespec start;
	FILE *stats_file;
	struct filter_watch *watch;     /* NULL: inputs are those of the command line */
	struct buf lines;               /* what the outputs depend on */
	struct filter_journal *journal; /* of --output-dir */
	bool watched;                   /* with a progress line, and a summary at the end */
	struct filter_result result;
};

/* ---- before ---- */

/*
 * Nothing is begun when any output stands in the way or cannot be written. A single output is also opened before its
 * first input; those of -O are opened one by one, because there may be more of them than a process can have open.
 */
static int check_outputs(const struct filter_run *run, struct error *err)
{
	const struct filter_settings *s = run->settings;
	const struct filter_inputs *in = &run->inputs;
	const enum output_way way = filter_resume_way(s);
	if (!s->output_dir)
		return s->output && strcmp(s->output, "-") != 0 ? outputs_check(s->output, s->rejects, way, err)
								: DANA_OK;
	if (mkdir(s->output_dir, 0777) < 0 && errno != EEXIST)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", s->output_dir, system_text(errno));
	if (access(s->output_dir, W_OK | X_OK) < 0)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", s->output_dir, system_text(errno));
	for (size_t i = 0; i < in->names.n; i++) {
		int status = outputs_check(in->outputs[i], s->rejects, way, err);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

static int load_plugins(struct filter_run *run, struct error *err)
{
	const struct filter_settings *s = run->settings;
	const struct plugins_config config = {
		.choice = { .types = s->type, .statuses = s->status, .mimes = s->mime, .min_chars = s->min_chars },
		.rows = &s->plugins,
		.folder = DANA_PLUGIN_FOLDER,
		.max_html = s->limits.body,
		.line = filter_console_line,
		.arg = &run->console,
		.quiet = s->quiet,
		.verbose = s->verbose,
	};
	run->plugins = plugins_new(&config, err);
	if (!run->plugins)
		return err->status;
	const char *ordered = plugins_ordered(run->plugins);
	if (ordered && s->watch)
		return error_set(err, DANA_ECONFIG,
				 "--watch excludes the plugin %s, which needs pages in an order: files come in any",
				 ordered);
	if (ordered && s->parallel_inputs > 1)
		return error_set(
			err, DANA_ECONFIG,
			"--parallel-inputs above 1 excludes the plugin %s, which needs pages in the order of the inputs",
			ordered);
	return DANA_OK;
}

static int prepare(struct filter_run *run, const struct options_rest *rest, struct error *err)
{
	const struct filter_settings *s = run->settings;
	int status = method_check(s->method, err);
	if (status == DANA_OK)
		status = load_plugins(run, err);
	if (status == DANA_OK && filter_inputs_lists_network(s))
		status = filter_network_new(&run->network, s, &run->console, err);
	if (status == DANA_OK && !s->watch)
		status = filter_inputs_gather(&run->inputs, s, rest, run->network, err);
	if (status == DANA_OK)
		status = filter_resume_check(&run->inputs, s, err);
	if (status == DANA_OK)
		status = filter_paths_check(&run->inputs, s, err);
	if (status == DANA_OK)
		status = check_outputs(run, err);
	if (status == DANA_OK && s->watch)
		status = filter_watch_open(&run->watch, s, rest, &run->console, err);
	if (status == DANA_OK && filter_resume_lines(s, &run->lines) < 0)
		status = error_no_memory(err);
	if (status == DANA_OK && s->output_dir && !s->watch)
		status = filter_journal_open(&run->journal, s->output_dir, &run->inputs, buf_slice(&run->lines),
					     s->resume, err);
	if (status == DANA_OK)
		status = filter_stats_open(&run->stats_file, s->stats, err);
	if (status == DANA_OK && !run->network && filter_inputs_network(&run->inputs))
		status = filter_network_new(&run->network, s, &run->console, err);
	return status;
}

/* What all pipelines of the run are made of. */
static void describe_pipeline(struct filter_run *run)
{
	const struct filter_settings *s = run->settings;
	run->pipeline = (struct pipeline_config){
		.limits = &s->limits,
		.plugins = run->plugins,
		.take_unreadable = s->min_chars == 0,
		.require_digest = s->require_digest,
		.method = s->method,
		.read_file = model_reader_read,
		.read_arg = &run->models,
		.jobs = s->jobs,
		.format = s->kind.format,
		.sink = { .schema = (enum sink_schema)s->schema,
			  .source = s->source,
			  .warc_1_0 = s->warc_version == FILTER_WARC_1_0,
			  .software = PACKAGE_NAME "/" PACKAGE_VERSION,
			  .method = s->method },
		.encoding = s->kind.encoder,
		.level = s->kind.level,
		.way = filter_resume_way(s),
		.run = buf_slice(&run->lines),
		.checkpoint_bytes = s->checkpoint_bytes,
		.keep_state = run->journal == NULL && !s->watch,
		.complete = run->journal ? filter_journal_add : NULL,
		.complete_arg = run->journal,
		.rejects = s->rejects,
		.network = run->network,
		.reporter = { .line = filter_console_line,
			      .arg = &run->console,
			      .quiet = s->quiet,
			      .verbose = s->verbose },
	};
}

/* Bytes of all inputs; 0 when that is not known. */
static uint64_t total_bytes(const struct filter_inputs *in)
{
	uint64_t total = 0;
	for (size_t i = 0; i < in->n_pieces; i++)
		total += in->pieces[i].length;
	for (size_t i = 0; !in->pieces && i < in->names.n; i++) {
		struct stat st;
		if (strcmp(in->names.items[i], "-") == 0 || stat(in->names.items[i], &st) < 0 || !S_ISREG(st.st_mode))
			return 0;
		const struct input_range r = in->ranges[i];
		const uint64_t size = (uint64_t)st.st_size, end = r.end && r.end < size ? r.end : size;
		total += end > r.begin ? end - r.begin : 0;
	}
	return total;
}

static void redraw(void *progress)
{
	progress_redraw(progress);
}

static void prepare_progress(struct filter_run *run)
{
	const struct filter_settings *s = run->settings;
	bool wanted =
		s->progress == PROGRESS_ALWAYS || (s->progress == PROGRESS_AUTO && !s->quiet && isatty(STDERR_FILENO));
	if (!wanted)
		return;
	run->watched = true;
	run->pipeline.progress =
		progress_new(total_bytes(&run->inputs), filter_console_progress, filter_console_columns, &run->console);
	if (run->pipeline.progress)
		signals_on_resize(redraw, run->pipeline.progress);
}

/* ---- after ---- */

static double seconds_since(const struct timespec *start)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static void summary(const struct filter_run *run)
{
	const struct filter_settings *settings = run->settings;
	if (!settings->quiet)
		filter_end_resumed(settings, &run->result);
	if (run->result.stopped && signals_caught() && !settings->quiet)
		filter_end_stopped(settings, &run->result);
	else
		filter_end_failed(settings, &run->result);
	if (run->watched && !settings->quiet && !run->result.reader_gone) {
		filter_end_summary(settings, &run->result.stats);
		return;
	}
	const struct stats *s = &run->result.stats;
	uint64_t damaged = stats_damaged(s);
	if (run->settings->quiet || run->result.reader_gone || (!run->settings->verbose && damaged == 0))
		return;
	command_message(NULL, "%llu record%s: %llu documents, %llu skipped, %llu damaged",
			(unsigned long long)s->records, s->records == 1 ? "" : "s", (unsigned long long)s->documents,
			(unsigned long long)stats_skipped(s), (unsigned long long)damaged);
}

/* Where the exit statuses of the README come from. */
static int exit_status(const struct filter_run *run)
{
	if (run->result.stopped && signals_caught())
		return 128 + signals_caught();
	if (run->result.failed || run->inputs.incomplete)
		return EXIT_FAULT;
	if (run->result.refused || run->result.model_refused)
		return EXIT_USAGE;
	if (run->result.reader_gone)
		return EXIT_DONE;
	return stats_damaged(&run->result.stats) ? EXIT_DAMAGE : EXIT_DONE;
}

static int failed(const struct error *err)
{
	command_message("filter", "%s", err->text);
	return err->status == DANA_ECONFIG || err->status == DANA_EPLUGIN ? EXIT_USAGE : EXIT_FAULT;
}

static int run_jobs(struct filter_run *run, struct error *err)
{
	const struct filter_settings *s = run->settings;
	const struct filter_jobs_config jobs = {
		.pipeline = &run->pipeline,
		.inputs = &run->inputs,
		.output = s->output && strcmp(s->output, "-") != 0 ? s->output : NULL,
		.parallel_inputs = s->parallel_inputs,
		.journal = run->journal,
		.watch = run->watch,
	};
	return filter_jobs_run(&jobs, &run->result, err);
}

static int write_stats(struct filter_run *run, struct error *err)
{
	const struct filter_result *r = &run->result;
	/* Nothing was done, and nothing is known of the run that did it: then its own statistics stay, if it wrote any. */
	if (r->uncounted && r->stats.inputs == 0 && filter_stats_keep(run->stats_file))
		return DANA_OK;
	return filter_stats_write(run->stats_file, run->settings->stats, &r->stats, err);
}

/*
 * All is told: what was kept for a run that is gone on with can go, unless there will be one. Where an input of several outputs
 * could not be opened, --resume takes it when it can be, and counts what this run has done; what ordered plugins have saved is of no
 * use then, because it knows of inputs that come after that one.
 */
static int forget(struct filter_run *run, struct error *err)
{
	const struct filter_settings *s = run->settings;
	const bool taken_later = run->journal && !plugins_ordered(run->plugins);
	if (run->result.stopped || run->result.resumable ||
	    (run->result.failed && (run->result.unfinished || taken_later)))
		return DANA_OK;
	if (filter_journal_remove(run->journal, err) < 0)
		return (int)err->status;
	if (s->output && output_is_final(s->output) && outputs_remove_state(s->output, err) < 0)
		return (int)err->status;
	plugins_run_over(run->plugins);
	return DANA_OK;
}

static int run_filter(struct filter_run *run, const struct options_rest *rest)
{
	struct error err = { 0 };
	if (prepare(run, rest, &err) < 0 || filter_sandbox_enter(run->settings, &run->inputs, run->plugins, &err) < 0)
		return failed(&err);
	describe_pipeline(run);
	if (signals_start() < 0) {
		command_message("filter", "%s", NO_THREAD_TEXT);
		return EXIT_FAULT;
	}
	prepare_progress(run);
	if (filter_inputs_standard(&run->inputs) && !run->settings->quiet)
		command_tell_waiting("filter");
	int status = run_jobs(run, &err);
	signals_on_resize(NULL, NULL);
	progress_free(run->pipeline.progress);
	filter_console_clear(&run->console);
	if (status < 0)
		return failed(&err);
	if (run->result.model_refused && model_reader_refused(&run->models, &err) < 0)
		command_message("filter", "%s", err.text);
	stats_measure(&run->result.stats, seconds_since(&run->start));
	summary(run);
	int code = exit_status(run);
	if (write_stats(run, &err) == DANA_OK && forget(run, &err) == DANA_OK)
		return code;
	command_message("filter", "%s", err.text);
	return code < 128 ? EXIT_FAULT : code;
}

static int run_settings(const struct filter_settings *s, struct filter_run *run, const struct options_rest *rest)
{
	run->settings = s;
	filter_console_init(&run->console);
	(void)model_reader_init(&run->models, s->method);
	int code = run_filter(run, rest);
	filter_journal_close(run->journal);
	filter_watch_free(run->watch);
	buf_free(&run->lines);
	model_reader_free(&run->models);
	network_free(run->network);
	filter_console_free(&run->console);
	filter_inputs_free(&run->inputs);
	plugins_free(run->plugins);
	return code;
}

int filter_run(int argc, char **argv)
{
	struct filter_settings settings;
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	struct filter_run run = { 0 };
	(void)clock_gettime(CLOCK_MONOTONIC, &run.start);
	int code = command_options(&filter_options, &settings, argc, argv, &rest);
	if (code < 0 && filter_options_resolve(&settings, command_cores(), &err) < 0)
		code = command_usage("filter", &err);
	if (code < 0)
		code = settings.print_config || settings.print_limits ? filter_print(&settings)
								      : run_settings(&settings, &run, &rest);
	options_rest_free(&rest);
	return code;
}
