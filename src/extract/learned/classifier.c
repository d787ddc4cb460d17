/* SPDX-License-Identifier: MIT */
/*
 * Runs both stages. Features are computed for 64 blocks at a time (a tile), because the trees compare a feature of many
 * blocks with one constant at once; the second stage starts when the first has seen all blocks, as its features are
 * sums over the page of the first stage's results.
 *
 * Example: a page of 100 blocks is two tiles, of 64 and of 36 blocks, in each stage.
 */
#include "extract/learned/classifier.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/not_zeroed.h"
#include "base/status.h"
#include "extract/learned/trees.h"
#include "extract/learned/words.h"

/* A block weighs this much more in its own mean: 1 to 4 did the same for lists, 4 was best for articles. */
enum { OWN = 4 };

/* Returns what is equal for blocks alike: both numbers are below 2^16, as there are at most 65,536 elements. */
static uint32_t key_of(const struct aggregates *a, const struct units *u, uint32_t element)
{
	const uint32_t unit = u->place[element].inner;
	const uint32_t sequence = unit ? u->sequence[u->place[unit].sequence].number + 1 : 0;
	return a->sum[element].path << 16 | sequence;
}

int alike_judge(struct alike *x, const struct blocks *b, const struct aggregates *a, const struct units *u,
		const int32_t *margin, int32_t *together)
{
	const struct grow_array arrays[] = { GROW_ARRAY(x->group), GROW_ARRAY(x->sum) };
	int status = grow_arrays(arrays, 2, b->n_blocks, &x->cap);
	if (status == DANA_OK)
		status = key_trie_reset(&x->keys, b->n_blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const uint32_t known = x->keys.n, group = key_trie_number(&x->keys, key_of(a, u, b->block[i].element));
		struct alike_sum *sum = &x->sum[group];
		x->group[i] = group;
		if (group == known)
			*sum = (struct alike_sum){ 0 };
		sum->margin += margin[i];
		sum->blocks++;
	}
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct alike_sum *sum = &x->sum[x->group[i]];
		together[i] = (int32_t)((OWN * (int64_t)margin[i] + sum->margin) / (OWN + (int64_t)sum->blocks));
	}
	return DANA_OK;
}

void alike_free(struct alike *x)
{
	key_trie_free(&x->keys);
	free(x->group);
	free(x->sum);
	*x = (struct alike){ 0 };
}

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

static int reserve(struct classifier *c, uint32_t n)
{
	const struct grow_array arrays[] = { GROW_ARRAY(c->margin[0]), GROW_ARRAY(c->margin[1]),
					     GROW_ARRAY(c->margin[2]), GROW_ARRAY(c->chance),
					     GROW_ARRAY(c->words),     { &c->kept, sizeof(*c->kept) / TILE } };
	_Static_assert(GROW_FIRST % TILE == 0, "room is whole tiles");
	return grow_arrays(arrays, sizeof(arrays) / sizeof(arrays[0]), n, &c->cap);
}

static int first_stage(struct classifier *c, const struct blocks *b)
{
	_Alignas(64) uint8_t tile[FEATURE_COUNT][TILE] = { { 0 } };
	int32_t margin[TILE];

	int status = aggregates_compute(&c->aggregates, b);
	if (status < 0)
		return status;
	c->features.bias = c->model->bias;
	status = features_prepare(&c->features, b, &c->aggregates);
	if (status < 0)
		return status;

	for (uint32_t first = 0; first < b->n_blocks; first += TILE) {
		uint32_t n = b->n_blocks - first < TILE ? b->n_blocks - first : TILE;
		features_tile(&c->features, b, &c->aggregates, first, n, tile);
		if (c->sink.tile)
			c->sink.tile(c->sink.arg, 1, first, n, tile);
		if (first == 0)
			page_kind_take(c->stage2_features.kind_row, tile);
		stage2_features_keep(tile, c->kept[first / TILE]);
		trees_margins(&c->model->stage[0], tile, FEATURE_COUNT, n, margin);
		for (uint32_t i = 0; i < n; i++) {
			c->margin[0][first + i] = margin[i];
			c->chance[first + i] = chance_of(margin[i]);
		}
	}
	return DANA_OK;
}

static int second_stage(struct classifier *c, const struct blocks *b)
{
	_Alignas(64) uint8_t tile[STAGE2_COUNT][TILE] = { { 0 } };
	int32_t margin[TILE];
	const struct first_stage q = { c->margin[0], c->chance, c->words,
				       (const uint8_t(*)[STAGE2_KEPT][TILE])c->kept };
	int status = stage2_features_prepare(&c->stage2_features, b, &c->aggregates, &q);
	if (status < 0)
		return status;
	c->stage2_features.kind = page_kind_find(&c->model->kinds, c->stage2_features.kind_row, c->forced);

	for (uint32_t first = 0; first < b->n_blocks; first += TILE) {
		uint32_t n = b->n_blocks - first < TILE ? b->n_blocks - first : TILE;
		stage2_features_tile(&c->stage2_features, b, &c->aggregates, &q, first, n, tile);
		if (c->sink.tile)
			c->sink.tile(c->sink.arg, 2, first, n, tile);
		trees_margins(&c->model->stage[1], tile, STAGE2_COUNT, n, margin);
		memcpy(c->margin[1] + first, margin, n * sizeof(*margin));
	}

	status = alike_judge(&c->alike, b, &c->aggregates, &c->stage2_features.units.units, c->margin[1], c->margin[2]);
	for (uint32_t i = 0; c->model->stage[1].n && i < b->n_blocks && status == DANA_OK; i++)
		c->chance[i] = chance_of(c->margin[2][i]);
	return status;
}

int classifier_run(struct classifier *c, const struct blocks *b)
{
	int status = reserve(c, b->n_blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_blocks; i++)
		c->words[i] = b->block[i].counts.words ? b->block[i].counts.words : 1;

	c->stage2_features.kind = (struct kind_result){ .kind = KIND_UNKNOWN, .cut = 256 };
	status = first_stage(c, b);
	if (status < 0)
		return status;
	if (c->model->stage[0].n && (c->model->stage[1].n || c->sink.tile))
		status = second_stage(c, b);
	if (status < 0)
		return status;
	c->decision = decode_best(c->chance, c->words, b->n_blocks, c->balance);
	decode_cut(&c->decision, c->stage2_features.kind.cut);
	return copies_find(&c->copies, b, c->stage2_features.kind.kind, c->chance, c->decision.threshold, c->words);
}

void classifier_free(struct classifier *c)
{
	aggregates_free(&c->aggregates);
	features_free(&c->features);
	stage2_features_free(&c->stage2_features);
	copies_free(&c->copies);
	alike_free(&c->alike);
	for (size_t i = 0; i < sizeof(c->margin) / sizeof(c->margin[0]); i++)
		free(c->margin[i]);
	free(c->chance);
	free(c->words);
	free(c->kept);
	*c = (struct classifier){ 0 };
}
