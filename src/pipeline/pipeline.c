#include "config.h"

#include "pipeline/pipeline.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "io/loop.h"
#include "io/source.h"
#include "pipeline/handoff.h"
#include "pipeline/origin.h"
#include "pipeline/outputs.h"
#include "pipeline/processor.h"
#include "pipeline/pump.h"
#include "pipeline/tail.h"

struct pipeline {
	struct pipeline_config config;
	struct loop *loop;
	atomic_bool stop;
	struct reporter reporter;

	/* For all jobs: either of the two. */
	struct processor *processor; /* without workers */
	struct handoff *handoff;

	/* Of the job under way. */
	struct origin origin;
	struct tail *tail;
	struct outputs outputs;
	struct sink *sink;
	struct encoder *encoder;
	struct pipeline_result *result;
	struct stats shown;          /* what progress has been told */

	/* Of the input under way. */
	const char *file;
	struct source *source;
	struct pump *pump;
	struct stats before_input;
	bool paused;                 /* the pump waits for pump_resume */
	bool input_done;
	bool job_over;               /* no further input: a fault, a stop, or the reader has gone */
	bool source_failed;          /* reading broke off */
	bool input_failed;           /* so it was with any input of the job */
};

/* ---- how the flow stops and goes on ---- */

static bool wants_input(void *arg)
{
	const struct pipeline *p = arg;
	if (atomic_load_explicit(&p->stop, memory_order_relaxed))
		return false;
	if (outputs_full(&p->outputs))
		return false;
	return !p->handoff || handoff_wants_input(p->handoff);
}

static void job_end(struct pipeline *p)
{
	p->job_over = p->input_done = true;
}

static void job_fault_in(struct pipeline *p, const char *file, const char *text)
{
	if (!p->result->failed || !p->job_over)
		report_fault(&p->reporter, file, text);
	p->result->failed = true;
	job_end(p);
}

static void job_fault(struct pipeline *p, const char *text)
{
	job_fault_in(p, NULL, text);
}

/* A stage has answered a negative status: the output knows why, or it is memory. */
static void stage_failed(struct pipeline *p, int status)
{
	struct error err = { 0 };
	if (outputs_failed(&p->outputs, &err) < 0)
		job_fault(p, err.text);
	else
		job_fault_in(p, status == DANA_EFILES ? p->file : NULL, status_text(status));
}

static void pump_answered(struct pipeline *p, int answer)
{
	switch (answer) {
	case PUMP_HUNGRY:
		source_next(p->source);
		break;
	case PUMP_PAUSED:
		p->paused = true;
		break;
	case PUMP_SEEK:
		if (p->source_failed)
			p->input_done = true;
		else if (source_seek(p->source, pump_seek_offset(p->pump)) < 0)
			job_fault(p, "the input cannot be read again from an earlier place");
		break;
	case PUMP_DONE:
		p->input_done = true;
		break;
	default:
		stage_failed(p, answer);
	}
}

static void resume(struct pipeline *p)
{
	if (!p->paused || p->input_done || !wants_input(p))
		return;
	p->paused = false;
	pump_answered(p, pump_resume(p->pump));
}

/* The loop was woken: a worker is done, or somebody wants us to stop. */
static void on_wake(void *arg)
{
	struct pipeline *p = arg;
	if (atomic_load_explicit(&p->stop, memory_order_relaxed))
		job_end(p);
	if (p->job_over)
		return;
	int status = p->handoff ? handoff_drain(p->handoff) : DANA_OK;
	if (status < 0)
		stage_failed(p, status);
	else
		resume(p);
}

static void on_output(void *arg)
{
	struct pipeline *p = arg;
	if (p->job_over)
		return;
	if (outputs_failed(&p->outputs, NULL) < 0)
		stage_failed(p, DANA_EIO);
	else if (output_reader_gone(p->outputs.documents))
		job_end(p);
	else
		resume(p);
}

static void count_input(struct pipeline *p)
{
	struct pump_counts counts = pump_counts(p->pump);
	p->result->stats.bytes_in = p->before_input.bytes_in + counts.bytes_in;
	p->result->stats.bytes_decoded = p->before_input.bytes_decoded + counts.bytes_decoded;
}

static void on_tick(void *arg)
{
	struct pipeline *p = arg;
	if (p->pump)
		count_input(p);
	progress_add(p->config.progress, &p->shown, &p->result->stats);
}

static void on_chunk(void *arg, struct slice bytes)
{
	struct pipeline *p = arg;
	if (!p->input_done)
		pump_answered(p, pump_push(p->pump, bytes));
}

static void on_end(void *arg)
{
	struct pipeline *p = arg;
	if (!p->input_done)
		pump_answered(p, pump_finish(p->pump));
}

/* What was read before the fault is still good: the pump ends as it would at the end of the file. */
static void on_failed(void *arg, int error)
{
	struct pipeline *p = arg;
	report_fault(&p->reporter, p->file, system_text(error));
	p->result->failed = p->input_failed = p->source_failed = true;
	if (!p->input_done)
		pump_answered(p, pump_finish(p->pump));
}

/* ---- workers ---- */

static void *stage_open(void *arg, struct document_sink *next, struct error *err)
{
	const struct pipeline *p = arg;
	struct processor_config config = { .limits = p->config.limits, .filters = p->config.filters, .method = p->config.method,
					   .read_file = p->config.read_file };
	return processor_new(&config, next, err);
}

static struct record_sink *stage_records(void *stage)
{
	return processor_records(stage);
}

static void stage_context(void *stage, const char *file, struct slice warcinfo_date)
{
	processor_input(stage, file);
	processor_warcinfo_date(stage, warcinfo_date);
}

static void stage_close(void *stage)
{
	processor_free(stage);
}

static const struct handoff_stage_ops stage_ops = { stage_open, stage_records, stage_context, stage_close };

static bool refuses(void *arg, const struct record *rec)
{
	const struct pipeline *p = arg;
	return processor_refuses(p->config.filters, rec) != SKIP_NONE;
}

static int format(void *arg, struct document *doc, struct buf *out)
{
	const struct pipeline *p = arg;
	return tail_format(p->tail, doc, out);
}

static int take(void *arg, const struct outcome *outcome, struct slice formatted)
{
	struct pipeline *p = arg;
	return tail_take(p->tail, outcome, formatted);
}

static void wake(void *arg)
{
	struct pipeline *p = arg;
	loop_wake(p->loop);
}

/* ---- an input ---- */

static struct record_sink *input_begin(struct pipeline *p)
{
	origin_next_input(&p->origin);
	tail_input(p->tail, p->file);
	if (p->handoff) {
		handoff_input(p->handoff, p->file);
		return handoff_records(p->handoff);
	}
	processor_input(p->processor, p->file);
	return processor_records(p->processor);
}

static void input_run(struct pipeline *p)
{
	struct pump_config config = {
		.next = input_begin(p),
		.limits = p->config.limits,
		.wants_input = wants_input,
		.arg = p,
		.seekable = p->source->seekable,
		.source_size = p->source->size,
	};
	p->pump = pump_new(&config);
	if (!p->pump) {
		job_fault(p, status_text(DANA_ENOMEM));
		return;
	}
	source_start(p->source);
	loop_run_until(p->loop, &p->input_done);
	int status = p->handoff ? handoff_finish(p->handoff) : DANA_OK;
	if (status < 0 && !p->job_over)
		stage_failed(p, status);
	count_input(p);
	pump_free(p->pump);
	p->pump = NULL;
}

static bool input_open_and_run(struct pipeline *p, const char *file)
{
	const struct source_events events = { .chunk = on_chunk, .end = on_end, .failed = on_failed, .arg = p };
	struct error err = { 0 };
	p->file = file;
	p->paused = p->input_done = p->source_failed = false;
	p->before_input = p->result->stats;
	if (source_open(&p->source, p->loop, file, &events, &err) < 0) {
		report_fault(&p->reporter, file, err.text);
		p->result->failed = true;
		return false;
	}
	p->result->stats.inputs++;
	input_run(p);
	source_free(p->source);
	p->source = NULL;
	report_input_end(&p->reporter, file);
	return true;
}

/* ---- a job ---- */

static bool job_open_outputs(struct pipeline *p, const char *output)
{
	struct error err = { 0 };
	if (outputs_open(&p->outputs, p->loop, output, p->config.rejects, p->config.force, &p->job_over, &err) == DANA_OK)
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
		job_fault(p, status_text(DANA_ENOMEM));
		outputs_finish(&p->outputs, OUTPUT_DISCARD, &err);
		return false;
	}
	struct output *rejects = p->outputs.rejects;
	struct tail_config config = { format, p->sink, p->encoder, rejects ? output_sink(rejects) : NULL, &p->result->stats,
				      &p->origin, &p->reporter };
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
			stage_failed(p, status);
		end = status < 0 ? OUTPUT_PART : end;
	}
	outputs_finish(&p->outputs, end, &err);
	p->result->stats.bytes_out = output_bytes(p->outputs.documents);
	p->result->reader_gone = output_reader_gone(p->outputs.documents);
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
	outputs_on_progress(&p->outputs, on_output, p);
	if (p->config.progress)
		loop_on_tick(p->loop, PROGRESS_TICK_MS, on_tick, p);
	for (size_t i = 0; i < job->n_inputs && !p->job_over; i++)
		any_input |= input_open_and_run(p, job->inputs[i]);
	p->result->stopped = atomic_load(&p->stop);
	job_finish(p, any_input || job->n_inputs == 0);
	loop_on_tick(p->loop, 0, NULL, NULL);
	if (p->config.progress)
		progress_add(p->config.progress, &p->shown, &p->result->stats);
}

void pipeline_run(struct pipeline *p, const struct pipeline_job *job, struct pipeline_result *result)
{
	*result = (struct pipeline_result){ .stopped = atomic_load(&p->stop) };
	if (result->stopped)
		return;
	p->result = result;
	p->shown = (struct stats){ 0 };
	p->job_over = p->input_failed = false;
	p->reporter = p->config.reporter;
	if (job_open_outputs(p, job->output) && job_open_tail(p, job))
		job_inputs(p, job);
	job_close(p);
}

static bool stages_new(struct pipeline *p, struct error *err)
{
	p->loop = loop_new(err);
	if (!p->loop)
		return false;
	p->tail = tail_new();
	if (!p->tail) {
		(void)error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
		return false;
	}
	loop_on_wake(p->loop, on_wake, p);
	if (p->config.jobs == 0) {
		struct processor_config config = { .limits = p->config.limits, .filters = p->config.filters,
						   .method = p->config.method, .origin = &p->origin,
						   .read_file = p->config.read_file };
		p->processor = processor_new(&config, tail_documents(p->tail), err);
		return p->processor != NULL;
	}
	struct handoff_config config = {
		.jobs = p->config.jobs,
		.in_flight = p->config.limits->in_flight,
		.origin = &p->origin,
		.stage = &stage_ops,
		.arg = p,
		.refuses = refuses,
		.format = format,
		.take = take,
		.wake = wake,
	};
	p->handoff = handoff_new(&config, err);
	return p->handoff != NULL;
}

struct pipeline *pipeline_new(const struct pipeline_config *config, struct error *err)
{
	struct pipeline *p = calloc(1, sizeof *p);
	if (!p) {
		(void)error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
		return NULL;
	}
	p->config = *config;
	if (stages_new(p, err))
		return p;
	pipeline_free(p);
	return NULL;
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
	tail_free(p->tail);
	loop_free(p->loop);
	free(p);
}
