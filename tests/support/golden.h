/* SPDX-License-Identifier: MIT */
/*
 * Goldens of what must never change, the methods of papers above all: one checksum over all outcomes of a test. Where
 * it differs, print what is added, here and in the version before, and compare. With SPLIT_EVERY (split_feed.h) a test
 * sees a part of its inputs, and the checksum counts for nothing.
 */
#ifndef DANA_TESTS_SUPPORT_GOLDEN_H
#define DANA_TESTS_SUPPORT_GOLDEN_H

#include "base/hash.h"
#include "support/split_feed.h"
#include "support/unit.h"

struct golden {
	uint32_t sum;
};

static inline void golden_add(struct golden *g, struct slice outcome)
{
	g->sum = hash_fnv32_byte(0xff, hash_fnv32(outcome, g->sum));
}

static inline void golden_check(const struct golden *g, const char *what, uint32_t wanted)
{
	if (g->sum != wanted && split_every() == 1)
		fail_msg("%s: the outcomes have the checksum 0x%08x, not 0x%08x", what, g->sum, wanted);
}

#endif
