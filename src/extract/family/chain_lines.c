/* SPDX-License-Identifier: MIT */
/*
 * Takes many lines at once: those that decide nothing are skipped, and their text is never written; those that join an
 * open region are held, and their text is written together when no more of them follow.
 */
#include "base/status.h"
#include "extract/family/chain_state.h"

void chain_selector_source(struct chain_selector *cs, const struct chain_source *source, size_t from)
{
	cs->source = *source;
	cs->now->from = cs->now->to = from;
}

int chain_held_write(struct chain_selector *cs)
{
	size_t from = cs->held_from, to = cs->held_to;
	if (from == to)
		return DANA_OK;
	cs->held_from = cs->held_to;
	int status = cs->source.write(cs->source.arg, &cs->open.text, from, to);
	cs->open.mark = cs->open.text.len;
	return status;
}

/* True if the held text and the source from..to fit into the chain, whatever their text. */
static bool held_fits(const struct chain_selector *cs, size_t from, size_t to)
{
	return cs->open.text.len + chain_text_most(from, to) <= cs->config.max_text;
}

bool chain_hold(struct chain_selector *cs, struct line *l)
{
	bool first = cs->held_from == cs->held_to, joins = first || cs->held_to == l->from;
	size_t from = first ? l->from : cs->held_from;
	if (l->text.len || l->from == l->to || !joins || !held_fits(cs, from, l->to))
		return false;
	cs->held_from = from;
	cs->held_to = l->to;
	return true;
}

/*
 * Returns how many of the lines can be skipped: most are neither part of a region nor the end of one or of a chain. The
 * pending line is decided by the next one, and so on.
 */
static size_t lines_pass(const struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	if (!cs->pending || cs->config.trace || (cs->open.any && cs->config.gap_fill) || chain_may_go_on(cs))
		return 0;
	uint64_t left = cs->open.any ? cs->end + cs->config.gap - cs->index : count; /* of the gap */
	size_t n = 0, most = left < count ? (size_t)left : count;
	if (cs->config.hit == CHAIN_HIT_SMOOTHED) {
		int64_t a = cs->before->value, b = cs->last->value;
		for (; n < most && a + b + lines[n].value <= 0; n++) {
			a = b;
			b = lines[n].value;
		}
	} else if (cs->last->weight == 0) {
		while (n < most && lines[n++].weight == 0)
			;
	}
	return n;
}

/* Skips the first `n` lines, which decide nothing: the last two of them become the lines before the next one. */
static void lines_skip(struct chain_selector *cs, const struct chain_line *lines, size_t n)
{
	size_t i = n > 2 ? n - 2 : 0;
	if (i) {
		buf_clear(&cs->now->text);
		cs->now->from = lines[i - 1].end;
	}
	for (; i < n; i++) {
		cs->now->value = lines[i].value;
		cs->now->weight = lines[i].weight;
		cs->now->to = lines[i].end;
		chain_lines_move(cs, lines[i].end);
	}
	cs->index += n;
}

/*
 * Returns how many of the lines let the line before each, from the pending one on, join the open region: these are
 * held.
 */
static size_t lines_join(struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	struct line *last = cs->last;
	bool held = cs->held_from < cs->held_to && cs->held_to == last->from && last->to == cs->now->from;
	if (!held || last->text.len || cs->now->text.len || cs->config.hit != CHAIN_HIT_SMOOTHED ||
	    cs->config.rank > CHAIN_RANK_SURPLUS || !held_fits(cs, cs->held_from, lines[count - 1].end))
		return 0;
	int64_t a = cs->before->value, b = last->value;
	uint64_t weight = last->weight;
	size_t n = 0, end = last->to;
	for (; n < count && a + b + lines[n].value > 0; n++) {
		cs->region += cs->config.rank == CHAIN_RANK_REGION ? (int64_t)weight : b;
		cs->held_to = end;
		a = b;
		b = lines[n].value;
		weight = lines[n].weight;
		end = lines[n].end;
	}
	cs->end = n ? cs->index + n - 1 : cs->end;
	return n;
}

int chain_selector_lines(struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	while (count) {
		size_t n = cs->in_region ? lines_join(cs, lines, count) : lines_pass(cs, lines, count);
		if (n) {
			lines_skip(cs, lines, n);
		} else {
			cs->now->to = lines->end;
			int status = chain_selector_line(cs, lines->value, lines->weight);
			if (status < 0)
				return status;
			cs->now->from = cs->now->to = lines->end;
			n = 1;
		}
		lines += n;
		count -= n;
	}
	return DANA_OK;
}

/*
 * A line's text is needed if it is part of a region, or adjacent to one whose first or last word continues in it. The
 * line after the current one may always be part of a region.
 */
int chain_selector_settle(struct chain_selector *cs, size_t end, int64_t most, int64_t under_way)
{
	bool any = cs->config.gap_fill || cs->config.hit != CHAIN_HIT_SMOOTHED || cs->config.trace || cs->in_region ||
		   chain_may_go_on(cs);
	int64_t last = cs->pending ? cs->last->value : 0;
	bool last_hits = any || cs->before->value + last + under_way > 0, now_hits = any || last + under_way + most > 0;
	cs->now->to = end;
	int status = chain_held_write(cs);
	if (status >= 0 && (last_hits || now_hits))
		status = chain_line_write(cs, cs->last);
	/* inside a region, another one begins at the last line only if the chain is cut */
	if (status >= 0 && last_hits &&
	    (!cs->in_region || cs->open.text.len + cs->last->text.len > cs->config.max_text))
		status = chain_line_write(cs, cs->before);
	if (status >= 0)
		status = chain_line_write(cs, cs->now);
	/* text that was not written never will be */
	for (size_t i = 0; i < CHAIN_LINES; i++)
		cs->lines[i].from = cs->lines[i].to = 0;
	cs->held_from = cs->held_to = 0;
	return status;
}

int chain_selector_blank(struct chain_selector *cs, uint64_t count, int64_t value)
{
	/* each line may still decide something until no chain is open and two such lines follow each other */
	while (count && (cs->open.any || cs->in_region || cs->config.trace || !cs->pending || cs->last->text.len ||
			 cs->last->value != value || cs->before->text.len || cs->before->value != value || value > 0)) {
		int status = chain_selector_line(cs, value, 0);
		if (status < 0)
			return status;
		count--;
	}
	cs->index += count;
	return DANA_OK;
}
