/* SPDX-License-Identifier: MIT */
/*
 * Between a framer and what takes its records, where a part of an input is read: of all records that come, those pass
 * whose member (or, uncompressed, whose own first byte) lies in [begin, end) of the input. Values without owner.
 */
#ifndef DANA_ARCHIVE_RANGE_RECORDS_H
#define DANA_ARCHIVE_RANGE_RECORDS_H

#include "archive/stream/record_sink.h"

struct warc_framer;

struct range_records {
	struct record_sink sink; /* for the framer */
	struct record_sink *next;
	const struct warc_framer *framer; /* whose records come; changed with it */
	uint64_t begin, end;              /* offsets in the input */
	/* Called for each record before `begin`. Returns 0 or a negative status. NULL: nobody wants to know. */
	int (*before)(void *before_arg, const struct record *rec);
	void *before_arg;

	bool searching;       /* the framer began in the middle, and no record has come yet */
	bool too_late;        /* ... and the first one is not before `begin`: there may be earlier ones */
	bool passes;          /* the record under way is passed on */
	bool over;            /* a record or a damage at or after `end` has come */
	uint64_t seen;        /* records that have ended, of any place */
	uint64_t number;      /* of the next record that is passed on */
	struct record record; /* the one that was passed on */
	/*
	 * Decoded bytes before the first record of the range, and before the first one after it; UINT64_MAX: not known.
	 */
	uint64_t decoded_begin, decoded_end;
};

/** Records are numbered from `begin` on, so that no two parts of an input have a number in common. */
void range_records_init(struct range_records *r, struct record_sink *next, uint64_t begin, uint64_t end);

#endif
