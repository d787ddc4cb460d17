/* SPDX-License-Identifier: MIT */
/*
 * Which requests bring the pieces of a list. The pieces are delivered in the order of the list, so those that are
 * fetched in another order are kept: a batch of them is as large as memory allows. Pure.
 */
#ifndef DANA_IO_NET_PIECE_PLAN_H
#define DANA_IO_NET_PIECE_PLAN_H

#include "base/slice.h"
#include "io/piece.h"

enum {
	PIECE_GAP = 64 << 10,   /* bytes between two pieces that are fetched with them rather than asked around */
	PIECE_SHARE = 2,        /* pieces that are more than 1/2 of what lies from the first to the last: all of it */
	PIECE_BATCH = 16 << 20, /* bytes of pieces that may be kept */
};

/** Bytes [from, to) of an input, with the pieces order[first] up to, without, order[last]. */
struct span {
	size_t input;
	uint64_t from, to; /* to: UINT64_MAX where the length is not known */
	size_t first, last;
};

struct piece_plan {
	const struct piece *pieces; /* of the batch */
	size_t n;
	bool in_order;      /* they are fetched in the order of the list: nothing has to be kept for long */
	size_t *order;      /* numbers of pieces, as they are fetched */
	struct span *spans; /* those of one input side by side */
	size_t n_spans;
	size_t cap; /* of the arrays */
};

/**
 * Plans the first batch of the `n` pieces, at least one. A zeroed plan is ready; it is made anew by each call. Returns
 * 0 or DANA_ENOMEM.
 */
int piece_plan_make(struct piece_plan *p, const struct piece *pieces, size_t n);
void piece_plan_free(struct piece_plan *p);

#endif
