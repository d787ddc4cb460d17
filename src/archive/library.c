/* SPDX-License-Identifier: MIT */
/*
 * The implementation of dana/archive.h: the pump pushes records into the processor, whose documents are copied and
 * queued until they are taken. The pump pauses while the queue is not empty, so that it holds at most the documents of
 * one step.
 */
#include "base/ondemand/library.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/document_copy.h"
#include "archive/library_private.h"
#include "archive/plugin/plugins.h"
#include "base/arena.h"

static struct library_document *waiting(const struct dana_archive *a, size_t i)
{
	return (struct library_document *)(void *)a->waiting.data + i;
}

static struct dana_view view_of(struct slice s)
{
	return (struct dana_view){ (const char *)s.data, s.len };
}

/* ---- outcomes ---- */

static int report(struct dana_archive *a, const struct outcome *outcome)
{
	const bool damaged = outcome->kind == OUTCOME_DAMAGED, document = outcome->kind == OUTCOME_DOCUMENT;
	buf_clear(&a->reason);
	if (!document && stats_reason(outcome, a->stats.plugins, &a->reason) < 0)
		return DANA_ENOMEM;
	const struct dana_outcome given = {
		.kind = document  ? DANA_OUTCOME_DOCUMENT
			: damaged ? DANA_OUTCOME_DAMAGED
				  : DANA_OUTCOME_SKIPPED,
		.reason = document ? NULL : (const char *)a->reason.data,
		.detail = view_of(damaged ? slice_from_text(outcome->damage->detail) : outcome->detail),
		.id = view_of(outcome->id),
		.url = view_of(outcome->uri),
		.offset = outcome->offset,
	};
	a->outcome(a->outcome_arg, &given);
	return library_after_callback(a);
}

static int keep(struct dana_archive *a, struct document *doc)
{
	if (buf_reserve(&a->waiting, sizeof(struct library_document)) < 0)
		return DANA_ENOMEM;
	a->waiting.len += sizeof(struct library_document);
	struct library_document *to = waiting(a, a->n);
	char date[WARC_DATE_MAX];
	if (!warc_date_normalise(doc->record->date, true, date))
		doc->problems |= PROBLEM_BAD_DATE;
	if (record_copy(&to->record, doc->record, a->memory) < 0 || document_copy(&to->document, doc, a->memory) < 0)
		return DANA_ENOMEM;
	a->n++;
	return DANA_OK;
}

static int take_outcome(struct document_sink *self, const struct outcome *outcome)
{
	struct dana_archive *a = (struct dana_archive *)self;
	int status = outcome->kind == OUTCOME_DOCUMENT ? keep(a, outcome->document) : DANA_OK;
	stats_outcome(&a->stats, outcome);
	if (status == DANA_OK && a->keeps_rejects)
		status = rejects_line(outcome, a->name, a->stats.plugins, &a->rejects);
	return status == DANA_OK && a->outcome ? report(a, outcome) : status;
}

static int no_finish(struct document_sink *self)
{
	(void)self;
	return DANA_OK;
}

static const struct document_sink_ops outcome_ops = { "library", take_outcome, no_finish };

/* ---- life ---- */

int dana_archive_new(struct dana_archive **out, const struct dana_archive_options *options)
{
	struct dana_archive_options o;
	struct error err = { 0 };
	if (!out)
		return library_not_made(options, DANA_ESTATE, NO_PLACE);
	struct dana_archive *a = calloc(1, sizeof(*a));
	*out = NULL;
	library_read_options(&o, options);
	int status = a ? DANA_OK : error_no_memory(&err);
	if (a) {
		a->outcomes.ops = &outcome_ops;
		a->memory = arena_new();
		status = a->memory ? library_configure(a, &o, &err) : error_no_memory(&err);
	}
	if (status == DANA_OK) {
		*out = a;
		return DANA_OK;
	}
	dana_archive_free(a);
	return library_not_made(options, status, err.text);
}

void dana_archive_free(struct dana_archive *a)
{
	if (!a || a->exported)
		return;
	if (a->within) {
		a->dropped = true;
		return;
	}
	a->within = true; /* `close` may do no more than read the counters */
	if (a->reader.close)
		a->reader.close(a->reader.arg);
	pump_free(a->pump);
	processor_free(a->processor);
	plugins_free(a->plugins);
	archive_dates_free(&a->dates);
	if (a->sink)
		a->sink->ops->close(a->sink);
	arena_free(a->memory);
	buf_free(&a->waiting);
	buf_free(&a->reason);
	buf_free(&a->line);
	buf_free(&a->counts);
	buf_free(&a->rejects);
	buf_free(&a->given);
	document_batch_free(a->batch);
	free(a->bytes);
	free(a);
}

const char *dana_archive_error(const struct dana_archive *a)
{
	return a ? a->error.text : "";
}

/* ---- what may be called when ---- */

int library_enter(struct dana_archive *a)
{
	if (!a)
		return DANA_ESTATE;
	if (a->within)
		return library_misused(a, "a function of the caller's used the archive that had called it");
	if (a->error.status != DANA_OK)
		return (int)a->error.status;
	a->within = true;
	return DANA_OK;
}

int library_leave(struct dana_archive *a, int answer)
{
	a->within = false;
	if (a->dropped) {
		dana_archive_free(a);
		return DANA_ESTATE;
	}
	return a->error.status != DANA_OK ? (int)a->error.status : answer;
}

int library_misused(struct dana_archive *a, const char *why)
{
	return error_set(&a->error, DANA_ESTATE, "%s", why);
}

int library_after_callback(const struct dana_archive *a)
{
	return a->dropped ? DANA_ESTATE : (int)a->error.status;
}

/* ---- the flow ---- */

static int failed(struct dana_archive *a, int status)
{
	if (status == DANA_EPLUGIN)
		return error_set(&a->error, DANA_EPLUGIN, "%s", processor_fault(a->processor));
	return error_set(&a->error, (enum dana_status)status, "%s", library_status_text(status));
}

int library_push(struct dana_archive *a, const void *bytes, size_t len)
{
	if (a->ended || a->taken < a->n || (a->begun && a->answer != PUMP_HUNGRY && a->answer != PUMP_SEEK))
		return library_misused(a, "bytes were pushed before all documents were taken, or after the end");
	a->begun = true;
	a->piece = 0;
	a->ended = !bytes;
	if (!bytes)
		a->answer = pump_finish(a->pump);
	else if (len)
		a->answer = pump_push(a->pump, slice_of(bytes, len));
	return DANA_OK;
}

static int push_from_caller(struct dana_archive *a, const void *bytes, size_t len)
{
	int status = library_enter(a);
	if (status < 0)
		return status;
	status = a->reader.read ? library_misused(a, "bytes were pushed into an archive that reads its input itself")
				: library_push(a, bytes, len);
	return library_leave(a, status);
}

int dana_archive_push(struct dana_archive *a, const void *bytes, size_t len)
{
	if (a && !bytes && len)
		return library_misused(a, "the bytes that were pushed are NULL");
	return push_from_caller(a, bytes ? bytes : "", len);
}

int dana_archive_end(struct dana_archive *a)
{
	return push_from_caller(a, NULL, 0);
}

/* What other layouts of JSONL have where the record does not say it. */
static int fill_made(struct dana_archive *a, const struct document *doc, struct slice id)
{
	if (warc_date_choose(doc->record->date, doc->warcinfo_date, true, a->made.created))
		a->made.created[0] = '\0';
	return id.len ? DANA_OK : conversion_id(doc, "", a->made.id);
}

static int take(struct dana_archive *a, struct dana_document *document)
{
	struct library_document *next = waiting(a, a->taken++);
	next->document.record = &next->record;
	if (fill_made(a, &next->document, next->record.record_id) < 0)
		return failed(a, DANA_ENOMEM);
	library_fill(document, &next->document, &next->record, &a->made);
	return DANA_ARCHIVE_DOCUMENT;
}

/* Lets the pump work until it gives documents or comes to a pause. */
static void resume(struct dana_archive *a)
{
	if (a->n) {
		a->n = a->taken = a->waiting.len = 0;
		arena_reset(a->memory);
	}
	if (a->answer == PUMP_PAUSED) {
		a->piece = 0;
		a->answer = pump_resume(a->pump);
	}
}

/* Drops the documents that were taken before the place that the archive goes on from. */
static void pass(struct dana_archive *a)
{
	while (a->taken < a->n && library_place_passes(&a->place, waiting(a, a->taken)->record.offset))
		a->taken++;
}

int library_next(struct dana_archive *a, struct dana_document *document)
{
	pass(a);
	while (a->taken == a->n) {
		resume(a);
		if (a->answer < 0)
			return failed(a, a->answer);
		if (a->n == 0)
			break;
		pass(a);
	}
	if (a->taken < a->n)
		return take(a, document);
	a->ended &= a->answer != PUMP_SEEK;
	return a->answer == PUMP_DONE     ? DANA_ARCHIVE_OVER
	       : a->answer == PUMP_SEEK   ? DANA_ARCHIVE_SEEK
	       : a->answer == PUMP_PAUSED ? DANA_ARCHIVE_PAUSED
					  : DANA_ARCHIVE_HUNGRY;
}

int dana_archive_next(struct dana_archive *a, struct dana_document *document)
{
	int answer = library_enter(a);
	if (answer < 0)
		return answer;
	answer = document ? library_next(a, document) : library_misused(a, NO_PLACE);
	return library_leave(a, answer);
}

uint64_t dana_archive_seek_to(const struct dana_archive *a)
{
	return a ? pump_seek_offset(a->pump) : 0;
}

/* ---- texts ---- */

int dana_archive_line(struct dana_archive *a, struct dana_view *line)
{
	if (!a || !line)
		return DANA_ESTATE;
	buf_shrink(&a->line, 1 << 20);
	*line = (struct dana_view){ NULL, 0 };
	if (a->taken == 0)
		return DANA_OK;
	struct library_document *last = waiting(a, a->taken - 1);
	int status = a->sink->ops->document(a->sink, &last->document, &a->line);
	*line = view_of(buf_slice(&a->line));
	return status;
}

int dana_archive_rejects(struct dana_archive *a, struct dana_view *lines)
{
	if (!a || !lines)
		return DANA_ESTATE;
	const struct buf last = a->given;
	const int status = buf_status(&a->rejects);
	a->given = a->rejects;
	a->rejects = last;
	buf_shrink(&a->rejects, 1 << 20);
	*lines = view_of(buf_slice(&a->given));
	return status;
}

int dana_archive_counts(struct dana_archive *a, struct dana_view *json)
{
	if (!a || !json)
		return DANA_ESTATE;
	const struct pump_counts counts = pump_counts(a->pump);
	a->stats.bytes_in = counts.bytes_in;
	a->stats.bytes_decoded = counts.bytes_decoded;
	buf_clear(&a->counts);
	int status = stats_json(&a->stats, slice_of(NULL, 0), &a->counts);
	*json = view_of(buf_slice(&a->counts));
	return status;
}
