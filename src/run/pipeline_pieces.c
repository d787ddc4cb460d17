/* SPDX-License-Identifier: MIT */
/*
 * Inputs read by pieces: each piece has a pump of its own, which begins where the piece does, so that damage does not
 * reach the next one. Pieces that follow one another in one input share its records' numbers and are not waited for one
 * by one.
 */
#include "config.h"

#include <stdlib.h>

#include "io/address.h"
#include "io/piece_source.h"
#include "run/pipeline_state.h"

struct run {
	struct pipeline *p;
	const struct pipeline_job *job;
	struct source *fetched; /* all pieces that come from the network; NULL until there is one */
	struct source_counts fetched_counted;
	struct piece_records records;
	bool *failed, *opened,
		*reported; /* for each input: it cannot be read; some of it was; its fault was reported */
	size_t first;      /* piece: earlier ones are done */
	size_t input;      /* the one under way; SIZE_MAX: none */
	const struct piece *piece;
};

/* ---- events ---- */

static void on_opened(void *arg)
{
	struct run *r = arg;
	struct pipeline *p = r->p;
	bool *opened = &r->opened[r->piece->input];
	struct error err = { 0 };
	if (!p->checkpoint.reading && !p->checkpoint.frozen && pipeline_checkpoint_input(p, &err) < 0) {
		pipeline_input_refused(p, &err);
		return;
	}
	p->result->stats.inputs += !*opened;
	*opened = true;
	p->checkpoint.in_input = false;
	p->checkpoint.any_input = true;
	if (pipeline_open_pump(p, &r->records.sink, r->piece->from) < 0)
		pipeline_fault(p, status_text(DANA_ENOMEM));
}

static void on_chunk(void *arg, struct slice bytes)
{
	pipeline_take_chunk(((struct run *)arg)->p, bytes);
}

static void on_end(void *arg)
{
	pipeline_take_end(((struct run *)arg)->p);
}

/* An input of which nothing could be read is left out; of one that broke off the output is not complete. */
static void on_failed(void *arg, const char *why)
{
	struct run *r = arg;
	struct pipeline *p = r->p;
	size_t input = r->piece->input;
	p->source_failed = true;
	if (!r->reported[input])
		report_fault(&p->reporter, p->file, why);
	r->reported[input] = r->failed[input] = true;
	p->result->failed = true;
	p->input_failed |= r->opened[input];
	p->checkpoint.frozen |= r->opened[input];
	if (!p->pump) {
		p->input_done = true;
		p->job_over |= p->checkpoint.in_input; /* what it has given before stands in the output */
		return;
	}
	pipeline_take_end(p);
}

/* ---- pieces ---- */

static const struct source_events *events_of(struct run *r, struct source_events *events)
{
	*events = (struct source_events){ .opened = on_opened,
					  .chunk = on_chunk,
					  .end = on_end,
					  .failed = on_failed,
					  .arg = r };
	return events;
}

static int open_fetched(struct run *r, struct error *err)
{
	struct source_events events;
	const struct pipeline_job *job = r->job;
	const struct piece_list list = { .pieces = job->pieces,
					 .n = job->n_pieces,
					 .inputs = job->inputs,
					 .addresses = job->addresses ? job->addresses : job->inputs,
					 .failed = r->failed };
	struct network_session *session = r->fetched ? NULL : pipeline_session(r->p, err);
	if (r->fetched)
		return DANA_OK;
	return session ? piece_source_open(&r->fetched, session, &list, events_of(r, &events), err) : (int)err->status;
}

static void run_fetched(struct run *r, size_t number)
{
	struct pipeline *p = r->p;
	struct error err = { 0 };
	if (open_fetched(r, &err) < 0) {
		pipeline_fault(p, err.text);
		return;
	}
	p->source = r->fetched;
	p->counted = r->fetched_counted;
	if (p->handoff)
		handoff_flush(p->handoff); /* the next piece may have to be waited for */
	piece_source_begin(p->source, number);
	loop_run_until(p->loop, &p->input_done);
	pipeline_count_input(p);
	r->fetched_counted = p->counted;
}

static void run_file(struct run *r, const char *path)
{
	struct pipeline *p = r->p;
	struct source_events events;
	struct error err = { 0 };
	p->source_failed = r->failed[r->piece->input];
	if (p->source_failed)
		return;
	if (source_open(&p->source, p->loop, path, r->piece->from, events_of(r, &events), &err) < 0) {
		on_failed(r, err.text);
		return;
	}
	p->counted = (struct source_counts){ 0 };
	source_start(p->source);
	loop_run_until(p->loop, &p->input_done);
	pipeline_count_input(p);
	source_free(p->source);
}

static void end_input(struct run *r)
{
	if (r->input == SIZE_MAX)
		return;
	pipeline_drain(r->p);
	report_input_end(&r->p->reporter, r->p->file, true);
}

static struct piece_point point_of(const struct run *r, size_t number)
{
	const struct stats *s = &r->p->result->stats;
	return (struct piece_point){ number, r->records.first, { s->bytes_in, s->bytes_decoded } };
}

/*
 * The piece is of another input than the one before, or the first one that an earlier run had not done. Returns 0 or
 * DANA_ENOMEM.
 */
static int begin_input(struct run *r, size_t number)
{
	struct pipeline *p = r->p;
	struct checkpoint *c = &p->checkpoint;
	const bool resuming = c->in_input;
	end_input(r);
	r->input = r->piece->input;
	p->file = r->job->inputs[r->input];
	c->reading = false;
	buf_clear(&c->identity);
	r->records.first = r->records.seen = 0;
	const struct resume_point beginning = { .of_piece = true, .piece = point_of(r, number) };
	struct record_sink *next = pipeline_input_begin(p, resuming ? &c->from : &beginning, resuming);
	if (!next)
		return DANA_ENOMEM;
	piece_records_input(&r->records, next, &p->left);
	if (resuming)
		r->records.first = c->from.piece.first;
	return DANA_OK;
}

static int begin_piece(struct run *r, size_t number)
{
	r->piece = &r->job->pieces[number];
	if (r->piece->input != r->input && begin_input(r, number) < 0)
		return DANA_ENOMEM;
	piece_records_piece(&r->records, r->piece, r->job->indexes[r->piece->index]);
	const struct piece_point point = point_of(r, number);
	return done_records_piece(&r->p->done, &point);
}

/* All that there is of the piece was read. A record that is not in the file makes the run fail, as a file that is not
 * there. */
static void end_piece(struct run *r)
{
	struct pipeline *p = r->p;
	if (p->job_over || p->source_failed)
		return;
	const bool beyond = pump_counts(p->pump).bytes_in == 0;
	p->result->failed |= beyond;
	int status = piece_records_end(&r->records, beyond);
	if (status < 0)
		pipeline_stage_failed(p, status);
}

static void run_piece(struct run *r, size_t number)
{
	struct pipeline *p = r->p;
	if (begin_piece(r, number) < 0) {
		pipeline_fault(p, status_text(DANA_ENOMEM));
		return;
	}
	const char *address = pipeline_address(r->job, r->input);
	p->piece = &r->records;
	p->left = r->piece->length ? r->piece->length : UINT64_MAX;
	p->paused = p->input_done = p->source_failed = false;
	p->before_input = p->result->stats;
	if (p->config.network && address_is_network(address))
		run_fetched(r, number);
	else
		run_file(r, address);
	p->source = NULL;
	end_piece(r);
	pump_free(p->pump);
	p->pump = NULL;
}

static bool begin(struct run *r)
{
	size_t n = r->job->n_inputs ? r->job->n_inputs : 1;
	r->failed = calloc(n, sizeof(bool));
	r->opened = calloc(n, sizeof(bool));
	r->reported = calloc(n, sizeof(bool));
	if (!r->failed || !r->opened || !r->reported)
		return false;
	/* As the statistics of the earlier run have them. */
	for (size_t i = 0; i < r->first + r->p->checkpoint.in_input; i++)
		r->opened[r->job->pieces[i].input] = true;
	return true;
}

void pipeline_pieces(struct pipeline *p, const struct pipeline_job *job)
{
	struct run r = { .p = p, .job = job, .input = SIZE_MAX, .first = (size_t)p->checkpoint.from.piece.number };
	if (begin(&r)) {
		for (size_t i = r.first; i < job->n_pieces && !p->job_over; i++)
			run_piece(&r, i);
		end_input(&r);
	} else {
		pipeline_fault(p, status_text(DANA_ENOMEM));
	}
	source_free(r.fetched);
	free(r.failed);
	free(r.opened);
	free(r.reported);
	p->piece = NULL;
}
