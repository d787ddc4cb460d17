/* SPDX-License-Identifier: MIT */
#include "pipeline/piece_records.h"

static bool is_wanted(const struct piece_records *r)
{
	return !r->only_first || r->seen == 0;
}

static int begin(struct record_sink *self, const struct record *rec)
{
	struct piece_records *r = (struct piece_records *)self;

	r->passes = is_wanted(r);
	if (!r->passes)
		return RECORD_UNWANTED;
	r->record = *rec;
	r->record.seq = r->first + r->seen;
	return r->next->ops->begin(r->next, &r->record);
}

static int body(struct record_sink *self, struct slice bytes)
{
	struct piece_records *r = (struct piece_records *)self;

	return r->passes ? r->next->ops->body(r->next, bytes) : RECORD_UNWANTED;
}

static int end(struct record_sink *self, const struct record_end *record_end)
{
	struct piece_records *r = (struct piece_records *)self;

	if (!r->passes)
		return 0;
	r->seen++;
	return r->next->ops->end(r->next, record_end);
}

static int damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		  const struct record_end *record_end)
{
	struct piece_records *r = (struct piece_records *)self;

	(void)seq;
	if (!is_wanted(r))
		return 0;
	return r->next->ops->damage(r->next, r->first + r->seen++, offset, id, uri, record_end);
}

static const struct record_sink_ops ops = { "piece records", begin, body, end, damage };

void piece_records_input(struct piece_records *r, struct record_sink *next)
{
	*r = (struct piece_records){ .sink.ops = &ops, .next = next };
}

void piece_records_piece(struct piece_records *r, bool only_first)
{
	r->first += r->seen;
	r->seen = 0;
	r->only_first = only_first;
}

bool piece_records_done(const struct piece_records *r)
{
	return r->only_first && r->seen > 0;
}
