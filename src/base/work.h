/* SPDX-License-Identifier: MIT */
/*
 * Counted work. Most code takes a bounded number of instructions for each byte of a page; code that does not (a search
 * whose length depends on the page, several passes over all of it) adds its steps here. A page that takes more steps
 * than its size allows ends with DANA_ELIMIT. Steps are counted, not timed, and compared only after a tag or at the
 * page's end, so that the result is the same on every machine and for every split.
 *
 * Example, with a rate of 64: a page of 100,000 bytes may take 1,048,576 + 6,400,000 steps.
 */
#ifndef DANA_BASE_WORK_H
#define DANA_BASE_WORK_H

#include <stdint.h>

#include "base/status.h"

/** Steps that any page may take, and steps for each byte of it unless the caller says otherwise. */
enum { WORK_FREE = 1 << 20, WORK_RATE = 64 };

struct work {
	uint64_t steps; /* so far */
	uint64_t bytes; /* of the page so far; it is complete when the page ends */
	unsigned rate;  /* steps for each byte */
};

/** Adds steps. `bytes`: size of the page so far. Returns 0 or DANA_ELIMIT. */
static inline int work_add(struct work *w, uint64_t steps, uint64_t bytes)
{
	w->steps += steps;
	return w->steps > WORK_FREE + bytes * w->rate ? DANA_ELIMIT : DANA_OK;
}

#endif
