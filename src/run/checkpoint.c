/* SPDX-License-Identifier: MIT */
/*
 * Writes and reads the checkpoints of a job, and decides whether another run may resume from one.
 *
 * A checkpoint is written at the beginning, when there is nothing in FILE.part yet, then after every checkpoint_bytes
 * of input, as soon as an output member has ended, and when a signal ends the run. What it speaks of is on the disk
 * before it is (io/output.h). Where members end does not depend on it.
 *
 * Another run may resume it only where it depends on the same: program and options (the lines of the run), the names of
 * inputs and output, and inputs that have not changed. For each input that was read to its end a few letters of a
 * digest are kept, for the one under way all that identifies it.
 */
#include "config.h"

#include "run/checkpoint.h"

#include <stdlib.h>

#include "archive/plugin/chain.h"
#include "archive/sink/sink.h"
#include "archive/survey.h"
#include "base/file.h"
#include "io/address.h"
#include "io/output.h"
#include "io/source.h"
#include "io/zip.h"
#include "run/outputs.h"
#include "run/pipeline.h"
#include "run/state_file.h"
#include "run/stats_file.h"
#include "run/window.h"

#define PLUGIN_FIELD "plugin:" /* what an ordered plugin has saved; its name follows */

enum {
	INPUT_LETTERS = 16, /* of a digest by which inputs differ */
	NOT_OPENED = '-',   /* instead of each of them */
	SHOWN = 400,
};

/* ---- points ---- */

static const struct field_row place_rows[] = {
	FIELD_ROW(struct resume_point, place.warc.plain),
	FIELD_ROW(struct resume_point, place.warc.offset),
	FIELD_ROW(struct resume_point, place.warc.member_pos),
	FIELD_ROW(struct resume_point, place.warc.skip_to),
	FIELD_ROW(struct resume_point, place.warc.seq),
	FIELD_ROW(struct resume_point, place.warc.heads),
	FIELD_ROW(struct resume_point, place.warc.furthest),
	FIELD_ROW(struct resume_point, place.warc.reread),
	FIELD_ROW(struct resume_point, place.warc.members_between),
	FIELD_ROW(struct resume_point, place.warc.members_inside),
	FIELD_ROW(struct resume_point, place.warc.members_counted),
	FIELD_ROW(struct resume_point, place.warc.arc),
	FIELD_ROW(struct resume_point, place.container),
	FIELD_ROW(struct resume_point, place.has_dictionary),
	FIELD_ROW(struct resume_point, place.dictionary),
	FIELD_ROW(struct resume_point, place.memory.passed),
	FIELD_ROW(struct resume_point, place.memory.tried),
	FIELD_ROW(struct resume_point, place.furthest),
	FIELD_ROW(struct resume_point, place.reread),
	FIELD_ROW(struct resume_point, place.range_decoded),
};

static const struct field_row piece_rows[] = {
	FIELD_ROW(struct resume_point, piece.number),
	FIELD_ROW(struct resume_point, piece.first),
	FIELD_ROW(struct resume_point, piece.before),
};

uint64_t resume_point_offset(const struct resume_point *p)
{
	if (!p->in_middle)
		return 0;
	return p->place.has_dictionary ? p->place.dictionary : p->place.warc.offset;
}

int resume_point_copy(struct resume_point *to, const struct resume_point *from)
{
	struct buf date = to->warcinfo_date;
	*to = *from;
	to->warcinfo_date = date;
	buf_clear(&to->warcinfo_date);
	return buf_append(&to->warcinfo_date, from->warcinfo_date.data, from->warcinfo_date.len);
}

void resume_point_save(const struct resume_point *p, struct buf *list)
{
	fields_put_number(list, "of_piece", p->of_piece);
	if (p->of_piece)
		fields_put_members(list, FIELD_ROWS(piece_rows), p);
	else
		fields_put_members(list, FIELD_ROWS(place_rows), p);
	fields_put(list, "warcinfo-date", buf_slice(&p->warcinfo_date));
}

int resume_point_load(struct resume_point *p, struct fields *list)
{
	struct slice date = fields_get(list, "warcinfo-date");
	p->of_piece = fields_flag(list, "of_piece");
	p->in_middle = !p->of_piece;
	if (p->of_piece)
		fields_members(list, FIELD_ROWS(piece_rows), p);
	else
		fields_members(list, FIELD_ROWS(place_rows), p);
	buf_clear(&p->warcinfo_date);
	return buf_append(&p->warcinfo_date, date.data, date.len);
}

/* ---- records that are done ---- */

static int note_date(struct done_records *d)
{
	struct buf *kept = &d->point.warcinfo_date;
	if (!d->date_changed)
		return DANA_OK;
	d->date_changed = false;
	buf_clear(kept);
	return buf_append(kept, d->dates->warcinfo_date.data, d->dates->warcinfo_date.len);
}

static int done_begin(struct record_sink *self, const struct record *rec)
{
	struct done_records *d = (struct done_records *)self;
	struct pump_place place;
	int status = DANA_OK;
	if (!d->point.of_piece && pump_place(d->pump, &place)) {
		d->point.in_middle = true;
		d->point.place = place;
		status = note_date(d);
	}
	d->passing = rec->seq < d->until;
	d->date_changed |= rec->type == RECORD_WARCINFO;
	if (status < 0)
		return status;
	if (!d->passing)
		return d->next->ops->begin(d->next, rec);
	status = archive_dates_note(d->dates, rec);
	return status < 0 ? status : RECORD_UNWANTED;
}

static int done_body(struct record_sink *self, struct slice bytes)
{
	struct done_records *d = (struct done_records *)self;
	return d->passing ? RECORD_UNWANTED : d->next->ops->body(d->next, bytes);
}

static int done_end(struct record_sink *self, const struct record_end *end)
{
	struct done_records *d = (struct done_records *)self;
	return d->passing ? DANA_OK : d->next->ops->end(d->next, end);
}

static int done_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		       const struct record_end *end)
{
	struct done_records *d = (struct done_records *)self;
	return seq < d->until ? DANA_OK : d->next->ops->damage(d->next, seq, offset, id, uri, end);
}

static const struct record_sink_ops done_ops = { "done records", done_begin, done_body, done_end, done_damage };

int done_records_input(struct done_records *d, const struct resume_point *from, uint64_t until)
{
	d->sink.ops = &done_ops;
	d->until = until;
	d->passing = d->date_changed = false;
	return resume_point_copy(&d->point, from);
}

int done_records_piece(struct done_records *d, const struct piece_point *piece)
{
	d->point.of_piece = true;
	d->point.piece = *piece;
	return note_date(d);
}

int done_records_pass(struct done_records *d, const struct pump_place *place, bool dated)
{
	d->point.in_middle = true;
	d->point.place = *place;
	int status = note_date(d);
	d->date_changed = dated;
	return status;
}

/* ---- saving ---- */

/* The numbers of a state, besides the counters, the point and the reports. */
struct saved {
	bool complete, failed; /* with nothing else but the counters where it is complete */
	bool reading, opened, begun;
	uint64_t inputs, input, before[2], next, first, documents, rejects;
};

static const struct field_row saved_rows[] = {
	FIELD_ROW(struct saved, complete), FIELD_ROW(struct saved, failed),    FIELD_ROW(struct saved, reading),
	FIELD_ROW(struct saved, opened),   FIELD_ROW(struct saved, begun),     FIELD_ROW(struct saved, inputs),
	FIELD_ROW(struct saved, input),    FIELD_ROW(struct saved, before),    FIELD_ROW(struct saved, next),
	FIELD_ROW(struct saved, first),    FIELD_ROW(struct saved, documents), FIELD_ROW(struct saved, rejects),
};

/* The counters, and what ordered plugins have. */
static int save_counts(struct checkpoint *c, struct buf *list)
{
	struct buf stats = { 0 }, saved = { 0 }, field = { 0 };
	const char *name;
	int status = DANA_OK;
	stats_save(&c->result->stats, &stats);
	fields_put_list(list, "stats", &stats);
	if (c->result->survey) {
		status = survey_json(c->result->survey, &saved);
		fields_put(list, SURVEY_FIELD, buf_slice(&saved));
	}
	for (size_t i = 0; c->ordered && status == DANA_OK; i++) {
		buf_clear(&saved);
		buf_clear(&field);
		status = plugin_chain_save(c->ordered, i, &name, &saved);
		if (status != DANA_OK)
			break;
		buf_printf(&field, "%s%s", PLUGIN_FIELD, name);
		status = buf_append_byte(&field, 0);
		fields_put(list, (const char *)field.data, buf_slice(&saved));
	}
	buf_free(&saved);
	buf_free(&field);
	return status < 0 ? status : buf_status(list);
}

static int save(struct checkpoint *c, bool complete, struct buf *state)
{
	const struct resume_point *point = c->point;
	struct buf list = { 0 }, inner = { 0 };
	struct saved now = { .complete = complete,
			     .failed = c->result->failed,
			     .reading = c->reading,
			     .opened = c->any_input,
			     .inputs = c->job->n_inputs,
			     .input = c->input,
			     .documents = output_bytes(c->outputs->documents),
			     .rejects = c->outputs->rejects ? output_bytes(c->outputs->rejects) : 0 };
	const uint64_t next = tail_next(c->tail, &now.begun);
	c->count(c->arg);
	now.next = c->reading ? next : 0;
	now.first = c->reading && c->window ? site_window_first(c->window) : 0;
	now.before[0] = point->of_piece ? point->piece.before[0] : c->before_input->bytes_in;
	now.before[1] = point->of_piece ? point->piece.before[1] : c->before_input->bytes_decoded;
	/* Which run this is: another one may not resume it. */
	fields_put(&list, "run", c->config->run);
	fields_put_text(&list, "output", path_name(c->job->output));
	fields_put_text(&list, "names", c->names);
	fields_put_members(&list, FIELD_ROWS(saved_rows), &now);
	fields_put(&list, "done", buf_slice(&c->done_inputs));
	if (!complete) {
		fields_put(&list, "identity", buf_slice(&c->identity));
		if (point->of_piece || (c->reading && point->in_middle)) {
			resume_point_save(point, &inner);
			fields_put_list(&list, "point", &inner);
		}
		report_save(c->reporter, &inner);
		fields_put_list(&list, "report", &inner);
		if (c->dates->has_first)
			fields_put(&list, "first-date", buf_slice(&c->dates->first_date));
	}
	int status = save_counts(c, &list);
	if (status == DANA_OK)
		status = state_encode(buf_slice(&list), state);
	buf_free(&list);
	return status;
}

static int begin_commit(struct checkpoint *c, bool complete)
{
	struct buf state = { 0 };
	int status = save(c, complete, &state);
	if (status == DANA_OK)
		status = commit_begin(c->commit, buf_slice(&state));
	buf_free(&state);
	buf_clear(&c->snapshot);
	return status;
}

static int save_failed(const struct checkpoint *c, int status, struct error *err)
{
	return error_set(err, (enum dana_status)status, "%s",
			 status == DANA_EPLUGIN ? plugin_chain_fault(c->ordered) : status_text(status));
}

static int commit_and_wait(struct checkpoint *c, bool complete, struct error *err)
{
	commit_wait(c->commit);
	int status = begin_commit(c, complete);
	if (status < 0)
		return save_failed(c, status, err);
	commit_wait(c->commit);
	return commit_failed(c->commit, err);
}

int checkpoint_taken(struct checkpoint *c)
{
	if (c->frozen)
		return DANA_OK;
	const struct resume_point *point = c->point;
	const uint64_t read = c->before_input->bytes_in + (point->in_middle ? point->place.furthest : 0);
	if (read - c->noted >= c->config->checkpoint_bytes && !commit_under_way(c->commit)) {
		int status = commit_failed(c->commit, NULL) < 0 ? DANA_EIO : encoder_settle(c->encoder);
		if (status < 0 || !encoder_at_boundary(c->encoder))
			return status;
		c->noted = read;
		c->members = encoder_members(c->encoder);
		return begin_commit(c, false);
	}
	/* A signal may come before the next member is complete. What ordered plugins keep may be large. */
	if (encoder_members(c->encoder) == c->members || c->ordered)
		return DANA_OK;
	c->members = encoder_members(c->encoder);
	return save(c, false, &c->snapshot);
}

int checkpoint_last(struct checkpoint *c, struct error *err)
{
	/* Until the input that an earlier run was at is open, that run's checkpoint is all that there is to write. */
	if (!c->commit || c->frozen || c->in_input)
		return DANA_OK;
	int status = encoder_settle(c->encoder);
	if (status < 0)
		return error_set(err, (enum dana_status)status, "%s", status_text(status));
	if (encoder_at_boundary(c->encoder))
		return commit_and_wait(c, false, err);
	if (c->snapshot.len == 0)
		return DANA_OK;
	commit_wait(c->commit);
	status = commit_begin(c->commit, buf_slice(&c->snapshot));
	commit_wait(c->commit);
	return status < 0 ? error_no_memory(err) : commit_failed(c->commit, err);
}

int checkpoint_complete(struct checkpoint *c, struct error *err)
{
	struct buf counts = { 0 };
	if (!c->commit)
		return DANA_OK;
	if (c->config->keep_state)
		return commit_and_wait(c, true, err);
	commit_wait(c->commit);
	if (!c->config->complete)
		return commit_failed(c->commit, err);
	int status = save_counts(c, &counts);
	status = status < 0 ? save_failed(c, status, err)
			    : c->config->complete(c->config->complete_arg, c->job->output, buf_slice(&counts), err);
	buf_free(&counts);
	return status < 0 ? status : commit_failed(c->commit, err);
}

/* ---- is it the same run, of the same inputs? ---- */

static int refuse(const struct checkpoint *c, struct error *err, const char *why)
{
	return error_set(err, DANA_ECONFIG, "%.*s cannot be resumed: %s; --force starts over", (int)SHOWN,
			 c->job->output, why);
}

/* Compares lines, which are `of` an input (""; of the run). */
static int compare_lines(const struct checkpoint *c, struct slice then, struct slice now, const char *of,
			 struct error *err)
{
	struct buf what = { 0 };
	int status = DANA_OK;
	buf_printf(&what, "%s%s", of, *of ? ": " : "");
	if (lines_differ(then, now, &what))
		status = buf_append_byte(&what, 0) < 0 ? error_no_memory(err) : refuse(c, err, (const char *)what.data);
	buf_free(&what);
	return status;
}

/* Appends the identity of an input that is not open; nothing for inputs of the network, which are not asked. */
static int read_identity(const struct checkpoint *c, size_t input, struct buf *lines, struct error *err)
{
	static const struct source_events events;
	const char *address = pipeline_address(c->job, input);
	struct source *source = NULL;
	struct error why = { 0 };
	if (c->config->network && address_is_network(address))
		return DANA_OK;
	const struct zip_input in = { .address = address, .part = pipeline_part(c->job, input) };
	int status = zip_source_open(&source, c->loop, NULL, &in, &events, &why);
	if (status == DANA_OK) {
		status = source_identity(source, lines);
		source_free(source);
		if (status < 0)
			(void)error_set(&why, (enum dana_status)status, "%s", status_text(status));
	}
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", c->job->inputs[input], why.text)
			  : DANA_OK;
}

/* Appends the letters that stand for an input of this identity. */
static int put_letters(struct slice identity, struct buf *out)
{
	char digest[SHA256_TEXT + 1];
	sha256_text(identity, digest);
	if (identity.len == 0)
		memset(digest, NOT_OPENED, INPUT_LETTERS);
	return buf_append(out, digest, INPUT_LETTERS);
}

/* The inputs that were read to their end are those that the letters stand for. */
static int compare_done_inputs(struct checkpoint *c, struct error *err)
{
	struct buf lines = { 0 }, letters = { 0 };
	struct slice rest = buf_slice(&c->done_inputs);
	char why[SHOWN];
	int status = DANA_OK;
	for (size_t i = 0; i < c->input && status == DANA_OK && !c->complete; i++) {
		struct slice then = slice_first(rest, INPUT_LETTERS);
		rest = slice_skip(rest, INPUT_LETTERS);
		if (then.data[0] == NOT_OPENED)
			continue;
		buf_clear(&lines);
		buf_clear(&letters);
		status = read_identity(c, i, &lines, err);
		if (status < 0 || lines.len == 0)
			continue;
		if (put_letters(buf_slice(&lines), &letters) < 0) {
			status = error_no_memory(err);
		} else if (!slice_equal(buf_slice(&letters), then)) {
			(void)snprintf(why, sizeof(why), "%s is not as it was when it was read", c->job->inputs[i]);
			status = refuse(c, err, why);
		}
	}
	buf_free(&lines);
	buf_free(&letters);
	return status;
}

int checkpoint_input(struct checkpoint *c, struct source *source, const char *file, struct error *err)
{
	buf_clear(&c->identity);
	c->reading = c->commit && !c->frozen;
	if (!c->reading)
		return DANA_OK;
	int status = source_identity(source, &c->identity);
	if (status == DANA_ENOMEM)
		return error_no_memory(err);
	c->frozen = status < 0; /* a server that gives no length, a pipe that has taken the place of a file */
	if (c->frozen || c->expected.len == 0)
		return DANA_OK;
	status = compare_lines(c, buf_slice(&c->expected), buf_slice(&c->identity), file, err);
	buf_clear(&c->expected);
	return status;
}

int checkpoint_input_end(struct checkpoint *c)
{
	int status = put_letters(buf_slice(&c->identity), &c->done_inputs);
	buf_clear(&c->identity);
	c->reading = false;
	c->input++;
	return status;
}

/* ---- resuming ---- */

int checkpoint_restore(struct plugin_chain *ordered, struct slice counts, struct error *err)
{
	const size_t before = sizeof(PLUGIN_FIELD) - 1;
	struct fields list = { .list = counts };
	struct slice name, value;
	int status = DANA_OK;
	while (ordered && status == DANA_OK && fields_next(&list, &name, &value)) {
		if (name.len > before && memcmp(name.data, PLUGIN_FIELD, before) == 0)
			status = plugin_chain_restore(ordered, slice_skip(name, before), value, err);
	}
	return status;
}

int checkpoint_survey(struct fields *list, struct survey *s)
{
	static const struct json_rules rules = { .depth_most = 8, .unique_names = true };
	struct json_reader *reader = json_reader_new(&rules);
	struct json_value root;
	struct error why = { 0 };
	int status = reader ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK)
		status = fields_has(list, SURVEY_FIELD) ? json_read(reader, fields_get(list, SURVEY_FIELD), &root, &why)
							: DANA_EFORMAT;
	if (status == DANA_OK)
		status = survey_read(s, root);
	json_reader_free(reader);
	return status;
}

/* The counters, and which inputs were read to their end: noted for the next checkpoint too. */
static int load_done(struct checkpoint *c, struct fields *list)
{
	const struct pipeline_job *job = c->job;
	struct slice done = fields_get(list, "done");
	struct fields stats = fields_list(list, "stats");
	int status = buf_append(&c->done_inputs, done.data, done.len);
	for (size_t i = 0; job->done && i < job->n_inputs && done.len >= INPUT_LETTERS; i++) {
		job->done[i] = done.data[0] != NOT_OPENED;
		done = slice_skip(done, INPUT_LETTERS);
	}
	stats_load(&c->result->stats, &stats);
	list->bad |= stats.bad;
	return status == DANA_OK && c->result->survey ? checkpoint_survey(list, c->result->survey) : status;
}

/* Cuts an output to what the state speaks of. */
static int cut(struct checkpoint *c, struct output *o, uint64_t bytes, struct error *err)
{
	uint64_t size;
	if (!o)
		return DANA_OK;
	(void)output_kept(o, &size);
	return size < bytes ? refuse(c, err, "its .part has fewer bytes than FILE.state records")
			    : output_cut(o, bytes, err);
}

/* Nothing of an earlier run counts: both outputs are empty. */
static int start_anew(struct checkpoint *c, struct error *err)
{
	int status = output_cut(c->outputs->documents, 0, err);
	return status == DANA_OK && c->outputs->rejects ? output_cut(c->outputs->rejects, 0, err) : status;
}

static int load(struct checkpoint *c, struct slice state, uint64_t size, struct error *err)
{
	struct error why = { 0 };
	struct fields list = { .bad = false };
	struct saved then = { 0 };
	int status = state_decode(state, &list.list, &why);
	if (status == DANA_ENOMEM)
		return error_no_memory(err);
	if (status < 0)
		return error_set(err, DANA_ECONFIG, "%s.state %s; --force starts over", c->job->output, why.text);
	status = compare_lines(c, fields_get(&list, "run"), c->config->run, "", err);
	if (status < 0)
		return status;
	fields_members(&list, FIELD_ROWS(saved_rows), &then);
	if (!slice_equal(fields_get(&list, "output"), slice_from_text(path_name(c->job->output))))
		return refuse(c, err, "it has another name now");
	if (then.inputs != c->job->n_inputs || !slice_equal(fields_get(&list, "names"), slice_from_text(c->names)))
		return refuse(c, err, "the inputs, their order, or the records of --cdx differ from the earlier run");
	if (size == 0 && then.documents > 0)
		return start_anew(c, err); /* the run before was killed when it had just begun anew */
	status = load_done(c, &list);
	if (status == DANA_EFORMAT)
		return refuse(c, err, "its earlier part was run without --report; leave --report out");
	c->complete = then.complete;
	c->result->failed = then.failed;
	c->documents = then.documents;
	if (c->complete)
		c->input = c->job->n_inputs;
	else if (status == DANA_OK) {
		/* how far the inputs and the output are */
		struct fields report = fields_list(&list, "report"), point = { .bad = false };
		struct slice identity = fields_get(&list, "identity");
		status = DANA_OK;
		c->input = (size_t)then.input;
		c->any_input = then.opened;
		c->in_input = then.reading;
		c->next = then.next;
		c->first = then.first;
		c->begun = then.begun;
		report_load(c->reporter, &report);
		if (fields_has(&list, "point")) {
			point = fields_list(&list, "point");
			status = resume_point_load(&c->from, &point);
		}
		list.bad |= (c->from.of_piece || c->job->n_pieces) && c->from.piece.number >= c->job->n_pieces;
		list.bad |= report.bad || point.bad || then.input > c->job->n_inputs ||
			    c->done_inputs.len != c->input * INPUT_LETTERS ||
			    (c->in_input && c->input == c->job->n_inputs);
		if (c->in_input) { /* what was read of it is counted when it is read again */
			c->result->stats.bytes_in = then.before[0];
			c->result->stats.bytes_decoded = then.before[1];
		}
		c->noted = c->result->stats.bytes_in + (c->from.in_middle ? c->from.place.furthest : 0);
		if (status == DANA_OK && fields_has(&list, "first-date"))
			status = archive_dates_set_first(c->dates, fields_get(&list, "first-date"));
		status = status < 0 ? status : buf_append(&c->expected, identity.data, identity.len);
	}
	if (status < 0)
		return error_no_memory(err);
	if (list.bad)
		return refuse(c, err, "its FILE.state has another form than this version of dana writes");
	status = compare_done_inputs(c, err);
	if (status == DANA_OK) {
		/* the one that was being read is the same */
		const size_t input = c->job->n_pieces ? c->job->pieces[c->from.piece.number].input : c->input;
		struct buf lines = { 0 };
		if (c->expected.len && input < c->job->n_inputs)
			status = read_identity(c, input, &lines, err);
		if (status == DANA_OK && lines.len)
			status = compare_lines(c, buf_slice(&c->expected), buf_slice(&lines), c->job->inputs[input],
					       err);
		buf_free(&lines);
	}
	if (status == DANA_OK)
		status = cut(c, c->outputs->documents, then.documents, err);
	if (status == DANA_OK)
		status = cut(c, c->outputs->rejects, then.rejects, err);
	if (status == DANA_OK)
		status = checkpoint_restore(c->ordered, list.list, err);
	c->resumed = status == DANA_OK;
	return status;
}

bool checkpoint_is_complete(struct checkpoint *c, struct error *err)
{
	const char *file = c->job->output;
	struct buf state = { 0 };
	struct fields list = { .bad = false };
	struct error none = { 0 };
	if (c->config->way != OUTPUT_RESUME || !file || !part_file_is_final(file))
		return false;
	c->result->done_before = true;
	/* FILE.state is still there when the run ended before it had reported its statistics. */
	if (c->config->keep_state && outputs_read_state(file, &state, &none) == DANA_OK &&
	    state_decode(buf_slice(&state), &list.list, &none) == DANA_OK && fields_flag(&list, "complete")) {
		c->result->surveyed = load_done(c, &list) == DANA_OK;
		c->result->failed = fields_flag(&list, "failed");
		c->result->unfinished = checkpoint_restore(c->ordered, list.list, err) < 0;
		c->result->counted = !list.bad;
	}
	buf_free(&state);
	if (!c->config->keep_state)
		(void)outputs_remove_state(file, err);
	return true;
}

/* The names of the inputs, and what is read of them. */
static int digest_names(const struct pipeline_job *job, char out[SHA256_TEXT + 1])
{
	struct buf names = { 0 };
	for (size_t i = 0; i < job->n_inputs; i++) {
		(void)address_identity(pipeline_address(job, i), &names);
		if (pipeline_part(job, i))
			buf_append_text(&names, job->inputs[i]);
		buf_append_byte(&names, 0);
		if (job->ranges && !input_range_is_whole(job->ranges[i]))
			buf_append(&names, &job->ranges[i], sizeof(job->ranges[i]));
	}
	for (size_t i = 0; i < job->n_pieces; i++) {
		const struct input_piece *piece = &job->pieces[i];
		const uint64_t numbers[] = { piece->from, piece->length, piece->input };
		buf_append(&names, numbers, sizeof(numbers));
	}
	int status = buf_status(&names);
	if (status == DANA_OK)
		sha256_text(buf_slice(&names), out);
	buf_free(&names);
	return status;
}

int checkpoint_open(struct checkpoint *c, struct error *err)
{
	const struct pipeline_job *job = c->job;
	struct output *const outputs[COMMIT_OUTPUTS] = { c->outputs->documents, c->outputs->rejects };
	struct buf state = { 0 };
	uint64_t size;
	bool can = c->config->run.len && output_is_file(c->outputs->documents);
	/* Which servers can send a part of a file shows later. */
	for (size_t i = 0; i < job->n_inputs && can; i++)
		can = address_is_network(pipeline_address(job, i)) ||
		      source_can_begin_anywhere(pipeline_address(job, i));
	c->frozen = !can;
	if (!can)
		return DANA_OK;
	char *name = path_with(job->output, OUTPUT_STATE_SUFFIX);
	if (name && digest_names(job, c->names) == DANA_OK)
		c->commit = commit_new(c->loop, name, outputs);
	free(name);
	if (!c->commit)
		return error_no_memory(err);
	if (c->config->way != OUTPUT_RESUME)
		return DANA_OK;
	if (!output_kept(c->outputs->documents, &size))
		return start_anew(c, err);
	int status = outputs_read_state(job->output, &state, err);
	if (status == OUTPUTS_NO_STATE)
		status = size ? refuse(c, err, "FILE.state is missing, which records how far it is")
			      : start_anew(c, err);
	else if (status == DANA_OK)
		status = load(c, buf_slice(&state), size, err);
	buf_free(&state);
	return status;
}

int checkpoint_first(struct checkpoint *c, struct error *err)
{
	if (!c->commit)
		return DANA_OK;
	/* An input that cannot be opened is reported when its turn comes. */
	const size_t first = c->job->n_pieces ? c->job->pieces[0].input : 0;
	if (c->job->n_inputs && read_identity(c, first, &c->identity, NULL) < 0)
		buf_clear(&c->identity);
	return commit_and_wait(c, false, err);
}

void checkpoint_close(struct checkpoint *c)
{
	commit_free(c->commit);
	buf_free(&c->done_inputs);
	buf_free(&c->identity);
	buf_free(&c->expected);
	buf_free(&c->snapshot);
	buf_free(&c->from.warcinfo_date);
	*c = (struct checkpoint){ 0 };
}
