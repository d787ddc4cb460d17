/* SPDX-License-Identifier: MIT */
/*
 * All pipelines add what they have read since they were asked last; whoever adds draws, at most twice a second, so
 * that drawing never costs more than a fraction of the work.
 */
#include "config.h"

#include "run/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { DRAW_NS = 450000000 };

struct progress {
	uv_mutex_t lock;
	uint64_t total, start, drawn; /* bytes; uv_hrtime */
	uint64_t bytes, records, kept, skipped, damaged;
	uint64_t requests, retries, fetched;                   /* of the network; fetched: bytes */
	uint64_t passed_bytes, passed_records, passed_fetched; /* of these: by an earlier run */
	void (*draw)(void *arg, const char *line);
	unsigned (*columns)(void *arg);
	void *arg;
};

struct progress *progress_new(uint64_t total, void (*draw)(void *arg, const char *line), unsigned (*columns)(void *arg),
			      void *arg)
{
	struct progress *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	(void)uv_mutex_init(&p->lock);
	p->total = total;
	p->start = uv_hrtime();
	p->draw = draw;
	p->columns = columns;
	p->arg = arg;
	return p;
}

/* The parts of a line from left to right; on a narrow terminal those of the highest rank are left out first. */
enum part { PERCENT, SPEED, NETWORK, RETRIES, RECORDS, LEFT, KEPT, SKIPPED, DAMAGED, PARTS };

static const unsigned char rank[PARTS] = {
	[PERCENT] = 0, [KEPT] = 1,    [SPEED] = 2,   [LEFT] = 3,    [RETRIES] = 4,
	[DAMAGED] = 5, [SKIPPED] = 6, [NETWORK] = 7, [RECORDS] = 8,
};

enum { PART_SIZE = 40 };

static void write_network(const struct progress *p, double seconds, char parts[PARTS][PART_SIZE])
{
	double speed = seconds > 0 ? (double)(p->fetched - p->passed_fetched) / seconds : 0;
	if (p->requests == 0)
		return;
	(void)snprintf(parts[NETWORK], PART_SIZE, "net %.1f MB/s", speed / 1e6);
	(void)snprintf(parts[RETRIES], PART_SIZE, "retries %" PRIu64, p->retries);
}

static void write_parts(const struct progress *p, uint64_t now, char parts[PARTS][PART_SIZE])
{
	double seconds = (double)(now - p->start) / 1e9;
	double speed = seconds > 0 ? (double)(p->bytes - p->passed_bytes) / seconds : 0;
	double records = seconds > 0 ? (double)(p->records - p->passed_records) / seconds : 0;
	memset(parts, 0, sizeof(char[PARTS][PART_SIZE]));
	if (p->total) {
		uint64_t bytes = p->bytes < p->total ? p->bytes : p->total;
		uint64_t rest = speed > 0 ? (uint64_t)((double)(p->total - bytes) / speed) : 0;
		(void)snprintf(parts[PERCENT], PART_SIZE, "%3.0f %%", 100.0 * (double)bytes / (double)p->total);
		if (speed > 0)
			(void)snprintf(parts[LEFT], PART_SIZE, "%" PRIu64 ":%02u left", rest / 60,
				       (unsigned)(rest % 60));
	}
	(void)snprintf(parts[SPEED], PART_SIZE, "%.1f MB/s", speed / 1e6);
	write_network(p, seconds, parts);
	(void)snprintf(parts[RECORDS], PART_SIZE, "%.0f rec/s", records);
	(void)snprintf(parts[KEPT], PART_SIZE, "kept %" PRIu64, p->kept);
	(void)snprintf(parts[SKIPPED], PART_SIZE, "skipped %" PRIu64, p->skipped);
	(void)snprintf(parts[DAMAGED], PART_SIZE, "damaged %" PRIu64, p->damaged);
}

/* Joins the parts of a rank up to `most` with spaces. */
static size_t join(char parts[PARTS][PART_SIZE], unsigned most, char *line, size_t size)
{
	size_t len = 0;
	line[0] = 0;
	for (unsigned i = 0; i < PARTS; i++) {
		if (rank[i] <= most && parts[i][0])
			len += (size_t)snprintf(line + len, size - len, "%s%s", len ? " " : "", parts[i]);
	}
	return len;
}

static void draw(struct progress *p, uint64_t now)
{
	char parts[PARTS][PART_SIZE], line[PARTS * (PART_SIZE + 1)];
	size_t room = p->columns(p->arg) - 1; /* a full line would wrap */
	unsigned most = PARTS - 1;
	write_parts(p, now, parts);
	while (join(parts, most, line, sizeof(line)) > room && most > 0)
		most--;
	if (room < sizeof(line))
		line[room] = 0;
	p->draw(p->arg, line);
}

void progress_redraw(struct progress *p)
{
	uv_mutex_lock(&p->lock);
	draw(p, uv_hrtime());
	uv_mutex_unlock(&p->lock);
}

/* Under the lock. */
static void add(struct progress *p, const struct stats *before, const struct stats *now)
{
	p->bytes += now->bytes_in - before->bytes_in;
	p->records += now->records - before->records;
	p->kept += now->documents - before->documents;
	p->skipped += stats_skipped(now) - stats_skipped(before);
	p->damaged += stats_damaged(now) - stats_damaged(before);
	p->requests += now->http_requests - before->http_requests;
	p->retries += now->http_retries - before->http_retries;
	p->fetched += now->bytes_fetched - before->bytes_fetched;
}

void progress_pass(struct progress *p, const struct stats *done)
{
	static const struct stats none;
	uv_mutex_lock(&p->lock);
	add(p, &none, done);
	p->passed_bytes += done->bytes_in;
	p->passed_records += done->records;
	p->passed_fetched += done->bytes_fetched;
	uv_mutex_unlock(&p->lock);
}

void progress_add(struct progress *p, const struct stats *before, const struct stats *now)
{
	uv_mutex_lock(&p->lock);
	add(p, before, now);
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
