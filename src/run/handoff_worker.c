/* SPDX-License-Identifier: MIT */
/*
 * A worker takes the next batch of the ring, runs its records through a stage of its own, and keeps in the batch what
 * the stage makes of them; then it wakes the loop's thread, which takes the batches in their order. Where no batch
 * waits it reads a span ahead.
 */
#include "config.h"

#include <stdlib.h>
#include <uv.h>

#include "archive/document_copy.h"
#include "base/arena.h"
#include "run/batch.h"
#include "run/handoff_state.h"
#include "run/span_reader.h"

struct worker {
	struct document_sink sink; /* takes what the stage makes of a record */
	struct handoff *handoff;
	struct batch *batch; /* under way */
	struct batch_record *record;
	void *stage;
	struct span_reader *reader; /* NULL until the first span */
	bool of_span;               /* what the stage makes belongs to one */
	uv_thread_t thread;
	bool running;
};

/* What the outcome of a span's record borrows from the head, which is not in the batch. */
static int keep_names(struct worker *w)
{
	struct outcome *outcome = &w->record->outcome;
	if (!w->of_span)
		return DANA_OK;
	int status = batch_keep(w->batch, &outcome->id);
	return status < 0 ? status : batch_keep(w->batch, &outcome->uri);
}

static int keep_document(struct worker *w, const struct document *doc)
{
	struct batch_record *r = w->record;
	r->kept = true;
	r->outcome.document = &r->document;
	if (w->of_span) {
		const struct record borrowed = r->record;
		if (record_copy(&r->record, &borrowed, w->batch->arena) < 0 || keep_names(w) < 0)
			return DANA_ENOMEM;
		r->record.number_asked = NULL; /* when it is formatted, the number is known */
	}
	int status = document_copy(&r->document, doc, w->batch->arena);
	r->document.record = &r->record;
	return status;
}

static int worker_outcome(struct document_sink *self, const struct outcome *outcome)
{
	struct worker *w = (struct worker *)self;
	struct batch_record *r = w->record;
	struct buf *formatted = &w->batch->formatted;
	const struct handoff_config *config = &w->handoff->config;

	r->outcome = *outcome;
	if (batch_keep_marks(w->batch, &r->outcome.marks, config->n_counters) < 0 ||
	    batch_keep(w->batch, &r->outcome.detail) < 0)
		return DANA_ENOMEM;
	if (outcome->kind == OUTCOME_DAMAGED) { /* perhaps by the stage, which forgets it */
		r->end = *outcome->damage;
		r->outcome.damage = &r->end;
	}
	if (outcome->kind != OUTCOME_DOCUMENT)
		return keep_names(w);
	if (w->of_span)
		span_reader_document(w->reader, outcome->document);
	if (config->keep_documents || (w->of_span && config->numbers_documents))
		return keep_document(w, outcome->document);

	size_t before = formatted->len;
	int status = config->format(config->arg, outcome->document, formatted);

	r->formatted_len = formatted->len - before;
	r->document = *outcome->document;
	r->outcome.document = &r->document;
	/* The next record overwrites what these point to. */
	document_forget(&r->document);
	return status;
}

static int no_finish(struct document_sink *self)
{
	(void)self;
	return DANA_OK;
}

static const struct document_sink_ops worker_sink_ops = { .name = "worker",
							  .outcome = worker_outcome,
							  .finish = no_finish };

/* A record passes through the stage as if it came from the framer, its block in one piece. */
static int replay(struct worker *w, struct batch_record *r)
{
	const struct handoff *h = w->handoff;
	struct record_sink *records = h->config.stage->records(w->stage);
	h->config.stage->context(w->stage, h->file, r->warcinfo_date);
	r->record.stays = batch_block(w->batch, r);
	int result = records->ops->begin(records, &r->record);
	if (result == RECORD_WANTED && r->block_len)
		result = records->ops->body(records, r->record.stays);
	if (result < 0)
		return result;
	return records->ops->end(records, &r->end);
}

static void work(struct worker *w, struct batch *b)
{
	w->batch = b;
	w->of_span = false;
	for (struct batch_record *r = b->first; r; r = r->next) {
		if (r->is_region)
			continue;
		w->record = r;
		r->status = replay(w, r);
		if (r->status < 0)
			r->fault = arena_copy(b->arena, slice_from_text(w->handoff->config.stage->fault(w->stage)));
	}
}

static void note_record(void *arg, struct batch_record *r)
{
	((struct worker *)arg)->record = r;
}

/* Where memory is exhausted the span stays empty. */
static void read_span(struct worker *w, struct span *s)
{
	const struct span_reader_config config = { .limits = w->handoff->config.limits,
						   .ops = w->handoff->config.stage,
						   .stage = w->stage,
						   .record = note_record,
						   .arg = w };
	w->batch = s->batch;
	w->of_span = true;
	if (!w->reader)
		w->reader = span_reader_new(&config);
	if (w->reader)
		span_reader_read(w->reader, s);
}

/*
 * Wakes the loop's thread if the oldest batch is done. While half of the ring waits for workers it is not woken for
 * one batch: it would fill one and sleep again. The worker that takes one of the rest will look again.
 */
static void wake_loop(struct handoff *h)
{
	if (!handoff_slot(h, h->drained)->done)
		return;
	uv_cond_signal(&h->done);
	if (h->filled - h->run <= h->n_slots / 2)
		h->config.wake(h->config.arg);
}

/*
 * Returns the next batch that waits, or NULL. Spans that were taken into the ring are done already: where nothing but
 * these are left, no worker comes to look for the loop's thread after this one.
 */
static struct slot *next_batch(struct handoff *h)
{
	const uint64_t before = h->run;
	while (h->run < h->filled) {
		struct slot *s = handoff_slot(h, h->run++);
		if (!s->done)
			return s;
	}
	if (h->run != before)
		wake_loop(h);
	return NULL;
}

/* With the lock, which is given up meanwhile. Records that stand in order come first. False: there is nothing to do. */
static bool work_once(struct worker *w)
{
	struct handoff *h = w->handoff;
	struct slot *slot = next_batch(h);
	struct span *span = slot ? NULL : handoff_next_span(h);
	if (!slot && !span)
		return false;
	uv_mutex_unlock(&h->lock);
	if (slot)
		work(w, slot->batch);
	else
		read_span(w, span);
	uv_mutex_lock(&h->lock);
	if (slot) {
		slot->done = true;
		wake_loop(h);
	} else {
		span->state = SPAN_DONE;
		uv_cond_signal(&h->done);
		h->config.wake(h->config.arg);
	}
	return true;
}

static void worker_main(void *arg)
{
	struct worker *w = arg;
	struct handoff *h = w->handoff;
	uv_mutex_lock(&h->lock);
	while (work_once(w) || !h->quit) {
		while (!h->quit && h->run == h->filled && !handoff_span_waits(h))
			uv_cond_wait(&h->ready, &h->lock);
	}
	uv_mutex_unlock(&h->lock);
}

int handoff_workers_start(struct handoff *h, struct error *err)
{
	h->workers = calloc(h->config.jobs, sizeof(*h->workers));
	if (!h->workers)
		return error_no_memory(err);
	for (unsigned i = 0; i < h->config.jobs; i++) {
		struct worker *w = &h->workers[i];
		w->sink.ops = &worker_sink_ops;
		w->handoff = h;
		w->stage = h->config.stage->open(h->config.arg, &w->sink, err);
		if (!w->stage)
			return err->status;
		int error = uv_thread_create(&w->thread, worker_main, w);
		if (error < 0)
			return error_set(err, DANA_EIO, "%s", error == UV_EAGAIN ? NO_THREAD_TEXT : uv_strerror(error));
		w->running = true;
	}
	return DANA_OK;
}

void handoff_workers_stop(struct handoff *h)
{
	uv_mutex_lock(&h->lock);
	h->quit = true;
	uv_cond_broadcast(&h->ready);
	uv_mutex_unlock(&h->lock);
	for (unsigned i = 0; h->workers && i < h->config.jobs; i++) {
		if (h->workers[i].running)
			(void)uv_thread_join(&h->workers[i].thread);
		span_reader_free(h->workers[i].reader);
		if (h->workers[i].stage)
			h->config.stage->close(h->workers[i].stage);
	}
	free(h->workers);
}
