/* SPDX-License-Identifier: MIT */
/*
 * Where spans meet the pump that reads the input in order. While it is at a border between two members, spans of what
 * follows are given to the workers. When the oldest of them has been read, and begins exactly at the border where the
 * pump is, and nothing in it depends on what its worker could not know, then its outcomes take their place in the ring,
 * and the pump goes on where the span ends. Else it is thrown away, and the pump reads on.
 *
 * So a start that a worker has found wrongly costs time, but no record: what the outputs hold is what the pump alone
 * would have made.
 */
#include "config.h"

#include "run/batch.h"
#include "run/handoff_state.h"

static bool same_date(const struct handoff *h, const struct span *s)
{
	const struct slice date = buf_slice(&h->config.dates->warcinfo_date);
	return date.len == s->like_date.len && (date.len == 0 || memcmp(date.data, s->like_date.data, date.len) == 0);
}

/* What the worker took for granted is so. */
static bool fits(const struct handoff *h, const struct span *s, const struct pump_place *here)
{
	return s->from.warc.offset == here->warc.offset && span_has_records(s) &&
	       s->from.container == here->container && s->from.warc.arc == here->warc.arc &&
	       s->from.has_dictionary == here->has_dictionary && s->from.dictionary == here->dictionary &&
	       !s->asked_number && (!s->asked_date || same_date(h, s));
}

/* Its outcomes get their numbers, and their place in the ring. 0 or a negative status. */
static int take_over(struct handoff *h, struct span *s, struct pump *pump, const struct pump_place *here)
{
	struct batch *b = s->batch;
	const uint64_t more = here->warc.seq - s->from.warc.seq;
	for (struct batch_record *r = b->first; r; r = r->next) {
		r->outcome.seq += more;
		r->record.seq += more;
	}
	int status = h->config.passed(h->config.arg, here, s->dated);
	if (status == DANA_OK && s->dated)
		status = archive_dates_set_warcinfo(h->config.dates, buf_slice(&s->last_date));
	if (status == DANA_OK)
		status = handoff_put_done(h, b);
	if (status < 0)
		return status;
	s->batch = NULL;
	pump_pass(pump, &s->from, &s->to);
	handoff_forget_span(h);
	return handoff_drain(h);
}

int handoff_border(struct handoff *h, struct pump *pump, uint64_t least)
{
	struct pump_place here;
	struct span *s;
	if (!h->spans.on || !pump_border(pump, &here) || here.warc.seq < least)
		return DANA_OK;
	if (handoff_give_out(h, &here) < 0)
		return DANA_ENOMEM;
	while ((s = handoff_oldest_span(h)) && s->begin <= here.warc.offset) {
		if (!handoff_span_is_done(h, s)) {
			handoff_flush(h);
			return PUMP_PAUSED;
		}
		if (fits(h, s, &here))
			return take_over(h, s, pump, &here);
		if (span_has_records(s) && s->from.warc.offset > here.warc.offset)
			return DANA_OK; /* it will be its turn */
		if (s->asked_number) {  /* so will the next ones */
			handoff_spans_stop(h);
			return DANA_OK;
		}
		handoff_forget_span(h);
	}
	return DANA_OK;
}
