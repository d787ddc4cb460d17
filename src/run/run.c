/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "archive/plugin/plugins.h"
#include "run/inputs/inputs.h"
#include "run/inputs/network_of.h"
#include "run/inputs/paths.h"
#include "run/method_check.h"
#include "run/model_reader.h"
#include "run/outputs.h"
#include "run/resume.h"
#include "run/sandbox_paths.h"
#include "run/signals.h"
#include "run/stats_fields.h"
#include "run/stats_file.h"

struct run {
	struct run_settings *settings;
	struct filter_inputs inputs;
	struct plugins *plugins;
	struct pipeline_config pipeline;
	struct model_reader models;
	struct texts texts;
	struct network *network; /* NULL: all inputs are files */
	struct timespec start;
	FILE *stats_file;
	struct filter_watch *watch;     /* NULL: inputs are those of the command line */
	struct buf lines;               /* what the outputs depend on */
	struct buf methods;             /* joined by commas, terminated */
	struct filter_journal *journal; /* of --output-dir */
	struct run_result *result;
};

/* ---- before ---- */

/*
 * Nothing is begun when any output stands in the way or cannot be written. A single output is also opened before its
 * first input; those of -O are opened one by one, because there may be more of them than a process can have open.
 */
static int check_outputs(const struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const struct filter_inputs *in = &run->inputs;
	const enum output_way way = run_resume_way(s);
	if (!s->outputs.folder)
		return s->outputs.file && strcmp(s->outputs.file, "-") != 0
			       ? outputs_check(s->outputs.file, s->outputs.rejects, way, err)
			       : DANA_OK;
	if (mkdir(s->outputs.folder, 0777) < 0 && errno != EEXIST)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", s->outputs.folder, system_text(errno));
	if (access(s->outputs.folder, W_OK | X_OK) < 0)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", s->outputs.folder, system_text(errno));
	for (size_t i = 0; i < in->names.n; i++) {
		int status = outputs_check(in->outputs[i], s->outputs.rejects, way, err);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

static int load_plugins(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const struct plugins_config config = {
		.choice = s->choice,
		.rows = &s->plugins,
		.folder = DANA_PLUGIN_FOLDER,
		.max_html = s->limits.body,
		.line = s->reports.lines.line,
		.arg = s->reports.lines.arg,
		.quiet = s->reports.quiet,
		.verbose = s->reports.verbose,
	};
	run->plugins = plugins_new(&config, err);
	if (!run->plugins)
		return err->status;
	const char *ordered = plugins_ordered(run->plugins);
	if (ordered && s->inputs.watch)
		return error_set(err, DANA_ECONFIG,
				 "--watch excludes the plugin %s, which needs pages in an order: files come in any",
				 ordered);
	if (ordered && s->parallel_inputs > 1)
		return error_set(err, DANA_ECONFIG,
				 "--parallel-inputs above 1 excludes the plugin %s, which needs pages in the order of "
				 "the inputs",
				 ordered);
	return DANA_OK;
}

static int prepare(struct run *run, struct error *err)
{
	struct run_settings *s = run->settings;
	int status = methods_check(&s->methods, err);
	if (status == DANA_OK)
		status = texts_check(&s->text, &s->methods, &run->texts, err);
	if (status == DANA_OK && texts_are_json(&run->texts) && s->outputs.kind.format->needs_uri)
		status = error_set(err, DANA_ECONFIG, "--text blocks are JSON; they do not go with --format warc");
	if (status == DANA_OK && s->text.field != TEXT_FIELD_PLAIN && s->outputs.kind.format->needs_uri)
		status = error_set(err, DANA_ECONFIG,
				   "--text-field is about JSON; with --format warc give --text markdown");
	if (status == DANA_OK)
		status = load_plugins(run, err);
	if (status == DANA_OK && filter_inputs_lists_network(s))
		status = filter_network_new(&run->network, s, err);
	if (status == DANA_OK && !s->inputs.watch)
		status = filter_inputs_gather(&run->inputs, s, run->network, err);
	if (status == DANA_OK)
		status = run_resume_check(&run->inputs, s, err);
	if (status == DANA_OK)
		status = filter_paths_check(&run->inputs, s, err);
	if (status == DANA_OK)
		status = check_outputs(run, err);
	if (status == DANA_OK && s->inputs.watch)
		status = filter_watch_open(&run->watch, s, err);
	if (status == DANA_OK && run_resume_lines(s, &run->lines) < 0)
		status = error_no_memory(err);
	if (status == DANA_OK && s->outputs.folder && !s->inputs.watch)
		status = filter_journal_open(&run->journal, s->outputs.folder, &run->inputs, buf_slice(&run->lines),
					     s->outputs.resume, err);
	if (status == DANA_OK)
		status = filter_stats_open(&run->stats_file, s->reports.stats, err);
	if (status == DANA_OK && s->reports.metrics) {
		run->pipeline.metrics = metrics_file_new(s->reports.metrics, err);
		status = (int)err->status;
	}
	if (status == DANA_OK && !run->network && filter_inputs_network(&run->inputs))
		status = filter_network_new(&run->network, s, err);
	return status;
}

/* Joins the methods: the heads of outputs name all of them. */
static int name_methods(struct run *run, struct error *err)
{
	const struct text_list *methods = &run->settings->methods;
	for (unsigned i = 0; i < methods->n; i++)
		buf_printf(&run->methods, "%s%s", i ? "," : "", methods->at[i]);
	return buf_append_byte(&run->methods, 0) < 0 ? error_no_memory(err) : DANA_OK;
}

/* What all pipelines of the run are made of. */
static void describe_pipeline(struct run *run)
{
	const struct run_settings *s = run->settings;
	run->pipeline = (struct pipeline_config){
		.limits = &s->limits,
		.plugins = run->plugins,
		.take_unreadable = s->choice.min_chars == 0,
		.check_digests = (enum digest_check)s->check_digests,
		.require_digest = s->require_digest,
		.method = s->methods.at[0],
		.texts = run->texts,
		.read_file = model_reader_read,
		.read_arg = &run->models,
		.jobs = s->jobs,
		.format = s->outputs.kind.format,
		.sink = { .schema = (enum sink_schema)s->outputs.schema,
			  .source = s->outputs.source,
			  .warc_1_0 = s->outputs.warc_version == RUN_WARC_1_0,
			  .software = PACKAGE_NAME "/" PACKAGE_VERSION,
			  .method = (const char *)run->methods.data,
			  .without_plain = run->texts.without_plain },
		.encoding = s->outputs.kind.encoder,
		.level = s->outputs.kind.level,
		.way = run_resume_way(s),
		.run = buf_slice(&run->lines),
		.checkpoint_bytes = s->outputs.checkpoint_bytes,
		.keep_state = run->journal == NULL && !s->inputs.watch,
		.complete = run->journal ? filter_journal_add : NULL,
		.complete_arg = run->journal,
		.rejects = s->outputs.rejects,
		.network = run->network,
		.metrics = run->pipeline.metrics,
		.reporter = { .line = s->reports.lines.line,
			      .arg = s->reports.lines.arg,
			      .quiet = s->reports.quiet,
			      .verbose = s->reports.verbose },
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

static void prepare_progress(struct run *run)
{
	const struct run_reports *r = &run->settings->reports;
	if (!r->progress.line)
		return;
	run->pipeline.progress = progress_new(total_bytes(&run->inputs), r->progress.line, r->columns, r->progress.arg);
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

static int run_jobs(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const struct filter_jobs_config jobs = {
		.pipeline = &run->pipeline,
		.inputs = &run->inputs,
		.output = s->outputs.file && strcmp(s->outputs.file, "-") != 0 ? s->outputs.file : NULL,
		.parallel_inputs = s->parallel_inputs,
		.journal = run->journal,
		.watch = run->watch,
		.messages = &s->reports.messages,
	};
	return filter_jobs_run(&jobs, run->result, err);
}

static int write_stats(struct run *run, struct error *err)
{
	struct run_result *r = run->result;
	struct buf done = { 0 };
	/* Nothing was done, and nothing is known of the run that did it: then its own statistics stay, if it wrote any.
	 */
	if (r->uncounted && r->stats.inputs == 0 && filter_stats_keep(run->stats_file))
		return DANA_OK;
	/* What --cdx reads are pieces, and what --watch finds has no end: neither is a list of inputs. */
	if (run->stats_file && !run->inputs.pieces && !run->settings->inputs.watch &&
	    filter_inputs_done(&run->inputs, &done) < 0)
		return error_no_memory(err);
	r->stats.shard = run->inputs.share.number;
	r->stats.shards = run->inputs.share.count;
	int status =
		filter_stats_write(run->stats_file, run->settings->reports.stats, &r->stats, buf_slice(&done), err);
	buf_free(&done);
	return status;
}

/*
 * All is reported: what was kept for a resumed run can go, unless there will be one. Where an input of
 * several outputs could not be opened, --resume takes it when it can be, and counts what this run has done; what
 * ordered plugins have saved is of no use then, because it knows of inputs that come after that one.
 */
static int forget(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const bool taken_later = run->journal && !plugins_ordered(run->plugins);
	if (run->result->stopped || run->result->resumable ||
	    (run->result->failed && (run->result->unfinished || taken_later)))
		return DANA_OK;
	if (filter_journal_remove(run->journal, err) < 0)
		return (int)err->status;
	if (s->outputs.file && part_file_is_final(s->outputs.file) && outputs_remove_state(s->outputs.file, err) < 0)
		return (int)err->status;
	plugins_run_over(run->plugins);
	return DANA_OK;
}

static int work(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	struct run_result *result = run->result;
	int status = prepare(run, err);
	if (status == DANA_OK)
		status = name_methods(run, err);
	if (status == DANA_OK)
		status = filter_sandbox_enter(s, &run->inputs, run->plugins, err);
	if (status < 0)
		return status;
	describe_pipeline(run);
	if (signals_start() < 0)
		return error_set(err, DANA_ENOMEM, "%s", NO_THREAD_TEXT);
	prepare_progress(run);
	if (filter_inputs_standard(&run->inputs) && !s->reports.quiet)
		s->reports.waits(s->reports.arg);
	status = run_jobs(run, err);
	signals_on_resize(NULL, NULL);
	progress_free(run->pipeline.progress);
	if (status < 0)
		return status;
	if (result->model_refused && model_reader_refused(&run->models, err) < 0)
		notice(&s->reports.messages, "%s", err->text);
	stats_measure(&result->stats, seconds_since(&run->start));
	result->ran = true;
	s->reports.ended(s->reports.arg, result);
	status = write_stats(run, err);
	if (status == DANA_OK && run->pipeline.metrics)
		status = metrics_file_end(run->pipeline.metrics, &result->stats, err);
	return status == DANA_OK ? forget(run, err) : status;
}

int run_archives(struct run_settings *s, struct run_result *result, struct error *err)
{
	struct run run = { .settings = s, .result = result };
	*result = (struct run_result){ 0 };
	(void)clock_gettime(CLOCK_MONOTONIC, &run.start);
	model_reader_init(&run.models, s->methods.at, s->methods.n);
	int status = work(&run, err);
	result->failed |= run.inputs.incomplete;
	metrics_file_free(run.pipeline.metrics);
	filter_journal_close(run.journal);
	filter_watch_free(run.watch);
	buf_free(&run.lines);
	buf_free(&run.methods);
	model_reader_free(&run.models);
	network_free(run.network);
	filter_inputs_free(&run.inputs);
	plugins_free(run.plugins);
	return status;
}
