/* SPDX-License-Identifier: MIT */
/*
 * At most POINTS_MOST points: when there is no room for another one, every second one is dropped, and from then on they
 * are twice as far apart.
 */
#include "config.h"

#include "run/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <uv.h>

#include "run/stats_file.h"

enum { POINTS_MOST = 240, FIRST_STEP_NS = 250000000 };

struct timeline {
	uv_mutex_t lock;
	uint64_t start, step, noted; /* uv_hrtime */
	struct stats now;
	struct point {
		double seconds, cpu_seconds;
		uint64_t memory, bytes, documents;
	} points[POINTS_MOST];
	unsigned n;
};

struct timeline *timeline_new(void)
{
	struct timeline *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	(void)uv_mutex_init(&t->lock);
	t->start = t->noted = uv_hrtime();
	t->step = FIRST_STEP_NS;
	return t;
}

static void note(struct timeline *t, uint64_t time)
{
	if (t->n == POINTS_MOST) {
		for (t->n = 0; t->n < POINTS_MOST / 2; t->n++)
			t->points[t->n] = t->points[2 * t->n + 1];
		t->step *= 2;
	}
	t->noted = time;
	stats_measure(&t->now, (double)(time - t->start) / 1e9);
	t->points[t->n++] = (struct point){ t->now.seconds, t->now.cpu_seconds, t->now.peak_rss_bytes, t->now.bytes_in,
					    t->now.documents };
}

void timeline_add(struct timeline *t, const struct stats *before, const struct stats *now)
{
	uv_mutex_lock(&t->lock);
	stats_add_change(&t->now, before, now);
	const uint64_t time = uv_hrtime();
	if (time - t->noted >= t->step)
		note(t, time);
	uv_mutex_unlock(&t->lock);
}

int timeline_end(struct timeline *t, struct buf *out)
{
	note(t, uv_hrtime());
	buf_append_byte(out, '[');
	for (const struct point *p = t->points; p < t->points + t->n; p++)
		buf_printf(out, "%s[%.3f,%.3f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", p > t->points ? "," : "",
			   p->seconds, p->cpu_seconds, p->memory, p->bytes, p->documents);
	return buf_append_byte(out, ']');
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	uv_mutex_destroy(&t->lock);
	free(t);
}
