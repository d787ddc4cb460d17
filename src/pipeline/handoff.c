#include "config.h"

#include "pipeline/handoff.h"

#include <stdlib.h>
#include <uv.h>

#include "base/arena.h"

enum { SLOTS_PER_JOB = 16, KEEP_BUFFER = 512 << 10 };

/* Guarded by the lock. */
enum slot_state {
	SLOT_FREE,    /* loop thread's; also while it is filled */
	SLOT_READY,   /* complete, waits for a worker */
	SLOT_RUNNING, /* a worker's */
	SLOT_DONE,    /* has its result; loop thread's */
};

struct slot {
	enum slot_state state;
	/* Loop thread until READY, worker until DONE, loop thread after. */
	struct arena *arena; /* of record and dates; reset, not freed */
	struct record record;
	struct slice warcinfo_date;
	struct buf block;
	struct record_end end;
	/* The result. */
	struct outcome outcome;
	struct document document; /* only its numbers and static names live on */
	struct buf formatted;
	int status;
};

struct worker {
	struct document_sink sink; /* behind the stage */
	struct handoff *handoff;
	struct slot *slot; /* under way */
	void *stage;
	uv_thread_t thread;
	bool running;
};

struct handoff {
	struct record_sink records;
	struct handoff_config config;
	const char *file;
	struct slot *slots;
	size_t n_slots;
	struct worker *workers;
	size_t in_flight; /* loop thread */
	int status;       /* loop thread: first failure */
	bool filling;     /* loop thread: the slot at `filled` has a record without end */
	bool refused;     /* loop thread: its block is not copied */

	uv_mutex_t lock;
	uv_cond_t ready, done;
	/* Guarded by the lock. Numbers of slots since the start: drained, run <= filled <= drained + n_slots. */
	uint64_t filled, run, drained;
	bool quit;
};

static struct slot *slot_at(struct handoff *h, uint64_t number)
{
	return &h->slots[number % h->n_slots];
}

/* ---- workers ---- */

static int worker_outcome(struct document_sink *self, const struct outcome *outcome)
{
	struct worker *w = (struct worker *)self;
	struct slot *s = w->slot;
	s->outcome = *outcome;
	if (outcome->kind != OUTCOME_DOCUMENT)
		return DANA_OK;
	int status = w->handoff->config.format(w->handoff->config.arg, outcome->document, &s->formatted);
	s->document = *outcome->document;
	s->outcome.document = &s->document;
	/* The next record overwrites what these point to. */
	const struct slice gone = { NULL, 0 };
	s->document.text = s->document.title = s->document.content_type = s->document.language = gone;
	s->document.media = NULL;
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

static int replay(struct worker *w, const struct slot *s)
{
	const struct handoff *h = w->handoff;
	struct record_sink *records = h->config.stage->records(w->stage);
	h->config.stage->context(w->stage, h->file, s->warcinfo_date);
	int answer = records->ops->begin(records, &s->record);
	if (answer == RECORD_WANTED && s->block.len)
		answer = records->ops->body(records, buf_slice(&s->block));
	if (answer < 0)
		return answer;
	return records->ops->end(records, &s->end);
}

static void worker_main(void *arg)
{
	struct worker *w = arg;
	struct handoff *h = w->handoff;
	uv_mutex_lock(&h->lock);
	for (;;) {
		/* Damaged regions are done from the start, and may have been drained already. */
		if (h->run < h->drained)
			h->run = h->drained;
		while (h->run < h->filled && slot_at(h, h->run)->state != SLOT_READY)
			h->run++;
		if (h->run == h->filled) {
			if (h->quit)
				break;
			uv_cond_wait(&h->ready, &h->lock);
			continue;
		}
		uint64_t number = h->run++;
		struct slot *s = slot_at(h, number);
		s->state = SLOT_RUNNING;
		uv_mutex_unlock(&h->lock);
		w->slot = s;
		s->status = replay(w, s);
		uv_mutex_lock(&h->lock);
		s->state = SLOT_DONE;
		if (number == h->drained) {
			uv_cond_signal(&h->done);
			h->config.wake(h->config.arg);
		}
	}
	uv_mutex_unlock(&h->lock);
}

/* ---- the loop's thread ---- */

static int latch(struct handoff *h, int status)
{
	if (status < 0 && h->status == DANA_OK)
		h->status = status;
	return h->status;
}

static void release(struct handoff *h, struct slot *s)
{
	h->in_flight -= s->block.len;
	buf_shrink(&s->block, KEEP_BUFFER);
	buf_shrink(&s->formatted, KEEP_BUFFER);
	arena_reset(s->arena);
	uv_mutex_lock(&h->lock);
	s->state = SLOT_FREE;
	h->drained++;
	uv_mutex_unlock(&h->lock);
}

/* The oldest slot when it is done. With `wait` its worker is waited for. NULL: nothing to take. */
static struct slot *oldest_done(struct handoff *h, bool wait)
{
	struct slot *s = NULL;
	uv_mutex_lock(&h->lock);
	if (h->drained < h->filled) {
		s = slot_at(h, h->drained);
		while (wait && s->state != SLOT_DONE)
			uv_cond_wait(&h->done, &h->lock);
		if (s->state != SLOT_DONE)
			s = NULL;
	}
	uv_mutex_unlock(&h->lock);
	return s;
}

static void take(struct handoff *h, struct slot *s)
{
	(void)latch(h, s->status);
	if (h->status == DANA_OK)
		(void)latch(h, h->config.take(h->config.arg, &s->outcome, buf_slice(&s->formatted)));
	release(h, s);
}

int handoff_drain(struct handoff *h)
{
	struct slot *s;
	while ((s = oldest_done(h, false)))
		take(h, s);
	return h->status;
}

int handoff_finish(struct handoff *h)
{
	struct slot *s;
	if (h->filling) {
		s = slot_at(h, h->filled);
		h->in_flight -= s->block.len;
		buf_clear(&s->block);
		arena_reset(s->arena);
		h->filling = false;
	}
	while ((s = oldest_done(h, true)))
		take(h, s);
	return h->status;
}

bool handoff_wants_input(const struct handoff *h)
{
	/*
	 * The counters change on this thread only. When all that is in flight is the record that is being filled, nothing
	 * could make room: however large it is, it has to be read to its end.
	 */
	return h->filled - h->drained < h->n_slots && (h->in_flight < h->config.in_flight || h->filled == h->drained);
}

/* A step of the pump may hold more records than there are slots: then the oldest one is waited for, here. */
static struct slot *free_slot(struct handoff *h)
{
	if (h->filled - h->drained == h->n_slots)
		take(h, oldest_done(h, true));
	return slot_at(h, h->filled);
}

static void publish(struct handoff *h, struct slot *s, enum slot_state state)
{
	uv_mutex_lock(&h->lock);
	s->state = state;
	h->filled++;
	if (state == SLOT_READY)
		uv_cond_signal(&h->ready);
	uv_mutex_unlock(&h->lock);
}

static bool arena_keep(struct arena *arena, struct slice *s)
{
	if (s->len == 0) {
		*s = slice_of(NULL, 0);
		return true;
	}
	*s = arena_copy(arena, *s);
	return s->data != NULL;
}

static int record_begin(struct record_sink *self, const struct record *rec)
{
	struct handoff *h = (struct handoff *)self;
	struct slot *s = free_slot(h);
	int status = h->status < 0 ? h->status : origin_note(h->config.origin, rec);
	if (status < 0)
		return status;
	s->warcinfo_date = buf_slice(&h->config.origin->warcinfo_date);
	if (record_copy(&s->record, rec, s->arena) < 0 || !arena_keep(s->arena, &s->warcinfo_date))
		return latch(h, DANA_ENOMEM);
	h->filling = true;
	h->refused = h->config.refuses(h->config.arg, rec);
	return h->refused ? RECORD_UNWANTED : RECORD_WANTED;
}

static int record_body(struct record_sink *self, struct slice bytes)
{
	struct handoff *h = (struct handoff *)self;
	if (h->refused)
		return RECORD_UNWANTED;
	struct slot *s = slot_at(h, h->filled);
	if (buf_append(&s->block, bytes.data, bytes.len) < 0)
		return latch(h, DANA_ENOMEM);
	h->in_flight += bytes.len;
	return RECORD_WANTED;
}

static int record_end(struct record_sink *self, const struct record_end *end)
{
	struct handoff *h = (struct handoff *)self;
	struct slot *s = slot_at(h, h->filled);
	s->end = *end;
	h->filling = false;
	publish(h, s, SLOT_READY);
	return h->status;
}

static int record_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			 const struct record_end *end)
{
	struct handoff *h = (struct handoff *)self;
	struct slot *s = free_slot(h);
	if (h->status < 0)
		return h->status;
	if (!arena_keep(s->arena, &id) || !arena_keep(s->arena, &uri))
		return latch(h, DANA_ENOMEM);
	s->end = *end;
	s->status = DANA_OK;
	s->outcome = (struct outcome){ .kind = OUTCOME_DAMAGED,
				       .seq = seq,
				       .offset = offset,
				       .id = id,
				       .uri = uri,
				       .damage = &s->end };
	publish(h, s, SLOT_DONE);
	return handoff_drain(h);
}

static const struct record_sink_ops record_ops = {
	.name = "handoff",
	.begin = record_begin,
	.body = record_body,
	.end = record_end,
	.damage = record_damage,
};

static int workers_start(struct handoff *h, struct error *err)
{
	for (unsigned i = 0; i < h->config.jobs; i++) {
		struct worker *w = &h->workers[i];
		w->sink.ops = &worker_sink_ops;
		w->handoff = h;
		w->stage = h->config.stage->open(h->config.arg, &w->sink, err);
		if (!w->stage)
			return err->status;
		int error = uv_thread_create(&w->thread, worker_main, w);
		if (error < 0)
			return error_set(err, DANA_EIO, "worker: %s", uv_strerror(error));
		w->running = true;
	}
	return DANA_OK;
}

static bool slots_new(struct handoff *h)
{
	h->n_slots = (size_t)h->config.jobs * SLOTS_PER_JOB;
	h->slots = calloc(h->n_slots, sizeof(*h->slots));
	h->workers = calloc(h->config.jobs, sizeof(*h->workers));
	if (!h->slots || !h->workers)
		return false;
	for (size_t i = 0; i < h->n_slots; i++) {
		h->slots[i].arena = arena_new();
		if (!h->slots[i].arena)
			return false;
	}
	return true;
}

struct handoff *handoff_new(const struct handoff_config *config, struct error *err)
{
	struct handoff *h = calloc(1, sizeof(*h));
	if (!h) {
		(void)error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
		return NULL;
	}
	h->records.ops = &record_ops;
	h->config = *config;
	h->file = "-";
	(void)uv_mutex_init(&h->lock);
	(void)uv_cond_init(&h->ready);
	(void)uv_cond_init(&h->done);
	if (!slots_new(h))
		(void)error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	else if (workers_start(h, err) == DANA_OK)
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
}

void handoff_free(struct handoff *h)
{
	if (!h)
		return;
	uv_mutex_lock(&h->lock);
	h->quit = true;
	uv_cond_broadcast(&h->ready);
	uv_mutex_unlock(&h->lock);
	for (unsigned i = 0; h->workers && i < h->config.jobs; i++) {
		if (h->workers[i].running)
			(void)uv_thread_join(&h->workers[i].thread);
		if (h->workers[i].stage)
			h->config.stage->close(h->workers[i].stage);
	}
	for (size_t i = 0; h->slots && i < h->n_slots; i++) {
		arena_free(h->slots[i].arena);
		buf_free(&h->slots[i].block);
		buf_free(&h->slots[i].formatted);
	}
	uv_cond_destroy(&h->done);
	uv_cond_destroy(&h->ready);
	uv_mutex_destroy(&h->lock);
	free(h->workers);
	free(h->slots);
	free(h);
}
