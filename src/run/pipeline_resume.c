/* SPDX-License-Identifier: MIT */
/*
 * Going on with a job that an earlier run has left: FILE.state is read and compared with this run, FILE.part is cut to
 * what it says, and counters, reports, plugins and the place in the inputs become what they were.
 */
#include "config.h"

#include "io/commit.h"
#include "io/net/address.h"
#include "run/checkpoint/fields.h"
#include "run/checkpoint/lines.h"
#include "run/checkpoint/state.h"
#include "run/pipeline_state.h"
#include "run/stats_fields.h"

/* "FILE: why; --force starts anew" */
static int refuse(const struct pipeline *p, struct error *err, const char *why)
{
	enum { SHOWN = 400 };
	const char *file = p->checkpoint.job->output;
	return error_set(err, DANA_ECONFIG, "%.*s cannot be gone on with: %s; --force starts anew", (int)SHOWN, file,
			 why);
}

/* ---- is it the same run? ---- */

static int refuse_different(const struct pipeline *p, struct error *err, struct buf *what)
{
	return buf_append_byte(what, 0) < 0 ? error_no_memory(err) : refuse(p, err, (const char *)what->data);
}

static int compare_lines(const struct pipeline *p, struct slice then, struct slice now, const char *of,
			 struct error *err)
{
	struct buf what = { 0 };
	buf_printf(&what, "%s%s", of, *of ? ": " : "");
	int status = lines_differ(then, now, &what) ? refuse_different(p, err, &what) : DANA_OK;
	buf_free(&what);
	return status;
}

static int compare_run(const struct pipeline *p, struct fields *list, struct error *err)
{
	const struct pipeline_job *job = p->checkpoint.job;
	struct slice output = slice_from_text(pipeline_base_name(job->output));
	int status = compare_lines(p, fields_get(list, "run"), p->config.run, "", err);
	if (status < 0)
		return status;
	if (!slice_equal(fields_get(list, "output"), output))
		return refuse(p, err, "it has another name now");
	if (fields_number(list, "inputs") != job->n_inputs ||
	    !slice_equal(fields_get(list, "names"), slice_from_text(p->checkpoint.names)))
		return refuse(p, err, "the inputs, their order, or what --cdx names are not those of the run before");
	return DANA_OK;
}

int pipeline_resume_identity(struct pipeline *p, size_t number, struct buf *lines, struct error *err)
{
	static const struct source_events events;
	const char *input = p->checkpoint.job->inputs[number], *address = pipeline_address(p->checkpoint.job, number);
	struct source *source = NULL;
	struct error why = { 0 };
	if (p->config.network && address_is_network(address))
		return DANA_OK;
	int status = source_open(&source, p->loop, address, 0, &events, &why);
	if (status < 0)
		return error_set(err, (enum dana_status)status, "%s: %s", input, why.text);
	status = source_identity(source, lines);
	source_free(source);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", input, status_text(status)) : DANA_OK;
}

/* Is an input that was read to its end still the one that `then` names? */
static int compare_done(struct pipeline *p, size_t input, struct slice then, struct error *err)
{
	struct buf lines = { 0 }, name = { 0 }, what = { 0 };
	int status = pipeline_resume_identity(p, input, &lines, err);
	if (status == DANA_OK && lines.len && pipeline_checkpoint_name(buf_slice(&lines), &name) < 0)
		status = error_no_memory(err);
	if (status == DANA_OK && lines.len && !slice_equal(buf_slice(&name), then)) {
		buf_printf(&what, "%s is not as it was when it was read", p->checkpoint.job->inputs[input]);
		status = refuse_different(p, err, &what);
	}
	buf_free(&lines);
	buf_free(&name);
	buf_free(&what);
	return status;
}

/* The first ones are read to their end. */
static int compare_done_inputs(struct pipeline *p, struct error *err)
{
	const struct checkpoint *c = &p->checkpoint;
	struct slice rest = buf_slice(&c->done_inputs);
	int status = DANA_OK;
	for (size_t i = 0; i < c->input && status == DANA_OK && !c->complete; i++) {
		struct slice then = slice_first(rest, CHECKPOINT_NAME);
		rest = slice_skip(rest, CHECKPOINT_NAME);
		if (then.data[0] != CHECKPOINT_NOT_OPENED)
			status = compare_done(p, i, then, err);
	}
	return status;
}

int pipeline_resume_compare(struct pipeline *p, const char *input, struct slice now, struct error *err)
{
	return compare_lines(p, buf_slice(&p->checkpoint.expected), now, input, err);
}

/* The one that was being read. */
static int compare_input(struct pipeline *p, struct error *err)
{
	struct checkpoint *c = &p->checkpoint;
	const size_t input = c->job->n_pieces ? c->job->pieces[c->from.piece.number].input : c->input;
	struct buf lines = { 0 };
	if (c->expected.len == 0 || input == c->job->n_inputs)
		return DANA_OK;
	int status = pipeline_resume_identity(p, input, &lines, err);
	if (status == DANA_OK && lines.len)
		status = pipeline_resume_compare(p, c->job->inputs[input], buf_slice(&lines), err);
	buf_free(&lines);
	return status;
}

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

/* How far the inputs are. 0 or DANA_ENOMEM. */
static int load_inputs(struct pipeline *p, struct fields *list)
{
	struct checkpoint *c = &p->checkpoint;
	struct fields report = fields_list(list, "report"), point = { .bad = false };
	struct slice done = fields_get(list, "done"), identity = fields_get(list, "identity");
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
	list->bad |= report.bad || point.bad || done.len != c->input * CHECKPOINT_NAME ||
		     (c->in_input && c->input == c->job->n_inputs);
	if (c->in_input) { /* what was read of it is counted when it is read again */
		p->result->stats.bytes_in = before[0];
		p->result->stats.bytes_decoded = before[1];
	}
	c->noted = p->result->stats.bytes_in + (c->from.in_middle ? c->from.place.furthest : 0);
	if (buf_append(&c->done_inputs, done.data, done.len) < 0 ||
	    buf_append(&c->expected, identity.data, identity.len) < 0)
		return DANA_ENOMEM;
	return status;
}

static int load_tail(struct pipeline *p, struct fields *list)
{
	struct checkpoint *c = &p->checkpoint;
	c->next = fields_number(list, "next");
	c->begun = fields_flag(list, "begun");
	if (!fields_has(list, "first-date"))
		return DANA_OK;
	return origin_set_first(&p->origin, fields_get(list, "first-date"));
}

static int load(struct pipeline *p, struct fields *list, struct error *err)
{
	int status = DANA_OK;
	load_stats(p, list);
	p->checkpoint.complete = fields_flag(list, "complete");
	p->result->failed = fields_flag(list, "failed");
	if (p->checkpoint.complete)
		p->checkpoint.input = p->checkpoint.job->n_inputs;
	else
		status = load_inputs(p, list);
	if (status == DANA_OK && !p->checkpoint.complete)
		status = load_tail(p, list);
	if (status < 0)
		return error_no_memory(err);
	return list->bad ? refuse(p, err, "its FILE.state has another form than this version of dana writes") : DANA_OK;
}

/* ---- the outputs ---- */

/* 0, or DANA_ECONFIG: the part is shorter than the state says. */
static int cut(struct pipeline *p, struct output *o, uint64_t bytes, struct error *err)
{
	uint64_t size;
	(void)output_kept(o, &size);
	if (size < bytes)
		return refuse(p, err, "its .part has fewer bytes than FILE.state says");
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
	status = compare_run(p, &list, err);
	if (status < 0)
		return status;
	if (size == 0 && fields_number(&list, "documents") > 0)
		return start_anew(p, err); /* the run before was killed when it had just begun anew */
	status = load(p, &list, err);
	if (status == DANA_OK)
		status = compare_done_inputs(p, err);
	if (status == DANA_OK)
		status = compare_input(p, err);
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
		status = size ? refuse(p, err, "there is no FILE.state, which says how far it is") : start_anew(p, err);
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
	if (p->config.way != OUTPUT_RESUME || !job->output || !output_is_final(job->output))
		return false;
	p->result->done_before = true;
	/* FILE.state is still there when the run ended before it had told its statistics. */
	if (p->config.keep_state && outputs_read_state(job->output, &state, &err) == DANA_OK &&
	    state_decode(buf_slice(&state), &list.list, &err) == DANA_OK && fields_flag(&list, "complete")) {
		load_stats(p, &list);
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
