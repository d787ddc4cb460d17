/* SPDX-License-Identifier: MIT */
#include "extract/learned/copies.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/not_zeroed.h"
#include "base/status.h"
#include "extract/learned/word_hash.h"

/*
 * RUN: words of a run; RUNS_NOTED: of a block whose words are read once only; LEAST: words of a block that can be a
 * copy; BITS: of the set for each word of kept blocks.
 */
enum { RUN = 5, RUNS_NOTED = 128, LEAST = 8, BITS = 16, SET_LEAST = 1 << 12 };

/* The set and its size, a power of two of bits. */
struct run_set {
	uint64_t *bits;
	unsigned shift; /* of a hash to its bit */
};

/* The last words of a text. */
struct last_words {
	uint32_t hash[RUN];
	uint32_t n;
};

/* Takes the next word of the text; returns false at its end. *bit: of the run that ends with it, if there is one. */
static bool next_run(struct slice *rest, struct last_words *last, const struct run_set *set, uint64_t *bit)
{
	memmove(last->hash, last->hash + 1, sizeof(last->hash) - sizeof(last->hash[0]));
	if (!words_next(rest, &last->hash[RUN - 1]))
		return false;
	last->n++;
	uint64_t h = 0;
	for (unsigned k = 0; k < RUN; k++)
		h = (h ^ last->hash[k]) * 0x9E3779B97F4A7C15U;
	*bit = (h ^ h >> 29) * 0xD6E8FEB86659FD93U >> set->shift;
	return true;
}

/* The runs of a text: their bits in the set, as far as there is room. */
struct runs {
	uint64_t bits[RUNS_NOTED];
	uint32_t n;   /* of all runs */
	bool is_copy; /* four fifths of them are in the set */
};

static void find_runs(struct runs *runs, const struct run_set *set, struct slice text)
{
	struct last_words last = { .n = 0 };
	uint32_t known = 0;
	runs->n = 0;
	for (uint64_t bit; next_run(&text, &last, set, &bit);) {
		if (last.n < RUN)
			continue;
		if (runs->n < RUNS_NOTED)
			runs->bits[runs->n] = bit;
		runs->n++;
		known += (uint32_t)(set->bits[bit / 64] >> bit % 64 & 1);
	}
	runs->is_copy = last.n >= LEAST && 5 * (uint64_t)known >= 4 * (uint64_t)runs->n;
}

/* Adds the runs to the set; those without room are found again. */
static void add_runs(const struct run_set *set, const struct runs *runs, struct slice text)
{
	struct last_words last = { .n = 0 };
	for (uint32_t i = 0; i < runs->n && i < RUNS_NOTED; i++)
		set->bits[runs->bits[i] / 64] |= (uint64_t)1 << runs->bits[i] % 64;
	for (uint64_t bit; runs->n > RUNS_NOTED && next_run(&text, &last, set, &bit);) {
		if (last.n >= RUN)
			set->bits[bit / 64] |= (uint64_t)1 << bit % 64;
	}
}

/* Empties the set, which has room for the runs of so many words. */
static int begin_set(struct copies *c, struct run_set *set, uint64_t words)
{
	const struct grow_array bits = GROW_ARRAY(c->runs);
	uint64_t size = SET_LEAST;
	set->shift = 64 - 12;
	for (; size < words * BITS; size *= 2)
		set->shift--;
	int status = grow_arrays(&bits, 1, size / 64, &c->cap_runs);
	if (status == DANA_OK)
		memset(c->runs, 0, size / 8);
	set->bits = c->runs;
	return status;
}

int copies_find(struct copies *c, const struct blocks *b, enum page_kind kind, const uint16_t *chance,
		uint32_t threshold, const uint32_t *words)
{
	struct run_set set;
	NOT_ZEROED struct runs runs;
	uint64_t kept = 0;
	c->any = kind == KIND_LIST || kind == KIND_FORUM || kind == KIND_PRODUCT || kind == KIND_SERVICE;
	if (!c->any)
		return DANA_OK;
	for (uint32_t i = 0; i < b->n_blocks; i++)
		kept += chance[i] >= threshold ? words[i] : 0;
	const struct grow_array blocks = GROW_ARRAY(c->is_copy);
	int status = grow_arrays(&blocks, 1, b->n_blocks, &c->cap_blocks);
	if (status == DANA_OK)
		status = begin_set(c, &set, kept);
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		c->is_copy[i] = false;
		if (chance[i] < threshold)
			continue;
		struct slice text = block_text(b, &b->block[i]);
		find_runs(&runs, &set, text);
		c->is_copy[i] = runs.is_copy;
		if (!runs.is_copy)
			add_runs(&set, &runs, text);
	}
	return status;
}

void copies_free(struct copies *c)
{
	free(c->is_copy);
	free(c->runs);
	*c = (struct copies){ 0 };
}
