/* SPDX-License-Identifier: MIT */
/*
 * A batch is either as many pieces as fit into PIECE_BATCH, or, where more of them follow one another in one input, all
 * of these: they need no memory, because they are delivered as they come.
 *
 * Within a batch the pieces are sorted by input and place. From the first to the last one of an input one request reads
 * all where at least a half is wanted; otherwise pieces are joined over gaps up to PIECE_GAP. Servers ask for that:
 * many small requests cost them more than some bytes more.
 */
#include "config.h"

#include "io/net/piece_plan.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"

static uint64_t end_of(const struct piece *p)
{
	return p->length ? p->from + p->length : UINT64_MAX;
}

/* How many pieces follow one another in one input. */
static size_t count_run(const struct piece *pieces, size_t n)
{
	size_t run = 1;

	while (run < n && pieces[run].length && pieces[run].input == pieces[0].input &&
	       pieces[run].from >= end_of(&pieces[run - 1]))
		run++;
	return run;
}

static size_t count_fitting(const struct piece *pieces, size_t n)
{
	uint64_t bytes = 0;
	size_t i = 0;

	while (i < n && pieces[i].length && bytes + pieces[i].length <= PIECE_BATCH)
		bytes += pieces[i++].length;
	return i;
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct piece *pieces = arg;
	const struct piece *one = &pieces[*(const size_t *)a], *other = &pieces[*(const size_t *)b];

	if (one->input != other->input)
		return one->input < other->input ? -1 : 1;
	if (one->from != other->from)
		return one->from < other->from ? -1 : 1;
	return one < other ? -1 : 1;
}

static bool is_in_order(const struct piece_plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		if (p->order[i] != i)
			return false;
	}
	return true;
}

/* Pieces first to last, which are of one input: more than their share of what lies between? */
static bool is_dense(const struct piece_plan *p, size_t first, size_t last)
{
	uint64_t wanted = 0, begin = p->pieces[p->order[first]].from, end = begin;

	for (size_t i = first; i < last; i++) {
		const struct piece *piece = &p->pieces[p->order[i]];
		uint64_t to = end_of(piece);
		if (to > end) {
			wanted += to - (piece->from > end ? piece->from : end);
			end = to;
		}
	}
	return wanted > (end - begin) / PIECE_SHARE;
}

static void add_span(struct piece_plan *p, size_t first, size_t last)
{
	struct span s = { .input = p->pieces[p->order[first]].input,
			  .from = p->pieces[p->order[first]].from,
			  .first = first,
			  .last = last };

	for (size_t i = first; i < last; i++) {
		uint64_t to = end_of(&p->pieces[p->order[i]]);
		s.to = to > s.to ? to : s.to;
	}
	p->spans[p->n_spans++] = s;
}

/* Joins the pieces of one input over small gaps. */
static void join(struct piece_plan *p, size_t first, size_t last)
{
	uint64_t end = end_of(&p->pieces[p->order[first]]);
	size_t begin = first;

	for (size_t i = first + 1; i < last; i++) {
		const struct piece *piece = &p->pieces[p->order[i]];
		if (piece->from > end && piece->from - end > PIECE_GAP) {
			add_span(p, begin, i);
			begin = i;
		}
		end = end_of(piece) > end ? end_of(piece) : end;
	}
	add_span(p, begin, last);
}

int piece_plan_make(struct piece_plan *p, const struct piece *pieces, size_t n)
{
	const struct grow_array arrays[] = { GROW_ARRAY(p->order), GROW_ARRAY(p->spans) };
	size_t run = count_run(pieces, n), fitting = count_fitting(pieces, n);

	p->pieces = pieces;
	p->n = run > fitting ? run : fitting;
	p->n_spans = 0;
	if (grow_arrays(arrays, 2, p->n, &p->cap) < 0)
		return DANA_ENOMEM;
	for (size_t i = 0; i < p->n; i++)
		p->order[i] = i;
	qsort_r(p->order, p->n, sizeof(*p->order), compare, (void *)(uintptr_t)pieces);
	p->in_order = is_in_order(p);
	for (size_t first = 0, last; first < p->n; first = last) {
		for (last = first + 1; last < p->n; last++) {
			if (pieces[p->order[last]].input != pieces[p->order[first]].input)
				break;
		}
		if (pieces[p->order[first]].length && is_dense(p, first, last))
			add_span(p, first, last);
		else
			join(p, first, last);
	}
	return DANA_OK;
}

void piece_plan_free(struct piece_plan *p)
{
	free(p->order);
	free(p->spans);
	*p = (struct piece_plan){ 0 };
}
