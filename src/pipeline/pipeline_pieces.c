/* SPDX-License-Identifier: MIT */
/*
 * Inputs read by pieces: each piece has a pump of its own, which begins where the piece does, so that damage does not
 * reach the next one. Pieces that follow one another in one input share its records' numbers and are not waited for one
 * by one.
 */
#include "config.h"

#include <stdlib.h>

#include "io/net/address.h"
#include "io/net/piece_source.h"
#include "pipeline/pipeline_state.h"

struct run {
	struct pipeline *p;
	const struct pipeline_job *job;
	struct source *fetched; /* all pieces that come from the network; NULL until there is one */
	struct source_counts fetched_counted;
	struct piece_records records;
	bool *failed, *opened, *told; /* for each input: it cannot be read; some of it was; its fault was reported */
	size_t input;                 /* the one under way; SIZE_MAX: none */
	const struct piece *piece;
};

/* ---- events ---- */

static void on_opened(void *arg)
{
	struct run *r = arg;
	bool *opened = &r->opened[r->piece->input];
	r->p->result->stats.inputs += !*opened;
	*opened = true;
	r->p->checkpoint.any_input = true;
	if (pipeline_open_pump(r->p, &r->records.sink, r->piece->from) < 0)
		pipeline_fault(r->p, status_text(DANA_ENOMEM));
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
	if (!r->told[input])
		report_fault(&p->reporter, p->file, why);
	r->told[input] = r->failed[input] = true;
	p->result->failed = true;
	p->input_failed |= r->opened[input];
	p->checkpoint.frozen = true;
	if (!p->pump) {
		p->input_done = true;
		return;
	}
	p->source_failed = true;
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
	if (r->failed[r->piece->input])
		return;
	if (source_open(&p->source, p->loop, path, r->piece->from, events_of(r, &events), &err) < 0) {
		on_failed(r, err.text);
		return;
	}
	p->counted = (struct source_counts){ 0 };
	p->left = r->piece->length ? r->piece->length : UINT64_MAX;
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

static void run_piece(struct run *r, size_t number)
{
	struct pipeline *p = r->p;
	r->piece = &r->job->pieces[number];
	size_t input = r->piece->input;
	const char *address = r->job->addresses ? r->job->addresses[input] : r->job->inputs[input];
	if (input != r->input) {
		end_input(r);
		r->input = input;
		p->file = r->job->inputs[input];
		piece_records_input(&r->records, pipeline_begin_file(p));
	}
	piece_records_piece(&r->records, r->piece->length == 0);
	p->piece = &r->records;
	p->left = UINT64_MAX;
	p->paused = p->input_done = p->source_failed = false;
	p->before_input = p->result->stats;
	if (p->config.network && address_is_network(address))
		run_fetched(r, number);
	else
		run_file(r, address);
	p->source = NULL;
	pump_free(p->pump);
	p->pump = NULL;
}

static bool begin(struct run *r)
{
	size_t n = r->job->n_inputs ? r->job->n_inputs : 1;
	r->failed = calloc(n, sizeof(bool));
	r->opened = calloc(n, sizeof(bool));
	r->told = calloc(n, sizeof(bool));
	return r->failed && r->opened && r->told;
}

void pipeline_pieces(struct pipeline *p, const struct pipeline_job *job)
{
	struct run r = { .p = p, .job = job, .input = SIZE_MAX };
	if (begin(&r)) {
		for (size_t i = 0; i < job->n_pieces && !p->job_over; i++)
			run_piece(&r, i);
		end_input(&r);
	} else {
		pipeline_fault(p, status_text(DANA_ENOMEM));
	}
	source_free(r.fetched);
	free(r.failed);
	free(r.opened);
	free(r.told);
	p->piece = NULL;
}
