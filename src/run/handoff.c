/* SPDX-License-Identifier: MIT */
/*
 * The ring is an array of slots with three counters of batches since the start: `filled` (put in by the loop's
 * thread), `run` (taken by a worker) and `drained` (its results taken by the loop's thread). Example with 8 slots:
 * drained = 10, run = 12, filled = 15 says that batches 10 and 11 are with workers or done, 12 to 14 wait in slots 4
 * to 6, and three slots are free. Only slot `drained` may be taken, whatever is done after it: this keeps the order of
 * the records.
 *
 * This file is the side of the loop's thread, without the spans; handoff_worker.c is that of the workers.
 *
 * A record that the filter refuses by its head goes through a batch too, without its block, because its outcome has a
 * place in the order.
 */
#include "config.h"

#include "run/handoff.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "run/batch.h"
#include "run/handoff_state.h"

enum {
	BATCH_BYTES = 128 << 10, /* a batch is handed over with the record that fills it */
	BATCHES_PER_JOB = 3,
	BATCH_ROOM = 2 * BATCH_BYTES, /* for most of the records that fill a batch */
};

static int latch(struct handoff *h, int status)
{
	if (status < 0 && h->status == DANA_OK)
		h->status = status;
	return h->status;
}

static int latch_record(struct handoff *h, const struct batch_record *r)
{
	if (r->status < 0 && h->status == DANA_OK)
		(void)snprintf(h->fault, sizeof(h->fault), "%.*s", (int)r->fault.len, (const char *)r->fault.data);
	return latch(h, r->status);
}

/* The oldest batch when it is done. With `wait` its worker is waited for. NULL: nothing to take. */
static struct batch *oldest_done(struct handoff *h, bool wait)
{
	struct batch *b = NULL;
	uv_mutex_lock(&h->lock);
	if (h->drained < h->filled) {
		const struct slot *s = handoff_slot(h, h->drained);
		while (wait && !s->done)
			uv_cond_wait(&h->done, &h->lock);
		b = s->done ? s->batch : NULL;
	}
	uv_mutex_unlock(&h->lock);
	return b;
}

/* A batch is soon filled again, with a later point. */
static void note_point(struct handoff *h, const struct resume_point *point)
{
	if (resume_point_copy(&h->point, point) < 0)
		(void)latch(h, DANA_ENOMEM);
}

/* Results of one batch, in order. After the first failure nothing more is passed on, but batches still become free. */
static void take(struct handoff *h, struct batch *b)
{
	struct slice formatted = buf_slice(&b->formatted);
	note_point(h, &b->point);
	for (const struct batch_record *r = b->first; r && latch_record(h, r) == DANA_OK; r = r->next) {
		const struct slice document = slice_first(formatted, r->formatted_len);
		(void)latch(h, h->config.take(h->config.arg, &r->outcome, r->kept ? NULL : &document));
		formatted = slice_skip(formatted, r->formatted_len);
	}
	h->in_flight -= b->bytes;
	handoff_make_spare(h, b);

	uv_mutex_lock(&h->lock);
	h->drained++;
	if (h->run < h->drained)
		h->run = h->drained; /* no worker has looked at it: it was done */
	uv_mutex_unlock(&h->lock);
}

const struct resume_point *handoff_point(const struct handoff *h)
{
	return &h->point;
}

int handoff_drain(struct handoff *h)
{
	struct batch *b;
	while ((b = oldest_done(h, false)))
		take(h, b);
	return h->status;
}

static void make_room(struct handoff *h)
{
	if (h->filled - h->drained == h->n_slots)
		take(h, oldest_done(h, true));
}

/* A step of the pump may hold more records than there is room: then the oldest batch is waited for, here. */
static struct batch *begin_filling(struct handoff *h)
{
	if (h->filling)
		return h->filling;
	make_room(h);
	h->filling = h->spare[--h->n_spare];
	if (h->config.point && resume_point_copy(&h->filling->point, h->config.point) < 0)
		(void)latch(h, DANA_ENOMEM);
	return h->filling;
}

void handoff_flush(struct handoff *h)
{
	if (!h->filling || h->filling->open)
		return;
	h->in_flight += h->filling->bytes;
	uv_mutex_lock(&h->lock);
	*handoff_slot(h, h->filled++) = (struct slot){ .batch = h->filling };
	uv_mutex_unlock(&h->lock);
	uv_cond_signal(&h->ready); /* without the lock, which the one that wakes takes first */
	h->filling = NULL;
}

int handoff_put_done(struct handoff *h, struct batch *b)
{
	if (h->config.point && resume_point_copy(&b->point, h->config.point) < 0)
		return DANA_ENOMEM;
	handoff_flush(h);
	make_room(h);
	h->in_flight += b->bytes;
	uv_mutex_lock(&h->lock);
	*handoff_slot(h, h->filled++) = (struct slot){ .batch = b, .done = true };
	uv_mutex_unlock(&h->lock);
	return DANA_OK;
}

static size_t held_bytes(const struct handoff *h)
{
	return h->in_flight + (h->filling ? h->filling->bytes : 0);
}

/* A record of the batch is complete. */
static int record_done(struct handoff *h)
{
	if (h->filling->bytes >= BATCH_BYTES || held_bytes(h) >= h->config.in_flight)
		handoff_flush(h);
	return h->status;
}

const char *handoff_fault(const struct handoff *h)
{
	return h->fault;
}

int handoff_finish(struct handoff *h)
{
	struct batch *b;
	handoff_spans_stop(h);
	if (h->filling)
		h->filling->open = NULL;
	handoff_flush(h);
	while ((b = oldest_done(h, true)))
		take(h, b);
	return h->status;
}

bool handoff_wants_input(const struct handoff *h)
{
	/*
	 * When all that is held is the batch that is being filled, nothing could make room: however large its last
	 * record is, it has to be read to its end.
	 */
	return h->filled - h->drained < h->n_slots && (held_bytes(h) < h->config.in_flight || h->filled == h->drained);
}

static int record_begin(struct record_sink *self, const struct record *rec)
{
	struct handoff *h = (struct handoff *)self;
	struct batch *b = begin_filling(h);
	int status = h->status < 0 ? h->status : archive_dates_note(h->config.dates, rec);
	if (status < 0)
		return status;
	if (batch_begin(b, rec, buf_slice(&h->config.dates->warcinfo_date)) < 0)
		return latch(h, DANA_ENOMEM);
	status = h->config.refuses(h->config.arg, rec);
	h->refused = status != RECORD_WANTED;
	return status < 0 ? latch(h, status) : status;
}

static int record_body(struct record_sink *self, struct slice bytes)
{
	struct handoff *h = (struct handoff *)self;
	if (h->refused)
		return RECORD_UNWANTED;
	return batch_body(h->filling, bytes) < 0 ? latch(h, DANA_ENOMEM) : RECORD_WANTED;
}

static int record_end(struct record_sink *self, const struct record_end *end)
{
	struct handoff *h = (struct handoff *)self;
	batch_end(h->filling, end);
	return record_done(h);
}

static int record_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			 const struct record_end *end)
{
	struct handoff *h = (struct handoff *)self;
	struct batch *b = begin_filling(h);
	if (h->status < 0)
		return h->status;
	if (batch_region(b, seq, offset, id, uri, end) < 0)
		return latch(h, DANA_ENOMEM);
	return record_done(h);
}

static const struct record_sink_ops record_ops = {
	.name = "handoff",
	.begin = record_begin,
	.body = record_body,
	.end = record_end,
	.damage = record_damage,
};

/* All slots of the ring, and all spans, may be taken while one more batch is being filled. */
static bool batches_new(struct handoff *h)
{
	h->n_slots = (size_t)h->config.jobs * BATCHES_PER_JOB;
	h->slots = calloc(h->n_slots, sizeof(*h->slots));
	if (!handoff_spans_new(h))
		return false;
	h->n_batches = h->n_slots + 1 + h->spans.n;
	h->batches = calloc(h->n_batches, sizeof(*h->batches));
	h->spare = calloc(h->n_batches, sizeof(struct batch *));
	if (!h->slots || !h->batches || !h->spare)
		return false;
	for (size_t i = 0; i < h->n_batches; i++) {
		if (batch_init(&h->batches[i], BATCH_ROOM) < 0)
			return false;
		h->spare[h->n_spare++] = &h->batches[i];
	}
	return true;
}

struct handoff *handoff_new(const struct handoff_config *config, struct error *err)
{
	struct handoff *h = calloc(1, sizeof(*h));
	if (!h) {
		(void)error_no_memory(err);
		return NULL;
	}
	h->records.ops = &record_ops;
	h->config = *config;
	h->file = "-";
	(void)uv_mutex_init(&h->lock);
	(void)uv_cond_init(&h->ready);
	(void)uv_cond_init(&h->done);
	if (!batches_new(h))
		(void)error_no_memory(err);
	else if (handoff_workers_start(h, err) == DANA_OK)
		return h;
	handoff_free(h);
	return NULL;
}

struct record_sink *handoff_records(struct handoff *h)
{
	return &h->records;
}

void handoff_input(struct handoff *h, const char *file)
{
	/* All workers sleep; the lock passes the new name on to them. */
	uv_mutex_lock(&h->lock);
	h->file = file;
	uv_mutex_unlock(&h->lock);
	h->status = DANA_OK; /* what failed before (an output) was the other job's */
	if (h->config.point)
		note_point(h, h->config.point);
}

void handoff_free(struct handoff *h)
{
	if (!h)
		return;
	if (h->spans.all)
		handoff_spans_stop(h);
	handoff_workers_stop(h);
	handoff_spans_free(h);
	for (size_t i = 0; h->batches && i < h->n_batches; i++)
		batch_free(&h->batches[i]);
	uv_cond_destroy(&h->done);
	uv_cond_destroy(&h->ready);
	uv_mutex_destroy(&h->lock);
	free(h->spare);
	free(h->batches);
	free(h->slots);
	resume_point_free(&h->point);
	free(h);
}
