/* SPDX-License-Identifier: MIT */
/*
 * Between a pump and what takes its records, where inputs are read by pieces: records are numbered on from piece to
 * piece, and of a piece whose length is not known only the first record is passed on. Values without owner.
 */
#ifndef DANA_PIPELINE_PIECE_RECORDS_H
#define DANA_PIPELINE_PIECE_RECORDS_H

#include "stream/record_sink.h"

struct piece_records {
	struct record_sink sink; /* for the pump */
	struct record_sink *next;
	struct record record; /* the one that was passed on */
	uint64_t first;       /* number of the piece's first record */
	uint64_t seen;        /* records of the piece */
	bool only_first;
	bool passes; /* the record under way is passed on */
};

/** What follows is of another input, and goes to `next`. */
void piece_records_input(struct piece_records *r, struct record_sink *next);
/** The next piece begins. */
void piece_records_piece(struct piece_records *r, bool only_first);
/** True: nothing more is wanted of the piece. */
bool piece_records_done(const struct piece_records *r);

#endif
