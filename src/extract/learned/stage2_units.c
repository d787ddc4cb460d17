/* SPDX-License-Identifier: MIT */
/*
 * The units around a block as the first stage sees them: is the whole sequence text, is this unit of it, is what stands
 * beside it? And the same of the blocks before and after a block.
 */
#include "extract/learned/stage2_units.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "extract/learned/scale.h"

enum { FAR = 99, WIDE = 8, NONE = UINT32_MAX };

/* A sequence as the second stage sees it: values in the order of STAGE2_SEQUENCE. */
enum sequence_value { COUNT, LENGTH, LINKS, DATES, SHARE, CHANCE, REST, BEFORE, AFTER, TAKEN };

struct sequence_view {
	uint8_t value[SEQUENCE_FEATURES];
	uint64_t chance, words, taken;
	uint32_t first, last; /* blocks */
};

/* Expected words and words of all blocks before this one; blocks since and until one that the first stage keeps. */
struct around_view {
	uint64_t chance, words;
	uint8_t since, until;
};

static uint8_t mean_chance(uint64_t chance, uint64_t words)
{
	return scale_share64(chance >> 8, words << 8);
}

/* Returns the view of the sequence that an inner unit is in. */
static struct sequence_view *view_of(const struct stage2_units *u, uint32_t unit)
{
	return &u->view[u->units.sequence[u->units.place[unit].sequence].number];
}

static void add_masses(struct stage2_units *u, const struct blocks *b, const struct element_mass *mass)
{
	for (uint32_t i = 0; i < u->units.n_repeating; i++)
		u->view[i] = (struct sequence_view){ .first = NONE };
	for (uint32_t i = 1; i < b->n_elements; i++) {
		if (u->units.place[i].inner != i)
			continue;
		struct sequence_view *v = view_of(u, i);
		v->chance += mass[i].chance;
		v->words += mass[i].words;
		v->taken += mass[i].taken;
	}
}

/* The blocks of a sequence that repeats; those that are inside of deeper ones count for the two around them only. */
static void find_ends(struct stage2_units *u, const struct blocks *b)
{
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct unit_place *p = &u->units.place[b->block[i].element];
		for (uint32_t k = 0, unit = p->inner; k < 2 && unit; k++, unit = p->outer) {
			struct sequence_view *v = view_of(u, unit);
			v->first = v->first == NONE ? i : v->first;
			v->last = i;
		}
	}
}

static void view_sequences(struct stage2_units *u, const struct blocks *b, const struct element_mass *mass,
			   const struct first_results *q)
{
	for (uint32_t i = 0; i < u->units.n; i++) {
		const struct sequence *s = &u->units.sequence[i];
		if (s->number == NO_SEQUENCE)
			continue;
		struct sequence_view *v = &u->view[s->number];
		if (v->first == NONE)
			continue;
		const struct element_mass *around = &mass[s->parent];
		v->value[COUNT] = scale_log(s->members);
		v->value[LENGTH] = scale_log(s->units / s->members);
		v->value[LINKS] = scale_share(s->linked, s->units);
		v->value[DATES] = scale_share(s->dates, s->members);
		v->value[SHARE] = scale_share64(v->words, q->all_words);
		v->value[CHANCE] = mean_chance(v->chance, v->words);
		v->value[REST] = mean_chance(around->chance - v->chance, around->words - v->words);
		v->value[BEFORE] = v->first ? (uint8_t)(q->chance[v->first - 1] >> 8) : 0;
		v->value[AFTER] = v->last + 1 < b->n_blocks ? (uint8_t)(q->chance[v->last + 1] >> 8) : 0;
		v->value[TAKEN] = scale_share64(v->taken, v->words);
	}
}

/* Sums from the first block on, and how far blocks are from kept ones. The last sum comes after the last block. */
static void look_around(struct stage2_units *u, const struct blocks *b, const struct first_results *q)
{
	uint64_t chance = 0, words = 0;
	unsigned far = FAR;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		u->around[i] = (struct around_view){ .chance = chance, .words = words, .since = (uint8_t)far };
		far = q->chance[i] >= q->threshold ? 1 : far + (far < FAR);
		chance += (uint64_t)q->chance[i] * q->words[i];
		words += q->words[i];
	}
	u->around[b->n_blocks] = (struct around_view){ .chance = chance, .words = words };
	far = FAR;
	for (uint32_t i = b->n_blocks; i-- > 0;) {
		u->around[i].until = (uint8_t)far;
		far = q->chance[i] >= q->threshold ? 1 : far + (far < FAR);
	}
}

/* The stretch of blocks with the largest sum of what they are above the threshold, weighted by words. */
static void find_stretch(struct stage2_units *u, const struct blocks *b, const struct first_results *q)
{
	int64_t sum = 0, most = 0;
	uint32_t begin = 0;
	u->stretch_begin = u->stretch_end = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		int64_t gain = ((int64_t)q->chance[i] - (int64_t)q->threshold) * (int64_t)q->words[i];
		if (sum <= 0) {
			sum = 0;
			begin = i;
		}
		sum += gain;
		if (sum > most) {
			most = sum;
			u->stretch_begin = begin;
			u->stretch_end = i + 1;
		}
	}
}

int stage2_units_prepare(struct stage2_units *u, const struct blocks *b, const struct aggregates *a,
			 const struct element_mass *mass, const struct first_results *q)
{
	int status = units_find(&u->units, b, a);
	if (status < 0)
		return status;
	const struct grow_array sequences = GROW_ARRAY(u->view), blocks = GROW_ARRAY(u->around);
	status = grow_arrays(&sequences, 1, u->units.n_repeating, &u->cap_sequences);
	if (status == DANA_OK)
		status = grow_arrays(&blocks, 1, (size_t)b->n_blocks + 1, &u->cap_blocks);
	if (status < 0)
		return status;
	u->chance = q->chance;
	u->n_blocks = b->n_blocks;
	add_masses(u, b, mass);
	find_ends(u, b);
	view_sequences(u, b, mass, q);
	look_around(u, b, q);
	find_stretch(u, b, q);
	return DANA_OK;
}

static uint8_t chance_around(const struct stage2_units *u, uint32_t i, uint32_t distance)
{
	uint32_t from = i > distance ? i - distance : 0;
	uint32_t to = i + distance + 1 < u->n_blocks ? i + distance + 1 : u->n_blocks;
	return mean_chance(u->around[to].chance - u->around[from].chance, u->around[to].words - u->around[from].words);
}

static uint8_t distance(uint32_t from, uint32_t to)
{
	return (uint8_t)(to - from < FAR ? to - from : FAR);
}

static void put_around(const struct stage2_units *u, uint32_t i, uint8_t *to)
{
	const struct around_view *v = &u->around[i];
	*to++ = i ? (uint8_t)(u->chance[i - 1] >> 8) : 0;
	*to++ = i + 1 < u->n_blocks ? (uint8_t)(u->chance[i + 1] >> 8) : 0;
	*to++ = chance_around(u, i, 2);
	*to++ = chance_around(u, i, WIDE);
	*to++ = scale_share64(v->chance >> 8, u->around[u->n_blocks].chance >> 8);
	*to++ = v->since;
	*to++ = v->until;
	*to++ = i < u->stretch_begin ? distance(i, u->stretch_begin) : 0;
	*to++ = i >= u->stretch_end ? (uint8_t)(1 + distance(u->stretch_end, i)) : 0;
}

void stage2_units_put(const struct stage2_units *u, const struct blocks *b, const struct element_mass *mass, uint32_t i,
		      uint8_t *to)
{
	const struct unit_place *p = &u->units.place[b->block[i].element];
	for (uint32_t k = 0; k < 2; k++, to += UNIT_FEATURES) {
		uint32_t unit = k ? p->outer : p->inner;
		memset(to, 0, UNIT_FEATURES);
		if (!unit)
			continue;
		memcpy(to, view_of(u, unit)->value, SEQUENCE_FEATURES);
		to[SEQUENCE_FEATURES] = mean_chance(mass[unit].chance, mass[unit].words);
	}
	put_around(u, i, to);
}

void stage2_units_largest(const struct stage2_units *u, uint8_t *to)
{
	uint64_t most = 0;
	memset(to, 0, SEQUENCE_FEATURES);
	for (uint32_t i = 0; i < u->units.n_repeating; i++) {
		const struct sequence_view *v = &u->view[i];
		if (v->words <= most || v->first == NONE)
			continue;
		most = v->words;
		memcpy(to, v->value, SEQUENCE_FEATURES);
	}
}

void stage2_units_free(struct stage2_units *u)
{
	units_free(&u->units);
	free(u->view);
	free(u->around);
	*u = (struct stage2_units){ 0 };
}
