/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of a job: FILE.state says how far FILE.part is, and what another run needs to go on from there.
 *
 * It is written at the beginning, when there is nothing in FILE.part yet, then after every checkpoint_bytes of input,
 * as soon as an output member has ended, and when a signal ends the run. What it speaks of is on the disk before it is
 * (io/commit.h). Where members end does not depend on it.
 *
 * The order of the records ties everything together: when the tail has taken record N, the outputs, the counters and
 * the ordered plugins are as after record N, and the point (resume_point.h) is that of a record at or before it. A run
 * that goes on reads from that point, and passes over the records up to N.
 */
#include "config.h"

#include <stdlib.h>

#include "base/digest/sha256.h"
#include "base/file/path.h"
#include "io/address.h"
#include "io/output.h"
#include "run/pipeline_state.h"
#include "run/state_file.h"
#include "run/stats_file.h"

/* ---- what is in it ---- */

static int save_plugins(struct pipeline *p, struct buf *list)
{
	struct buf saved = { 0 }, field = { 0 };
	const char *name;
	int status = DANA_OK;
	for (size_t i = 0; p->ordered && status == DANA_OK; i++) {
		buf_clear(&saved);
		buf_clear(&field);
		status = plugin_chain_save(p->ordered, i, &name, &saved);
		if (status != DANA_OK)
			break;
		buf_printf(&field, "%s%s", CHECKPOINT_PLUGIN, name);
		status = buf_append_byte(&field, 0);
		fields_put(list, (const char *)field.data, buf_slice(&saved));
	}
	buf_free(&saved);
	buf_free(&field);
	return status < 0 ? status : buf_status(list);
}

static int save_counts(struct pipeline *p, struct buf *list)
{
	struct buf stats = { 0 };
	stats_save(&p->result->stats, &stats);
	fields_put_list(list, "stats", &stats);
	return save_plugins(p, list);
}

/* Which run this is: another one may not go on from it. */
static void save_run(const struct pipeline *p, struct buf *list)
{
	const struct checkpoint *c = &p->checkpoint;
	fields_put(list, "run", p->config.run);
	fields_put_text(list, "output", path_name(c->job->output));
	fields_put_number(list, "inputs", c->job->n_inputs);
	fields_put_text(list, "names", c->names);
}

static void save_outputs(const struct pipeline *p, struct buf *list)
{
	fields_put_number(list, "documents", output_bytes(p->outputs.documents));
	if (p->outputs.rejects)
		fields_put_number(list, "rejects", output_bytes(p->outputs.rejects));
}

static const struct resume_point *point_of(const struct pipeline *p)
{
	return p->handoff ? handoff_point(p->handoff) : &p->done.point;
}

/* How far the inputs are. */
static void save_inputs(const struct pipeline *p, struct buf *list)
{
	const struct checkpoint *c = &p->checkpoint;
	const struct resume_point *point = point_of(p);
	struct buf place = { 0 }, report = { 0 };
	const uint64_t before[2] = { p->before_input.bytes_in, p->before_input.bytes_decoded };
	fields_put_number(list, "input", c->input);
	fields_put(list, "identity", buf_slice(&c->identity));
	fields_put_number(list, "reading", c->reading);
	fields_put_numbers(list, "before", point->of_piece ? point->piece.before : before, 2);
	fields_put_number(list, "opened", c->any_input);
	if (point->of_piece || (c->reading && point->in_middle)) {
		resume_point_save(point, &place);
		fields_put_list(list, "point", &place);
	}
	report_save(&p->reporter, &report);
	fields_put_list(list, "report", &report);
}

static void save_tail(const struct pipeline *p, struct buf *list)
{
	bool opened;
	const uint64_t next = tail_next(p->tail, &opened);
	fields_put_number(list, "next", p->checkpoint.reading ? next : 0);
	fields_put_number(list, "begun", opened);
	if (p->dates.has_first)
		fields_put(list, "first-date", buf_slice(&p->dates.first_date));
}

/* Appends all as a file. Returns 0 or a negative status. */
static int save(struct pipeline *p, bool complete, struct buf *state)
{
	struct buf list = { 0 };
	if (p->source)
		pipeline_count_input(p);
	save_run(p, &list);
	fields_put_number(&list, "complete", complete);
	fields_put_number(&list, "failed", p->result->failed);
	fields_put(&list, "done", buf_slice(&p->checkpoint.done_inputs));
	save_outputs(p, &list);
	if (!complete) {
		save_inputs(p, &list);
		save_tail(p, &list);
	}
	int status = save_counts(p, &list);
	if (status == DANA_OK)
		status = state_encode(buf_slice(&list), state);
	buf_free(&list);
	return status;
}

/* ---- when ---- */

/* Saves, and begins to write it. */
static int begin_commit(struct pipeline *p, bool complete)
{
	struct checkpoint *c = &p->checkpoint;
	struct buf state = { 0 };
	int status = save(p, complete, &state);
	if (status == DANA_OK)
		status = commit_begin(c->commit, buf_slice(&state));
	buf_free(&state);
	buf_clear(&c->snapshot);
	return status;
}

/* Why a checkpoint could not be made. */
static int save_failed(const struct pipeline *p, int status, struct error *err)
{
	return error_set(err, (enum dana_status)status, "%s",
			 status == DANA_EPLUGIN ? pipeline_plugin_fault(p) : status_text(status));
}

static int commit_and_wait(struct pipeline *p, bool complete, struct error *err)
{
	commit_wait(p->checkpoint.commit);
	int status = begin_commit(p, complete);
	if (status < 0)
		return save_failed(p, status, err);
	commit_wait(p->checkpoint.commit);
	return commit_failed(p->checkpoint.commit, err);
}

int pipeline_checkpoint_taken(void *arg)
{
	struct pipeline *p = arg;
	struct checkpoint *c = &p->checkpoint;
	if (c->frozen)
		return DANA_OK;
	const struct resume_point *point = point_of(p);
	const uint64_t read = p->before_input.bytes_in + (point->in_middle ? point->place.furthest : 0);
	if (read - c->noted >= p->config.checkpoint_bytes && !commit_under_way(c->commit)) {
		int status = commit_failed(c->commit, NULL) < 0 ? DANA_EIO : encoder_settle(p->encoder);
		if (status < 0 || !encoder_at_boundary(p->encoder))
			return status;
		c->noted = read;
		c->members = encoder_members(p->encoder);
		return begin_commit(p, false);
	}
	/* A signal may come before the next member is complete. What ordered plugins keep may be large. */
	if (encoder_members(p->encoder) == c->members || p->ordered)
		return DANA_OK;
	c->members = encoder_members(p->encoder);
	return save(p, false, &c->snapshot);
}

int pipeline_checkpoint_last(struct pipeline *p, struct error *err)
{
	struct checkpoint *c = &p->checkpoint;
	/* Until the input that an earlier run was at is open, that run's checkpoint says all that there is to say. */
	if (!c->commit || c->frozen || p->stage_failed || c->in_input)
		return DANA_OK;
	int status = encoder_settle(p->encoder);
	if (status < 0)
		return error_set(err, (enum dana_status)status, "%s", status_text(status));
	if (encoder_at_boundary(p->encoder))
		return commit_and_wait(p, false, err);
	if (c->snapshot.len == 0)
		return DANA_OK;
	commit_wait(c->commit);
	status = commit_begin(c->commit, buf_slice(&c->snapshot));
	commit_wait(c->commit);
	return status < 0 ? error_no_memory(err) : commit_failed(c->commit, err);
}

int pipeline_checkpoint_complete(struct pipeline *p, struct error *err)
{
	struct buf counts = { 0 };
	int status = DANA_OK;
	if (!p->checkpoint.commit)
		return DANA_OK;
	if (p->config.keep_state)
		return commit_and_wait(p, true, err);
	commit_wait(p->checkpoint.commit);
	if (!p->config.complete)
		return commit_failed(p->checkpoint.commit, err);
	status = save_counts(p, &counts);
	status = status < 0 ? save_failed(p, status, err)
			    : p->config.complete(p->config.complete_arg, p->checkpoint.job->output, buf_slice(&counts),
						 err);
	buf_free(&counts);
	return status < 0 ? status : commit_failed(p->checkpoint.commit, err);
}

/* ---- inputs ---- */

static int digest_names(const struct pipeline_job *job, char out[SHA256_TEXT + 1])
{
	struct buf names = { 0 };
	for (size_t i = 0; i < job->n_inputs; i++) {
		(void)address_identity(pipeline_address(job, i), &names);
		buf_append_byte(&names, 0);
		if (job->ranges && !input_range_is_whole(job->ranges[i]))
			buf_append(&names, &job->ranges[i], sizeof(job->ranges[i]));
	}
	for (size_t i = 0; i < job->n_pieces; i++) {
		const struct piece *piece = &job->pieces[i];
		const uint64_t numbers[] = { piece->from, piece->length, piece->input };
		buf_append(&names, numbers, sizeof(numbers));
	}
	int status = buf_status(&names);
	if (status == DANA_OK)
		sha256_text(buf_slice(&names), out);
	buf_free(&names);
	return status;
}

int pipeline_checkpoint_input(struct pipeline *p, struct error *err)
{
	struct checkpoint *c = &p->checkpoint;
	buf_clear(&c->identity);
	c->reading = c->commit && !c->frozen;
	if (!c->reading)
		return DANA_OK;
	int status = source_identity(p->source, &c->identity);
	if (status == DANA_ENOMEM)
		return error_no_memory(err);
	c->frozen = status < 0; /* a server that gives no length, a pipe that has taken the place of a file */
	if (c->frozen || c->expected.len == 0)
		return DANA_OK;
	status = pipeline_identity_compare(p, p->file, buf_slice(&c->identity), err);
	buf_clear(&c->expected);
	return status;
}

int pipeline_checkpoint_input_end(struct pipeline *p)
{
	struct checkpoint *c = &p->checkpoint;
	int status = pipeline_identity_name(buf_slice(&c->identity), &c->done_inputs);
	buf_clear(&c->identity);
	c->reading = false;
	c->input++;
	return status;
}

/* ---- the job ---- */

static bool can_be_resumed(const struct pipeline *p, const struct pipeline_job *job)
{
	bool can = p->config.run.len && output_is_file(p->outputs.documents);
	for (size_t i = 0; i < job->n_inputs && can; i++) {
		const char *address = pipeline_address(job, i);
		can = address_is_network(address) ||
		      source_can_begin_anywhere(address); /* which servers can, shows later */
	}
	return can;
}

int pipeline_checkpoint_open(struct pipeline *p, const struct pipeline_job *job, struct error *err)
{
	struct checkpoint *c = &p->checkpoint;
	c->job = job;
	c->frozen = !can_be_resumed(p, job);
	if (c->frozen)
		return DANA_OK;
	struct output *const outputs[COMMIT_OUTPUTS] = { p->outputs.documents, p->outputs.rejects };
	char *name = path_with(job->output, OUTPUT_STATE_SUFFIX);
	if (name && digest_names(job, c->names) == DANA_OK)
		c->commit = commit_new(p->loop, name, outputs);
	free(name);
	return c->commit ? DANA_OK : error_no_memory(err);
}

int pipeline_checkpoint_first(struct pipeline *p, struct error *err)
{
	struct checkpoint *c = &p->checkpoint;
	if (!c->commit)
		return DANA_OK;
	/* An input that cannot be opened is reported when its turn comes. */
	const size_t first = c->job->n_pieces ? c->job->pieces[0].input : 0;
	if (c->job->n_inputs && pipeline_identity_read(p, first, &c->identity, NULL) < 0)
		buf_clear(&c->identity);
	return commit_and_wait(p, false, err);
}

void pipeline_checkpoint_close(struct pipeline *p)
{
	struct checkpoint *c = &p->checkpoint;
	commit_free(c->commit);
	buf_free(&c->done_inputs);
	buf_free(&c->identity);
	buf_free(&c->expected);
	buf_free(&c->snapshot);
	resume_point_free(&c->from);
	*c = (struct checkpoint){ 0 };
}
