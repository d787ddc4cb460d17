/* SPDX-License-Identifier: MIT */
/*
 * What later records need to know of earlier ones of the same input: two dates. Kept on the loop's thread, where the
 * framer delivers in order, by the stage that gets its records from the framer.
 */
#ifndef DANA_ARCHIVE_ARCHIVE_DATES_H
#define DANA_ARCHIVE_ARCHIVE_DATES_H

#include "archive/stream/record.h"
#include "base/buf.h"

struct archive_dates {
	struct buf first_date; /* WARC-Date of the first record read */
	bool has_first;
	struct buf warcinfo_date; /* WARC-Date of the last warcinfo */
};

/** Notes a record head. 0 or DANA_ENOMEM. */
int archive_dates_note(struct archive_dates *o, const struct record *rec);
/** The next input begins: its records know nothing of the last warcinfo. The first date stays. */
void archive_dates_next_input(struct archive_dates *o);
/** An earlier run has read the first record, or has come to a place where the last warcinfo had `date`. 0 or DANA_ENOMEM. */
int archive_dates_set_first(struct archive_dates *o, struct slice date);
int archive_dates_set_warcinfo(struct archive_dates *o, struct slice date);
void archive_dates_free(struct archive_dates *o);

#endif
