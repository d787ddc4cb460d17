/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a page, each kept or dropped, from what the method reported: its segments, grouped by region; otherwise
 * its blocks; otherwise the lines of the page's visible text. If the method has no regions, a block counts as kept only
 * if at least half of its tokens are in the output.
 *
 * Each line of the output belongs to one kept decision, in order: the decisions' parts, joined by line ends, are the
 * output.
 */
#ifndef DANA_EXPLAIN_DECISIONS_H
#define DANA_EXPLAIN_DECISIONS_H

#include "base/buf.h"
#include "base/grow.h"
#include "base/status.h"
#include "extract/method/method_words.h"
#include "lab/explain/recording.h"

struct decision {
	bool kept;
	bool has_segments, has_score;
	uint64_t first, last;               /* segments, both inclusive */
	double score;                       /* weight of a region, or score of a block */
	size_t text_from, text_to;          /* plain text, in decisions.text */
	size_t numbers_from, numbers_to;    /* "name=value name=value", in decisions.text */
	const char *reason;                 /* static, or of the recording */
	const struct recorded_block *block; /* of the recording; NULL if the method reported no block */
	size_t out_from, out_to;            /* its part of the output: whole lines, without the last line end */
};

struct decisions {
	struct decision *list;
	size_t len, cap;
	struct buf text; /* of all decisions; its buf_status is an error if text or a decision is missing */
};

/**
 * `visible`: all visible text of the page. `output`: the method's text. Returns 0 or DANA_ENOMEM; call decisions_free
 * in both cases.
 */
int decisions_make(struct decisions *d, const struct recording *r, const struct method_words *words,
		   struct slice visible, struct slice output);
void decisions_free(struct decisions *d);

/** Appends a decision. A failure latches in `text`, whose status is that of all decisions. */
static inline void decisions_add(struct decisions *d, const struct decision *decision)
{
	struct decision *list = grow_items(d->list, d->len, &d->cap, sizeof(*list));
	if (!list) {
		buf_latch(&d->text, DANA_ENOMEM);
		return;
	}
	d->list = list;
	d->list[d->len++] = *decision;
}

static inline struct slice decision_text(const struct decisions *d, const struct decision *k)
{
	return slice_of(d->text.data + k->text_from, k->text_to - k->text_from);
}

static inline struct slice decision_numbers(const struct decisions *d, const struct decision *k)
{
	return slice_of(d->text.data + k->numbers_from, k->numbers_to - k->numbers_from);
}

/** Returns whether the decision has a place in the text of the page. */
static inline bool decision_is_shown(const struct decision *k)
{
	return k->has_segments || k->text_to > k->text_from || k->out_to > k->out_from;
}

#endif
