/* SPDX-License-Identifier: MIT */
/*
 * Two dates of earlier records that later records of the same input need. Kept by the stage that gets its records in
 * order from the framer, on that stage's thread.
 */
#ifndef DANA_ARCHIVE_ARCHIVE_DATES_H
#define DANA_ARCHIVE_ARCHIVE_DATES_H

#include "archive/record.h"
#include "base/buf.h"

struct archive_dates {
	struct buf first_date; /* WARC-Date of the first record read */
	bool has_first;
	struct buf warcinfo_date; /* WARC-Date of the last warcinfo */
};

/** Notes the dates of a record head. Returns 0 or DANA_ENOMEM. */
int archive_dates_note(struct archive_dates *o, const struct record *rec);
/** Begins the next input: forgets the date of the last warcinfo, but not the first date. */
void archive_dates_next_input(struct archive_dates *o);
/**
 * An earlier run has read the first record, or has come to a place where the last warcinfo had `date`. Returns 0 or
 * DANA_ENOMEM.
 */
int archive_dates_set_first(struct archive_dates *o, struct slice date);
int archive_dates_set_warcinfo(struct archive_dates *o, struct slice date);
void archive_dates_free(struct archive_dates *o);

#endif
