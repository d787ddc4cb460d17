/* SPDX-License-Identifier: MIT */
/*
 * The decisions of a page as bars beside each other, their width in proportion to their words (or segments). If there
 * are very many decisions, neighbours of the same outcome are drawn as one bar, so that a picture stays small; every
 * kept decision is shown.
 */
#ifndef DANA_EXPLAIN_BARS_H
#define DANA_EXPLAIN_BARS_H

#include "lab/explain/decisions.h"
#include "lab/explain/html_out.h"

enum { BARS_MOST = 1200 }; /* about */

struct bar {
	size_t first, last; /* decisions, both inclusive */
	double from, to;    /* 0 .. 1 of the picture's width */
	double chance[2];   /* after both stages; means by words */
	bool kept;
};

struct bars {
	struct bar *list;
	size_t n;
	bool chances;   /* the method gave probabilities; otherwise bars show segments */
	uint64_t total; /* words, or segments */
};

/**
 * Makes no bars if the method gave neither probabilities nor segments. Returns 0 or DANA_ENOMEM; call bars_free in both
 * cases.
 */
int bars_make(struct bars *b, const struct decisions *d);
void bars_free(struct bars *b);

/** Returns the bar of a decision, or NULL if it has no bar. */
const struct bar *bars_find(const struct bars *b, size_t decision);

/**
 * Writes links over the whole height of a picture, bar by bar, to the decisions' text: ids "m1p3" to "m1b3". Call it
 * inside <svg>; `width` and `height` are those of its view box. `shape`, if not NULL, draws the content of each link.
 */
void bars_links(struct html_out *o, const struct bars *b, unsigned id, int width, int height,
		void (*shape)(struct html_out *o, const struct bar *bar));

/** Writes the numbers of the decisions under a picture as links, as many as fit. */
void bars_numbers(struct html_out *o, const struct bars *b, unsigned id);

enum { NUMBERS_NARROW = 300, NUMBERS_WIDE = 760 }; /* least width of a picture in pixels */
enum number_room { NUMBER_NONE, NUMBER_ALWAYS, NUMBER_WIDE };

/**
 * Finds where numbers have room: room[i] (of b->n) is whether bar i shows its number always, only in wide pictures, or
 * never. Kept bars first, then wide ones. `letter`: pixels of a digit. Returns 0 or DANA_ENOMEM.
 */
int bars_room(const struct bars *b, enum number_room *room, int narrow, int wide, int letter);

#endif
