/* SPDX-License-Identifier: MIT */
/*
 * Pieces of files on servers, one after the other in the order of a list, each like a source of its own: opened,
 * chunks, end. A plan, which is pure, decides which requests bring them: pieces that are fetched in another order than
 * the list's are kept until their turn, so a batch of them is as large as memory allows.
 */
#ifndef DANA_IO_PIECE_SOURCE_H
#define DANA_IO_PIECE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "io/source.h"

/** A part of an input: the bytes of a record, as a line of an index names them. */
struct piece {
	uint64_t from;   /* offset of the first byte */
	uint64_t length; /* in bytes; 0: not known, one record */
	size_t input;    /* in the list of inputs that it is used with */
	unsigned index;  /* in the list of indexes that it is used with */
	unsigned line;   /* of that index, from 1; UINT_MAX: this one or a later one */
};

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
	struct span *spans; /* of one input side by side */
	size_t n_spans;
	size_t cap; /* of the arrays */
};

/** Plans the first batch of the `n` pieces, at least one. A zeroed plan is ready; it is made anew by each call. */
int piece_plan_make(struct piece_plan *p, const struct piece *pieces, size_t n);
void piece_plan_free(struct piece_plan *p);
struct network_session;

struct piece_list {
	const struct piece *pieces;
	size_t n;
	const char *const *inputs;    /* in messages */
	const char *const *addresses; /* where they are to be had */
	bool *failed;                 /* for each input: it cannot be read; set here, and not asked again then */
};

/**
 * Borrows what the list points to. source_start is not called: piece_source_begin is, for each piece. Returns as
 * source_open.
 */
int piece_source_open(struct source **out, struct network_session *s, const struct piece_list *list,
		      const struct source_events *events, struct error *err);
/**
 * Delivers piece `number`, which is greater than those before; one that was under way is over. `failed` has an empty
 * text for an input of which it was called before.
 */
void piece_source_begin(struct source *s, size_t number);

#endif
