/* SPDX-License-Identifier: MIT */
/*
 * State of the chain selector, for its files only: chain_selector.c decides about lines one by one, chain_lines.c takes
 * many of them at once, chain_text.c writes the chosen text, chain_places.c notes where in the page it stands.
 */
#ifndef DANA_FAMILY_CHAIN_STATE_H
#define DANA_FAMILY_CHAIN_STATE_H

#include "base/status.h"
#include "extract/family/chain_selector.h"
#include "extract/text_writer.h"

enum {
	CHAIN_LINES = 3,
};

/** A part of the page that belongs to a chain's regions, between the text before and after it that does not. */
struct chain_part {
	uint64_t from, to;
};

struct chain {
	struct buf text;
	size_t mark;     /* text up to here belongs to regions; after it is the current gap (gap_fill) */
	bool any;        /* has a region */
	struct buf part; /* struct chain_part each */
	bool part_open;  /* where the last one ends is not known yet */
	int64_t rank;
	uint64_t number;
};

struct line {
	struct buf text;
	size_t from, to; /* rest of the text in the source; empty if they are equal */
	size_t given;    /* bytes of it that went to the previous region, to complete its last word */
	bool placed;     /* it has text of which the place in the page is noted: */
	uint64_t before; /* the end of the text before it, */
	uint64_t first;  /* and its own first byte */
	int64_t value;
	uint64_t weight;
};

/*
 * The content of the lines between the last region and the next one that is not written. Each value includes the
 * earlier ones.
 */
enum between { BETWEEN_NOTHING, BETWEEN_BLANK, BETWEEN_LINE, BETWEEN_TEXT };

struct chain_selector {
	struct chain_config config;
	struct chain_source source;
	struct line lines[CHAIN_LINES];   /* used in turn; a line that does not exist is empty and has value 0 */
	struct line *now, *last, *before; /* the current one, the pending one, the one before that */
	bool pending;
	uint64_t index; /* of the pending line */
	bool in_region;
	int64_t region; /* weight of the open region so far */
	uint64_t region_first;
	size_t held_from,
		held_to;      /* of the source: lines at the end of the open region whose text is not written yet */
	uint64_t end;         /* index of the last line of a region in the open chain */
	enum between between; /* in the lines after `end`, up to the one before `before` */
	struct chain open, best;
	bool cut;
	uint64_t chains;
	uint64_t placed_end; /* end of the text that is noted so far */
};

/* Moves the part of the line that is in the source to its buffer. */
static inline int chain_line_write(struct chain_selector *cs, struct line *l)
{
	size_t from = l->from;
	l->from = l->to;
	return from == l->to ? DANA_OK : cs->source.write(cs->source.arg, &l->text, from, l->to);
}

/* Moves on by one line: the current one is complete, and the next one begins at `from` of the source. */
static inline void chain_lines_move(struct chain_selector *cs, size_t from)
{
	struct line *next = cs->before;
	cs->before = cs->last;
	cs->last = cs->now;
	cs->now = next;
	buf_clear(&next->text);
	next->given = 0;
	next->placed = false;
	next->from = next->to = from;
}

/*
 * Returns the most text that from..to of a source may give: a blank or break may be written before each gap, and one at
 * the end; and kept white space may precede `from`.
 */
static inline size_t chain_text_most(size_t from, size_t to)
{
	return to - from + 1 + HELD_SPACE_MOST;
}

/** True after a region of the open chain, as long as only white space may separate it from the next one. */
static inline bool chain_may_go_on(const struct chain_selector *cs)
{
	return cs->open.any && !cs->in_region && !cs->config.gap_fill && cs->between != BETWEEN_TEXT;
}
/**
 * Called when the pending line is not part of a region: the line before it will not be part of the next region's text.
 * Returns 0 or DANA_ENOMEM.
 */
int chain_text_between(struct chain_selector *cs);
/** Writes the text of the held lines to the open chain. Returns 0 or DANA_ENOMEM. */
int chain_held_write(struct chain_selector *cs);
/** Holds a line of the open region. Returns false if its text must be written now. */
bool chain_hold(struct chain_selector *cs, struct line *l);
/**
 * Begins a region at the pending line `l`: writes what precedes its text in the open chain. Returns 0 or DANA_ENOMEM.
 */
int chain_text_begin(struct chain_selector *cs, const struct line *l);
/** Notes the place of the pending line `l`, which is part of a region or not. Returns 0 or DANA_ENOMEM. */
int chain_place(struct chain_selector *cs, const struct line *l, bool kept);
/** Ends the open region before the pending line `l`, in which its last word may continue. Returns 0 or DANA_ENOMEM. */
int chain_text_end(struct chain_selector *cs, struct line *l);
/**
 * The pending line `l` may be between linked regions: holds its text after the open chain's. Returns 0 or DANA_ENOMEM.
 */
int chain_text_gap(struct chain_selector *cs, struct line *l);

#endif
