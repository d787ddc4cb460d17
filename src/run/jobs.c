/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "archive/plugin/plugins.h"
#include "run/signals.h"

struct jobs {
	const struct filter_jobs_config *config;
	atomic_size_t next;   /* input, where each has an output of its own */
	pthread_mutex_t lock; /* guards the result */
	struct run_result *result;
};

static void merge(struct jobs *jobs, const struct pipeline_result *one)
{
	struct run_result *all = jobs->result;
	pthread_mutex_lock(&jobs->lock);
	stats_add(&all->stats, &one->stats);
	all->failed |= one->failed;
	all->refused |= one->output_refused;
	all->model_refused |= one->model_refused;
	all->reader_gone |= one->reader_gone;
	all->stopped |= one->stopped;
	all->unfinished |= one->unfinished;
	all->resumable |= one->resumable;
	all->done_before += one->done_before;
	all->uncounted += one->done_before && !one->counted;
	pthread_mutex_unlock(&jobs->lock);
}

static void stop_pipeline(void *pipeline)
{
	pipeline_stop(pipeline);
}

/* What an earlier run has counted of an output that it has completed. */
static void find_counts(const struct jobs *jobs, const struct pipeline_job *job, struct pipeline_result *result,
			struct slice *counts)
{
	static const struct stats none;
	struct stats stats = result->stats;
	if (!filter_journal_find(jobs->config->journal, job->output, counts) || !pipeline_counts(*counts, &stats))
		return;
	result->stats = stats;
	result->counted = true;
	if (job->done)
		job->done[0] = true;
	if (jobs->config->pipeline->progress)
		progress_pass(jobs->config->pipeline->progress, &stats);
	if (jobs->config->pipeline->metrics)
		metrics_file_add(jobs->config->pipeline->metrics, &none, &stats);
}

/* No job has come after the last one that an earlier run has done: ordered plugins finish from there, or not at all. */
static void restore(struct jobs *jobs, struct pipeline *p, struct slice counts)
{
	struct error err = { 0 };
	if (counts.len == 0 || pipeline_restore(p, counts, &err) == DANA_OK)
		return;
	pthread_mutex_lock(&jobs->lock);
	jobs->result->failed = jobs->result->unfinished = true;
	pthread_mutex_unlock(&jobs->lock);
	notice(jobs->config->messages, "%s", err.text);
}

/*
 * A model that is refused, or a plugin that fails, would do so again at another page. Ordered plugins must see the
 * pages of this job, which are not all written, before those of the next ones.
 */
static bool ends_all(const struct jobs *jobs, const struct pipeline_result *one)
{
	return one->model_refused || one->plugin_failed ||
	       (one->unfinished && plugins_ordered(jobs->config->pipeline->plugins));
}

/* Where each input has an output it is a job of its own, taken by whoever is free; else all inputs are one job. */
static void run_inputs(struct jobs *jobs, struct pipeline *p)
{
	const struct filter_inputs *in = jobs->config->inputs;
	struct pipeline_result result;
	if (!in->outputs) {
		struct pipeline_job job = { .inputs = in->names.items,
					    .addresses = in->addresses.items,
					    .n_inputs = in->names.n,
					    .ranges = in->ranges,
					    .done = in->pieces ? NULL : in->done,
					    .pieces = in->pieces,
					    .n_pieces = in->n_pieces,
					    .indexes = in->indexes.items,
					    .output = jobs->config->output };
		pipeline_run(p, &job, &result);
		merge(jobs, &result);
		return;
	}
	struct slice done = { NULL, 0 };
	size_t i;
	while ((i = atomic_fetch_add(&jobs->next, 1)) < in->names.n) {
		const size_t *starts = in->piece_starts ? &in->piece_starts[i] : NULL;
		struct pipeline_job job = { .inputs = &in->names.items[i],
					    .addresses = in->addresses.n ? &in->addresses.items[i] : NULL,
					    .n_inputs = 1,
					    .ranges = in->ranges ? &in->ranges[i] : NULL,
					    .done = in->pieces ? NULL : &in->done[i],
					    .pieces = starts ? &in->pieces[starts[0]] : NULL,
					    .n_pieces = starts ? starts[1] - starts[0] : 0,
					    .indexes = in->indexes.items,
					    .output = in->outputs[i],
					    .restore = done };
		pipeline_run(p, &job, &result);
		if (result.done_before)
			find_counts(jobs, &job, &result, &done);
		else
			done = slice_of(NULL, 0);
		merge(jobs, &result);
		if (ends_all(jobs, &result))
			atomic_store(&jobs->next, in->names.n);
		if (result.stopped)
			break;
	}
	restore(jobs, p, done);
}

/* What a fault ends that the next file would have as well; any other one is that of its file only. */
static void run_watched(struct jobs *jobs, struct pipeline *p)
{
	struct filter_watch *watch = jobs->config->watch;
	struct pipeline_result result = { .stopped = false };
	struct watch_file *file;
	while (!result.stopped && (file = filter_watch_next(watch))) {
		const char *input = file->input;
		const struct pipeline_job job = { .inputs = &input, .n_inputs = 1, .output = file->output };
		pipeline_run(p, &job, &result);
		filter_watch_over(watch, file);
		merge(jobs, &result);
		if (ends_all(jobs, &result))
			filter_watch_stop(watch);
	}
}

static void run_jobs(struct jobs *jobs, struct pipeline *p)
{
	if (jobs->config->watch)
		run_watched(jobs, p);
	else
		run_inputs(jobs, p);
}

/* Ordered plugins finish when all outputs are complete, also where an input could not be opened; there is one pipeline
 * then. */
static void finish(struct jobs *jobs, struct pipeline *p)
{
	struct run_result *all = jobs->result;
	struct error err = { 0 };
	pthread_mutex_lock(&jobs->lock);
	if (!all->unfinished && !all->refused && !all->model_refused && !all->reader_gone && !all->stopped &&
	    pipeline_finish(p, &err) < 0) {
		all->failed = true;
		all->unfinished = true; /* the state stays, and --resume finishes what plugins have to write */
		notice(jobs->config->messages, "%s", err.text);
	}
	pthread_mutex_unlock(&jobs->lock);
}

static int run_pipeline(struct jobs *jobs, struct error *err)
{
	struct pipeline *p = pipeline_new(jobs->config->pipeline, err);
	if (!p)
		return err->status;
	signals_watch(stop_pipeline, p);
	run_jobs(jobs, p);
	signals_unwatch(p);
	finish(jobs, p);
	pipeline_free(p);
	return DANA_OK;
}

static void *thread_main(void *arg)
{
	struct jobs *jobs = arg;
	struct error err = { 0 };
	if (run_pipeline(jobs, &err) < 0) {
		/* The others do this one's work. */
		pthread_mutex_lock(&jobs->lock);
		jobs->result->failed = true;
		pthread_mutex_unlock(&jobs->lock);
		notice(jobs->config->messages, "%s", err.text);
	}
	return NULL;
}

/* Threads beside this one, each with a pipeline of its own. */
static int run_threads(struct jobs *jobs, size_t wanted, struct error *err)
{
	pthread_t *threads = calloc(wanted, sizeof(*threads));
	if (!threads)
		return error_no_memory(err);
	size_t n = 0;
	while (n + 1 < wanted && pthread_create(&threads[n], NULL, thread_main, jobs) == 0)
		n++;
	int status = run_pipeline(jobs, err);
	for (size_t i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);
	free(threads);
	return status;
}

static size_t threads_wanted(const struct filter_jobs_config *config)
{
	const size_t inputs = config->inputs->outputs ? config->inputs->names.n : 1;
	return config->watch || config->parallel_inputs < inputs ? config->parallel_inputs : inputs ? inputs : 1;
}

/* The watch ends after the jobs: what it has found is theirs until then. */
static int run_watch(struct jobs *jobs, struct error *err)
{
	struct filter_watch *watch = jobs->config->watch;
	size_t done_before;
	int status = filter_watch_start(watch, err);
	if (status < 0)
		return status;
	signals_watch(filter_watch_stop, watch);
	status = run_threads(jobs, threads_wanted(jobs->config), err);
	signals_unwatch(watch);
	jobs->result->failed |= !filter_watch_end(watch, &done_before);
	jobs->result->done_before += done_before;
	jobs->result->stopped |= signals_caught() != 0;
	return status;
}

int filter_jobs_run(const struct filter_jobs_config *config, struct run_result *result, struct error *err)
{
	struct jobs jobs = { .config = config, .result = result };
	*result = (struct run_result){ 0 };
	(void)pthread_mutex_init(&jobs.lock, NULL);
	int status = config->watch ? run_watch(&jobs, err) : run_threads(&jobs, threads_wanted(config), err);
	(void)pthread_mutex_destroy(&jobs.lock);
	return status;
}
