/* SPDX-License-Identifier: MIT */
#include "archive/range_records.h"

#include "archive/warc/framer.h"

static void note_decoded(struct range_records *r)
{
	const uint64_t decoded = warc_framer_record_pos(r->framer);
	if (r->decoded_begin == UINT64_MAX)
		r->decoded_begin = decoded;
	if (r->over && r->decoded_end == UINT64_MAX)
		r->decoded_end = decoded;
}

/* What begins at `offset`: is it passed on? */
static bool is_inside(struct range_records *r, uint64_t offset)
{
	r->over |= offset >= r->end;
	return !r->over && offset >= r->begin;
}

static int range_begin(struct record_sink *self, const struct record *rec)
{
	struct range_records *r = (struct range_records *)self;
	r->passes = false;
	if (r->searching && rec->offset >= r->begin)
		r->too_late = true;
	if (r->too_late)
		return RECORD_UNWANTED;
	r->searching = false;
	r->passes = is_inside(r, rec->offset);
	if (r->passes || r->over)
		note_decoded(r);
	if (r->passes) {
		r->record = *rec;
		r->record.seq = r->number++;
		return r->next->ops->begin(r->next, &r->record);
	}
	const int status = r->before && !r->over ? r->before(r->before_arg, rec) : 0;
	return status < 0 ? status : RECORD_UNWANTED;
}

static int range_body(struct record_sink *self, struct slice bytes)
{
	struct range_records *r = (struct range_records *)self;
	return r->passes ? r->next->ops->body(r->next, bytes) : RECORD_UNWANTED;
}

static int range_end(struct record_sink *self, const struct record_end *end)
{
	struct range_records *r = (struct range_records *)self;
	r->seen++;
	return r->passes ? r->next->ops->end(r->next, end) : 0;
}

static int range_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	struct range_records *r = (struct range_records *)self;
	(void)seq;
	if (r->searching || !is_inside(r, offset))
		return 0;
	return r->next->ops->damage(r->next, r->number++, offset, id, uri, end);
}

static const struct record_sink_ops range_ops = { "range records", range_begin, range_body, range_end, range_damage };

void range_records_init(struct range_records *r, struct record_sink *next, uint64_t begin, uint64_t end)
{
	*r = (struct range_records){ .sink.ops = &range_ops,
				     .next = next,
				     .begin = begin,
				     .end = end,
				     .number = begin,
				     .decoded_begin = begin ? UINT64_MAX : 0,
				     .decoded_end = UINT64_MAX };
}
