/* SPDX-License-Identifier: MIT */
/* Where the text of chains stands in the page. */
#include "extract/family/chain_state.h"
#include "extract/method.h"

void chain_selector_place(struct chain_selector *cs, uint64_t from, uint64_t to)
{
	struct line *now = cs->now;
	if (!now->placed) {
		now->placed = true;
		now->before = cs->placed_end;
		now->first = from;
	}
	cs->placed_end = to;
}

/* Ends the last part of a chain before text that is not part of it. */
static void end_part(struct chain *chain, uint64_t to)
{
	if (!chain->part_open)
		return;
	chain->part_open = false;
	memcpy(chain->part.data + chain->part.len - sizeof(to), &to, sizeof(to));
}

int chain_place(struct chain_selector *cs, const struct line *l, bool kept)
{
	struct chain *open = &cs->open;
	const struct chain_part part = { .from = l->before, .to = UINT64_MAX };
	if (!l->placed)
		return DANA_OK;
	end_part(&cs->best, l->first);
	if (!kept) {
		end_part(open, l->first);
		return DANA_OK;
	}
	/* with the text of gaps, linked regions are one part */
	const bool goes_on = open->part_open || (cs->config.gap_fill && open->part.len);
	open->part_open = true;
	if (!goes_on)
		return buf_append(&open->part, &part, sizeof(part));
	memcpy(open->part.data + open->part.len - sizeof(part.to), &part.to, sizeof(part.to));
	return DANA_OK;
}

int chain_selector_spans(const struct chain_selector *cs, struct buf *spans)
{
	struct chain_part part;
	int status = DANA_OK;
	for (size_t at = 0; at < cs->best.part.len && status >= 0; at += sizeof(part)) {
		memcpy(&part, cs->best.part.data + at, sizeof(part));
		status = span_list_keep(spans, part.from, part.to);
	}
	return status < 0 ? status : span_list_drop_rest(spans, cs->placed_end);
}
