/* SPDX-License-Identifier: MIT */
/*
 * A record sink between the framer and the rest: it passes over the records that an earlier run has done, and notes for
 * all others where a run could be resumed.
 * Threads: that of the loop. Ownership: borrows all that is set.
 */
#ifndef DANA_RUN_DONE_RECORDS_H
#define DANA_RUN_DONE_RECORDS_H

#include "archive/archive_dates.h"
#include "archive/stream/record_sink.h"
#include "run/resume_point.h"

struct done_records {
	struct record_sink sink;
	struct record_sink *next;    /* set for each input */
	const struct pump *pump;     /* that of the input under way */
	struct archive_dates *dates; /* notes the records that are passed over; `next` notes the others */
	uint64_t until;              /* records with a smaller number are done */
	bool passing;                /* the one under way is */
	bool date_changed;           /* the last record was a warcinfo */
	struct resume_point point;   /* the last one, at or before the record under way */
};

/** Zeroed before. */
void done_records_init(struct done_records *d);
/** An input begins, at `from`. Returns 0 or DANA_ENOMEM. */
int done_records_input(struct done_records *d, const struct resume_point *from, uint64_t until);
/** Notes that a piece of this input begins: a resumed run goes on from its beginning. Returns 0 or DANA_ENOMEM. */
int done_records_piece(struct done_records *d, const struct piece_point *piece);
/** Records from `place` on are taken without passing here; `dated`: a warcinfo is among them. Returns 0 or DANA_ENOMEM.
 */
int done_records_pass(struct done_records *d, const struct pump_place *place, bool dated);
void done_records_free(struct done_records *d);

#endif
