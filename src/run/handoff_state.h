/* SPDX-License-Identifier: MIT */
/* What the two sides of the ring share: handoff.c runs on the loop's thread, handoff_worker.c on the workers'. */
#ifndef DANA_RUN_HANDOFF_STATE_H
#define DANA_RUN_HANDOFF_STATE_H

#include <uv.h>

#include "run/handoff.h"
#include "run/resume_point.h"

enum { HANDOFF_FAULT = 1024 };

struct worker;

/* A place of the ring. */
struct slot {
	struct batch *batch;
	bool done; /* guarded by the lock */
};

struct handoff {
	struct record_sink records;
	struct handoff_config config;
	const char *file;
	struct worker *workers;

	/* Loop thread. */
	struct batch *batches, **spare; /* the spare ones, the last used on top: it is still in the caches */
	size_t n_spare;
	struct batch *filling;     /* NULL: no batch is being filled */
	bool refused;              /* the block of its open record is not copied */
	size_t in_flight;          /* bytes of the batches in the ring */
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

/** Returns 0; or a negative status with a text in `err`: handoff_workers_stop ends those that run already. */
int handoff_workers_start(struct handoff *h, struct error *err);
/** Ends the threads, when they have no batch any more, and frees what belongs to them. Also after a start that failed.
 */
void handoff_workers_stop(struct handoff *h);

#endif
