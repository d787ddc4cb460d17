/* SPDX-License-Identifier: MIT */
/*
 * How many places may be tried while the next member is searched for. A trial, and the attempt to decode a member that
 * follows when it succeeds, cost as much as thousands of bytes that are passed over; garbage made for that has a magic
 * every 20 bytes. So trials are counted against the bytes that searches have passed. Real archives stay far below: a
 * search passes a damaged member, which is longer than PER_TRIAL, and tries one place or two.
 */
#ifndef DANA_CODEC_TRIAL_BUDGET_H
#define DANA_CODEC_TRIAL_BUDGET_H

#include "archive/codec/codec.h"

/** May a place be tried, `here` bytes after the begin of this part of the search? */
static inline bool trial_allowed(const struct codec_memory *b, uint64_t here)
{
	enum { FREE = 4096, PER_TRIAL = 512 };

	return b->tried < FREE + (b->passed + here) / PER_TRIAL;
}

#endif
