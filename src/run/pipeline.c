/* SPDX-License-Identifier: MIT */
/*
 * Jobs: their outputs, and their inputs one after the other. A chunk of the source goes to the pump, whose records go
 * to the processor, or to the workers with one each (handoff.h), and what becomes of them to the tail, in order:
 *
 *     source ─ chunk ─▶ pump ─ records ─▶ [done_records] ─▶ processor or handoff ─ outcomes ─▶ tail ─▶ encoder ─▶
 * output
 *
 * While the output or the workers cannot take more the pump pauses, and resumes when they wake the loop.
 *
 * With --site window a stage before processor and handoff keeps records until a window of them is full (window.h).
 *
 * Where an index names records, inputs are read by pieces: each has a pump of its own, which begins where the piece
 * does, so that damage does not reach the next one. Pieces that follow one another in one input share its records'
 * numbers and are not waited for one by one.
 */
#include "config.h"

#include "run/pipeline.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/plugin/chain.h"
#include "archive/pump.h"
#include "archive/survey.h"
#include "base/file.h"
#include "base/library.h"
#include "io/address.h"
#include "io/loop.h"
#include "io/source.h"
#include "io/zip.h"
#include "run/checkpoint.h"
#include "run/handoff.h"
#include "run/outputs.h"
#include "run/state_file.h"
#include "run/stats_file.h"
#include "run/window.h"

enum { INDEX_SHOWN = 48 }; /* bytes of an index's name in what is reported of damage */

/*
 * Between a pump and what takes its records, where inputs are read by pieces. A line of an index names a record, and
 * with it the others of its member: they are passed on, numbered on from piece to piece. What begins after that member
 * is not: the length of the line is wrong then, which is damage. Damage is reported with index and line.
 */
struct piece_records {
	struct record_sink sink; /* for the pump */
	struct record_sink *next;
	struct record record; /* the one that was passed on */
	uint64_t first;       /* number of the piece's first record */
	uint64_t seen;        /* records and damaged regions of the piece */
	const struct input_piece *piece;
	const char *index;      /* name of its index */
	uint64_t left;          /* bytes of the piece that have not come yet; UINT64_MAX: not known */
	uint64_t offset;        /* of the member of the first record, or of damage in its place */
	uint64_t record_length; /* of the first record; 0: not known */
	bool damaged;           /* some of it is */
	bool over;              /* nothing more is wanted */
	bool passes;            /* the record under way is passed on */
};

struct piece_run {
	struct piece_records records;
	struct source *fetched; /* all pieces that come from the network; NULL until there is one */
	struct source_counts fetched_counted;
	bool *failed, *opened, *reported; /* of each input: it cannot be read; some of it was; its fault was reported */
	size_t input;                     /* the one under way; SIZE_MAX: none */
};

struct pipeline {
	struct pipeline_config config;
	struct loop *loop;
	struct network_session *session; /* NULL until the first input of the network */
	atomic_bool stop;
	struct reporter reporter;

	/* For all jobs: either of the two. */
	struct processor *processor; /* without workers */
	struct handoff *handoff;
	struct plugin_chain *gate;    /* with workers */
	struct plugin_chain *ordered; /* NULL: no plugin is */
	struct site_window *window;   /* before either; NULL: pages do not wait for others */
	struct survey *survey;        /* NULL: none is wanted */
	struct zip_kept kept;         /* of a zip in a zip, for its next archive */

	/* Of the job under way. */
	const struct pipeline_job *job;
	struct archive_dates dates;
	struct tail *tail;
	struct outputs outputs;
	struct sink *sink;
	struct encoder *encoder;
	struct pipeline_result *result;
	struct stats shown; /* what progress has counted */
	struct checkpoint checkpoint;
	struct done_records done;

	/* Of the input under way. */
	const char *file;
	struct source *source;
	struct pump *pump;
	struct stats before_input;
	struct source_counts counted;   /* what the statistics have of the source's */
	const struct source_part *part; /* of a file; NULL: all of it */
	struct input_range range;       /* what is read of it */
	struct piece_run *pieces;       /* NULL: the inputs are read as wholes */
	bool paused;                    /* the pump waits for pump_resume */
	bool ends;                      /* all is read, and the last window is passed on */
	bool input_done;
	bool job_over;      /* no further input: a fault, a stop, or the reader has gone */
	bool source_failed; /* reading broke off */
	bool input_failed;  /* so it was with any input of the job */
	bool stage_failed;  /* what was counted and what was written may differ */
};

/* ---- faults ---- */

/* No further input is read, and no more of this one. */
static void end_job(struct pipeline *p)
{
	p->job_over = p->input_done = true;
}

/* Reports a fault, of a file or of none, and ends the job. */
static void fault(struct pipeline *p, const char *file, const char *text)
{
	p->stage_failed = true;
	if (!p->result->failed || !p->job_over)
		report_fault(&p->reporter, file, text);
	p->result->failed = true;
	end_job(p);
}

/* A stage has answered a negative status: the output knows why, or the plugin, or it is memory. */
static void stage_failed(struct pipeline *p, int status)
{
	struct error err = { 0 };
	p->stage_failed = true;
	if (outputs_failed(&p->outputs, &err) < 0 ||
	    (p->checkpoint.commit && commit_failed(p->checkpoint.commit, &err) < 0)) {
		fault(p, NULL, err.text);
	} else if (status == DANA_ECONFIG) {
		p->result->model_refused = true;
		end_job(p);
	} else if (status == DANA_EPLUGIN) {
		const char *early = p->handoff ? handoff_fault(p->handoff) : processor_fault(p->processor);
		p->result->plugin_failed = true;
		fault(p, NULL, early[0] || !p->ordered ? early : plugin_chain_fault(p->ordered));
	} else {
		fault(p, status == DANA_EFILES ? p->file : NULL, library_status_text(status));
	}
}

/* ---- counters ---- */

/* Brings the counters of bytes up to what has been read of the input under way. */
static void count_input(void *arg)
{
	struct pipeline *p = arg;
	struct stats *s = &p->result->stats;
	if (!p->source)
		return;
	struct source_counts cost = source_counts(p->source);
	s->http_requests += cost.requests - p->counted.requests;
	s->http_retries += cost.retries - p->counted.retries;
	s->bytes_fetched += cost.bytes - p->counted.bytes;
	p->counted = cost;
	if (!p->pump)
		return;
	struct pump_counts counts = pump_counts(p->pump);
	s->bytes_in = p->before_input.bytes_in + counts.bytes_in;
	s->bytes_decoded = p->before_input.bytes_decoded + counts.bytes_decoded;
}

/* Those who look get what has come since they were shown the counters last. */
static void show(struct pipeline *p)
{
	const struct stats *now = &p->result->stats;
	if (p->config.progress)
		progress_add(p->config.progress, &p->shown, now);
	if (p->config.metrics)
		metrics_file_add(p->config.metrics, &p->shown, now);
	if (p->config.timeline)
		timeline_add(p->config.timeline, &p->shown, now);
	p->shown = *now;
}

static void on_tick(void *arg)
{
	count_input(arg);
	show(arg);
}

/* ---- records of a piece ---- */

static int put_damage(struct piece_records *r, uint64_t offset, struct slice id, struct slice uri,
		      const struct record_end *end)
{
	r->damaged = true;
	return r->next->ops->damage(r->next, r->first + r->seen++, offset, id, uri, end);
}

/* `end` with the line of the index, and with the reason that a piece has for it. */
static struct record_end with_place(const struct piece_records *r, const struct record_end *end)
{
	const struct input_piece *p = r->piece;
	struct record_end out = *end;
	const char *detail = end->detail;
	char shorter[80];
	if (end->reason == DAMAGE_NOT_AN_ARCHIVE) {
		out.reason = DAMAGE_GARBAGE;
		detail = "no record begins at this offset";
	} else if (end->reason == DAMAGE_TRUNCATED && p->length && r->left == 0) {
		out.reason = DAMAGE_BAD_LENGTH;
		detail = shorter;
		(void)snprintf(shorter, sizeof(shorter), "its length, %" PRIu64 ", ends inside the record", p->length);
	}
	(void)snprintf(out.detail, sizeof(out.detail), "%.*s, line %u: %.*s", (int)INDEX_SHOWN, r->index, p->line,
		       (int)sizeof(out.detail) - INDEX_SHOWN - 20, detail);
	return out;
}

static int line_damaged(struct piece_records *r, enum damage_reason reason, const char *detail)
{
	const struct slice none = { NULL, 0 };
	struct record_end end = { .damaged = true, .reason = reason };
	(void)snprintf(end.detail, sizeof(end.detail), "%s", detail);
	end = with_place(r, &end);
	return put_damage(r, r->piece->from, none, none, &end);
}

static int length_wrong(struct piece_records *r)
{
	char detail[96], right[48] = "";
	if (r->record_length)
		(void)snprintf(right, sizeof(right), "; the record has %" PRIu64, r->record_length);
	(void)snprintf(detail, sizeof(detail), "its length is %" PRIu64 "%s", r->piece->length, right);
	return line_damaged(r, DAMAGE_BAD_LENGTH, detail);
}

static bool piece_is_done(const struct piece_records *r)
{
	return r->over || (r->seen && !r->piece->length);
}

/* Does what begins at `offset` belong to the piece? 0: no, and nothing more is wanted; or a negative status. */
static int is_wanted(struct piece_records *r, uint64_t offset)
{
	if (piece_is_done(r))
		return 0;
	if (r->seen == 0)
		r->offset = offset;
	if (r->offset == offset)
		return 1;
	r->over = true;
	return r->damaged ? 0 : length_wrong(r);
}

static int piece_begin(struct record_sink *self, const struct record *rec)
{
	struct piece_records *r = (struct piece_records *)self;
	int wanted = is_wanted(r, rec->offset);
	r->passes = wanted > 0;
	if (!r->passes)
		return wanted < 0 ? wanted : RECORD_UNWANTED;
	r->record = *rec;
	r->record.seq = r->first + r->seen;
	return r->next->ops->begin(r->next, &r->record);
}

static int piece_body(struct record_sink *self, struct slice bytes)
{
	struct piece_records *r = (struct piece_records *)self;
	return r->passes ? r->next->ops->body(r->next, bytes) : RECORD_UNWANTED;
}

static int piece_end(struct record_sink *self, const struct record_end *end)
{
	struct piece_records *r = (struct piece_records *)self;
	if (!r->passes)
		return 0;
	if (r->seen++ == 0 && end->length_known)
		r->record_length = end->length;
	if (!end->damaged)
		return r->next->ops->end(r->next, end);
	const struct record_end with_line = with_place(r, end);
	r->damaged = true;
	return r->next->ops->end(r->next, &with_line);
}

static int piece_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	struct piece_records *r = (struct piece_records *)self;
	const struct record_end with_line = with_place(r, end);
	(void)seq;
	if (end->reason == DAMAGE_NOT_AN_ARCHIVE)
		offset = r->piece->from;
	int wanted = is_wanted(r, offset);
	return wanted > 0 ? put_damage(r, offset, id, uri, &with_line) : wanted;
}

static const struct record_sink_ops piece_ops = { "piece records", piece_begin, piece_body, piece_end, piece_damage };

/* ---- the flow ---- */

/* What makes documents of records, and the outputs, can take more. */
static bool wants_records(void *arg)
{
	const struct pipeline *p = arg;
	return !atomic_load_explicit(&p->stop, memory_order_relaxed) && !outputs_full(&p->outputs) &&
	       (!p->handoff || handoff_wants_input(p->handoff));
}

static bool wants_input(void *arg)
{
	struct pipeline *p = arg;
	if (p->pieces && piece_is_done(&p->pieces->records))
		return false;
	return p->window ? !atomic_load_explicit(&p->stop, memory_order_relaxed) && site_window_wants_input(p->window)
			 : wants_records(p);
}

static void pump_returned(struct pipeline *p, int result)
{
	if (result == PUMP_HUNGRY && p->pieces && p->pieces->records.left == 0)
		result = pump_finish(p->pump);
	switch (result) {
	case PUMP_HUNGRY:
		if (p->window)
			site_window_flush(p->window);
		if (p->handoff)
			handoff_flush(p->handoff);
		source_next(p->source);
		break;
	case PUMP_PAUSED:
		p->paused = true;
		p->input_done |= p->pieces && piece_is_done(&p->pieces->records);
		break;
	case PUMP_SEEK:
		if (p->source_failed)
			p->input_done = true;
		else if (source_seek(p->source, pump_seek_offset(p->pump)) < 0)
			fault(p, NULL, "the input cannot be read again from an earlier offset");
		break;
	case PUMP_DONE:
		p->input_done = true;
		break;
	default:
		stage_failed(p, result);
	}
}

static void resume(struct pipeline *p)
{
	if (!p->paused || p->input_done || !wants_input(p))
		return;
	p->paused = false;
	pump_returned(p, pump_resume(p->pump));
}

/* There may be room again. */
static void move_on(struct pipeline *p)
{
	int status = p->window ? site_window_move(p->window) : DANA_OK;
	if (status < 0)
		stage_failed(p, status);
	else if (p->ends)
		p->input_done |= site_window_is_empty(p->window);
	else
		resume(p);
}

/* The loop was woken: a worker is done, or somebody wants us to stop. */
static void on_woken(void *arg)
{
	struct pipeline *p = arg;
	if (atomic_load_explicit(&p->stop, memory_order_relaxed)) {
		outputs_hurry(&p->outputs);
		end_job(p);
	}
	if (p->job_over)
		return;
	int status = p->handoff ? handoff_drain(p->handoff) : DANA_OK;
	if (status < 0)
		stage_failed(p, status);
	else
		move_on(p);
}

/* The outputs have written something, or failed. */
static void on_output_moved(void *arg)
{
	struct pipeline *p = arg;
	if (p->checkpoint.commit)
		commit_look(p->checkpoint.commit);
	if (p->job_over)
		return;
	if (outputs_failed(&p->outputs, NULL) < 0)
		stage_failed(p, DANA_EIO);
	else if (output_reader_gone(p->outputs.documents))
		end_job(p);
	else
		move_on(p);
}

/*
 * What comes belongs to p->file, and begins at `from`; all earlier records are drained. `resuming`: it is the input
 * that the earlier run was at. Returns the sink that takes its records; NULL if memory is exhausted.
 */
static struct record_sink *begin_records(struct pipeline *p, const struct resume_point *from, bool resuming)
{
	struct checkpoint *c = &p->checkpoint;
	/* Before the handoff, which takes its first point from there. */
	const uint64_t until = resuming ? c->next : 0;
	if (done_records_input(&p->done, from, p->window ? 0 : until) < 0)
		return NULL;
	archive_dates_next_input(&p->dates);
	tail_input(p->tail, p->file);
	if (p->handoff) {
		handoff_input(p->handoff, p->file);
		p->done.next = handoff_records(p->handoff);
	} else {
		processor_input(p->processor, p->file);
		p->done.next = processor_records(p->processor);
	}
	if (p->window) {
		if (site_window_input(p->window, p->done.next, p->handoff, from, resuming ? c->first : 0, until) < 0)
			return NULL;
		p->done.next = site_window_records(p->window);
	}
	if (resuming)
		tail_go_on(p->tail, c->next, c->begun);
	if (resuming && archive_dates_set_warcinfo(&p->dates, buf_slice(&c->from.warcinfo_date)) < 0)
		return NULL;
	return c->commit ? &p->done.sink : p->done.next;
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

/* The source is open, and its first byte is at `offset` of the input. `next` NULL: memory is exhausted. */
static int open_pump(struct pipeline *p, struct record_sink *next, uint64_t offset)
{
	struct pump_config config = {
		.next = next,
		.limits = p->config.processor.limits,
		.wants_input = wants_input,
		.arg = p,
		.seekable = !p->pieces && p->source->seekable,
		.source_size = p->pieces ? UINT64_MAX : p->source->size,
		.offset = offset,
		.begin = p->range.begin,
		.end = p->range.end,
		.zip_fault = p->part ? p->part->fault : NULL,
		.before = note_before,
		.before_arg = &p->dates,
		.at_border = p->handoff && !p->window ? at_border : NULL,
		.border_arg = p,
	};
	if (config.at_border && config.seekable)
		handoff_ahead(p->handoff, p->source->fd, p->source->fd_begin, p->source->size);
	p->pump = next ? pump_new(&config) : NULL;
	p->done.pump = p->pump;
	p->done.dates = &p->dates;
	return p->pump ? DANA_OK : DANA_ENOMEM;
}

/* Now the source knows what it reads. */
static void on_opened(void *arg)
{
	static const struct resume_point beginning;
	struct pipeline *p = arg;
	struct checkpoint *c = &p->checkpoint;
	struct piece_run *r = p->pieces;
	const bool resuming = c->in_input;
	const struct resume_point *from = resuming ? &c->from : &beginning;
	struct error err = { 0 };
	int status;
	c->in_input = false;
	c->any_input = true;
	/* Of the pieces of an input the first one to be opened counts. */
	if ((!r || (!c->reading && !c->frozen)) && checkpoint_input(c, p->source, p->file, &err) < 0) {
		/* It is not the one that was read before, or memory is exhausted. */
		p->result->output_refused = err.status == DANA_ECONFIG;
		report_fault(&p->reporter, NULL, err.text);
		p->result->failed |= err.status != DANA_ECONFIG;
		p->stage_failed = true;
		end_job(p);
		return;
	}
	if (r) {
		bool *opened = &r->opened[r->input];
		p->result->stats.inputs += !*opened;
		*opened = true;
		status = open_pump(p, &r->records.sink, r->records.piece->from);
	} else {
		p->result->stats.inputs += !resuming;
		status = open_pump(p, begin_records(p, from, resuming), 0);
		if (status == DANA_OK && from->in_middle)
			status = pump_start_at(p->pump, &from->place);
	}
	if (status < 0)
		fault(p, NULL,
		      status == DANA_ENOMEM ? status_text(status) : "FILE.state names no valid offset of the input");
}

static void on_chunk(void *arg, struct slice bytes)
{
	struct pipeline *p = arg;
	if (p->input_done)
		return;
	if (p->pieces && p->pieces->records.left != UINT64_MAX) {
		uint64_t *left = &p->pieces->records.left;
		bytes = slice_first(bytes, *left < SIZE_MAX ? (size_t)*left : SIZE_MAX);
		*left -= bytes.len;
	}
	pump_returned(p, pump_push(p->pump, bytes));
}

static void on_end(void *arg)
{
	struct pipeline *p = arg;
	if (p->input_done)
		return;
	if (!p->source_failed)
		pump_damaged(p->pump, p->source->fault);
	pump_returned(p, pump_finish(p->pump));
}

/*
 * An input of which nothing could be read is left out. Of one that broke off, what was read before is still good, but
 * the output is not complete: the pump ends as it would at the end of the file.
 */
static void on_failed(void *arg, const char *why)
{
	struct pipeline *p = arg;
	struct piece_run *r = p->pieces;
	p->result->failed = true;
	if (!r || !r->reported[r->input])
		report_fault(&p->reporter, p->file, why);
	if (r)
		r->reported[r->input] = r->failed[r->input] = true;
	if (p->pump || (r && r->opened[r->input]))
		p->input_failed = p->checkpoint.frozen = true;
	p->source_failed |= r || p->pump;
	if (!p->pump) {
		p->input_done = true;
		p->job_over |= p->checkpoint.in_input; /* what it has given before is in the output */
		return;
	}
	on_end(p);
}

/* Waits for the records that workers have, and takes them. */
static void drain(struct pipeline *p)
{
	int status = p->window && !p->job_over ? site_window_end(p->window) : DANA_OK;
	if (p->window && !p->job_over && status == DANA_OK && !site_window_is_empty(p->window)) {
		p->ends = true;
		p->input_done = false;
		loop_run_until(p->loop, &p->input_done);
		p->ends = false;
	}
	if (p->window && (p->job_over || status < 0))
		site_window_drop(p->window);
	const int finished = p->handoff ? handoff_finish(p->handoff) : DANA_OK;
	status = status < 0 ? status : finished;
	p->stage_failed |= status < 0;
	if (status < 0 && !p->job_over)
		stage_failed(p, status);
}

/* ---- inputs ---- */

static struct source_events events_of(struct pipeline *p)
{
	return (struct source_events){ on_opened, on_chunk, on_end, on_failed, p };
}

static struct network_session *session_of(struct pipeline *p, struct error *err)
{
	if (!p->session)
		p->session = network_session_new(p->config.network, p->loop, err);
	return p->session;
}

static void begin_source(struct pipeline *p)
{
	p->paused = p->input_done = p->source_failed = false;
	p->before_input = p->result->stats;
}

static void run_source(struct pipeline *p)
{
	loop_run_until(p->loop, &p->input_done);
	count_input(p);
}

/* Reads an input of the job to its end, or reports that it could not be opened. */
static void run_input(struct pipeline *p)
{
	struct checkpoint *c = &p->checkpoint;
	const char *address = pipeline_address(p->job, c->input);
	const struct source_events events = events_of(p);
	const uint64_t offset = c->in_input ? resume_point_offset(&c->from) : 0;
	struct network_session *session = NULL;
	struct error err = { 0 };
	int status;
	p->file = p->job->inputs[c->input];
	p->part = pipeline_part(p->job, c->input);
	p->range = p->job->ranges ? p->job->ranges[c->input] : (struct input_range){ 0 };
	p->counted = (struct source_counts){ 0 };
	begin_source(p);
	c->reading = false;
	buf_clear(&c->identity);
	const struct zip_input input = { .address = address,
					 .shown = p->file,
					 .part = p->part,
					 .offset = offset,
					 .whole = input_range_is_whole(p->range),
					 .kept = &p->kept };
	const bool network = p->config.network && address_is_network(address);
	if (p->part && p->part->unreadable)
		status = error_set(&err, DANA_EIO, "%s", p->part->fault);
	else if (network && !(session = session_of(p, &err)))
		status = (int)err.status;
	else
		status = zip_source_open(&p->source, p->loop, session, &input, &events, &err);
	if (status < 0) {
		report_fault(&p->reporter, p->file, err.text);
		p->result->failed = true;
		p->job_over |= c->in_input;
		/* Not the input is to blame but the machine: another run can resume with it. */
		p->input_failed |= !(p->part && p->part->unreadable) && source_is_there(address);
		c->frozen |= p->input_failed;
	} else {
		source_start(p->source);
		run_source(p);
		const bool opened = p->pump;
		if (opened)
			drain(p);
		pump_free(p->pump);
		p->pump = NULL;
		source_free(p->source);
		p->source = NULL;
		const bool broken = p->source_failed || p->job_over;
		if (opened)
			report_input_end(&p->reporter, p->file, broken);
		if (p->job->done)
			p->job->done[c->input] = opened && !broken;
	}
	if (!p->job_over && checkpoint_input_end(c) < 0)
		fault(p, NULL, status_text(DANA_ENOMEM));
}

/* ---- pieces ---- */

static void end_piece_input(struct pipeline *p)
{
	if (p->pieces->input == SIZE_MAX)
		return;
	drain(p);
	report_input_end(&p->reporter, p->file, true);
}

/*
 * The next piece begins, perhaps of another input than the one before, or it is the first one that an earlier run had
 * not done.
 */
static int begin_piece(struct pipeline *p, size_t number)
{
	const struct input_piece *piece = &p->job->pieces[number];
	const struct stats *s = &p->result->stats;
	struct piece_run *r = p->pieces;
	struct piece_records *records = &r->records;
	struct checkpoint *c = &p->checkpoint;
	const bool resuming = c->in_input, same = piece->input == r->input;
	if (!same)
		end_piece_input(p);
	const uint64_t first = same ? records->first + records->seen : resuming ? c->from.piece.first : 0;
	struct resume_point point = { .of_piece = true,
				      .piece = { number, same ? first : 0, { s->bytes_in, s->bytes_decoded } } };
	struct record_sink *next = records->next;
	if (!same) {
		r->input = piece->input;
		p->file = p->job->inputs[r->input];
		c->reading = false;
		buf_clear(&c->identity);
		next = begin_records(p, resuming ? &c->from : &point, resuming);
		if (!next)
			return DANA_ENOMEM;
	}
	*records = (struct piece_records){ .sink.ops = &piece_ops,
					   .next = next,
					   .first = first,
					   .piece = piece,
					   .left = piece->length ? piece->length : UINT64_MAX,
					   .index = p->job->indexes[piece->index] };
	point.piece.first = first;
	return done_records_piece(&p->done, &point.piece);
}

static void run_piece(struct pipeline *p, size_t number)
{
	const struct source_events events = events_of(p);
	struct piece_run *r = p->pieces;
	struct error err = { 0 };
	if (begin_piece(p, number) < 0) {
		fault(p, NULL, status_text(DANA_ENOMEM));
		return;
	}
	const char *address = pipeline_address(p->job, r->input);
	begin_source(p);
	if (p->config.network && address_is_network(address)) {
		/* the source of all pieces that come from the network is made with the first one */
		const struct pipeline_job *job = p->job;
		const struct piece_list list = { .pieces = job->pieces,
						 .n = job->n_pieces,
						 .inputs = job->inputs,
						 .addresses = job->addresses ? job->addresses : job->inputs,
						 .failed = r->failed };
		struct network_session *session = r->fetched ? NULL : session_of(p, &err);
		if (!r->fetched && (!session || piece_source_open(&r->fetched, session, &list, &events, &err) < 0)) {
			fault(p, NULL, err.text);
			return;
		}
		p->source = r->fetched;
		p->counted = r->fetched_counted;
		if (p->handoff)
			handoff_flush(p->handoff); /* the next piece may have to be waited for */
		piece_source_begin(p->source, number);
		run_source(p);
		r->fetched_counted = p->counted;
	} else if (r->failed[r->input]) {
		p->source_failed = true;
	} else if (source_open(&p->source, p->loop, address, NULL, r->records.piece->from, &events, &err) < 0) {
		on_failed(p, err.text);
	} else {
		p->counted = (struct source_counts){ 0 };
		source_start(p->source);
		run_source(p);
		source_free(p->source);
	}
	p->source = NULL;
	/* All of the piece has come: damage is where the file ends before its offset, no record begins there, or the
	 * file ends before its length. A record that is not in the file makes the run fail, as a file that does not
	 * exist. */
	struct piece_records *records = &r->records;
	int status = DANA_OK;
	if (p->job_over || p->source_failed) {
		status = DANA_OK; /* nothing is known of it */
	} else if (pump_counts(p->pump).bytes_in == 0) {
		p->result->failed = true;
		status = line_damaged(records, DAMAGE_TRUNCATED, "the file ends before this offset");
	} else if (records->seen == 0) {
		status = line_damaged(records, DAMAGE_GARBAGE, "no record begins at this offset");
	} else if (!records->over && !records->damaged && records->piece->length && records->left) {
		status = length_wrong(records);
	}
	if (status < 0)
		stage_failed(p, status);
	pump_free(p->pump);
	p->pump = NULL;
}

/* ---- jobs ---- */

static int on_taken(void *arg)
{
	struct pipeline *p = arg;
	return checkpoint_taken(&p->checkpoint);
}

/* Makes what is between the processors and the outputs, as an earlier run has left it. */
static int open_tail(struct pipeline *p, struct error *err)
{
	static const struct stats none;
	struct checkpoint *c = &p->checkpoint;
	const struct sink_ops *format = p->config.format;
	struct sink_config sink_config = p->config.sink;
	int status = checkpoint_open(c, err);
	if (status == DANA_OK && !c->resumed && p->job->restore.len)
		status = checkpoint_restore(p->ordered, p->job->restore, err);
	if (status < 0)
		return status;
	sink_config.filename = path_name(p->job->output);
	sink_config.input = p->job->n_inputs ? p->job->inputs[0] : NULL;
	p->sink = format->open(&sink_config);
	p->encoder = c->encoder = encoder_new(p->config.encoding, p->config.level, format->member_per_document,
					      output_sink(p->outputs.documents));
	if (!p->sink || !p->encoder)
		return error_no_memory(err);
	struct tail_config config = {
		.format = format,
		.sink = p->sink,
		.encoder = p->encoder,
		.rejects = p->outputs.rejects ? output_sink(p->outputs.rejects) : NULL,
		.stats = &p->result->stats,
		.survey = p->survey,
		.dates = &p->dates,
		.reporter = &p->reporter,
		.plugins = p->ordered,
		.sites = p->config.processor.texts.sites,
		.taken = c->commit ? on_taken : NULL,
		.taken_arg = p,
	};
	tail_begin(p->tail, &config);
	if (!c->resumed)
		return checkpoint_first(c, err);
	encoder_go_on(p->encoder, c->documents);
	tail_go_on(p->tail, 0, c->complete || c->begun);
	p->shown = p->result->stats;
	if (!c->complete)
		p->shown.bytes_in = c->noted;
	if (p->config.progress)
		progress_pass(p->config.progress, &p->shown);
	if (p->config.metrics)
		metrics_file_add(p->config.metrics, &none, &p->shown);
	return DANA_OK;
}

static void end_fault(struct pipeline *p, const struct error *err)
{
	bool reported = p->result->failed && p->job_over; /* by then or while the last bytes went out */
	p->result->failed = true;
	if (!reported)
		report_fault(&p->reporter, NULL, err->text);
}

/* Writes what waits. Returns how the outputs end. */
static enum output_end write_rest(struct pipeline *p)
{
	struct error err = { 0 };
	if (p->result->stopped && !p->stage_failed && checkpoint_last(&p->checkpoint, &err) < 0)
		end_fault(p, &err);
	int status = output_failed(p->outputs.documents, NULL) == DANA_OK ? tail_finish(p->tail) : DANA_OK;
	if (status < 0 && !p->job_over)
		stage_failed(p, status);
	p->result->stats.bytes_out = output_bytes(p->outputs.documents);
	if (status < 0 || p->job_over || p->input_failed)
		return OUTPUT_PART;
	if (checkpoint_complete(&p->checkpoint, &err) == DANA_OK)
		return OUTPUT_FINAL;
	if (outputs_failed(&p->outputs, NULL) == DANA_OK)
		end_fault(p, &err);
	return OUTPUT_PART;
}

static void finish_job(struct pipeline *p, bool any_input)
{
	/* Where nothing could be opened there is no output. */
	enum output_end end = any_input ? write_rest(p) : OUTPUT_DISCARD;
	struct commit *commit = p->checkpoint.commit;
	struct error err = { 0 };
	if (commit)
		commit_wait(commit);
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
	p->result->resumable = left && commit;
	if (commit && !left && (end == OUTPUT_DISCARD || !p->config.keep_state) &&
	    outputs_remove_state(p->job->output, &err) < 0)
		end_fault(p, &err);
}

/* Does the job. Returns false if it could not begin; what an earlier run has left stays then. */
static bool run_job(struct pipeline *p)
{
	struct checkpoint *c = &p->checkpoint;
	struct error err = { 0 }, none = { 0 };
	uint64_t size;
	if (outputs_open(&p->outputs, p->loop, p->job->output, p->config.rejects, p->config.way, &p->job_over, &err) <
	    0) {
		p->result->stopped = p->job_over;
		if (p->result->stopped)
			return false;
		report_fault(&p->reporter, NULL, err.text);
		p->result->output_refused = err.status == DANA_ECONFIG;
		p->result->failed = !p->result->output_refused;
		return false;
	}
	if (open_tail(p, &err) < 0) {
		report_fault(&p->reporter, NULL, err.text);
		if (p->survey)
			survey_clear(p->survey);
		*p->result = (struct pipeline_result){ .stats.plugins = p->result->stats.plugins,
						       .survey = p->survey,
						       .output_refused = err.status == DANA_ECONFIG,
						       .failed = err.status != DANA_ECONFIG };
		outputs_finish(&p->outputs, output_kept(p->outputs.documents, &size) ? OUTPUT_PART : OUTPUT_DISCARD,
			       &none);
		return false;
	}
	outputs_on_progress(&p->outputs, on_output_moved, p);
	if (p->config.progress || p->config.metrics || p->config.timeline)
		loop_on_tick(p->loop, PROGRESS_TICK_MS, on_tick, p);
	if (p->job->pieces && !c->complete) {
		const struct pipeline_job *job = p->job;
		const size_t n = job->n_inputs ? job->n_inputs : 1, first = (size_t)p->checkpoint.from.piece.number;
		struct piece_run r = { .input = SIZE_MAX,
				       .failed = calloc(n, sizeof(bool)),
				       .opened = calloc(n, sizeof(bool)),
				       .reported = calloc(n, sizeof(bool)) };
		p->pieces = &r;
		p->range = (struct input_range){ 0 };
		p->part = NULL;
		if (r.failed && r.opened && r.reported) {
			/* As the statistics of the earlier run have them. */
			for (size_t i = 0; i < first + p->checkpoint.in_input; i++)
				r.opened[job->pieces[i].input] = true;
			for (size_t i = first; i < job->n_pieces && !p->job_over; i++)
				run_piece(p, i);
			end_piece_input(p);
		} else {
			fault(p, NULL, status_text(DANA_ENOMEM));
		}
		source_free(r.fetched);
		free(r.failed);
		free(r.opened);
		free(r.reported);
		p->pieces = NULL;
	}
	while (!p->job->pieces && c->input < p->job->n_inputs && !p->job_over)
		run_input(p);
	p->result->stopped = atomic_load(&p->stop);
	zip_kept_drop(&p->kept);
	finish_job(p, c->any_input || c->complete || p->job->n_inputs == 0);
	loop_on_tick(p->loop, 0, NULL, NULL);
	show(p);
	return true;
}

void pipeline_run(struct pipeline *p, const struct pipeline_job *job, struct pipeline_result *result)
{
	struct error err = { 0 };
	*result = (struct pipeline_result){ .stats.plugins = plugins_names(p->config.processor.plugins),
					    .survey = p->survey,
					    .stopped = atomic_load(&p->stop) };
	if (p->survey)
		survey_clear(p->survey);
	if (result->stopped)
		return;
	p->result = result;
	p->job = job;
	p->shown = p->before_input = (struct stats){ 0 };
	p->job_over = p->input_failed = p->stage_failed = false;
	p->reporter = p->config.reporter;
	p->reporter.plugins = result->stats.plugins;
	/* An input of a host that is given up has no output opened: of thousands, that would take longer than all else.
	 * What an earlier run has left must be looked at first. */
	const unsigned given_up = job->n_inputs == 1 && p->config.network && p->config.way != OUTPUT_RESUME
					  ? network_given_up(p->config.network, pipeline_address(job, 0))
					  : 0;
	if (given_up) {
		char why[100];
		(void)snprintf(why, sizeof(why), NETWORK_GIVEN_UP, given_up);
		report_fault(&p->reporter, job->inputs[0], why);
		result->failed = true;
		return;
	}
	p->checkpoint = (struct checkpoint){ .config = &p->config,
					     .job = job,
					     .result = result,
					     .outputs = &p->outputs,
					     .reporter = &p->reporter,
					     .dates = &p->dates,
					     .ordered = p->ordered,
					     .before_input = &p->before_input,
					     .point = p->window    ? site_window_point(p->window)
						      : p->handoff ? handoff_point(p->handoff)
								   : &p->done.point,
					     .window = p->window,
					     .loop = p->loop,
					     .count = count_input,
					     .arg = p,
					     .tail = p->tail };
	if (checkpoint_is_complete(&p->checkpoint, &err)) {
		if (err.status != DANA_OK)
			fault(p, NULL, err.text);
	} else if (!run_job(p)) {
		result->unfinished = true;
	}
	encoder_free(p->encoder);
	if (p->sink)
		p->config.format->close(p->sink);
	checkpoint_close(&p->checkpoint);
	outputs_free(&p->outputs);
	archive_dates_free(&p->dates);
	p->encoder = NULL;
	p->sink = NULL;
	p->dates = (struct archive_dates){ 0 };
}

/* ---- the stages between framer and tail: one processor, or workers with one each ---- */

static void *stage_open(void *arg, struct document_sink *next, struct error *err)
{
	const struct pipeline *p = arg;
	return processor_new(&p->config.processor, next, err);
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

static const char *stage_fault(void *stage)
{
	return processor_fault(stage);
}

static const struct handoff_stage_ops stage_ops = { stage_open, stage_records, stage_context, stage_close,
						    stage_fault };

static int refuses(void *arg, const struct record *rec)
{
	const struct pipeline *p = arg;
	return processor_refuses(p->gate, &p->config.processor, rec);
}

static int format(void *arg, struct document *doc, struct buf *out)
{
	const struct pipeline *p = arg;
	return tail_format(p->tail, doc, out);
}

static int take(void *arg, const struct outcome *outcome, const struct slice *formatted)
{
	struct pipeline *p = arg;
	struct document_sink *front = tail_documents(p->tail);
	return p->ordered || !formatted ? front->ops->outcome(front, outcome) : tail_take(p->tail, outcome, *formatted);
}

static int passed(void *arg, const struct pump_place *place, bool dated)
{
	struct pipeline *p = arg;
	source_passed(p->source, place->warc.offset);
	return done_records_pass(&p->done, place, dated);
}

static void wake(void *arg)
{
	struct pipeline *p = arg;
	loop_wake(p->loop);
}

static bool open_pipeline(struct pipeline *p, struct error *err)
{
	p->loop = loop_new(err);
	if (!p->loop)
		return false;
	loop_on_wake(p->loop, on_woken, p);
	p->tail = tail_new();
	if (!p->tail) {
		(void)error_no_memory(err);
		return false;
	}
	if (p->config.surveys) {
		p->survey = survey_new();
		if (!p->survey) {
			(void)error_no_memory(err);
			return false;
		}
	}
	if (plugins_ordered(p->config.processor.plugins)) {
		p->ordered = plugin_chain_new(p->config.processor.plugins, PLUGIN_TAIL, err);
		if (!p->ordered)
			return false;
	}
	if (p->config.jobs) {
		p->gate = plugin_chain_new(p->config.processor.plugins, PLUGIN_GATE, err);
		if (!p->gate)
			return false;
	}
	if (p->config.site_window) {
		const struct site_window_config config = { .bytes = p->config.site_window,
							   .processor = &p->config.processor,
							   .plugins = p->config.counted_plugins,
							   .jobs = p->config.jobs,
							   .dates = &p->dates,
							   .point = &p->done.point,
							   .wants = wants_records,
							   .refuses = refuses,
							   .wake = wake,
							   .arg = p };
		p->window = site_window_new(&config, err);
		if (!p->window)
			return false;
		p->config.processor.texts.sites = site_window_sources(p->window);
	}
	if (p->config.jobs) {
		struct handoff_config config = {
			.jobs = p->config.jobs,
			.in_flight = p->config.processor.limits->in_flight,
			.dates = &p->dates,
			.stage = &stage_ops,
			.arg = p,
			.refuses = refuses,
			.point = p->window ? site_window_point(p->window) : &p->done.point,
			.n_counters = plugins_names(p->config.processor.plugins)->n_counters,
			.keep_starts = p->survey != NULL,
			.keep_documents = p->ordered != NULL,
			.limits = p->config.processor.limits,
			.numbers_documents = p->config.format->uses_numbers,
			.passed = passed,
			.format = format,
			.take = take,
			.wake = wake,
		};
		p->handoff = handoff_new(&config, err);
		return p->handoff != NULL;
	}
	p->config.processor.dates = &p->dates;
	p->processor = processor_new(&p->config.processor, tail_documents(p->tail), err);
	return p->processor != NULL;
}

struct pipeline *pipeline_new(const struct pipeline_config *config, struct error *err)
{
	struct pipeline *p = calloc(1, sizeof(*p));
	if (!p) {
		(void)error_no_memory(err);
		return NULL;
	}
	p->config = *config;
	if (open_pipeline(p, err))
		return p;
	pipeline_free(p);
	return NULL;
}

bool pipeline_counts(struct slice counts, struct stats *s)
{
	struct fields list = { .list = counts };
	struct fields stats = fields_list(&list, "stats");
	stats_load(s, &stats);
	return !stats.bad;
}

int pipeline_survey(struct slice counts, struct survey *s)
{
	struct fields list = { .list = counts };
	return checkpoint_survey(&list, s);
}

int pipeline_restore(struct pipeline *p, struct slice counts, struct error *err)
{
	return checkpoint_restore(p->ordered, counts, err);
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
	site_window_free(p->window);
	plugin_chain_free(p->gate);
	plugin_chain_free(p->ordered);
	tail_free(p->tail);
	survey_free(p->survey);
	buf_free(&p->done.point.warcinfo_date);
	network_session_free(p->session);
	loop_free(p->loop);
	free(p);
}
