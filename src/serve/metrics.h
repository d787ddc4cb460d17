/* SPDX-License-Identifier: MIT */
/* Counters of the service, and the text in which Prometheus reads them (exposition format 0.0.4). */
#ifndef DANA_SERVE_METRICS_H
#define DANA_SERVE_METRICS_H

#include "base/buf.h"
#include "serve/gate.h"

enum { METRICS_BUCKETS = 12, METRICS_STATUSES = 600 };

struct metrics {
	uint64_t responses[METRICS_STATUSES]; /* by status, from the engine */
	uint64_t pages, html_bytes, text_chars;
	uint64_t buckets[METRICS_BUCKETS]; /* requests of /extract by seconds; not summed up */
	uint64_t timed;
	double seconds;
};

/** How long a request of /extract took. */
void metrics_time(struct metrics *m, double seconds);
/** What the service holds just now. */
struct metrics_now {
	size_t memory, children;
	bool draining;
};
/** Appends all. Returns 0 or DANA_ENOMEM. */
int metrics_write(const struct metrics *m, const struct gate_counts *gate, const struct metrics_now *now,
		  struct buf *out);

#endif
