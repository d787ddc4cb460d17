/* SPDX-License-Identifier: MIT */
/*
 * Limits the places that a search for the next member may try. A trial, and the attempt to decode a member after a
 * successful one, cost as much as skipping thousands of bytes; malicious input has a magic number every 20 bytes. So
 * trials are limited by the bytes that searches have passed. Real archives stay far below: a search passes a damaged
 * member, which is longer than PER_TRIAL, and tries one place or two.
 */
#ifndef DANA_CODEC_TRIAL_BUDGET_H
#define DANA_CODEC_TRIAL_BUDGET_H

#include "archive/codec/codec.h"

/** Returns whether a place may be tried, `here` bytes after the start of this part of the search. */
static inline bool trial_allowed(const struct codec_memory *b, uint64_t here)
{
	enum { FREE = 4096, PER_TRIAL = 512 };

	return b->tried < FREE + (b->passed + here) / PER_TRIAL;
}

#endif
