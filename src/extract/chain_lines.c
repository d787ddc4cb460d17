/* Many lines at once: those that decide nothing are passed over, and their text is never written. */
#include "base/status.h"
#include "extract/chain_state.h"

void chain_selector_source(struct chain_selector *cs, const struct chain_source *source, size_t from)
{
	cs->source = *source;
	cs->now->from = cs->now->to = from;
}

/*
 * How many of the lines can be passed over: most are not part of a region, nor the end of one, nor of a chain. The pending line is
 * decided by the next one, and so on.
 */
static size_t lines_pass(const struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	if (!cs->pending || cs->in_region || cs->config.trace || (cs->open.any && cs->config.gap_fill))
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

/* The first `n` lines decide nothing: the last two of them stand for the lines before what comes now. */
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

int chain_selector_lines(struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	while (count) {
		size_t n = lines_pass(cs, lines, count);
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
 * A line's text is asked for when it is part of a region, or next to one, whose first or last word goes on in it. That the line
 * behind the one under way is part of one can never be ruled out.
 */
int chain_selector_settle(struct chain_selector *cs, size_t end, int64_t most, int64_t under_way)
{
	bool any = cs->config.gap_fill || cs->config.hit != CHAIN_HIT_SMOOTHED || cs->config.trace || cs->in_region;
	int64_t last = cs->pending ? cs->last->value : 0;
	bool last_hits = any || cs->before->value + last + under_way > 0, now_hits = any || last + under_way + most > 0;
	cs->now->to = end;
	int status = last_hits ? chain_line_write(cs, cs->before) : DANA_OK;
	if (status >= 0 && (last_hits || now_hits))
		status = chain_line_write(cs, cs->last);
	if (status >= 0)
		status = chain_line_write(cs, cs->now);
	/* what was not written never will be */
	for (size_t i = 0; i < CHAIN_LINES; i++)
		cs->lines[i].from = cs->lines[i].to = 0;
	return status;
}

int chain_selector_blank(struct chain_selector *cs, uint64_t count, int64_t value)
{
	/* until no chain is open and two such lines stand behind each other, each one may still decide something */
	while (count && (cs->open.any || cs->in_region || cs->config.trace || !cs->pending ||
			 cs->last->text.len || cs->last->value != value || cs->before->text.len || cs->before->value != value ||
			 value > 0)) {
		int status = chain_selector_line(cs, value, 0);
		if (status < 0)
			return status;
		count--;
	}
	cs->index += count;
	return DANA_OK;
}
