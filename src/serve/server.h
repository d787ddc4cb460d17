/* SPDX-License-Identifier: MIT */
/* The service as a whole: what all requests share. */
#ifndef DANA_SERVE_SERVER_H
#define DANA_SERVE_SERVER_H

#include "serve/gate.h"
#include "serve/metrics.h"
#include "serve/serve.h"

struct engine;
struct pages;
struct route;

struct server {
	const struct serve_config *config;
	const struct route *const *routes; /* NULL ended */
	struct loop *loop;
	struct gate *gate;
	struct engine *engine;
	struct pages *pages;
	struct metrics metrics;
	size_t memory;   /* bytes of bodies and responses of requests under way */
	size_t children; /* that run */
	bool draining;
	bool stop; /* by a signal; the loop ends */
};

/** Returns how many bytes of bodies and responses are held, with those that clients have not taken. */
static inline size_t server_memory(const struct server *s)
{
	return s->memory + gate_counts(s->gate)->waiting;
}

#endif
