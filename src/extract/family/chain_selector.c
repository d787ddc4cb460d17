/* SPDX-License-Identifier: MIT */
/* Takes lines one by one: decides which of them form regions, which regions form a chain, and which chain is best. */
#include <stdlib.h>

#include "base/status.h"
#include "extract/family/chain_state.h"
#include "extract/method.h"

enum {
	KEEP_BUFFER = 1 << 20, /* bytes of a text buffer kept for the next page */
};

static void lines_begin(struct chain_selector *cs)
{
	cs->now = &cs->lines[0];
	cs->last = &cs->lines[1];
	cs->before = &cs->lines[2];
}

struct chain_selector *chain_selector_new(const struct chain_config *config)
{
	struct chain_selector *cs = calloc(1, sizeof(*cs));
	if (!cs)
		return NULL;
	cs->config = *config;
	lines_begin(cs);
	return cs;
}

void chain_selector_configure(struct chain_selector *cs, const struct chain_config *config)
{
	cs->config = *config;
}

struct buf *chain_selector_text(struct chain_selector *cs)
{
	return &cs->now->text;
}

static void chain_clear(struct chain *c)
{
	buf_clear(&c->text);
	buf_clear(&c->part);
	c->part_open = false;
	c->mark = 0;
	c->any = false;
	c->rank = 0;
}

/* Updates the rank of a chain, which is that of its best region. */
static void chain_rank(struct chain *c, int64_t rank)
{
	if (!c->any || rank > c->rank)
		c->rank = rank;
	c->any = true;
}

static void region_end(struct chain_selector *cs)
{
	if (!cs->in_region)
		return;
	cs->in_region = false;
	chain_rank(&cs->open, cs->region);
	const struct trace *t = cs->config.trace;
	if (t && t->region)
		t->region(t->arg, cs->region_first, cs->end, (double)cs->region, cs->chains);
}

/*
 * Closes the open chain. It becomes the best one if it is better: of equals the first stays. The buffers are swapped.
 */
static void chain_close(struct chain_selector *cs)
{
	region_end(cs);
	cs->open.text.len = cs->open.mark;
	cs->open.number = cs->chains++;
	if (!cs->best.any || cs->open.rank > cs->best.rank) {
		struct chain best = cs->open;
		cs->open = cs->best;
		cs->best = best;
	}
	chain_clear(&cs->open);
}

/* Adds a line to the open region. */
static void region_weigh(struct chain_selector *cs, const struct line *l, int64_t smoothed)
{
	const int64_t weight = (int64_t)l->weight;
	switch (cs->config.rank) {
	case CHAIN_RANK_REGION:
		cs->region += weight;
		break;
	case CHAIN_RANK_SURPLUS:
		cs->region += l->value;
		break;
	case CHAIN_RANK_LINE:
		cs->region = weight > cs->region ? weight : cs->region;
		break;
	case CHAIN_RANK_VALUE:
		cs->region = smoothed > cs->region ? smoothed : cs->region;
		break;
	}
}

/* Appends the text of a region's line; if no region is open, one begins there. */
static int region_text(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	int status = chain_held_write(cs);
	if (status >= 0)
		status = chain_line_write(cs, l);
	if (status < 0)
		return status;
	if (cs->open.text.len + l->text.len > cs->config.max_text && (cs->open.any || cs->in_region)) {
		cs->cut = true;
		chain_close(cs);
	}
	if (!cs->in_region) {
		cs->in_region = true;
		cs->region = cs->config.rank == CHAIN_RANK_VALUE ? smoothed : 0;
		cs->region_first = cs->index;
		status = chain_text_begin(cs, l);
	}
	if (status == DANA_OK)
		status = buf_append(&cs->open.text, l->text.data, l->text.len);
	cs->open.mark = cs->open.text.len;
	return status;
}

static int region_line(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	int status = cs->in_region && chain_hold(cs, l) ? DANA_OK : region_text(cs, l, smoothed);
	region_weigh(cs, l, smoothed);
	cs->end = cs->index;
	return status < 0 ? status : chain_place(cs, l, true);
}

/*
 * Decides about the pending line, whose smoothed value is known because the next line is: part of a region, of a gap,
 * or of neither.
 */
static int line_decide(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	bool hit = cs->config.hit == CHAIN_HIT_SMOOTHED ? smoothed > 0 : l->weight > 0;
	const struct trace *t = cs->config.trace;
	if (t && t->smoothed)
		t->smoothed(t->arg, cs->index, (double)smoothed, hit);
	if (hit)
		return region_line(cs, l, smoothed);
	int status = cs->in_region ? chain_text_end(cs, l) : DANA_OK;
	if (status >= 0)
		status = chain_place(cs, l, false);
	region_end(cs);
	if (!cs->open.any || status < 0)
		return status;
	if (cs->index - cs->end >= cs->config.gap) {
		chain_close(cs);
		return DANA_OK;
	}
	if (chain_may_go_on(cs))
		return chain_text_between(cs);
	return cs->config.gap_fill ? chain_text_gap(cs, l) : DANA_OK;
}

int chain_selector_line(struct chain_selector *cs, int64_t value, uint64_t weight)
{
	struct line *now = cs->now, *last = cs->last;
	now->value = value;
	now->weight = weight;
	const struct trace *t = cs->config.trace;
	if (t && t->segment) {
		int status = chain_line_write(cs, now);
		if (status < 0)
			return status;
		t->segment(t->arg, cs->index + cs->pending, (double)weight, (double)((int64_t)weight - value),
			   buf_slice(&now->text));
	}
	if (cs->pending) {
		int status = line_decide(cs, last, cs->before->value + last->value + value);
		if (status < 0)
			return status;
		cs->index++;
	}
	cs->pending = true;
	chain_lines_move(cs, 0);
	return DANA_OK;
}

static void tell_outcome(const struct chain_selector *cs)
{
	const struct trace *t = cs->config.trace;
	if (t && t->number) {
		t->number(t->arg, "gap", (double)cs->config.gap);
		t->number(t->arg, "gap-fill", (double)cs->config.gap_fill);
		t->number(t->arg, "chains", (double)cs->chains);
	}
	if (t && t->chosen && cs->best.any)
		t->chosen(t->arg, cs->best.number);
}

int chain_selector_finish(struct chain_selector *cs)
{
	if (cs->pending) {
		int status = line_decide(cs, cs->last, cs->before->value + cs->last->value);
		if (status < 0)
			return status;
		cs->pending = false;
	}
	if (cs->open.any || cs->in_region)
		chain_close(cs);
	tell_outcome(cs);
	return cs->best.any ? DANA_OK : METHOD_NO_REGION;
}

struct slice chain_selector_result(const struct chain_selector *cs)
{
	return cs->best.any ? buf_slice(&cs->best.text) : slice_of(NULL, 0);
}

bool chain_selector_cut(const struct chain_selector *cs)
{
	return cs->cut;
}

/* Keeps the text buffers for the next page. */
void chain_selector_reset(struct chain_selector *cs)
{
	struct chain_config config = cs->config;
	struct chain open = cs->open, best = cs->best;
	struct buf texts[CHAIN_LINES];
	for (size_t i = 0; i < CHAIN_LINES; i++)
		texts[i] = cs->lines[i].text;
	*cs = (struct chain_selector){ .config = config, .open = open, .best = best };
	chain_clear(&cs->open);
	chain_clear(&cs->best);
	buf_shrink(&cs->open.text, KEEP_BUFFER);
	buf_shrink(&cs->best.text, KEEP_BUFFER);
	buf_shrink(&cs->open.part, KEEP_BUFFER);
	buf_shrink(&cs->best.part, KEEP_BUFFER);
	for (size_t i = 0; i < CHAIN_LINES; i++) {
		cs->lines[i].text = texts[i];
		buf_clear(&cs->lines[i].text);
	}
	lines_begin(cs);
}

void chain_selector_free(struct chain_selector *cs)
{
	if (!cs)
		return;
	buf_free(&cs->open.text);
	buf_free(&cs->best.text);
	buf_free(&cs->open.part);
	buf_free(&cs->best.part);
	for (size_t i = 0; i < CHAIN_LINES; i++)
		buf_free(&cs->lines[i].text);
	free(cs);
}
