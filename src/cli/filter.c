/* SPDX-License-Identifier: MIT */
/* `dana filter`: options to pipelines, and what became of them to an exit status. */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/filter_end.h"
#include "cli/filter_inputs.h"
#include "cli/filter_stats.h"
#include "cli/method_check.h"
#include "cli/model_reader.h"
#include "cli/signals.h"
#include "config/config_file.h"
#include "config/filter_options.h"
#include "pipeline/outputs.h"
#include "pipeline/pipeline.h"

/* Lines of messages and the progress line share standard error. */
struct console {
	pthread_mutex_t lock;
	bool drawn; /* a progress line stands there */
};

struct filter_run {
	const struct filter_settings *settings;
	struct filter_inputs inputs;
	struct filter_chain chain;
	struct pipeline_config pipeline;
	struct console console;
	struct model_reader models;
	struct timespec start;
	FILE *stats_file;
	bool watched;           /* with a progress line, and a summary at the end */
	atomic_size_t next_job; /* of those with --output-dir */
	pthread_mutex_t lock;   /* guards what follows */
	struct stats stats;
	bool failed, refused, model_refused, reader_gone, stopped;
};

static void console_line(void *arg, const char *text)
{
	struct console *c = arg;
	pthread_mutex_lock(&c->lock);
	(void)fprintf(stderr, "%s%s\n", c->drawn ? "\r\033[K" : "", text);
	c->drawn = false;
	pthread_mutex_unlock(&c->lock);
}

static void console_progress(void *arg, const char *text)
{
	struct console *c = arg;
	pthread_mutex_lock(&c->lock);
	(void)fprintf(stderr, "\r\033[K%s", text);
	(void)fflush(stderr);
	c->drawn = true;
	pthread_mutex_unlock(&c->lock);
}

/* Of a terminal; 80 where that is not known. */
static unsigned console_columns(void *arg)
{
	enum { USUAL = 80, LEAST = 2 };
	struct winsize size;
	(void)arg;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return USUAL;
	return size.ws_col < LEAST ? LEAST : size.ws_col;
}

static void console_clear(struct console *c)
{
	if (c->drawn)
		(void)fputs("\r\033[K", stderr);
	c->drawn = false;
}

/* ---- jobs ---- */

static void merge(struct filter_run *run, const struct pipeline_result *result)
{
	pthread_mutex_lock(&run->lock);
	stats_add(&run->stats, &result->stats);
	run->failed |= result->failed;
	run->refused |= result->output_refused;
	run->model_refused |= result->model_refused;
	run->reader_gone |= result->reader_gone;
	run->stopped |= result->stopped;
	pthread_mutex_unlock(&run->lock);
}

static void stop_pipeline(void *pipeline)
{
	pipeline_stop(pipeline);
}

/* With --output-dir each input is a job of its own, taken by whoever is free; else all inputs are one job. */
static void run_jobs(struct filter_run *run, struct pipeline *p)
{
	const struct filter_inputs *in = &run->inputs;
	const char *output = run->settings->output;
	struct pipeline_result result;
	if (!in->outputs) {
		struct pipeline_job job = { in->names, in->n, output && strcmp(output, "-") != 0 ? output : NULL };
		pipeline_run(p, &job, &result);
		merge(run, &result);
		return;
	}
	size_t i;
	while ((i = atomic_fetch_add(&run->next_job, 1)) < in->n) {
		struct pipeline_job job = { &in->names[i], 1, in->outputs[i] };
		pipeline_run(p, &job, &result);
		merge(run, &result);
		if (result.model_refused)
			atomic_store(&run->next_job, in->n); /* the same would happen to the others, at another page */
		if (result.stopped)
			break;
	}
}

static int run_pipeline(struct filter_run *run, struct error *err)
{
	struct pipeline *p = pipeline_new(&run->pipeline, err);
	if (!p)
		return err->status;
	signals_watch(stop_pipeline, p);
	run_jobs(run, p);
	signals_unwatch(p);
	pipeline_free(p);
	return DANA_OK;
}

static void *thread_main(void *arg)
{
	struct filter_run *run = arg;
	struct error err = { 0 };
	if (run_pipeline(run, &err) < 0) {
		/* The others do this one's work. */
		pthread_mutex_lock(&run->lock);
		run->failed = true;
		pthread_mutex_unlock(&run->lock);
		command_message("filter", "%s", err.text);
	}
	return NULL;
}

/* Threads beside this one, each with a pipeline of its own. */
static int run_all(struct filter_run *run, struct error *err)
{
	size_t wanted = run->inputs.outputs ? run->settings->parallel_inputs : 1;
	if (wanted > run->inputs.n)
		wanted = run->inputs.n ? run->inputs.n : 1;
	pthread_t *threads = calloc(wanted, sizeof(*threads));
	if (!threads)
		return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	size_t n = 0;
	while (n + 1 < wanted && pthread_create(&threads[n], NULL, thread_main, run) == 0)
		n++;
	int status = run_pipeline(run, err);
	for (size_t i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);
	free(threads);
	return status;
}

/* ---- before ---- */

/*
 * Nothing is begun when any output stands in the way or cannot be written. A single output is also opened before its
 * first input; those of -O are opened one by one, because there may be more of them than a process can have open.
 */
static int check_outputs(const struct filter_run *run, struct error *err)
{
	const struct filter_settings *s = run->settings;
	const struct filter_inputs *in = &run->inputs;
	if (!in->outputs)
		return s->output && strcmp(s->output, "-") != 0 ? outputs_check(s->output, s->rejects, s->force, err)
								: DANA_OK;
	if (mkdir(s->output_dir, 0777) < 0 && errno != EEXIST)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", s->output_dir, system_text(errno));
	if (access(s->output_dir, W_OK | X_OK) < 0)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", s->output_dir, system_text(errno));
	for (size_t i = 0; i < in->n; i++) {
		int status = outputs_check(in->outputs[i], s->rejects, s->force, err);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

static int prepare(struct filter_run *run, const struct options_rest *rest, struct error *err)
{
	const struct filter_settings *s = run->settings;
	int status = method_check(s->method, err);
	if (status == DANA_OK)
		status = filter_chain_init(&run->chain, s->type, s->status, s->mime, s->min_chars, err);
	if (status == DANA_OK)
		status = filter_inputs_gather(&run->inputs, s, rest, err);
	if (status == DANA_OK)
		status = filter_inputs_spare(&run->inputs, s, err);
	if (status == DANA_OK)
		status = check_outputs(run, err);
	if (status == DANA_OK)
		status = filter_stats_open(&run->stats_file, s->stats, err);
	if (status < 0)
		return status;
	(void)model_reader_init(&run->models, s->method);
	run->pipeline = (struct pipeline_config){
		.limits = &s->limits,
		.filters = &run->chain,
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
		.force = s->force,
		.rejects = s->rejects,
		.reporter = { .line = console_line, .arg = &run->console, .quiet = s->quiet, .verbose = s->verbose },
	};
	run->chain.needs_uri = run->pipeline.format->needs_uri;
	return DANA_OK;
}

/* Bytes of all inputs; 0 when that is not known. */
static uint64_t total_bytes(const struct filter_inputs *in)
{
	uint64_t total = 0;
	for (size_t i = 0; i < in->n; i++) {
		struct stat st;
		if (strcmp(in->names[i], "-") == 0 || stat(in->names[i], &st) < 0 || !S_ISREG(st.st_mode))
			return 0;
		total += (uint64_t)st.st_size;
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
		progress_new(total_bytes(&run->inputs), console_progress, console_columns, &run->console);
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
	if (run->stopped && signals_caught() && !settings->quiet)
		filter_end_stopped(settings, &run->stats);
	if (run->watched && !settings->quiet && !run->reader_gone) {
		filter_end_summary(settings, &run->stats);
		return;
	}
	const struct stats *s = &run->stats;
	uint64_t damaged = stats_damaged(s);
	if (run->settings->quiet || run->reader_gone || (!run->settings->verbose && damaged == 0))
		return;
	command_message(NULL, "%llu record%s: %llu documents, %llu skipped, %llu damaged",
			(unsigned long long)s->records, s->records == 1 ? "" : "s", (unsigned long long)s->documents,
			(unsigned long long)stats_skipped(s), (unsigned long long)damaged);
}

/* Where the exit statuses of the README come from. */
static int exit_status(const struct filter_run *run)
{
	if (run->stopped && signals_caught())
		return 128 + signals_caught();
	if (run->failed)
		return EXIT_FAULT;
	if (run->refused || run->model_refused)
		return EXIT_USAGE;
	if (run->reader_gone)
		return EXIT_DONE;
	return stats_damaged(&run->stats) ? EXIT_DAMAGE : EXIT_DONE;
}

static int failed(const struct error *err)
{
	command_message("filter", "%s", err->text);
	return err->status == DANA_ECONFIG ? EXIT_USAGE : EXIT_FAULT;
}

static int run_filter(struct filter_run *run, const struct options_rest *rest)
{
	struct error err = { 0 };
	if (prepare(run, rest, &err) < 0)
		return failed(&err);
	if (signals_start() < 0) {
		command_message("filter", "no thread for signals");
		return EXIT_FAULT;
	}
	prepare_progress(run);
	if (filter_inputs_standard(&run->inputs) && !run->settings->quiet)
		command_tell_waiting("filter");
	int status = run_all(run, &err);
	signals_on_resize(NULL, NULL);
	progress_free(run->pipeline.progress);
	console_clear(&run->console);
	if (status < 0)
		return failed(&err);
	if (run->model_refused && model_reader_refused(&run->models, &err) < 0)
		command_message("filter", "%s", err.text);
	stats_measure(&run->stats, seconds_since(&run->start));
	summary(run);
	int code = exit_status(run);
	if (filter_stats_write(run->stats_file, run->settings->stats, &run->stats, &err) == DANA_OK)
		return code;
	command_message("filter", "%s", err.text);
	return code < 128 ? EXIT_FAULT : code;
}

static int print_settings(const struct filter_settings *s)
{
	struct buf out = { 0 };
	int status = s->print_config ? config_file_write(&filter_options, s, &out) : DANA_OK;
	if (status == DANA_OK && s->print_limits)
		status = filter_print_limits(s, &out);
	int code = status == DANA_OK ? command_print("filter", buf_slice(&out)) : EXIT_FAULT;
	buf_free(&out);
	return code;
}

int filter_run(int argc, char **argv)
{
	struct filter_settings settings;
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	struct filter_run run = { .settings = &settings };
	(void)clock_gettime(CLOCK_MONOTONIC, &run.start);
	(void)pthread_mutex_init(&run.lock, NULL);
	(void)pthread_mutex_init(&run.console.lock, NULL);
	int code = command_options(&filter_options, &settings, argc, argv, &rest);
	if (code < 0 && filter_options_resolve(&settings, command_cores(), &err) < 0)
		code = command_usage("filter", &err);
	if (code < 0)
		code = settings.print_config || settings.print_limits ? print_settings(&settings)
								      : run_filter(&run, &rest);
	filter_inputs_free(&run.inputs);
	options_rest_free(&rest);
	return code;
}
