/* SPDX-License-Identifier: MIT */
/*
 * Passes records to worker threads, and takes their results back in order.
 *
 * The ring is an array of slots with three counters of batches since the start: `filled` (put in by the loop's thread),
 * `run` (taken by a worker) and `drained` (its results taken by the loop's thread).
 *
 * Example with 8 slots: drained = 10, run = 12, filled = 15 means that batches 10 and 11 are with workers or done, 12
 * to 14 wait in slots 4 to 6, and three slots are free.
 *
 * Only slot `drained` may be taken, whatever is done after it: this keeps the order of the records. A record that the
 * filter refuses by its head goes through a batch too, without its block, because its outcome has a place in the order.
 *
 * A worker takes the next batch of the ring, runs its records through a stage of its own, and keeps in the batch what
 * the stage makes of them; then it wakes the loop's thread. Where no batch waits it reads a span ahead: spans are given
 * out, in the order of the input, while the pump that reads in order is at a border between two members.
 *
 * When the oldest of them has been read, and begins exactly at the border where the pump is, and nothing in it depends
 * on what its worker could not know, then its outcomes take their place in the ring, and the pump resumes where the
 * span ends.
 *
 * Else it is thrown away, and the pump reads on. So a start that a worker has found wrongly costs time, but no record:
 * what the outputs hold is what the pump alone would have made.
 */
#include "config.h"

#include "run/handoff.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "archive/document.h"
#include "base/arena.h"
#include "base/status.h"
#include "run/checkpoint.h"

enum {
	HANDOFF_FAULT = 1024,
	BATCH_KEPT = 1 << 20,   /* of blocks: pages that need more are rare, and there are many batches */
	SPAN_BYTES = 512 << 10, /* of input */
	SPANS_PER_JOB = 3,
	LEAST_JOBS = 2,          /* one worker would do all, and the loop's thread nothing */
	BATCH_BYTES = 128 << 10, /* a batch is handed over with the record that fills it */
	BATCHES_PER_JOB = 3,
	BATCH_ROOM = 2 * BATCH_BYTES, /* for most of the records that fill a batch */
	KEPT_TEXT = 1 << 20,          /* bytes of formatted documents whose memory a cleared batch keeps */
};

struct handoff_worker;

/* A place of the ring. */
struct ring_slot {
	struct batch *batch;
	bool done; /* guarded by the lock */
};

/* What is read ahead of the input under way. Numbers of spans since the start: gone <= given <= gone + n. */
struct spans {
	struct input_span *all;
	size_t n;
	uint64_t given, gone; /* changed by the loop's thread with the lock */
	size_t bytes;         /* of each */
	bool on;
	int fd;
	uint64_t fd_begin;
	uint64_t size, next; /* of the input; where the next span begins */
};

struct handoff {
	struct record_sink records;
	struct handoff_config config;
	const char *file;
	struct handoff_worker *workers;

	/* Loop thread. */
	struct batch *batches, **spare; /* the spare ones, the last used on top: it is still in the caches */
	size_t n_batches, n_spare;
	struct batch *filling; /* NULL: no batch is being filled */
	bool refused;          /* the block of its open record is not copied */
	size_t in_flight;      /* bytes of the batches in the ring */
	struct spans spans;
	struct resume_point point; /* of the batch that was taken last */
	int status;                /* first failure */
	char fault[HANDOFF_FAULT]; /* what the stage said of it */

	uv_mutex_t lock;
	uv_cond_t ready, done;
	/* Guarded by the lock. Numbers of batches since the start: drained <= run <= filled <= drained + n_slots. */
	struct ring_slot *slots;
	size_t n_slots;
	uint64_t filled, run, drained; /* `filled` and `drained` change on the loop's thread only */
	bool quit;
};

/* ---- batches ---- */

/*
 * Heads are copied into an arena, blocks of all records into one buffer, formatted documents into another. A record of
 * the batch holds places in these buffers, not pointers, because the buffers move while they grow. `bytes` adds up
 * what the records hold, for the bound on all that is in flight; it need not be exact.
 */

static struct batch_record *record_new(struct batch *b)
{
	struct batch_record *r = arena_alloc(b->arena, sizeof(*r));
	if (r)
		*r = (struct batch_record){ .block_start = b->blocks.len };
	b->bytes += sizeof(*r);
	return r;
}

static void link_last(struct batch *b, struct batch_record *r)
{
	if (b->last)
		b->last->next = r;
	else
		b->first = r;
	b->last = r;
}

static int batch_keep(struct batch *b, struct slice *s)
{
	if (s->len == 0) {
		*s = slice_of(NULL, 0);
		return DANA_OK;
	}
	*s = arena_copy(b->arena, *s);
	return s->data ? DANA_OK : DANA_ENOMEM;
}

static int keep(struct batch *b, struct slice *s)
{
	b->bytes += s->len;
	return batch_keep(b, s);
}

int batch_begin_borrowed(struct batch *b, const struct record *rec)
{
	struct batch_record *r = record_new(b);
	if (!r)
		return DANA_ENOMEM;
	r->record = *rec;
	b->open = r;
	return DANA_OK;
}

void batch_end(struct batch *b, const struct record_end *end)
{
	b->open->end = *end;
	link_last(b, b->open);
	b->open = NULL;
}

static int batch_keep_marks(struct batch *b, struct plugin_marks *marks, size_t n_counters)
{
	const struct slice counts = slice_of(marks->counts, marks->counts ? n_counters * sizeof(*marks->counts) : 0);
	uint64_t *copy = counts.len ? arena_alloc(b->arena, counts.len) : NULL;
	if (copy)
		memcpy(copy, counts.data, counts.len);
	marks->counts = copy;
	return batch_keep(b, &marks->members) == DANA_OK && (copy || !counts.len) ? DANA_OK : DANA_ENOMEM;
}

void batch_cut(struct batch *b, struct batch_record *last, size_t formatted)
{
	b->last = last;
	b->open = NULL;
	if (last)
		last->next = NULL;
	else
		b->first = NULL;
	b->formatted.len = formatted;
}

static struct ring_slot *slot_of(struct handoff *h, uint64_t number)
{
	return &h->slots[number % h->n_slots];
}

/** An empty batch can be filled again. */
static void make_spare(struct handoff *h, struct batch *b)
{
	buf_shrink(&b->blocks, BATCH_KEPT);
	buf_shrink(&b->formatted, KEPT_TEXT);
	arena_reset(b->arena);
	b->first = b->last = b->open = NULL;
	b->bytes = 0;
	h->spare[h->n_spare++] = b;
}

/* ---- the spans that are given out; the first two with the lock ---- */

static struct input_span *span_at(const struct handoff *h, uint64_t number)
{
	return &h->spans.all[number % h->spans.n];
}

/* The next one that waits, or NULL. */
static struct input_span *waiting_span(const struct handoff *h)
{
	for (uint64_t i = h->spans.gone; i < h->spans.given; i++) {
		if (span_at(h, i)->state == SPAN_WAITS)
			return span_at(h, i);
	}
	return NULL;
}

/* Spans that end before `offset` are of no use any more. Returns whether a worker still reads one of them. */
static bool drop_before(struct handoff *h, uint64_t offset)
{
	bool reads = false;
	for (uint64_t i = h->spans.gone; i < h->spans.given; i++) {
		struct input_span *s = span_at(h, i);
		if (s->end > offset || s->state == SPAN_DONE)
			continue;
		if (s->state == SPAN_WAITS)
			s->state = SPAN_DONE;
		else
			atomic_store(&s->dropped, true);
		reads |= s->state == SPAN_READ;
	}
	return reads;
}

static struct input_span *oldest_span(const struct handoff *h)
{
	return h->spans.gone < h->spans.given ? span_at(h, h->spans.gone) : NULL;
}

/** The oldest one, which is done, is of no use any more, or has been taken over. */
static void forget_span(struct handoff *h)
{
	struct input_span *s = oldest_span(h);
	if (s->batch)
		make_spare(h, s->batch);
	s->batch = NULL;
	uv_mutex_lock(&h->lock);
	h->spans.gone++;
	uv_mutex_unlock(&h->lock);
}

/** Waits for the workers that read spans, and forgets all spans. */
static void stop_spans(struct handoff *h)
{
	h->spans.on = false;
	uv_mutex_lock(&h->lock);
	while (drop_before(h, UINT64_MAX))
		uv_cond_wait(&h->done, &h->lock);
	uv_mutex_unlock(&h->lock);
	while (oldest_span(h))
		forget_span(h);
}

/** Drops the spans that end before this border, and gives out spans of what follows. */
static int give_out(struct handoff *h, const struct pump_place *here)
{
	struct spans *all = &h->spans;
	uv_mutex_lock(&h->lock);
	(void)drop_before(h, here->warc.offset);
	uv_mutex_unlock(&h->lock);
	if (all->next < here->warc.offset)
		all->next = here->warc.offset;
	while (all->given - all->gone < all->n && all->next < all->size) {
		struct input_span *s = span_at(h, all->given);
		const struct buf *date = &h->config.dates->warcinfo_date;
		s->begin = all->next;
		s->end = all->size - all->next > all->bytes ? all->next + all->bytes : all->size;
		s->sure = s->begin == here->warc.offset;
		s->fd = all->fd;
		s->fd_begin = all->fd_begin;
		s->fd_size = all->size;
		s->file = h->file;
		s->like = s->from = s->to = *here;
		buf_clear(&s->like_date);
		if (buf_append(&s->like_date, date->data, date->len) < 0)
			return DANA_ENOMEM;
		atomic_store(&s->dropped, false);
		s->batch = h->spare[--h->n_spare];
		s->state = SPAN_WAITS;
		all->next = s->end;
		uv_mutex_lock(&h->lock);
		all->given++;
		uv_mutex_unlock(&h->lock);
		uv_cond_signal(&h->ready);
	}
	return DANA_OK;
}

/* ---- the ring, on the loop's thread ---- */

static int latch(struct handoff *h, int status)
{
	if (status < 0 && h->status == DANA_OK)
		h->status = status;
	return h->status;
}

/* The oldest batch when it is done. With `wait` its worker is waited for. NULL: nothing to take. */
static struct batch *oldest_done(struct handoff *h, bool wait)
{
	struct batch *b = NULL;
	uv_mutex_lock(&h->lock);
	if (h->drained < h->filled) {
		const struct ring_slot *s = slot_of(h, h->drained);
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
	for (const struct batch_record *r = b->first; r; r = r->next) {
		if (r->status < 0 && h->status == DANA_OK)
			(void)snprintf(h->fault, sizeof(h->fault), "%.*s", (int)r->fault.len,
				       (const char *)r->fault.data);
		if (latch(h, r->status) < 0)
			break;
		const struct slice document = slice_first(formatted, r->formatted_len);
		(void)latch(h, h->config.take(h->config.arg, &r->outcome, r->kept ? NULL : &document));
		formatted = slice_skip(formatted, r->formatted_len);
	}
	h->in_flight -= b->bytes;
	make_spare(h, b);

	uv_mutex_lock(&h->lock);
	h->drained++;
	if (h->run < h->drained)
		h->run = h->drained; /* no worker has looked at it: it was done */
	uv_mutex_unlock(&h->lock);
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

void handoff_flush(struct handoff *h)
{
	if (!h->filling || h->filling->open)
		return;
	h->in_flight += h->filling->bytes;
	uv_mutex_lock(&h->lock);
	*slot_of(h, h->filled++) = (struct ring_slot){ .batch = h->filling };
	uv_mutex_unlock(&h->lock);
	uv_cond_signal(&h->ready); /* without the lock, which the one that wakes takes first */
	h->filling = NULL;
}

/* ---- where spans meet the pump that reads in order ---- */

/* What the worker took for granted is so. */
static bool fits(const struct handoff *h, const struct input_span *s, const struct pump_place *here)
{
	const struct slice date = buf_slice(&h->config.dates->warcinfo_date);
	const bool same_date =
		date.len == s->like_date.len && (date.len == 0 || memcmp(date.data, s->like_date.data, date.len) == 0);
	return s->from.warc.offset == here->warc.offset && span_has_records(s) &&
	       s->from.container == here->container && s->from.warc.arc == here->warc.arc &&
	       s->from.has_dictionary == here->has_dictionary && s->from.dictionary == here->dictionary &&
	       !s->asked_number && (!s->asked_date || same_date);
}

int handoff_border(struct handoff *h, struct pump *pump, uint64_t least)
{
	struct pump_place here;
	struct input_span *s;
	if (!h->spans.on || !pump_border(pump, &here) || here.warc.seq < least)
		return DANA_OK;
	if (give_out(h, &here) < 0)
		return DANA_ENOMEM;
	while ((s = oldest_span(h)) && s->begin <= here.warc.offset) {
		uv_mutex_lock(&h->lock);
		bool done = s->state == SPAN_DONE;
		uv_mutex_unlock(&h->lock);
		if (!done) {
			handoff_flush(h);
			return PUMP_PAUSED;
		}
		if (fits(h, s, &here)) {
			/* Its outcomes get their numbers, and their place in the ring. */
			struct batch *b = s->batch;
			const uint64_t more = here.warc.seq - s->from.warc.seq;
			for (struct batch_record *r = b->first; r; r = r->next) {
				r->outcome.seq += more;
				r->record.seq += more;
			}
			int status = h->config.passed(h->config.arg, &here, s->dated);
			if (status == DANA_OK && s->dated)
				status = archive_dates_set_warcinfo(h->config.dates, buf_slice(&s->last_date));
			if (status == DANA_OK && h->config.point)
				status = resume_point_copy(&b->point, h->config.point);
			if (status < 0)
				return status;
			handoff_flush(h);
			make_room(h);
			h->in_flight += b->bytes;
			uv_mutex_lock(&h->lock);
			*slot_of(h, h->filled++) = (struct ring_slot){ .batch = b, .done = true };
			uv_mutex_unlock(&h->lock);
			s->batch = NULL;
			pump_pass(pump, &s->from, &s->to);
			forget_span(h);
			return handoff_drain(h);
		}
		if (span_has_records(s) && s->from.warc.offset > here.warc.offset)
			return DANA_OK; /* it will be its turn */
		if (s->asked_number) {  /* so will the next ones */
			stop_spans(h);
			return DANA_OK;
		}
		forget_span(h);
	}
	return DANA_OK;
}

/* ---- workers, on threads of their own ---- */

struct handoff_worker {
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
static int keep_names(struct handoff_worker *w)
{
	struct outcome *outcome = &w->record->outcome;
	if (!w->of_span)
		return DANA_OK;
	int status = batch_keep(w->batch, &outcome->id);
	return status < 0 ? status : batch_keep(w->batch, &outcome->uri);
}

static int worker_outcome(struct document_sink *self, const struct outcome *outcome)
{
	struct handoff_worker *w = (struct handoff_worker *)self;
	struct batch_record *r = w->record;
	struct buf *formatted = &w->batch->formatted;
	const struct handoff_config *config = &w->handoff->config;
	r->outcome = *outcome;
	if (batch_keep_marks(w->batch, &r->outcome.marks, config->n_counters) < 0 ||
	    batch_keep(w->batch, &r->outcome.detail) < 0 || batch_keep(w->batch, &r->outcome.title) < 0 ||
	    batch_keep(w->batch, &r->outcome.start) < 0 || batch_keep(w->batch, &r->outcome.learned) < 0)
		return DANA_ENOMEM;
	if (outcome->kind == OUTCOME_DAMAGED) { /* perhaps by the stage, which forgets it */
		r->end = *outcome->damage;
		r->outcome.damage = &r->end;
	}
	if (outcome->kind != OUTCOME_DOCUMENT)
		return keep_names(w);
	if (w->of_span)
		span_reader_document(w->reader, outcome->document);
	if (config->keep_documents || (w->of_span && config->numbers_documents)) {
		const struct document *doc = outcome->document;
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

	size_t before = formatted->len;
	int status = config->format(config->arg, outcome->document, formatted);
	r->formatted_len = formatted->len - before;
	r->document = *outcome->document;
	r->outcome.document = &r->document;
	/* The next record overwrites what these point to. */
	document_forget(&r->document);
	if (config->keep_starts && status == DANA_OK)
		status = document_keep_start(&r->document, outcome->document, w->batch->arena);
	return config->keep_starts && status == DANA_OK ? keep_names(w) : status;
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
static int replay(struct handoff_worker *w, struct batch_record *r)
{
	const struct handoff *h = w->handoff;
	struct record_sink *records = h->config.stage->records(w->stage);
	h->config.stage->context(w->stage, h->file, r->warcinfo_date);
	r->record.stays = slice_first(slice_skip(buf_slice(&w->batch->blocks), r->block_start), r->block_len);
	int result = records->ops->begin(records, &r->record);
	if (result == RECORD_WANTED && r->block_len)
		result = records->ops->body(records, r->record.stays);
	if (result < 0)
		return result;
	return records->ops->end(records, &r->end);
}

static void note_record(void *arg, struct batch_record *r)
{
	((struct handoff_worker *)arg)->record = r;
}

/*
 * Wakes the loop's thread if the oldest batch is done. While half of the ring waits for workers it is not woken for
 * one batch: it would fill one and sleep again. The worker that takes one of the rest will look again.
 */
static void wake_loop(struct handoff *h)
{
	if (!slot_of(h, h->drained)->done)
		return;
	uv_cond_signal(&h->done);
	if (h->filled - h->run <= h->n_slots / 2)
		h->config.wake(h->config.arg);
}

/*
 * Returns the next batch that waits, or NULL. Spans that were taken into the ring are done already: where nothing but
 * these are left, no worker comes to look for the loop's thread after this one.
 */
static struct ring_slot *next_batch(struct handoff *h)
{
	const uint64_t before = h->run;
	while (h->run < h->filled) {
		struct ring_slot *s = slot_of(h, h->run++);
		if (!s->done)
			return s;
	}
	if (h->run != before)
		wake_loop(h);
	return NULL;
}

/* With the lock, which is given up meanwhile. Records that are in order come first. False: there is nothing to do. */
static bool work_once(struct handoff_worker *w)
{
	struct handoff *h = w->handoff;
	struct ring_slot *slot = next_batch(h);
	struct input_span *span = slot ? NULL : waiting_span(h);
	if (!slot && !span)
		return false;
	if (span)
		span->state = SPAN_READ;
	uv_mutex_unlock(&h->lock);
	if (slot) {
		struct batch *b = slot->batch;
		w->batch = b;
		w->of_span = false;
		for (struct batch_record *r = b->first; r; r = r->next) {
			if (r->is_region)
				continue;
			w->record = r;
			r->status = replay(w, r);
			if (r->status < 0)
				r->fault = arena_copy(b->arena,
						      slice_from_text(w->handoff->config.stage->fault(w->stage)));
		}
	} else {
		/* where memory is exhausted the span stays empty */
		const struct span_reader_config config = { .limits = w->handoff->config.limits,
							   .ops = w->handoff->config.stage,
							   .stage = w->stage,
							   .record = note_record,
							   .arg = w };
		w->batch = span->batch;
		w->of_span = true;
		if (!w->reader)
			w->reader = span_reader_new(&config);
		if (w->reader)
			span_reader_read(w->reader, span);
	}
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
	struct handoff_worker *w = arg;
	struct handoff *h = w->handoff;
	uv_mutex_lock(&h->lock);
	while (work_once(w) || !h->quit) {
		while (!h->quit && h->run == h->filled && !waiting_span(h))
			uv_cond_wait(&h->ready, &h->lock);
	}
	uv_mutex_unlock(&h->lock);
}

/** Returns 0; or a negative status with a text in `err`: handoff_workers_stop ends those that run already. */
static int start_workers(struct handoff *h, struct error *err)
{
	h->workers = calloc(h->config.jobs, sizeof(*h->workers));
	if (!h->workers)
		return error_no_memory(err);
	for (unsigned i = 0; i < h->config.jobs; i++) {
		struct handoff_worker *w = &h->workers[i];
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

void handoff_ahead(struct handoff *h, int fd, uint64_t begin, uint64_t size)
{
	h->spans.on = fd >= 0 && h->config.jobs >= LEAST_JOBS && size / h->spans.bytes >= h->config.jobs;
	h->spans.fd = fd;
	h->spans.fd_begin = begin;
	h->spans.size = size;
	h->spans.next = 0;
}

static size_t span_bytes(const struct handoff_config *config)
{
	const char *text = getenv("DANA_TEST_SPAN_SIZE"); /* for tests: results must not depend on it */
	const unsigned long n = text ? strtoul(text, NULL, 10) : 0;
	if (config->span_bytes || n)
		return config->span_bytes ? config->span_bytes : n;
	return SPAN_BYTES;
}

const struct resume_point *handoff_point(const struct handoff *h)
{
	return &h->point;
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

static size_t held_bytes(const struct handoff *h)
{
	return h->in_flight + (h->filling ? h->filling->bytes : 0);
}

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
	stop_spans(h);
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
	struct batch_record *r = record_new(b);
	if (!r || record_copy(&r->record, rec, b->arena) < 0)
		return latch(h, DANA_ENOMEM);
	/* Nearly all of a head is its fields. */
	size_t sum = rec->n_fields * sizeof(*rec->fields);
	for (size_t i = 0; i < rec->n_fields; i++)
		sum += rec->fields[i].name.len + rec->fields[i].value.len;
	b->bytes += sum;
	r->warcinfo_date = buf_slice(&h->config.dates->warcinfo_date);
	if (keep(b, &r->warcinfo_date) < 0)
		return latch(h, DANA_ENOMEM);
	b->open = r;
	status = h->config.refuses(h->config.arg, rec);
	h->refused = status != RECORD_WANTED;
	return status < 0 ? latch(h, status) : status;
}

static int record_body(struct record_sink *self, struct slice bytes)
{
	struct handoff *h = (struct handoff *)self;
	if (h->refused)
		return RECORD_UNWANTED;
	struct batch *b = h->filling;
	if (buf_append(&b->blocks, bytes.data, bytes.len) < 0)
		return latch(h, DANA_ENOMEM);
	b->open->block_len += bytes.len;
	b->bytes += bytes.len;
	return RECORD_WANTED;
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
	struct batch_record *r = record_new(b);
	if (!r || keep(b, &id) < 0 || keep(b, &uri) < 0)
		return latch(h, DANA_ENOMEM);
	r->is_region = true;
	r->end = *end;
	r->outcome = outcome_of_region(seq, offset, id, uri, &r->end);
	link_last(b, r);
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
	h->spans.bytes = span_bytes(&h->config);
	h->spans.n = h->config.jobs >= LEAST_JOBS ? (size_t)h->config.jobs * SPANS_PER_JOB : 1;
	h->spans.all = calloc(h->spans.n, sizeof(*h->spans.all));
	if (h->spans.all == NULL)
		return false;
	h->n_batches = h->n_slots + 1 + h->spans.n;
	h->batches = calloc(h->n_batches, sizeof(*h->batches));
	h->spare = calloc(h->n_batches, sizeof(struct batch *));
	if (!h->slots || !h->batches || !h->spare)
		return false;
	for (size_t i = 0; i < h->n_batches; i++) {
		struct batch *b = &h->batches[i];
		*b = (struct batch){ .arena = arena_new() };
		if (!b->arena || buf_reserve(&b->blocks, BATCH_ROOM) < 0)
			return false;
		h->spare[h->n_spare++] = b;
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
	else if (start_workers(h, err) == DANA_OK)
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
		stop_spans(h);
	/* Ends the threads, when they have no batch any more, and frees what belongs to them. Also after a start that
	 * failed. */
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
	for (size_t i = 0; h->spans.all && i < h->spans.n; i++) {
		buf_free(&h->spans.all[i].date);
		buf_free(&h->spans.all[i].like_date);
		buf_free(&h->spans.all[i].last_date);
	}
	free(h->spans.all);
	for (size_t i = 0; h->batches && i < h->n_batches; i++) {
		struct batch *b = &h->batches[i];
		arena_free(b->arena);
		buf_free(&b->blocks);
		buf_free(&b->formatted);
		buf_free(&b->point.warcinfo_date);
	}
	uv_cond_destroy(&h->done);
	uv_cond_destroy(&h->ready);
	uv_mutex_destroy(&h->lock);
	free(h->spare);
	free(h->batches);
	free(h->slots);
	buf_free(&h->point.warcinfo_date);
	free(h);
}
