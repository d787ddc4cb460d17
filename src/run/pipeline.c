/* SPDX-License-Identifier: MIT */
/* Jobs: their outputs, and their inputs one after the other. */
#include "config.h"

#include "run/pipeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file/path.h"
#include "io/output.h"
#include "run/pipeline_state.h"

/* Those who look get what has come since they were shown the counters last. */
static void show(struct pipeline *p)
{
	const struct stats *now = &p->result->stats;
	if (p->config.progress)
		progress_add(p->config.progress, &p->shown, now);
	if (p->config.metrics)
		metrics_file_add(p->config.metrics, &p->shown, now);
	p->shown = *now;
}

static void on_tick(void *arg)
{
	struct pipeline *p = arg;
	if (p->source)
		pipeline_count_input(p);
	show(p);
}

static bool job_open_outputs(struct pipeline *p, const char *output)
{
	struct error err = { 0 };
	if (outputs_open(&p->outputs, p->loop, output, p->config.rejects, p->config.way, &p->job_over, &err) == DANA_OK)
		return true;
	p->result->stopped = p->job_over;
	if (p->result->stopped)
		return false;
	report_fault(&p->reporter, NULL, err.text);
	p->result->output_refused = err.status == DANA_ECONFIG;
	p->result->failed = !p->result->output_refused;
	return false;
}

/* What the earlier run has written and counted. */
static void job_go_on(struct pipeline *p)
{
	static const struct stats none;
	const struct checkpoint *c = &p->checkpoint;
	encoder_go_on(p->encoder, c->documents);
	tail_go_on(p->tail, 0, c->complete || c->begun);
	p->shown = p->result->stats;
	if (!c->complete)
		p->shown.bytes_in = c->noted;
	if (p->config.progress)
		progress_pass(p->config.progress, &p->shown);
	if (p->config.metrics)
		metrics_file_add(p->config.metrics, &none, &p->shown);
}

/* Nothing can be read. What an earlier run has left stays. */
static bool job_cannot_begin(struct pipeline *p, const struct error *err)
{
	struct error none = { 0 };
	uint64_t size;
	report_fault(&p->reporter, NULL, err->text);
	*p->result = (struct pipeline_result){ .stats.plugins = p->result->stats.plugins,
					       .output_refused = err->status == DANA_ECONFIG,
					       .failed = err->status != DANA_ECONFIG };
	outputs_finish(&p->outputs, output_kept(p->outputs.documents, &size) ? OUTPUT_PART : OUTPUT_DISCARD, &none);
	return false;
}

/* What a checkpoint needs, and what an earlier run has left. */
static bool job_open_checkpoint(struct pipeline *p, const struct pipeline_job *job)
{
	struct error err = { 0 };
	int status = pipeline_checkpoint_open(p, job, &err);
	if (status == DANA_OK)
		status = pipeline_resume(p, &err);
	if (status == DANA_OK && !p->checkpoint.resumed && job->restore.len)
		status = pipeline_restore(p, job->restore, &err);
	return status == DANA_OK || job_cannot_begin(p, &err);
}

/* What stands between the processors and the outputs. */
static bool job_open_tail(struct pipeline *p, const struct pipeline_job *job)
{
	const struct sink_ops *format = p->config.format;
	struct sink_config sink_config = p->config.sink;
	struct error err = { 0 };
	sink_config.filename = path_name(job->output);
	sink_config.input = job->n_inputs ? job->inputs[0] : NULL;
	p->sink = format->open(&sink_config);
	p->encoder = encoder_new(p->config.encoding, p->config.level, format->member_per_document,
				 output_sink(p->outputs.documents));
	if (!p->sink || !p->encoder) {
		(void)error_no_memory(&err);
		return job_cannot_begin(p, &err);
	}
	struct output *rejects = p->outputs.rejects;
	struct tail_config config = {
		.format = format,
		.sink = p->sink,
		.encoder = p->encoder,
		.rejects = rejects ? output_sink(rejects) : NULL,
		.stats = &p->result->stats,
		.dates = &p->dates,
		.reporter = &p->reporter,
		.plugins = p->ordered,
		.taken = p->checkpoint.commit ? pipeline_checkpoint_taken : NULL,
		.taken_arg = p,
	};
	tail_begin(p->tail, &config);
	if (p->checkpoint.resumed)
		job_go_on(p);
	else if (pipeline_checkpoint_first(p, &err) < 0)
		return job_cannot_begin(p, &err);
	return true;
}

static void job_close(struct pipeline *p)
{
	encoder_free(p->encoder);
	if (p->sink)
		p->config.format->close(p->sink);
	pipeline_checkpoint_close(p);
	outputs_free(&p->outputs);
	archive_dates_free(&p->dates);
	p->encoder = NULL;
	p->sink = NULL;
	p->dates = (struct archive_dates){ 0 };
}

/* A fault at the end of a job. */
static void end_fault(struct pipeline *p, const struct error *err)
{
	bool reported = p->result->failed && p->job_over; /* by then or while the last bytes went out */
	p->result->failed = true;
	if (!reported)
		report_fault(&p->reporter, NULL, err->text);
}

/* Writes what waits. How the outputs end. */
static enum output_end job_write_rest(struct pipeline *p)
{
	struct error err = { 0 };
	int status = p->result->stopped ? pipeline_checkpoint_last(p, &err) : DANA_OK;
	if (status < 0)
		end_fault(p, &err);
	status = output_failed(p->outputs.documents, NULL) == DANA_OK ? tail_finish(p->tail) : DANA_OK;
	if (status < 0 && !p->job_over)
		pipeline_stage_failed(p, status);
	p->result->stats.bytes_out = output_bytes(p->outputs.documents);
	if (status < 0 || p->job_over || p->input_failed)
		return OUTPUT_PART;
	if (pipeline_checkpoint_complete(p, &err) == DANA_OK)
		return OUTPUT_FINAL;
	if (outputs_failed(&p->outputs, NULL) == DANA_OK)
		end_fault(p, &err);
	return OUTPUT_PART;
}

static void job_finish(struct pipeline *p, bool any_input)
{
	/* Where nothing could be opened there is no output. */
	enum output_end end = any_input ? job_write_rest(p) : OUTPUT_DISCARD;
	struct error err = { 0 };
	if (p->checkpoint.commit)
		commit_wait(p->checkpoint.commit);
	outputs_finish(&p->outputs, end, &err);
	p->result->unfinished = end == OUTPUT_PART || err.status != DANA_OK;
	p->result->stats.bytes_out = output_bytes(p->outputs.documents);
	p->result->reader_gone = output_reader_gone(p->outputs.documents);
	if (output_reader_stuck(p->outputs.documents))
		report_fault(&p->reporter, NULL,
			     "the reader of the output took nothing any more: what waited for it is lost");
	if (err.status != DANA_OK)
		end_fault(p, &err);
	const bool left = end == OUTPUT_PART || (end == OUTPUT_FINAL && err.status != DANA_OK);
	p->result->resumable = left && p->checkpoint.commit;
	if (p->checkpoint.commit && !left && (end == OUTPUT_DISCARD || !p->config.keep_state) &&
	    outputs_remove_state(p->checkpoint.job->output, &err) < 0)
		end_fault(p, &err);
}

/*
 * Reports an input of a host that is given up, which no output is opened for: of thousands, that would take longer than
 * all else. What an earlier run has left must be looked at first.
 */
static bool job_is_vain(struct pipeline *p, const struct pipeline_job *job)
{
	char why[100];
	const unsigned inputs = job->n_inputs == 1 && p->config.network && p->config.way != OUTPUT_RESUME
					? network_given_up(p->config.network, pipeline_address(job, 0))
					: 0;
	if (inputs == 0)
		return false;
	(void)snprintf(why, sizeof(why), NETWORK_GIVEN_UP, inputs);
	report_fault(&p->reporter, job->inputs[0], why);
	p->result->failed = true;
	return true;
}

static void job_inputs(struct pipeline *p, const struct pipeline_job *job)
{
	struct checkpoint *c = &p->checkpoint;
	outputs_on_progress(&p->outputs, pipeline_output_moved, p);
	if (p->config.progress || p->config.metrics)
		loop_on_tick(p->loop, PROGRESS_TICK_MS, on_tick, p);
	if (job->pieces && !c->complete)
		pipeline_pieces(p, job);
	while (!job->pieces && c->input < job->n_inputs && !p->job_over)
		pipeline_input(p, job, c->input);
	p->result->stopped = atomic_load(&p->stop);
	job_finish(p, c->any_input || c->complete || job->n_inputs == 0);
	loop_on_tick(p->loop, 0, NULL, NULL);
	show(p);
}

void pipeline_run(struct pipeline *p, const struct pipeline_job *job, struct pipeline_result *result)
{
	*result = (struct pipeline_result){ .stats.plugins = plugins_names(p->config.plugins),
					    .stopped = atomic_load(&p->stop) };
	if (result->stopped)
		return;
	p->result = result;
	p->shown = p->before_input = (struct stats){ 0 };
	p->job_over = p->input_failed = p->stage_failed = false;
	p->reporter = p->config.reporter;
	p->reporter.plugins = result->stats.plugins;
	if (job_is_vain(p, job))
		return;
	p->checkpoint.job = job;
	if (!pipeline_resume_done(p, job) && job_open_outputs(p, job->output) && job_open_checkpoint(p, job) &&
	    job_open_tail(p, job))
		job_inputs(p, job);
	else
		result->unfinished |= !result->done_before;
	job_close(p);
}

static bool loop_and_tail_new(struct pipeline *p, struct error *err)
{
	p->loop = loop_new(err);
	if (!p->loop)
		return false;
	loop_on_wake(p->loop, pipeline_woken, p);
	p->tail = tail_new();
	if (!p->tail)
		(void)error_no_memory(err);
	return p->tail != NULL;
}

struct pipeline *pipeline_new(const struct pipeline_config *config, struct error *err)
{
	struct pipeline *p = calloc(1, sizeof(*p));
	if (!p) {
		(void)error_no_memory(err);
		return NULL;
	}
	p->config = *config;
	done_records_init(&p->done);
	if (loop_and_tail_new(p, err) && pipeline_open_stages(p, err))
		return p;
	pipeline_free(p);
	return NULL;
}

int pipeline_finish(struct pipeline *p, struct error *err)
{
	return p->ordered ? plugin_chain_finish(p->ordered, err) : DANA_OK;
}

void pipeline_stop(struct pipeline *p)
{
	atomic_store(&p->stop, true);
	loop_wake(p->loop);
}

void pipeline_free(struct pipeline *p)
{
	if (!p)
		return;
	handoff_free(p->handoff);
	processor_free(p->processor);
	plugin_chain_free(p->gate);
	plugin_chain_free(p->ordered);
	tail_free(p->tail);
	done_records_free(&p->done);
	network_session_free(p->session);
	loop_free(p->loop);
	free(p);
}
