/* SPDX-License-Identifier: MIT */
/*
 * Exponential back-off with full jitter: the n-th wait is a random part of 1 s x 2^(n-1), at most 60 s; the first is
 * the whole second. A byte that arrives begins anew. Where there is a fault, time is lost from the byte before it (or
 * the beginning) to the byte after it; what is lost in all has a budget, and the last wait is cut to what is left of
 * it.
 */
#include "io/net/retry.h"

#include <string.h>

static uint64_t back_off(unsigned faults, uint32_t random)
{
	uint64_t most = RETRY_FIRST_MS;

	for (unsigned i = 1; i < faults && most < RETRY_MOST_MS; i++)
		most *= 2;
	if (most > RETRY_MOST_MS)
		most = RETRY_MOST_MS;
	return faults <= 1 ? most : most * random >> 32;
}

static bool too_often(const struct retry *r, enum fault_kind kind)
{
	switch (kind) {
	case FAULT_DISTRUST:
	case FAULT_FINAL:
		return true;
	case FAULT_FORBIDDEN:
	case FAULT_CHANGED:
	case FAULT_ASTRAY:
		return r->of_kind[kind] >= RETRY_TWICE;
	case FAULT_WRONG:
	case FAULT_NO_HOST:
		return r->of_kind[kind] >= RETRY_WRONG;
	default:
		return false;
	}
}

void retry_waits(struct retry *r, uint64_t now)
{
	if (r->faults == 0)
		r->since = now;
}

uint64_t retry_left(const struct retry *r, uint64_t now)
{
	uint64_t lost = r->lost + (now - r->since);

	return lost < r->budget ? r->budget - lost : 0;
}

bool retry_failed(struct retry *r, enum fault_kind kind, uint64_t now, uint64_t asked, uint32_t random, uint64_t *wait)
{
	const uint64_t left = retry_left(r, now);

	r->faults++;
	r->of_kind[kind]++;
	if (too_often(r, kind) || left == 0 || asked > left)
		return false;
	*wait = back_off(r->faults, random);
	if (*wait < asked)
		*wait = asked;
	if (*wait > left)
		*wait = left;
	return true;
}

void retry_progress(struct retry *r, uint64_t now)
{
	if (r->faults > 0) {
		r->lost += now - r->since;
		r->faults = 0;
		memset(r->of_kind, 0, sizeof(r->of_kind));
	}
	r->since = now;
}
