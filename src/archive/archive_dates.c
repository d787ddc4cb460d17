/* SPDX-License-Identifier: MIT */
/* The dates are copied, because their record is no longer valid when a document needs them. */
#include "archive/archive_dates.h"

#include "base/status.h"

static int keep(struct buf *b, struct slice date)
{
	buf_clear(b);
	return buf_append(b, date.data, date.len);
}

int archive_dates_note(struct archive_dates *o, const struct record *rec)
{
	int status = DANA_OK;
	if (!o->has_first) {
		o->has_first = true;
		status = keep(&o->first_date, rec->date);
	}
	if (status == DANA_OK && rec->type == RECORD_WARCINFO)
		status = keep(&o->warcinfo_date, rec->date);
	return status;
}

void archive_dates_next_input(struct archive_dates *o)
{
	buf_clear(&o->warcinfo_date);
}

int archive_dates_set_first(struct archive_dates *o, struct slice date)
{
	o->has_first = true;
	return keep(&o->first_date, date);
}

int archive_dates_set_warcinfo(struct archive_dates *o, struct slice date)
{
	return keep(&o->warcinfo_date, date);
}

void archive_dates_free(struct archive_dates *o)
{
	buf_free(&o->first_date);
	buf_free(&o->warcinfo_date);
}
