/* SPDX-License-Identifier: MIT */
/* The spans that are given to workers, in the order of the input: a ring of its own. */
#include "config.h"

#include <stdlib.h>

#include "run/batch.h"
#include "run/handoff_state.h"

enum {
	SPAN_BYTES = 512 << 10, /* of input */
	SPANS_PER_JOB = 3,
	LEAST_JOBS = 2, /* one worker would do all, and the loop's thread nothing */
};

static struct span *span_at(const struct handoff *h, uint64_t number)
{
	return &h->spans.all[number % h->spans.n];
}

/* ---- with the lock ---- */

bool handoff_span_waits(const struct handoff *h)
{
	for (uint64_t i = h->spans.gone; i < h->spans.given; i++) {
		if (span_at(h, i)->state == SPAN_WAITS)
			return true;
	}
	return false;
}

struct span *handoff_next_span(struct handoff *h)
{
	for (uint64_t i = h->spans.gone; i < h->spans.given; i++) {
		struct span *s = span_at(h, i);
		if (s->state != SPAN_WAITS)
			continue;
		s->state = SPAN_READ;
		return s;
	}
	return NULL;
}

/* Spans that end before `offset` are of no use any more. Returns whether a worker still reads one of them. */
static bool drop_before(struct handoff *h, uint64_t offset)
{
	bool reads = false;
	for (uint64_t i = h->spans.gone; i < h->spans.given; i++) {
		struct span *s = span_at(h, i);
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

/* ---- the loop's thread ---- */

struct span *handoff_oldest_span(const struct handoff *h)
{
	return h->spans.gone < h->spans.given ? span_at(h, h->spans.gone) : NULL;
}

void handoff_forget_span(struct handoff *h)
{
	struct span *s = handoff_oldest_span(h);
	if (s->batch)
		handoff_make_spare(h, s->batch);
	s->batch = NULL;
	uv_mutex_lock(&h->lock);
	h->spans.gone++;
	uv_mutex_unlock(&h->lock);
}

void handoff_spans_stop(struct handoff *h)
{
	h->spans.on = false;
	uv_mutex_lock(&h->lock);
	while (drop_before(h, UINT64_MAX))
		uv_cond_wait(&h->done, &h->lock);
	uv_mutex_unlock(&h->lock);
	while (handoff_oldest_span(h))
		handoff_forget_span(h);
}

int handoff_give_out(struct handoff *h, const struct pump_place *here)
{
	struct spans *all = &h->spans;
	uv_mutex_lock(&h->lock);
	(void)drop_before(h, here->warc.offset);
	uv_mutex_unlock(&h->lock);
	if (all->next < here->warc.offset)
		all->next = here->warc.offset;
	while (all->given - all->gone < all->n && all->next < all->size) {
		struct span *s = span_at(h, all->given);
		const struct buf *date = &h->config.dates->warcinfo_date;
		s->begin = all->next;
		s->end = all->size - all->next > all->bytes ? all->next + all->bytes : all->size;
		s->sure = s->begin == here->warc.offset;
		s->fd = all->fd;
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

bool handoff_span_is_done(struct handoff *h, const struct span *s)
{
	uv_mutex_lock(&h->lock);
	bool done = s->state == SPAN_DONE;
	uv_mutex_unlock(&h->lock);
	return done;
}

void handoff_ahead(struct handoff *h, int fd, uint64_t size)
{
	h->spans.on = h->config.jobs >= LEAST_JOBS && size / h->spans.bytes >= h->config.jobs;
	h->spans.fd = fd;
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

bool handoff_spans_new(struct handoff *h)
{
	h->spans.bytes = span_bytes(&h->config);
	h->spans.n = h->config.jobs >= LEAST_JOBS ? (size_t)h->config.jobs * SPANS_PER_JOB : 1;
	h->spans.all = calloc(h->spans.n, sizeof(*h->spans.all));
	return h->spans.all != NULL;
}

void handoff_spans_free(struct handoff *h)
{
	for (size_t i = 0; h->spans.all && i < h->spans.n; i++) {
		buf_free(&h->spans.all[i].date);
		buf_free(&h->spans.all[i].like_date);
		buf_free(&h->spans.all[i].last_date);
	}
	free(h->spans.all);
}
