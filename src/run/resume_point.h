/* SPDX-License-Identifier: MIT */
/*
 * Where in an input a run can be resumed: the place of a record, and what later records need to know of earlier
 * ones. Zeroed: the beginning of the input. One owner; no threads inside.
 */
#ifndef DANA_RUN_RESUME_POINT_H
#define DANA_RUN_RESUME_POINT_H

#include "archive/pump.h"
#include "base/buf.h"

struct fields;

/** Where inputs are read by pieces: the beginning of a piece. */
struct piece_point {
	uint64_t number;    /* of the piece, among those of the job */
	uint64_t first;     /* number of its first record in the input */
	uint64_t before[2]; /* bytes read and decoded before it, as the statistics have them */
};

struct resume_point {
	bool in_middle; /* else the input's beginning, or that of a piece */
	bool of_piece;
	struct piece_point piece;
	struct pump_place place;
	struct buf warcinfo_date; /* WARC-Date of the last warcinfo before that record */
};

/** Returns the offset in the input at which a run begins to read that starts there. */
uint64_t resume_point_offset(const struct resume_point *p);
/** Returns 0 or DANA_ENOMEM. */
int resume_point_copy(struct resume_point *to, const struct resume_point *from);
void resume_point_free(struct resume_point *p);

/** Appends fields to `list` (run/state_file.h). */
void resume_point_save(const struct resume_point *p, struct buf *list);
/** Reads them; list->bad when the fields are not those of a place. Returns 0 or DANA_ENOMEM. */
int resume_point_load(struct resume_point *p, struct fields *list);

#endif
