/* SPDX-License-Identifier: MIT */
/* Jobs: their outputs, and their inputs one after the other. */
#include "config.h"

#include "pipeline/pipeline.h"

#include <stdlib.h>

#include "pipeline/pipeline_state.h"

static void on_tick(void *arg)
{
	struct pipeline *p = arg;
	if (p->source)
		pipeline_count_input(p);
	progress_add(p->config.progress, &p->shown, &p->result->stats);
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

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}

/* What stands between the processors and the outputs. */
static bool job_open_tail(struct pipeline *p, const struct pipeline_job *job)
{
	const struct sink_ops *format = p->config.format;
	struct sink_config sink_config = p->config.sink;
	sink_config.filename = base_name(job->output);
	sink_config.input = job->n_inputs ? job->inputs[0] : NULL;
	p->sink = format->open(&sink_config);
	p->encoder = encoder_new(p->config.encoding, p->config.level, format->member_per_document,
				 output_sink(p->outputs.documents));
	if (!p->sink || !p->encoder) {
		struct error err = { 0 };
		pipeline_fault(p, status_text(DANA_ENOMEM));
		outputs_finish(&p->outputs, OUTPUT_DISCARD, &err);
		return false;
	}
	struct output *rejects = p->outputs.rejects;
	struct tail_config config = {
		format,     p->sink,      p->encoder, rejects ? output_sink(rejects) : NULL, &p->result->stats,
		&p->origin, &p->reporter, p->ordered
	};
	tail_begin(p->tail, &config);
	return true;
}

static void job_close(struct pipeline *p)
{
	encoder_free(p->encoder);
	if (p->sink)
		p->config.format->close(p->sink);
	outputs_free(&p->outputs);
	origin_free(&p->origin);
	p->encoder = NULL;
	p->sink = NULL;
	p->origin = (struct origin){ 0 };
}

static void job_finish(struct pipeline *p, bool any_input)
{
	enum output_end end = OUTPUT_FINAL;
	struct error err = { 0 };
	if (!any_input)
		end = OUTPUT_DISCARD; /* nothing could be opened: there is no output */
	else if (p->job_over || p->input_failed)
		end = OUTPUT_PART;
	if (end != OUTPUT_DISCARD) {
		int status = output_failed(p->outputs.documents, NULL) == DANA_OK ? tail_finish(p->tail) : DANA_OK;
		if (status < 0 && !p->job_over)
			pipeline_stage_failed(p, status);
		end = status < 0 ? OUTPUT_PART : end;
	}
	outputs_finish(&p->outputs, end, &err);
	p->result->unfinished = end == OUTPUT_PART || err.status != DANA_OK;
	p->result->stats.bytes_out = output_bytes(p->outputs.documents);
	p->result->reader_gone = output_reader_gone(p->outputs.documents);
	if (output_reader_stuck(p->outputs.documents))
		report_fault(&p->reporter, NULL,
			     "the reader of the output took nothing any more: what waited for it is lost");
	if (err.status != DANA_OK) {
		bool told = p->result->failed && p->job_over; /* by then or while the last bytes went out */
		p->result->failed = true;
		if (!told)
			report_fault(&p->reporter, NULL, err.text);
	}
}

static void job_inputs(struct pipeline *p, const struct pipeline_job *job)
{
	bool any_input = false;
	outputs_on_progress(&p->outputs, pipeline_output_moved, p);
	if (p->config.progress)
		loop_on_tick(p->loop, PROGRESS_TICK_MS, on_tick, p);
	for (size_t i = 0; i < job->n_inputs && !p->job_over; i++)
		any_input |= pipeline_input(p, job->inputs[i], job->addresses ? job->addresses[i] : job->inputs[i]);
	p->result->stopped = atomic_load(&p->stop);
	job_finish(p, any_input || job->n_inputs == 0);
	loop_on_tick(p->loop, 0, NULL, NULL);
	if (p->config.progress)
		progress_add(p->config.progress, &p->shown, &p->result->stats);
}

void pipeline_run(struct pipeline *p, const struct pipeline_job *job, struct pipeline_result *result)
{
	*result = (struct pipeline_result){ .stats.plugins = plugins_names(p->config.plugins),
					    .stopped = atomic_load(&p->stop) };
	if (result->stopped)
		return;
	p->result = result;
	p->shown = (struct stats){ 0 };
	p->job_over = p->input_failed = false;
	p->reporter = p->config.reporter;
	p->reporter.plugins = result->stats.plugins;
	if (job_open_outputs(p, job->output) && job_open_tail(p, job))
		job_inputs(p, job);
	else
		result->unfinished = true;
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
		(void)error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	return p->tail != NULL;
}

struct pipeline *pipeline_new(const struct pipeline_config *config, struct error *err)
{
	struct pipeline *p = calloc(1, sizeof(*p));
	if (!p) {
		(void)error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
		return NULL;
	}
	p->config = *config;
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
	network_session_free(p->session);
	loop_free(p->loop);
	free(p);
}
