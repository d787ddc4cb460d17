/* SPDX-License-Identifier: MIT */
/*
 * The decisions of a page as bars beside each other, each as wide as it has words (or segments). A page of very many
 * decisions has neighbours of one outcome drawn as one bar, so that a picture stays small; no kept decision is left
 * out.
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
	bool chances;   /* the method told probabilities; else bars show segments */
	uint64_t total; /* words, or segments */
};

/** None when the method told neither probabilities nor segments. 0 or DANA_ENOMEM; bars_free in both cases. */
int bars_make(struct bars *b, const struct decisions *d);
void bars_free(struct bars *b);

/** The bar of a decision; NULL = none. */
const struct bar *bars_find(const struct bars *b, size_t decision);

/**
 * Links over the whole height of a picture, bar by bar, to the decisions' text: ids "m1p3" to "m1b3". Inside <svg>;
 * `width` and `height` are those of its view box. What is in `shape` is drawn inside of each link; NULL = nothing.
 */
void bars_links(struct html_out *o, const struct bars *b, unsigned id, int width, int height,
		void (*shape)(struct html_out *o, const struct bar *bar));

/** The numbers of the decisions under a picture, as many as there is room for, as links. */
void bars_numbers(struct html_out *o, const struct bars *b, unsigned id);

enum { NUMBERS_NARROW = 300, NUMBERS_WIDE = 760 }; /* pixels that a picture has at least */
enum number_room { NUMBER_NONE, NUMBER_ALWAYS, NUMBER_WIDE };

/**
 * Where numbers have room: room[i] (of b->n) tells whether bar i shows its number always, in wide pictures only, or
 * never. Kept bars first, then wide ones. `letter`: pixels of a digit. 0 or DANA_ENOMEM.
 */
int bars_room(const struct bars *b, enum number_room *room, int narrow, int wide, int letter);

#endif
