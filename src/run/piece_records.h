/* SPDX-License-Identifier: MIT */
/*
 * Between a pump and what takes its records, where inputs are read by pieces. A line of an index names a record, and
 * with it the others of its member: they are passed on, numbered on from piece to piece. What begins after that member
 * is not: the length of the line is wrong then, which is damage. Damage is reported with index and line. Values without
 * owner.
 */
#ifndef DANA_RUN_PIECE_RECORDS_H
#define DANA_RUN_PIECE_RECORDS_H

#include "archive/stream/record_sink.h"
#include "io/piece_source.h"

struct piece_records {
	struct record_sink sink; /* for the pump */
	struct record_sink *next;
	const uint64_t *left; /* bytes of the piece that have not come yet */
	struct record record; /* the one that was passed on */
	uint64_t first;       /* number of the piece's first record */
	uint64_t seen;        /* records and damaged regions of the piece */
	const struct piece *piece;
	const char *index;      /* name of its index */
	uint64_t offset;        /* of the member of the first record, or of damage in its place */
	uint64_t record_length; /* of the first record; 0: not known */
	bool damaged;           /* some of it is */
	bool over;              /* nothing more is wanted */
	bool passes;            /* the record under way is passed on */
};

/** What follows is of another input, and goes to `next`. */
void piece_records_input(struct piece_records *r, struct record_sink *next, const uint64_t *left);
/** The next piece begins. `index` is the name of the index that it is in. */
void piece_records_piece(struct piece_records *r, const struct piece *piece, const char *index);
/** Returns true if nothing more is wanted of the piece. */
bool piece_records_done(const struct piece_records *r);
/**
 * All of the piece has come: reports damage where the file ends before its offset (`beyond`), no record begins there,
 * or the file ends before its length. Returns 0, or a negative status of `next`.
 */
int piece_records_end(struct piece_records *r, bool beyond);

#endif
