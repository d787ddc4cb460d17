/* SPDX-License-Identifier: MIT */
/*
 * A ring of slots: item i goes to slot i modulo their number. A thread takes the next item when its slot is free, that
 * is when the item that was there has been given. The item whose turn it is is never held back, so the ring cannot come
 * to a stop.
 */
#include "config.h"

#include <stdlib.h>
#include <uv.h>

#include "run/pages.h"

enum { SLOTS_PER_THREAD = 8, KEEP = 256 << 10 };

struct ordered_slot {
	struct buf out;
	int status;
	bool done;
};

struct ordered_worker {
	struct ordered *owner;
	uv_thread_t thread;
	unsigned number;
};

struct ordered {
	struct ordered_config config;
	struct ordered_worker *workers;
	unsigned n_workers; /* that run */
	struct ordered_slot *slots;
	size_t n_slots;
	size_t given; /* of the owner; `begun` and what follows is guarded by the lock */
	uv_mutex_t lock;
	uv_cond_t room;
	size_t begun, freed; /* items; freed: their slot may be used again */
	size_t bytes;        /* of results that wait */
	bool quit;
};

static void worker_main(void *arg)
{
	struct ordered_worker *w = arg;
	struct ordered *o = w->owner;
	uv_mutex_lock(&o->lock);
	for (;;) {
		while (!o->quit && (o->begun == o->config.n
					    ? o->config.grows
					    : !(o->begun == o->freed ||
						(o->begun < o->freed + o->n_slots && o->bytes < o->config.bytes_most))))
			uv_cond_wait(&o->room, &o->lock);
		if (o->quit || o->begun == o->config.n)
			break;
		size_t index = o->begun++;
		struct ordered_slot *s = &o->slots[index % o->n_slots];
		uv_mutex_unlock(&o->lock);
		s->status = o->config.work(o->config.arg, w->number, index, &s->out);
		uv_mutex_lock(&o->lock);
		s->done = true;
		o->bytes += s->out.len;
		if (index == o->freed)
			o->config.wake(o->config.arg);
	}
	uv_mutex_unlock(&o->lock);
}

struct ordered *ordered_new(const struct ordered_config *config, struct error *err)
{
	struct ordered *o = calloc(1, sizeof(*o));
	if (o) {
		o->config = *config;
		o->n_slots = config->jobs ? (size_t)config->jobs * SLOTS_PER_THREAD : 1;
		o->slots = calloc(o->n_slots, sizeof(*o->slots));
		o->workers = calloc(config->jobs ? config->jobs : 1, sizeof(*o->workers));
		(void)uv_mutex_init(&o->lock);
		(void)uv_cond_init(&o->room);
	}
	if (o && o->slots && o->workers) {
		/* what cannot be started is done by the others */
		for (unsigned i = 0; i < o->config.jobs; i++) {
			o->workers[i] = (struct ordered_worker){ .owner = o, .number = i };
			if (uv_thread_create(&o->workers[i].thread, worker_main, &o->workers[i]) != 0)
				break;
			o->n_workers++;
		}
		if (o->n_workers > 0 || o->config.jobs == 0)
			return o;
	}
	(void)error_set(err, DANA_ENOMEM, "%s",
			o && o->slots && o->workers ? NO_THREAD_TEXT : status_text(DANA_ENOMEM));
	ordered_free(o);
	return NULL;
}

bool ordered_next(struct ordered *o, struct slice *result, int *status)
{
	uv_mutex_lock(&o->lock);
	/* the slot of the item that was given last is free again */
	if (o->freed != o->given) {
		struct ordered_slot *s = &o->slots[o->freed % o->n_slots];
		o->bytes -= s->out.len;
		s->done = false;
		buf_shrink(&s->out, KEEP);
		o->freed++;
		uv_cond_broadcast(&o->room);
	}
	struct ordered_slot *s = &o->slots[o->given % o->n_slots];
	bool ready = o->given < o->config.n && s->done;
	uv_mutex_unlock(&o->lock);
	if (o->config.jobs == 0 && o->given < o->config.n) {
		s->status = o->config.work(o->config.arg, 0, o->given, &s->out);
		o->bytes += s->out.len;
		ready = true;
	}
	if (!ready)
		return false;
	*result = buf_slice(&s->out);
	*status = s->status;
	o->given++;
	return true;
}

void ordered_add(struct ordered *o)
{
	uv_mutex_lock(&o->lock);
	o->config.n++;
	uv_cond_signal(&o->room);
	uv_mutex_unlock(&o->lock);
}

size_t ordered_given(const struct ordered *o)
{
	return o->given;
}

void ordered_free(struct ordered *o)
{
	if (!o)
		return;
	uv_mutex_lock(&o->lock);
	o->quit = true;
	uv_cond_broadcast(&o->room);
	uv_mutex_unlock(&o->lock);
	for (unsigned i = 0; i < o->n_workers; i++)
		(void)uv_thread_join(&o->workers[i].thread);
	for (size_t i = 0; o->slots && i < o->n_slots; i++)
		buf_free(&o->slots[i].out);
	uv_cond_destroy(&o->room);
	uv_mutex_destroy(&o->lock);
	free(o->slots);
	free(o->workers);
	free(o);
}
