/* SPDX-License-Identifier: MIT */
/*
 * Bars lie beside each other from 0 to 1 of the picture's width. Example: decisions of 10, 30 and 60 words make bars
 * from 0 to 0.1, from 0.1 to 0.4 and from 0.4 to 1.
 *
 * On a page of more than BARS_MOST decisions a bar narrower than 1/BARS_MOST absorbs the next decision of the same
 * outcome; its probability is then their mean, weighted by words. Kept and dropped decisions are never joined.
 *
 * Numbers are written under bars where they fit: an array with one byte for each pixel of the picture's width marks the
 * pixels that a number already takes.
 */
#include "lab/explain/bars.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

/*
 * Returns the words of a decision if the method gives probabilities, otherwise its segments. 0 if the decision has no
 * bar.
 */
static uint64_t weight_of(const struct decision *k)
{
	return k->block && k->block->has_chances ? k->block->words : k->has_segments ? k->last - k->first + 1 : 0;
}

static void sum_weights(struct bars *b, const struct decisions *d)
{
	for (size_t i = 0; i < d->len; i++) {
		b->total += weight_of(&d->list[i]);
		b->chances = b->chances || (d->list[i].block && d->list[i].block->has_chances);
	}
}

/* Returns whether a bar that is still too narrow absorbs the next decision. */
static bool joins(const struct bars *b, const struct bar *last, const struct decision *next, uint64_t weight,
		  size_t all)
{
	return all > BARS_MOST && last->kept == next->kept && (uint64_t)BARS_MOST * weight < b->total;
}

int bars_make(struct bars *b, const struct decisions *d)
{
	*b = (struct bars){ 0 };
	sum_weights(b, d);
	if (b->total == 0)
		return DANA_OK;
	b->list = calloc(d->len, sizeof(*b->list));
	if (!b->list)
		return DANA_ENOMEM;

	uint64_t before = 0, own = 0; /* weight of all decisions so far; of those in the open bar */
	for (size_t i = 0; i < d->len; i++) {
		const struct decision *k = &d->list[i];
		uint64_t weight = weight_of(k);
		if (weight == 0)
			continue;
		if (b->n == 0 || !joins(b, &b->list[b->n - 1], k, own, d->len)) {
			b->list[b->n++] = (struct bar){ .first = i, .kept = k->kept };
			b->list[b->n - 1].from = (double)before / (double)b->total;
			own = 0;
		}
		struct bar *bar = &b->list[b->n - 1];
		before += weight;
		own += weight;
		bar->last = i;
		bar->to = (double)before / (double)b->total;
		for (int stage = 0; b->chances && stage < 2; stage++)
			bar->chance[stage] +=
				(k->block->chance[stage] - bar->chance[stage]) * (double)weight / (double)own;
	}
	return DANA_OK;
}

void bars_free(struct bars *b)
{
	free(b->list);
	*b = (struct bars){ 0 };
}

/* Binary search: bars are sorted, and a decision without weight has no bar. */
const struct bar *bars_find(const struct bars *b, size_t decision)
{
	size_t low = 0, high = b->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (b->list[middle].last < decision)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->n && b->list[low].first <= decision ? &b->list[low] : NULL;
}

/* Describes a bar: "block 3, kept, probability 0.93 (stage 1: 0.88)". */
static void describe(char *out, size_t size, const struct bars *b, const struct bar *bar)
{
	char numbers[64], chance[64] = "";
	if (bar->first == bar->last)
		(void)snprintf(numbers, sizeof(numbers), "block %zu", bar->first + 1);
	else
		(void)snprintf(numbers, sizeof(numbers), "blocks %zu to %zu", bar->first + 1, bar->last + 1);
	if (b->chances)
		(void)snprintf(chance, sizeof(chance), ", probability %.2f (stage 1: %.2f)", bar->chance[1],
			       bar->chance[0]);
	(void)snprintf(out, size, "%s, %s%s", numbers, bar->kept ? "kept" : "dropped", chance);
}

/* A transparent rectangle over the whole height makes narrow and low bars easy to hit. */
void bars_links(struct html_out *o, const struct bars *b, unsigned id, int width, int height,
		void (*shape)(struct html_out *o, const struct bar *bar))
{
	char text[160];
	for (size_t i = 0; i < b->n; i++) {
		const struct bar *bar = &b->list[i];
		double left = bar->from * width, right = bar->to * width;
		describe(text, sizeof(text), b, bar);
		html_out_format(o, "<a id=\"m%up%zu\" href=\"#m%ub%zu\" aria-label=\"%s\"><title>%s</title>", id,
				bar->first + 1, id, bar->first + 1, text, text);
		html_out_format(o, "<path class=\"hit\" d=\"M%.1f 0H%.1fV%dH%.1fZ\"/>", left, right, height, left);
		if (shape)
			shape(o, bar);
		html_out_raw(o, "</a>\n");
	}
}

/* A bar in the order in which numbers are placed. */
struct rank {
	const struct bar *bar;
	size_t index;
};

/* Kept bars first, then wide ones, then in the order of the page. */
static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	double wide_x = x->bar->to - x->bar->from, wide_y = y->bar->to - y->bar->from;
	if (x->bar->kept != y->bar->kept)
		return x->bar->kept ? -1 : 1;
	if (wide_x != wide_y)
		return wide_x > wide_y ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static int digits(size_t number)
{
	int n = 1;
	for (; number > 9; number /= 10)
		n++;
	return n;
}

/* Reserves the place of a number in the middle of its bar. Returns whether it was free. */
static bool take_place(uint8_t *taken, int pixels, const struct bar *bar, int letter)
{
	/* half a letter of space on both sides */
	int half = digits(bar->first + 1) * letter / 2 + letter / 2;
	int middle = (int)((bar->from + bar->to) / 2 * pixels), from = middle - half, to = middle + half;
	if (from < 0 || to > pixels)
		return false;
	for (int i = from; i < to; i++) {
		if (taken[i])
			return false;
	}
	memset(taken + from, 1, (size_t)(to - from));
	return true;
}

int bars_room(const struct bars *b, enum number_room *room, int narrow, int wide, int letter)
{
	struct rank *ranks = calloc(b->n + 1, sizeof(*ranks));
	uint8_t *taken = calloc((size_t)narrow + (size_t)wide, 1);
	bool good = ranks && taken;
	for (size_t i = 0; good && i < b->n; i++)
		ranks[i] = (struct rank){ &b->list[i], i };
	if (good)
		qsort(ranks, b->n, sizeof(*ranks), by_rank);
	for (size_t i = 0; good && i < b->n; i++) {
		const struct rank *r = &ranks[i];
		bool fits = take_place(taken + narrow, wide, r->bar, letter);
		bool always = fits && take_place(taken, narrow, r->bar, letter);
		room[r->index] = always ? NUMBER_ALWAYS : fits ? NUMBER_WIDE : NUMBER_NONE;
	}
	free(ranks);
	free(taken);
	return good ? DANA_OK : DANA_ENOMEM;
}

void bars_numbers(struct html_out *o, const struct bars *b, unsigned id)
{
	enum number_room *room = calloc(b->n + 1, sizeof(*room));
	if (!room || bars_room(b, room, NUMBERS_NARROW, NUMBERS_WIDE, 8) < 0) {
		html_out_fail(o);
		free(room);
		return;
	}

	html_out_raw(o, "<div class=\"blocks\">");
	for (size_t i = 0; i < b->n; i++) {
		const struct bar *bar = &b->list[i];
		if (room[i] == NUMBER_NONE)
			continue;
		html_out_format(o, "<a class=\"%s%s\" style=\"left:%.2f%%\" href=\"#m%ub%zu\">%zu</a>",
				bar->kept ? "yes" : "no", room[i] == NUMBER_WIDE ? " wide" : "",
				50 * (bar->from + bar->to), id, bar->first + 1, bar->first + 1);
	}
	html_out_raw(o, "</div>");
	free(room);
}
