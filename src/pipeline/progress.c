/* SPDX-License-Identifier: MIT */
/*
 * All pipelines add what they have read since they were asked last; whoever adds draws, at most twice a second, so
 * that drawing never costs more than a fraction of the work.
 */
#include "config.h"

#include "pipeline/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

enum { DRAW_NS = 450000000 };

struct progress {
	uv_mutex_t lock;
	uint64_t total, start, drawn; /* bytes; uv_hrtime */
	uint64_t bytes, records, kept, skipped, damaged;
	void (*draw)(void *arg, const char *line);
	void *arg;
};

struct progress *progress_new(uint64_t total, void (*draw)(void *arg, const char *line), void *arg)
{
	struct progress *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	(void)uv_mutex_init(&p->lock);
	p->total = total;
	p->start = uv_hrtime();
	p->draw = draw;
	p->arg = arg;
	return p;
}

static void draw(struct progress *p, uint64_t now)
{
	char percent[16] = "", left[40] = "", line[160];
	double seconds = (double)(now - p->start) / 1e9;
	double speed = seconds > 0 ? (double)p->bytes / seconds : 0;
	if (p->total) {
		uint64_t bytes = p->bytes < p->total ? p->bytes : p->total;
		(void)snprintf(percent, sizeof(percent), "%3.0f %% ", 100.0 * (double)bytes / (double)p->total);
		if (speed > 0) {
			uint64_t rest = (uint64_t)((double)(p->total - bytes) / speed);
			(void)snprintf(left, sizeof(left), " %" PRIu64 ":%02u left", rest / 60, (unsigned)(rest % 60));
		}
	}
	(void)snprintf(line, sizeof(line),
		       "%s%.1f MB/s %.0f rec/s%s kept %" PRIu64 " skipped %" PRIu64 " damaged %" PRIu64, percent,
		       speed / 1e6, seconds > 0 ? (double)p->records / seconds : 0, left, p->kept, p->skipped,
		       p->damaged);
	line[79] = 0;
	p->draw(p->arg, line);
}

void progress_add(struct progress *p, struct stats *before, const struct stats *now)
{
	uv_mutex_lock(&p->lock);
	p->bytes += now->bytes_in - before->bytes_in;
	p->records += now->records - before->records;
	p->kept += now->documents - before->documents;
	p->skipped += stats_skipped(now) - stats_skipped(before);
	p->damaged += stats_damaged(now) - stats_damaged(before);
	*before = *now;
	uint64_t time = uv_hrtime();
	if (time - p->drawn >= DRAW_NS) {
		p->drawn = time;
		draw(p, time);
	}
	uv_mutex_unlock(&p->lock);
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	uv_mutex_destroy(&p->lock);
	free(p);
}
