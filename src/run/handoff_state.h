/* SPDX-License-Identifier: MIT */
/* What the two sides of the ring share: handoff_worker.c runs on the workers' threads, the others on the loop's. */
#ifndef DANA_RUN_HANDOFF_STATE_H
#define DANA_RUN_HANDOFF_STATE_H

#include <uv.h>

#include "run/batch.h"
#include "run/handoff.h"
#include "run/resume_point.h"
#include "run/span.h"

enum {
	HANDOFF_FAULT = 1024,
	BATCH_KEPT = 1 << 20, /* of blocks: pages that need more are rare, and there are many batches */
};

struct worker;

/* A place of the ring. */
struct slot {
	struct batch *batch;
	bool done; /* guarded by the lock */
};

/* What is read ahead of the input under way. Numbers of spans since the start: gone <= given <= gone + n. */
struct spans {
	struct span *all;
	size_t n;
	uint64_t given, gone; /* changed by the loop's thread with the lock */
	size_t bytes;         /* of each */
	bool on;
	int fd;
	uint64_t size, next; /* of the input; where the next span begins */
};

struct handoff {
	struct record_sink records;
	struct handoff_config config;
	const char *file;
	struct worker *workers;

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
	struct slot *slots;
	size_t n_slots;
	uint64_t filled, run, drained; /* `filled` and `drained` change on the loop's thread only */
	bool quit;
};

/** Returns the place in the ring of the batch with this number. */
static inline struct slot *handoff_slot(struct handoff *h, uint64_t number)
{
	return &h->slots[number % h->n_slots];
}

/** An empty batch can be filled again. */
static inline void handoff_make_spare(struct handoff *h, struct batch *b)
{
	batch_clear(b, BATCH_KEPT);
	h->spare[h->n_spare++] = b;
}

/* handoff.c, for handoff_border.c: the loop's thread. */

/** A batch that is done already takes the next place of the ring, with config.point. Returns 0 or DANA_ENOMEM. */
int handoff_put_done(struct handoff *h, struct batch *b);

/* handoff_spans.c. The loop's thread: */

/** Returns false when memory is exhausted. */
bool handoff_spans_new(struct handoff *h);
void handoff_spans_free(struct handoff *h);
/** Waits for the workers that read spans, and forgets all spans. */
void handoff_spans_stop(struct handoff *h);
/** Drops the spans that end before this border, and gives out spans of what follows. Returns 0 or DANA_ENOMEM. */
int handoff_give_out(struct handoff *h, const struct pump_place *here);
/** Returns NULL when none is given out. */
struct span *handoff_oldest_span(const struct handoff *h);
/** Returns whether its worker has read it. */
bool handoff_span_is_done(struct handoff *h, const struct span *s);
/** The oldest one, which is done, is of no use any more, or has been taken over. */
void handoff_forget_span(struct handoff *h);

/* With the lock: */

/** Returns whether a span waits for a worker. */
bool handoff_span_waits(const struct handoff *h);
/** Returns the next one that waits, for the caller to read; or NULL. */
struct span *handoff_next_span(struct handoff *h);

/* handoff_worker.c */

/** Returns 0; or a negative status with a text in `err`: handoff_workers_stop ends those that run already. */
int handoff_workers_start(struct handoff *h, struct error *err);
/** Ends the threads, when they have no batch any more, and frees what belongs to them. Also after a start that failed.
 */
void handoff_workers_stop(struct handoff *h);

#endif
