/* SPDX-License-Identifier: MIT */
/*
 * Decisions come from the method's segments, if it has any, otherwise from its blocks, otherwise from the lines of the
 * visible text. Segments become decisions by region. Example: of ten segments (0 to 9) with one region from 3 to 6,
 * three decisions are made: 0 to 2 dropped, 3 to 6 kept, 7 to 9 dropped.
 *
 * Finally match_output finds the text of each decision in the output, and corrects what the method did not report.
 */
#include "lab/explain/decisions.h"

#include <stdlib.h>

#include "base/status.h"
#include "extract/method/text_writer.h"
#include "lab/explain/match.h"

/* Appends source text as a reader sees it, and stores its place in the decision. */
static void put_text(struct decisions *d, struct decision *decision, struct slice source)
{
	struct text_writer w = { 0 };
	text_writer_reset(&w, 0);
	int status = text_writer_kept(&w, source);
	if (status == DANA_OK)
		status = text_writer_finish(&w);
	buf_latch(&d->text, status);
	decision->text_from = d->text.len;
	buf_append(&d->text, w.out.data, w.out.len);
	decision->text_to = d->text.len;
	text_writer_free(&w);
}

static void put_numbers(struct decisions *d, struct decision *decision, const struct recording *r,
			const struct recorded_block *b)
{
	decision->numbers_from = d->text.len;
	buf_append(&d->text, r->text.data + b->numbers_from, b->numbers_to - b->numbers_from);
	decision->numbers_to = d->text.len;
}

/* Returns whether the method keeps the text between regions of the chain. */
static bool fills_gaps(const struct recording *r)
{
	return recording_number(r, "gap-fill", 0) > 0;
}

/* Returns whether the text between two regions is a gap of the chosen chain. */
static bool same_chain(const struct recorded_region *a, const struct recorded_region *b)
{
	return a->chosen && b->chosen && a->chain == b->chain;
}

/* Adds the segments from first to last, which are in no region. */
static void add_outside(struct decisions *d, const struct recording *r, const struct method_words *words,
			uint64_t first, uint64_t last, bool gap)
{
	struct decision decision = { .has_segments = true, .first = first, .last = last };
	decision.reason = gap ? words->gap : words->none;
	decision.kept = gap && fills_gaps(r);

	double content = 0, code = 0, top = r->segments[first].smoothed;
	for (uint64_t i = first; i <= last; i++) {
		content += r->segments[i].content;
		code += r->segments[i].code;
		if (r->segments[i].smoothed > top)
			top = r->segments[i].smoothed;
	}

	size_t from = r->segments[first].text_from;
	put_text(d, &decision, slice_of(r->text.data + from, r->segments[last].text_to - from));
	decision.numbers_from = d->text.len;
	buf_printf(&d->text, "%s=%.6g %s=%.6g smoothed<=%.6g", words->above_name, content, words->below_name, code,
		   top);
	decision.numbers_to = d->text.len;
	decisions_add(d, &decision);
}

/* Adds a region. If the method reports a block for it, that says more than its segments. */
static void add_region(struct decisions *d, const struct recording *r, const struct method_words *words, size_t index)
{
	const struct recorded_region *region = &r->regions[index];
	struct decision decision = { .kept = region->chosen,
				     .has_segments = true,
				     .first = region->first,
				     .last = region->last,
				     .has_score = true,
				     .score = region->weight };
	decision.reason = region->chosen ? words->kept : words->other;

	size_t from = r->segments[region->first].text_from, to = r->segments[region->last].text_to;
	if (r->n_blocks == r->n_regions) {
		const struct recorded_block *b = &r->blocks[index];
		decision.score = b->score;
		put_text(d, &decision, slice_of(r->text.data + b->text_from, b->text_to - b->text_from));
		put_numbers(d, &decision, r, b);
	} else {
		put_text(d, &decision, slice_of(r->text.data + from, to - from));
		decision.numbers_from = d->text.len;
		buf_printf(&d->text, "weight=%.6g chain=%llu", region->weight, (unsigned long long)region->chain);
		decision.numbers_to = d->text.len;
	}
	decisions_add(d, &decision);
}

/* Regions come in the order of the page. */
static void from_segments(struct decisions *d, const struct recording *r, const struct method_words *words)
{
	uint64_t next = 0;
	for (size_t i = 0; i < r->n_regions; i++) {
		if (r->regions[i].first < next)
			continue;
		if (r->regions[i].first > next)
			add_outside(d, r, words, next, r->regions[i].first - 1,
				    i && same_chain(&r->regions[i - 1], &r->regions[i]));
		add_region(d, r, words, i);
		next = r->regions[i].last + 1;
	}
	if (next < r->n_segments)
		add_outside(d, r, words, next, r->n_segments - 1, false);
}

/* The blocks of a method come in the order of the page, and may not cover all of it. */
static void from_blocks(struct decisions *d, const struct recording *r)
{
	for (size_t i = 0; i < r->n_blocks; i++) {
		const struct recorded_block *b = &r->blocks[i];
		struct decision decision = { .kept = b->kept,
					     .has_score = true,
					     .score = b->score,
					     .block = b,
					     .reason = (const char *)r->text.data + b->reason_from };
		put_text(d, &decision, slice_of(r->text.data + b->text_from, b->text_to - b->text_from));
		put_numbers(d, &decision, r, b);
		decisions_add(d, &decision);
	}
}

/* At first all lines count as kept: match_output drops those that are not in the output, and gives each a reason. */
static void from_lines(struct decisions *d, struct slice visible)
{
	while (visible.len) {
		struct slice line = match_next_line(&visible);
		struct decision decision = { .kept = true, .text_from = d->text.len };
		buf_append(&d->text, line.data, line.len);
		decision.text_to = decision.numbers_from = decision.numbers_to = d->text.len;
		decisions_add(d, &decision);
	}
}

int decisions_make(struct decisions *d, const struct recording *r, const struct method_words *words,
		   struct slice visible, struct slice output)
{
	*d = (struct decisions){ 0 };
	bool regions = r->n_segments && (r->n_regions || !r->n_blocks);
	if (regions)
		from_segments(d, r, words);
	else if (r->n_blocks)
		from_blocks(d, r);
	else
		from_lines(d, visible);

	int status = buf_status(&d->text);
	return status < 0 ? status : match_output(d, output, regions);
}

void decisions_free(struct decisions *d)
{
	free(d->list);
	buf_free(&d->text);
}
