/* SPDX-License-Identifier: MIT */
/*
 * Finds sequences in one pass over the elements, which stand in the order in which they open: each is compared with
 * the two siblings before it.
 */
#include "extract/learned/units.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"

/* Returns the sequence that element `i` continues, or a new one. */
static uint32_t sequence_of(struct units *u, const struct blocks *b, uint32_t i, uint32_t parent)
{
	uint32_t sibling = u->place[parent].last;
	for (int k = 0; k < 2 && sibling; k++, sibling = u->place[sibling].before) {
		if (b->element[sibling].path == b->element[i].path)
			return u->place[sibling].sequence;
	}
	u->sequence[u->n] = (struct sequence){ .parent = parent };
	return u->n++;
}

static void add_member(struct units *u, const struct blocks *b, const struct aggregates *a, uint32_t i)
{
	uint32_t parent = b->element[i].parent, number = sequence_of(u, b, i, parent);
	struct sequence *s = &u->sequence[number];
	const struct element_sums *sum = &a->sum[i];
	u->place[i] = (struct unit_place){ .sequence = number, .before = u->place[parent].last };
	u->place[parent].last = i;
	if (sum->blocks == 0)
		return;
	s->members++;
	s->units += sum->units;
	s->linked += sum->linked;
	s->blocks += sum->blocks;
	s->dates += sum->dates > 0;
}

int units_find(struct units *u, const struct blocks *b, const struct aggregates *a)
{
	const struct grow_array arrays[] = { GROW_ARRAY(u->place), GROW_ARRAY(u->sequence) };
	int status = grow_arrays(arrays, 2, b->n_elements, &u->cap);
	if (status < 0)
		return status;
	u->n = 0;
	u->place[0] = (struct unit_place){ .sequence = NO_SEQUENCE };
	for (uint32_t i = 1; i < b->n_elements; i++)
		add_member(u, b, a, i);

	u->n_repeating = 0;
	for (uint32_t i = 0; i < u->n; i++)
		u->sequence[i].number = u->sequence[i].members >= SEQUENCE_LEAST ? u->n_repeating++ : NO_SEQUENCE;

	for (uint32_t i = 1; i < b->n_elements; i++) {
		struct unit_place *p = &u->place[i];
		const struct unit_place *above = &u->place[b->element[i].parent];
		bool repeats = u->sequence[p->sequence].number != NO_SEQUENCE;
		p->inner = repeats ? i : above->inner;
		p->outer = repeats ? above->inner : above->outer;
	}
	return DANA_OK;
}

void units_free(struct units *u)
{
	free(u->place);
	free(u->sequence);
	*u = (struct units){ 0 };
}
