/* SPDX-License-Identifier: MIT */
/*
 * Going on with a job that an earlier run has left: FILE.state is read and compared with this run, FILE.part is cut to
 * what it says, and counters, reports, plugins and the place in the inputs become what they were.
 */
#include "config.h"

#include "run/pipeline_state.h"
#include "run/state_file.h"
#include "run/stats_file.h"

/* ---- what it was ---- */

int pipeline_restore(struct pipeline *p, struct slice counts, struct error *err)
{
	const size_t before = sizeof(CHECKPOINT_PLUGIN) - 1;
	struct fields list = { .list = counts };
	struct slice name, value;
	int status = DANA_OK;
	while (p->ordered && status == DANA_OK && fields_next(&list, &name, &value)) {
		if (name.len > before && memcmp(name.data, CHECKPOINT_PLUGIN, before) == 0)
			status = plugin_chain_restore(p->ordered, slice_skip(name, before), value, err);
	}
	return status;
}

bool pipeline_counts(struct slice counts, struct stats *s)
{
	struct fields list = { .list = counts };
	struct fields stats = fields_list(&list, "stats");
	stats_load(s, &stats);
	return !stats.bad;
}

static void load_stats(struct pipeline *p, struct fields *list)
{
	struct fields stats = fields_list(list, "stats");
	stats_load(&p->result->stats, &stats);
	list->bad |= stats.bad;
}

/* Which inputs were read to their end: noted for the next checkpoint too. Returns 0 or DANA_ENOMEM. */
static int load_done(struct pipeline *p, struct fields *list)
{
	const struct pipeline_job *job = p->checkpoint.job;
	struct slice done = fields_get(list, "done");
	int status = buf_append(&p->checkpoint.done_inputs, done.data, done.len);
	for (size_t i = 0; job->done && i < job->n_inputs && done.len >= CHECKPOINT_NAME; i++) {
		job->done[i] = done.data[0] != CHECKPOINT_NOT_OPENED;
		done = slice_skip(done, CHECKPOINT_NAME);
	}
	return status;
}

/* How far the inputs are. Returns 0 or DANA_ENOMEM. */
static int load_inputs(struct pipeline *p, struct fields *list)
{
	struct checkpoint *c = &p->checkpoint;
	struct fields report = fields_list(list, "report"), point = { .bad = false };
	struct slice identity = fields_get(list, "identity");
	uint64_t before[2] = { 0 };
	int status = DANA_OK;
	c->input = (size_t)fields_number_to(list, "input", c->job->n_inputs);
	c->any_input = fields_flag(list, "opened");
	c->in_input = fields_flag(list, "reading");
	report_load(&p->reporter, &report);
	fields_numbers(list, "before", before, 2);
	if (fields_has(list, "point")) {
		point = fields_list(list, "point");
		status = resume_point_load(&c->from, &point);
	}
	list->bad |= (c->from.of_piece || c->job->n_pieces) && c->from.piece.number >= c->job->n_pieces;
	list->bad |= report.bad || point.bad || c->done_inputs.len != c->input * CHECKPOINT_NAME ||
		     (c->in_input && c->input == c->job->n_inputs);
	if (c->in_input) { /* what was read of it is counted when it is read again */
		p->result->stats.bytes_in = before[0];
		p->result->stats.bytes_decoded = before[1];
	}
	c->noted = p->result->stats.bytes_in + (c->from.in_middle ? c->from.place.furthest : 0);
	return status < 0 ? status : buf_append(&c->expected, identity.data, identity.len);
}

static int load_tail(struct pipeline *p, struct fields *list)
{
	struct checkpoint *c = &p->checkpoint;
	c->next = fields_number(list, "next");
	c->begun = fields_flag(list, "begun");
	if (!fields_has(list, "first-date"))
		return DANA_OK;
	return archive_dates_set_first(&p->dates, fields_get(list, "first-date"));
}

static int load(struct pipeline *p, struct fields *list, struct error *err)
{
	load_stats(p, list);
	int status = load_done(p, list);
	p->checkpoint.complete = fields_flag(list, "complete");
	p->result->failed = fields_flag(list, "failed");
	if (p->checkpoint.complete)
		p->checkpoint.input = p->checkpoint.job->n_inputs;
	else if (status == DANA_OK)
		status = load_inputs(p, list);
	if (status == DANA_OK && !p->checkpoint.complete)
		status = load_tail(p, list);
	if (status < 0)
		return error_no_memory(err);
	return list->bad ? pipeline_refuse(p, err, "its FILE.state has another form than this version of dana writes")
			 : DANA_OK;
}

/* ---- the outputs ---- */

/* Returns 0, or DANA_ECONFIG: the part is shorter than the state says. */
static int cut(struct pipeline *p, struct output *o, uint64_t bytes, struct error *err)
{
	uint64_t size;
	(void)output_kept(o, &size);
	if (size < bytes)
		return pipeline_refuse(p, err, "its .part has fewer bytes than FILE.state says");
	return output_cut(o, bytes, err);
}

static int cut_outputs(struct pipeline *p, struct fields *list, struct error *err)
{
	const uint64_t documents = fields_number(list, "documents");
	int status = cut(p, p->outputs.documents, documents, err);
	if (status == DANA_OK && p->outputs.rejects)
		status = cut(p, p->outputs.rejects, fields_number(list, "rejects"), err);
	p->checkpoint.documents = documents;
	return status;
}

/* Nothing of an earlier run counts: both are empty. */
static int start_anew(struct pipeline *p, struct error *err)
{
	int status = output_cut(p->outputs.documents, 0, err);
	if (status == DANA_OK && p->outputs.rejects)
		status = output_cut(p->outputs.rejects, 0, err);
	return status;
}

static int go_on(struct pipeline *p, struct slice state, uint64_t size, struct error *err)
{
	struct error why = { 0 };
	struct fields list = { .bad = false };
	int status = state_decode(state, &list.list, &why);
	if (status == DANA_ENOMEM)
		return error_no_memory(err);
	if (status < 0)
		return error_set(err, DANA_ECONFIG, "%s.state %s; --force starts anew", p->checkpoint.job->output,
				 why.text);
	status = pipeline_compare_run(p, &list, err);
	if (status < 0)
		return status;
	if (size == 0 && fields_number(&list, "documents") > 0)
		return start_anew(p, err); /* the run before was killed when it had just begun anew */
	status = load(p, &list, err);
	if (status == DANA_OK)
		status = pipeline_compare_inputs(p, err);
	if (status == DANA_OK)
		status = cut_outputs(p, &list, err);
	if (status == DANA_OK)
		status = pipeline_restore(p, list.list, err);
	p->checkpoint.resumed = status == DANA_OK;
	return status;
}

int pipeline_resume(struct pipeline *p, struct error *err)
{
	struct buf state = { 0 };
	uint64_t size;
	if (p->config.way != OUTPUT_RESUME || !p->checkpoint.commit)
		return DANA_OK;
	if (!output_kept(p->outputs.documents, &size))
		return start_anew(p, err);
	int status = outputs_read_state(p->checkpoint.job->output, &state, err);
	if (status == OUTPUTS_NO_STATE)
		status = size ? pipeline_refuse(p, err, "there is no FILE.state, which says how far it is")
			      : start_anew(p, err);
	else if (status == DANA_OK)
		status = go_on(p, buf_slice(&state), size, err);
	buf_free(&state);
	return status;
}

bool pipeline_resume_done(struct pipeline *p, const struct pipeline_job *job)
{
	struct buf state = { 0 };
	struct fields list = { .bad = false };
	struct error err = { 0 };
	if (p->config.way != OUTPUT_RESUME || !job->output || !part_file_is_final(job->output))
		return false;
	p->result->done_before = true;
	/* FILE.state is still there when the run ended before it had reported its statistics. */
	if (p->config.keep_state && outputs_read_state(job->output, &state, &err) == DANA_OK &&
	    state_decode(buf_slice(&state), &list.list, &err) == DANA_OK && fields_flag(&list, "complete")) {
		load_stats(p, &list);
		load_done(p, &list);
		p->result->failed = fields_flag(&list, "failed");
		p->result->unfinished = pipeline_restore(p, list.list, &err) < 0;
		if (p->result->unfinished)
			pipeline_fault(p, err.text);
		p->result->counted = !list.bad;
	}
	buf_free(&state);
	if (!p->config.keep_state && outputs_remove_state(job->output, &err) < 0)
		pipeline_fault(p, err.text);
	return true;
}
