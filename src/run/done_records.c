/* SPDX-License-Identifier: MIT */
#include "run/done_records.h"

#include "base/status.h"

/* Keeps the date of the last warcinfo with the point. Returns 0 or DANA_ENOMEM. */
static int note_date(struct done_records *d)
{
	struct resume_point *point = &d->point;
	if (!d->date_changed)
		return DANA_OK;
	const struct buf *date = &d->dates->warcinfo_date;
	d->date_changed = false;
	buf_clear(&point->warcinfo_date);
	return buf_append(&point->warcinfo_date, date->data, date->len);
}

static int note_place(struct done_records *d)
{
	struct resume_point *point = &d->point;
	struct pump_place place;
	if (point->of_piece || !pump_place(d->pump, &place))
		return DANA_OK;
	point->in_middle = true;
	point->place = place;
	return note_date(d);
}

static int done_begin(struct record_sink *self, const struct record *rec)
{
	struct done_records *d = (struct done_records *)self;
	int status = note_place(d);
	d->passing = rec->seq < d->until;
	d->date_changed |= rec->type == RECORD_WARCINFO;
	if (status < 0)
		return status;
	if (!d->passing)
		return d->next->ops->begin(d->next, rec);
	status = archive_dates_note(d->dates, rec);
	return status < 0 ? status : RECORD_UNWANTED;
}

static int done_body(struct record_sink *self, struct slice bytes)
{
	struct done_records *d = (struct done_records *)self;
	return d->passing ? RECORD_UNWANTED : d->next->ops->body(d->next, bytes);
}

static int done_end(struct record_sink *self, const struct record_end *end)
{
	struct done_records *d = (struct done_records *)self;
	return d->passing ? DANA_OK : d->next->ops->end(d->next, end);
}

static int done_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		       const struct record_end *end)
{
	struct done_records *d = (struct done_records *)self;
	return seq < d->until ? DANA_OK : d->next->ops->damage(d->next, seq, offset, id, uri, end);
}

static const struct record_sink_ops done_ops = {
	.name = "done records",
	.begin = done_begin,
	.body = done_body,
	.end = done_end,
	.damage = done_damage,
};

void done_records_init(struct done_records *d)
{
	d->sink.ops = &done_ops;
}

int done_records_input(struct done_records *d, const struct resume_point *from, uint64_t until)
{
	d->until = until;
	d->passing = d->date_changed = false;
	return resume_point_copy(&d->point, from);
}

int done_records_piece(struct done_records *d, const struct piece_point *piece)
{
	d->point.of_piece = true;
	d->point.piece = *piece;
	return note_date(d);
}

int done_records_pass(struct done_records *d, const struct pump_place *place, bool dated)
{
	d->point.in_middle = true;
	d->point.place = *place;
	int status = note_date(d);
	d->date_changed = dated;
	return status;
}

void done_records_free(struct done_records *d)
{
	resume_point_free(&d->point);
}
