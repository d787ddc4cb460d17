/* SPDX-License-Identifier: MIT */
/*
 * Inside of the chain selector, for its files only: chain_selector.c decides about lines one by one, chain_lines.c
 * takes many of them at once, chain_text.c writes the text of what was chosen.
 */
#ifndef DANA_FAMILY_CHAIN_STATE_H
#define DANA_FAMILY_CHAIN_STATE_H

#include "base/status.h"
#include "extract/family/chain_selector.h"
#include "extract/method/held_space.h"

enum {
	CHAIN_LINES = 3,
};

struct chain {
	struct buf text;
	size_t mark; /* text up to here belongs to regions; above it lies the gap under way (gap_fill) */
	bool any;    /* has a region */
	int64_t rank;
	uint64_t number;
};

struct line {
	struct buf text;
	size_t from, to; /* what follows the text in the source; nothing when they are equal */
	size_t given;    /* bytes of it that went to the region before, to end its last word */
	int64_t value;
	uint64_t weight;
};

/* What the lines between the last region and the next one hold that is not written. Each covers those before it. */
enum between { BETWEEN_NOTHING, BETWEEN_BLANK, BETWEEN_LINE, BETWEEN_TEXT };

struct chain_selector {
	struct chain_config config;
	struct chain_source source;
	struct line lines[CHAIN_LINES];   /* in turn; one that does not exist is empty and has the value 0 */
	struct line *now, *last, *before; /* of them: the one under way, the pending one, the one before that */
	bool pending;
	uint64_t index; /* of the pending line */
	bool in_region;
	int64_t region; /* weight of the open region so far */
	uint64_t region_first;
	size_t held_from,
		held_to;      /* of the source: lines at the end of the open region whose text is not written yet */
	uint64_t end;         /* index of the last line of a region in the open chain */
	enum between between; /* in the lines after that one, up to the one before `before` */
	struct chain open, best;
	bool cut;
	uint64_t chains;
};

/* What the line has in the source goes into its buffer. */
static inline int chain_line_write(struct chain_selector *cs, struct line *l)
{
	size_t from = l->from;
	l->from = l->to;
	return from == l->to ? DANA_OK : cs->source.write(cs->source.arg, &l->text, from, l->to);
}

/* The line under way is complete: the lines move on by one. The next one begins at `from` of the source. */
static inline void chain_lines_move(struct chain_selector *cs, size_t from)
{
	struct line *next = cs->before;
	cs->before = cs->last;
	cs->last = cs->now;
	cs->now = next;
	buf_clear(&next->text);
	next->given = 0;
	next->from = next->to = from;
}

/*
 * Text that may come of so many bytes of a source, at most: a blank or break may be written before each gap, and one
 * at the end; and white space that is kept may stand before `from`.
 */
static inline size_t chain_text_most(size_t from, size_t to)
{
	return to - from + 1 + HELD_SPACE_MOST;
}

/** After a region of the open chain; that nothing but white space lies between it and the next one can still be. */
static inline bool chain_may_go_on(const struct chain_selector *cs)
{
	return cs->open.any && !cs->in_region && !cs->config.gap_fill && cs->between != BETWEEN_TEXT;
}
/** The pending line is not part of a region: the one before it will not be part of the next one's text. 0 or DANA_ENOMEM. */
int chain_text_between(struct chain_selector *cs);
/** The text of the lines that are held goes into the open chain. 0 or DANA_ENOMEM. */
int chain_held_write(struct chain_selector *cs);
/** Holds a line of the open region; false when its text is to be written now. */
bool chain_hold(struct chain_selector *cs, struct line *l);
/** A region begins at the pending line `l`: what stands before its text in the open chain. 0 or DANA_ENOMEM. */
int chain_text_begin(struct chain_selector *cs, const struct line *l);
/** The open region ended before the pending line `l`, in which its last word may go on. 0 or DANA_ENOMEM. */
int chain_text_end(struct chain_selector *cs, struct line *l);
/** The pending line `l` may lie between linked regions: its text is held after the open chain's. 0 or DANA_ENOMEM. */
int chain_text_gap(struct chain_selector *cs, struct line *l);

#endif
