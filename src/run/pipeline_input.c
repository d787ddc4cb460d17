/* SPDX-License-Identifier: MIT */
/* The input under way: how its bytes flow from the source to the pump, stop, and go on. */
#include "config.h"

#include "io/address.h"
#include "io/http_source.h"
#include "io/output.h"
#include "run/pipeline_state.h"

static bool wants_input(void *arg)
{
	const struct pipeline *p = arg;
	if (atomic_load_explicit(&p->stop, memory_order_relaxed))
		return false;
	if (outputs_full(&p->outputs) || (p->piece && piece_records_done(p->piece)))
		return false;
	return !p->handoff || handoff_wants_input(p->handoff);
}

static void pump_returned(struct pipeline *p, int result)
{
	if (result == PUMP_HUNGRY && p->left == 0)
		result = pump_finish(p->pump);
	switch (result) {
	case PUMP_HUNGRY:
		if (p->handoff)
			handoff_flush(p->handoff);
		source_next(p->source);
		break;
	case PUMP_PAUSED:
		p->paused = true;
		p->input_done |= p->piece && piece_records_done(p->piece);
		break;
	case PUMP_SEEK:
		if (p->source_failed)
			p->input_done = true;
		else if (source_seek(p->source, pump_seek_offset(p->pump)) < 0)
			pipeline_fault(p, "the input cannot be read again from an earlier place");
		break;
	case PUMP_DONE:
		p->input_done = true;
		break;
	default:
		pipeline_stage_failed(p, result);
	}
}

static void resume(struct pipeline *p)
{
	if (!p->paused || p->input_done || !wants_input(p))
		return;
	p->paused = false;
	pump_returned(p, pump_resume(p->pump));
}

void pipeline_woken(void *arg)
{
	struct pipeline *p = arg;
	if (atomic_load_explicit(&p->stop, memory_order_relaxed)) {
		outputs_hurry(&p->outputs);
		pipeline_end_job(p);
	}
	if (p->job_over)
		return;
	int status = p->handoff ? handoff_drain(p->handoff) : DANA_OK;
	if (status < 0)
		pipeline_stage_failed(p, status);
	else
		resume(p);
}

void pipeline_output_moved(void *arg)
{
	struct pipeline *p = arg;
	if (p->checkpoint.commit)
		commit_look(p->checkpoint.commit);
	if (p->job_over)
		return;
	if (outputs_failed(&p->outputs, NULL) < 0)
		pipeline_stage_failed(p, DANA_EIO);
	else if (output_reader_gone(p->outputs.documents))
		pipeline_end_job(p);
	else
		resume(p);
}

static struct record_sink *begin_file(struct pipeline *p)
{
	archive_dates_next_input(&p->dates);
	tail_input(p->tail, p->file);
	if (p->handoff) {
		handoff_input(p->handoff, p->file);
		return handoff_records(p->handoff);
	}
	processor_input(p->processor, p->file);
	return processor_records(p->processor);
}

struct record_sink *pipeline_input_begin(struct pipeline *p, const struct resume_point *from, bool resuming)
{
	struct checkpoint *c = &p->checkpoint;
	/* Before the handoff, which takes its first point from there. */
	if (done_records_input(&p->done, from, resuming ? c->next : 0) < 0)
		return NULL;
	struct record_sink *front = p->done.next = begin_file(p);
	if (resuming)
		tail_go_on(p->tail, c->next, c->begun);
	if (resuming && archive_dates_set_warcinfo(&p->dates, buf_slice(&c->from.warcinfo_date)) < 0)
		return NULL;
	return c->commit ? &p->done.sink : front;
}

/* A record before the range: those inside want to know of its date. */
static int note_before(void *dates, const struct record *rec)
{
	return archive_dates_note(dates, rec);
}

static int at_border(void *arg)
{
	struct pipeline *p = arg;
	return handoff_border(p->handoff, p->pump, p->done.until);
}

int pipeline_open_pump(struct pipeline *p, struct record_sink *next, uint64_t offset)
{
	struct pump_config config = {
		.next = next,
		.limits = p->config.limits,
		.wants_input = wants_input,
		.arg = p,
		.seekable = !p->piece && p->source->seekable,
		.source_size = p->piece ? UINT64_MAX : p->source->size,
		.offset = offset,
		.begin = p->range.begin,
		.end = p->range.end,
		.before = note_before,
		.before_arg = &p->dates,
		.at_border = p->handoff ? at_border : NULL,
		.border_arg = p,
	};
	if (p->handoff && config.seekable)
		handoff_ahead(p->handoff, p->source->fd, p->source->size);
	p->pump = next ? pump_new(&config) : NULL;
	p->done.pump = p->pump;
	p->done.dates = &p->dates;
	return p->pump ? DANA_OK : DANA_ENOMEM;
}

/* Returns 0, DANA_ENOMEM, or DANA_EFORMAT: the checkpoint's numbers are not a place in an input. */
static int open_pump(struct pipeline *p, bool resuming)
{
	static const struct resume_point beginning;
	const struct resume_point *from = resuming ? &p->checkpoint.from : &beginning;
	int status = pipeline_open_pump(p, pipeline_input_begin(p, from, resuming), 0);
	return status == DANA_OK && resuming && from->in_middle ? pump_start_at(p->pump, &from->place) : status;
}

/* Now the source knows what it reads. */
static void on_opened(void *arg)
{
	struct pipeline *p = arg;
	const bool resuming = p->checkpoint.in_input;
	struct error err = { 0 };
	p->checkpoint.in_input = false;
	p->checkpoint.any_input = true;
	if (pipeline_checkpoint_input(p, &err) < 0) {
		pipeline_input_refused(p, &err);
		return;
	}
	p->result->stats.inputs += !resuming;
	int status = open_pump(p, resuming);
	if (status < 0)
		pipeline_fault(p, status == DANA_ENOMEM ? status_text(status)
							: "FILE.state does not name a place in the input");
}

void pipeline_take_chunk(struct pipeline *p, struct slice bytes)
{
	if (p->input_done)
		return;
	if (p->left != UINT64_MAX) {
		bytes = slice_first(bytes, p->left < SIZE_MAX ? (size_t)p->left : SIZE_MAX);
		p->left -= bytes.len;
	}
	pump_returned(p, pump_push(p->pump, bytes));
}

void pipeline_take_end(struct pipeline *p)
{
	if (!p->input_done)
		pump_returned(p, pump_finish(p->pump));
}

static void on_chunk(void *arg, struct slice bytes)
{
	pipeline_take_chunk(arg, bytes);
}

static void on_end(void *arg)
{
	pipeline_take_end(arg);
}

/*
 * An input that could not be opened is left out. Of one that broke off, what was read before is still good: the pump
 * ends as it would at the end of the file.
 */
static void on_failed(void *arg, const char *why)
{
	struct pipeline *p = arg;
	report_fault(&p->reporter, p->file, why);
	p->result->failed = true;
	if (!p->pump) {
		p->input_done = true;
		p->job_over |= p->checkpoint.in_input; /* what it has given before stands in the output */
		return;
	}
	p->input_failed = p->source_failed = true;
	p->checkpoint.frozen = true;
	pipeline_take_end(p);
}

void pipeline_drain(struct pipeline *p)
{
	int status = p->handoff ? handoff_finish(p->handoff) : DANA_OK;
	p->stage_failed |= status < 0;
	if (status < 0 && !p->job_over)
		pipeline_stage_failed(p, status);
}

/* Returns false if it could not be opened. */
static bool input_run(struct pipeline *p)
{
	source_start(p->source);
	loop_run_until(p->loop, &p->input_done);
	pipeline_count_input(p);
	if (!p->pump)
		return false;
	pipeline_drain(p);
	pump_free(p->pump);
	p->pump = NULL;
	return true;
}

struct network_session *pipeline_session(struct pipeline *p, struct error *err)
{
	if (!p->session)
		p->session = network_session_new(p->config.network, p->loop, err);
	return p->session;
}

static int input_open(struct pipeline *p, const char *address, struct error *err)
{
	const struct source_events events = { .opened = on_opened,
					      .chunk = on_chunk,
					      .end = on_end,
					      .failed = on_failed,
					      .arg = p };
	const uint64_t offset = p->checkpoint.in_input ? resume_point_offset(&p->checkpoint.from) : 0;
	if (!p->config.network || !address_is_network(address))
		return source_open(&p->source, p->loop, address, offset, &events, err);
	struct network_session *session = pipeline_session(p, err);
	return session ? http_source_open(&p->source, session, address, p->file, offset, &events, err)
		       : (int)err->status;
}

/* Opens it, and reads what there is. */
static void input_read(struct pipeline *p, const char *address)
{
	struct error err = { 0 };
	if (input_open(p, address, &err) < 0) {
		report_fault(&p->reporter, p->file, err.text);
		p->result->failed = true;
		p->job_over |= p->checkpoint.in_input;
		/* Not the input is to blame but the machine: another run can go on with it. */
		p->input_failed |= source_is_there(address);
		p->checkpoint.frozen |= p->input_failed;
		return;
	}
	bool opened = input_run(p);
	source_free(p->source);
	p->source = NULL;
	const bool broken = p->source_failed || p->job_over;
	if (opened)
		report_input_end(&p->reporter, p->file, broken);
	if (p->checkpoint.job->done)
		p->checkpoint.job->done[p->checkpoint.input] = opened && !broken;
}

void pipeline_input(struct pipeline *p, const struct pipeline_job *job, size_t input)
{
	p->file = job->inputs[input];
	p->range = job->ranges ? job->ranges[input] : (struct input_range){ 0 };
	p->paused = p->input_done = p->source_failed = false;
	p->before_input = p->result->stats;
	p->counted = (struct source_counts){ 0 };
	p->piece = NULL;
	p->left = UINT64_MAX;
	p->checkpoint.reading = false;
	buf_clear(&p->checkpoint.identity);
	input_read(p, pipeline_address(job, input));
	if (!p->job_over && pipeline_checkpoint_input_end(p) < 0)
		pipeline_fault(p, status_text(DANA_ENOMEM));
}
