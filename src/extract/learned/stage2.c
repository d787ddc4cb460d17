/* SPDX-License-Identifier: MIT */
/*
 * The decision for a page, its kind, and the features of the second stage.
 *
 * Which blocks to keep, given each block's chance: of all sets, the one with the highest expected F1 is a prefix of the
 * blocks sorted by chance, and its threshold is half of that F1. Dinkelbach's iteration finds both without sorting:
 * take all blocks above a threshold, compute half the expected F1 of that set, and use this as the next threshold,
 * until it no longer rises.
 *
 * Example: 100 words with probability 0.9 and 50 words with 0.2: 90 + 10 = 100 words of main text are expected. Both
 * blocks: 100 / (150 + 100) = 0.4. Only the first is above 0.4: 90 / (100 + 100) = 0.45, and nothing changes any more.
 * The first is kept, and the expected F1 is 0.9.
 */
#include "extract/learned/stage2.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/status.h"
#include "extract/learned/features.h"
#include "extract/learned/model.h"

/* The iteration rises strictly and ends after a few steps; this is a safe bound. */
enum { STEPS_MOST = 32 };

/* The balance doubles with every 12.5 of recall, and grows evenly between. */
uint32_t decode_balance(uint32_t recall)
{
	uint32_t eighths = recall * 8, least = 16U << eighths / 100;
	return least + least * (eighths % 100) / 100;
}

struct decision decode_best(const uint16_t *chance, const uint32_t *weight, uint32_t n, uint32_t balance)
{
	struct decision d = { .threshold = 1 };
	for (uint32_t i = 0; i < n; i++)
		d.mass += (uint64_t)chance[i] * weight[i];
	/* F = (1 + b) hit / (kept + b mass): a block raises it if its chance is above F / (1 + b) */
	uint64_t mass = (d.mass >> 16) * balance / 256 + 1;
	for (int step = 0;; step++) {
		d.hit = d.kept = 0;
		for (uint32_t i = 0; i < n; i++) {
			if (chance[i] < d.threshold)
				continue;
			d.hit += (uint64_t)chance[i] * weight[i];
			d.kept += weight[i];
		}
		uint64_t share = d.hit / (d.kept + mass); /* F / (1 + b), in 1/65536 */
		/* of a word or two, whole masses make it more than 1 */
		uint64_t expected = share * (256 + balance) / 256;
		if (step < STEPS_MOST)
			d.expected = (uint32_t)(expected < 65536 ? expected : 65536);
		if (share <= d.threshold || step == STEPS_MOST)
			break;
		d.threshold = (uint32_t)share;
	}
	return d;
}

/*
 * The units around a block as the first stage sees them: is the whole sequence text, is this unit of it, is what is
 * beside it? And the same of the blocks before and after a block.
 */

enum { FAR = 99, WIDE = 8, NONE = UINT32_MAX };

/* A sequence as the second stage sees it: values in the order of STAGE2_UNIT_COUNT and the following features. */
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

static int prepare_units(struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			 const struct first_stage *q)
{
	struct stage2_units *u = &f->units;
	const struct element_mass *mass = f->mass;
	const uint32_t threshold = f->decision.threshold;
	int status = units_find(&u->units, b, a);
	if (status < 0)
		return status;
	const struct grow_array sequences = GROW_ARRAY(u->view), blocks = GROW_ARRAY(u->around);
	status = renew_arrays(&sequences, 1, u->units.n_repeating, &u->cap_sequences);
	if (status == DANA_OK)
		status = renew_arrays(&blocks, 1, (size_t)b->n_blocks + 1, &u->cap_blocks);
	if (status < 0)
		return status;
	u->chance = q->chance;
	u->n_blocks = b->n_blocks;
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
	/* the blocks of a sequence that repeats; those inside of deeper ones count for the two around them only */
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct unit_place *p = &u->units.place[b->block[i].element];
		for (uint32_t k = 0, unit = p->inner; k < 2 && unit; k++, unit = p->outer) {
			struct sequence_view *v = view_of(u, unit);
			v->first = v->first == NONE ? i : v->first;
			v->last = i;
		}
	}
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
		v->value[SHARE] = scale_share64(v->words, f->words);
		v->value[CHANCE] = mean_chance(v->chance, v->words);
		v->value[REST] = mean_chance(around->chance - v->chance, around->words - v->words);
		v->value[BEFORE] = v->first ? (uint8_t)(q->chance[v->first - 1] >> 8) : 0;
		v->value[AFTER] = v->last + 1 < b->n_blocks ? (uint8_t)(q->chance[v->last + 1] >> 8) : 0;
		v->value[TAKEN] = scale_share64(v->taken, v->words);
	}
	/* sums from the first block on, and how far blocks are from kept ones; the last is after the last block */
	uint64_t chance = 0, words = 0;
	unsigned far = FAR;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		u->around[i] = (struct around_view){ .chance = chance, .words = words, .since = (uint8_t)far };
		far = q->chance[i] >= threshold ? 1 : far + (far < FAR);
		chance += (uint64_t)q->chance[i] * q->words[i];
		words += q->words[i];
	}
	u->around[b->n_blocks] = (struct around_view){ .chance = chance, .words = words };
	far = FAR;
	for (uint32_t i = b->n_blocks; i-- > 0;) {
		u->around[i].until = (uint8_t)far;
		far = q->chance[i] >= threshold ? 1 : far + (far < FAR);
	}
	/* the stretch of blocks with the largest sum of what they are above the threshold, weighted by words */
	int64_t sum = 0, most = 0;
	uint32_t begin = 0;
	u->stretch_begin = u->stretch_end = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		int64_t gain = ((int64_t)q->chance[i] - (int64_t)threshold) * (int64_t)q->words[i];
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
	return DANA_OK;
}

static inline uint8_t chance_around(const struct stage2_units *u, uint32_t i, uint32_t distance)
{
	uint32_t from = i > distance ? i - distance : 0;
	uint32_t to = i + distance + 1 < u->n_blocks ? i + distance + 1 : u->n_blocks;
	return mean_chance(u->around[to].chance - u->around[from].chance, u->around[to].words - u->around[from].words);
}

static uint8_t distance(uint32_t from, uint32_t to)
{
	return (uint8_t)(to - from < FAR ? to - from : FAR);
}

/*
 * Example: if the trees say 0.6 for an article and 0.2 for a list, and nothing for the others, the shares are 3/4 and
 * 1/4.
 */

const char *const kind_feature_names[KIND_FEATURE_COUNT] = {
#define KIND_NAME(id) #id,
	KIND_FEATURES(KIND_NAME)
#undef KIND_NAME
		"LARGEST_UNIT_COUNT",
	"LARGEST_UNIT_LENGTH",
	"LARGEST_UNIT_LINKS",
	"LARGEST_UNIT_DATES",
	"LARGEST_UNIT_SHARE",
	"LARGEST_UNIT_CHANCE",
	"LARGEST_UNIT_REST",
	"LARGEST_UNIT_BEFORE",
	"LARGEST_UNIT_AFTER",
	"LARGEST_UNIT_TAKEN"
};

const char *page_kind_name(enum page_kind kind)
{
	static const char *const names[KIND_COUNT] = { "article",       "list",    "forum", "product",
						       "documentation", "service", "other" };
	return kind < KIND_COUNT ? names[kind] : NULL;
}

void page_kind_take(uint8_t row[KIND_FEATURE_COUNT], uint8_t (*tile)[TILE])
{
	static const uint8_t from[OF_LARGEST] = {
#define KIND_ROW(id) FEATURE_##id,
		KIND_FEATURES(KIND_ROW)
#undef KIND_ROW
	};
	for (unsigned i = 0; i < OF_LARGEST; i++)
		row[i] = tile[from[i]][0];
}

struct kind_result page_kind_find(const struct kind_trees *t, const uint8_t row[KIND_FEATURE_COUNT],
				  enum page_kind forced)
{
	struct kind_result found = { .kind = forced };
	int32_t margin[KIND_COUNT];
	uint32_t chance[KIND_COUNT] = { 0 }, all = 0;
	if (t->n == 0)
		return found;
	/* sum the leaves that the page reaches, for each kind */
	memset(margin, 0, KIND_COUNT * sizeof(*margin));
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_level *levels = t->levels + (size_t)i * t->depth;
		uint32_t leaf = 0;
		for (uint32_t k = 0; k < t->depth; k++)
			leaf = 2 * leaf + (row[levels[k].feature] > levels[k].bin);
		const int16_t *leaves = t->leaves + (((size_t)i << t->depth) + leaf) * KIND_COUNT;
		for (unsigned k = 0; k < KIND_COUNT; k++)
			margin[k] += leaves[k];
	}
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		chance[k] = forced == KIND_UNKNOWN ? chance_of(margin[k]) : k == forced;
		all += chance[k];
		if (found.kind == KIND_UNKNOWN || chance[k] > chance[found.kind])
			found.kind = (enum page_kind)k;
	}
	for (unsigned k = 0; k < KIND_COUNT; k++)
		found.share[k] = (uint8_t)(chance[k] * 255 / all);
	return found;
}

uint32_t kind_lean(const struct kind_result *found)
{
	enum { PROSE = 184, ROWS = 357, PARTS = 640 };
	static const uint16_t lean[KIND_COUNT] = {
		[KIND_ARTICLE] = PROSE, [KIND_FORUM] = PROSE,        [KIND_LIST] = ROWS,   [KIND_PRODUCT] = ROWS,
		[KIND_SERVICE] = ROWS,  [KIND_DOCUMENTATION] = ROWS, [KIND_OTHER] = PARTS,
	};
	uint32_t sum = 0, shares = 0;
	for (unsigned k = 0; k < KIND_COUNT && found->kind < KIND_COUNT; k++) {
		const uint32_t share = found->share[k] > found->share[found->kind] ? 0 : found->share[k];
		sum += share * lean[k];
		shares += share;
	}
	return shares ? sum / shares : LEAN_ONE;
}

/*
 * Features of the second stage. Each block has a probability and a number of words; their product is the expected
 * number of words of main text in it (its mass). Masses are summed over elements, paths and the page like units in the
 * first stage.
 *
 * Example: an element with blocks of 10 words at 0.9 and 30 words at 0.1 has 40 words and a mass of 12; its mean
 * probability is 0.3, which is the feature value 76.
 */

const char *const stage2_feature_names[STAGE2_COUNT] = {
#define STAGE2_NAME(id, ...) #id,
	STAGE2_WORDS(STAGE2_NAME)
#undef STAGE2_NAME
#define STAGE2_NAME(id) "OWN_" #id,
		STAGE2_FEATURES_KEPT(STAGE2_NAME)
#undef STAGE2_NAME
};

static const uint8_t kept_features[STAGE2_KEPT] = {
#define STAGE2_COLUMN(id) FEATURE_##id,
	STAGE2_FEATURES_KEPT(STAGE2_COLUMN)
#undef STAGE2_COLUMN
};

enum { LEVELS = 2, LEVEL_FEATURES = 3, BALANCED = 256 };

/* What all blocks in an element have from it. */
struct element_view2 {
	uint8_t level[LEVEL_FEATURES];
	uint8_t path;   /* mean chance of all elements on its path */
	uint32_t wider; /* as in element_sums */
};

struct path_mass {
	uint64_t chance, words;         /* of blocks */
	uint64_t all_chance, all_words; /* of whole elements */
	uint8_t mean, all_mean, share;
};

void stage2_features_keep(uint8_t (*tile)[TILE], uint8_t (*kept)[TILE])
{
	for (uint32_t k = 0; k < STAGE2_KEPT; k++)
		memcpy(kept[k], tile[kept_features[k]], TILE);
}

int stage2_features_prepare(struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			    const struct first_stage *q)
{
	const struct grow_array arrays[] = { GROW_ARRAY(f->mass), GROW_ARRAY(f->view), GROW_ARRAY(f->path) };
	int status = renew_arrays(arrays, 3, (size_t)b->n_elements + 1, &f->cap_elements);
	if (status < 0)
		return status;
	f->decision = decode_best(q->chance, q->words, b->n_blocks, BALANCED);
	memset(f->mass, 0, b->n_elements * sizeof(*f->mass));
	memset(f->path, 0, a->n_paths * sizeof(*f->path));
	f->words = f->taken = 0;
	f->most = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		uint32_t e = b->block[i].element;
		struct element_mass *m = &f->mass[e];
		struct path_mass *p = &f->path[a->sum[e].path];
		uint64_t chance = (uint64_t)q->chance[i] * q->words[i];
		m->chance += chance;
		m->words += q->words[i];
		p->chance += chance;
		p->words += q->words[i];
		f->words += q->words[i];
		if (q->chance[i] >= f->decision.threshold) {
			m->taken += q->words[i];
			f->taken += q->words[i];
		}
		if (q->chance[i] > f->most)
			f->most = q->chance[i];
	}
	for (uint32_t i = b->n_elements; i-- > 0;) {
		const struct element_mass *m = &f->mass[i];
		if (m->words == 0)
			continue;
		struct path_mass *path = &f->path[a->sum[i].path];
		path->all_chance += m->chance;
		path->all_words += m->words;
		if (i == 0)
			break;
		struct element_mass *above = &f->mass[b->element[i].parent];
		above->chance += m->chance;
		above->words += m->words;
		above->taken += m->taken;
	}
	f->mass_words = scale_whole_of(f->decision.mass >> 16);
	uint64_t all = 0;
	int64_t sum = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		uint64_t chance = ((uint64_t)q->chance[i] * q->words[i]) >> 8;
		all += chance;
		sum += (q->margin[i] >> 8) * (int64_t)chance;
	}
	f->mean = all ? (int32_t)(sum / (int64_t)all) : 0;
	uint64_t most = 0;
	f->path_most = 0;
	for (uint32_t i = 0; i < a->n_paths; i++) {
		struct path_mass *p = &f->path[i];
		if (p->all_words == 0)
			continue;
		p->mean = mean_chance(p->chance, p->words);
		p->all_mean = mean_chance(p->all_chance, p->all_words);
		p->share = scale_part(p->chance >> 16, &f->mass_words);
		if (p->chance > most) {
			most = p->chance;
			f->path_most = p->mean;
		}
	}
	f->best_f1 = 0;
	for (uint32_t i = 0; i < b->n_elements; i++) {
		struct element_mass *m = &f->mass[i];
		if (m->words == 0 || a->sum[i].wraps)
			continue;
		m->f1 = (uint32_t)(2 * m->chance / (m->words + (f->decision.mass >> 16) + 1));
		f->best_f1 = m->f1 > f->best_f1 ? m->f1 : f->best_f1;
	}
	const struct scale_whole best_f1 = scale_whole_of(f->best_f1);
	f->view[b->n_elements] = (struct element_view2){ .wider = b->n_elements };
	for (uint32_t i = 0; i < b->n_elements; i++) {
		const struct element_mass *m = &f->mass[i];
		struct element_view2 *v = &f->view[i];
		if (m->words == 0 || a->sum[i].wraps)
			continue;
		v->level[0] = mean_chance(m->chance, m->words);
		v->level[1] = scale_part(m->f1, &best_f1);
		v->level[2] = scale_share64(m->taken, m->words);
		v->path = f->path[a->sum[i].path].all_mean;
		v->wider = a->sum[i].wider;
	}
	status = prepare_units(f, b, a, q);
	if (status == DANA_OK) {
		/* the values of the sequence with most words; all are 0 if the page has no sequence */
		const struct stage2_units *u = &f->units;
		uint8_t *to = f->kind_row + OF_LARGEST;
		most = 0;
		memset(to, 0, SEQUENCE_FEATURES);
		for (uint32_t i = 0; i < u->units.n_repeating; i++) {
			const struct sequence_view *v = &u->view[i];
			if (v->words <= most || v->first == NONE)
				continue;
			most = v->words;
			memcpy(to, v->value, SEQUENCE_FEATURES);
		}
	}
	return status;
}

void stage2_features_tile(const struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			  const struct first_stage *q, uint32_t first, uint32_t n, uint8_t tile[][TILE])
{
	/* write what all blocks of a page have in common, as whole rows */
	uint64_t mass = f->decision.mass >> 16;
	const struct {
		uint8_t feature, value;
	} rows[] = {
		{ STAGE2_PAGE_EXPECTED, (uint8_t)(f->decision.expected > 65535 ? 255 : f->decision.expected >> 8) },
		{ STAGE2_PAGE_FITTEST, (uint8_t)(f->best_f1 > 65535 ? 255 : f->best_f1 >> 8) },
		{ STAGE2_PAGE_MASS, scale_log(mass > UINT32_MAX ? UINT32_MAX : (uint32_t)mass) },
		{ STAGE2_PAGE_WORDS, scale_log(f->words > UINT32_MAX ? UINT32_MAX : (uint32_t)f->words) },
		{ STAGE2_PAGE_RATIO, scale_share64(mass, f->words) },
		{ STAGE2_PAGE_THRESHOLD, (uint8_t)(f->decision.threshold >> 8) },
		{ STAGE2_PAGE_MOST, (uint8_t)(f->most >> 8) },
		{ STAGE2_PAGE_TAKEN, scale_share64(f->taken, f->words) },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		memset(tile[rows[i].feature], rows[i].value, TILE);
	/* what a block has from its units and neighbours, a row for each block, which is turned into columns */
	enum { VALUES = 2 * UNIT_FEATURES + AROUND_FEATURES };
	uint8_t side[2][SIDE][SIDE];
	_Static_assert(VALUES <= 2 * SIDE && (int)STAGE2_KIND_ARTICLE - (int)STAGE2_UNIT_COUNT == VALUES &&
			       (int)KIND_COUNT >= 2 * SIDE - VALUES,
		       "what is turned beside them is written over");
	for (uint32_t at = 0; at < n; at++) {
		const uint32_t i = q->judged->block[first + at], element = b->block[i].element;
		uint32_t threshold = f->decision.threshold;
		tile[STAGE2_LOGIT][at] = scale_signed(q->margin[i] >> 8);
		tile[STAGE2_OVER][at] = scale_signed(((int32_t)q->chance[i] - (int32_t)threshold) / 512);
		tile[STAGE2_SELECTED][at] = q->chance[i] >= threshold;
		tile[STAGE2_OVER_MEAN][at] = scale_signed((q->margin[i] >> 8) - f->mean);
		const struct element_view2 *v = &f->view[element];
		unsigned row = STAGE2_LEVEL0_MEAN;
		_Pragma("GCC unroll 2") for (unsigned level = 0; level < LEVELS; level++, row += LEVEL_FEATURES)
		{
			_Pragma("GCC unroll 3") for (unsigned k = 0; k < LEVEL_FEATURES; k++) tile[row + k][at] =
				v->level[k];
			v = &f->view[v->wider];
			tile[STAGE2_PATH1_CHANCE + level][at] = v->path;
		}
		const struct path_mass *p = &f->path[a->sum[element].path];
		tile[STAGE2_PATH_CHANCE][at] = p->mean;
		tile[STAGE2_PATH_MASS][at] = p->share;
		tile[STAGE2_PATH_OVER][at] = scale_signed((int32_t)p->mean / 2 - (int32_t)f->path_most / 2);
		uint8_t values[2 * SIDE] = { 0 };
		const struct stage2_units *u = &f->units;
		uint8_t *to = values;
		const struct unit_place *place = &u->units.place[b->block[i].element];
		for (uint32_t k = 0; k < 2; k++, to += UNIT_FEATURES) {
			uint32_t unit = k ? place->outer : place->inner;
			if (!unit)
				continue;
			memcpy(to, view_of(u, unit)->value, SEQUENCE_FEATURES);
			to[SEQUENCE_FEATURES] = mean_chance(f->mass[unit].chance, f->mass[unit].words);
		}
		const struct around_view *near = &u->around[i];
		*to++ = i ? (uint8_t)(u->chance[i - 1] >> 8) : 0;
		*to++ = i + 1 < u->n_blocks ? (uint8_t)(u->chance[i + 1] >> 8) : 0;
		*to++ = chance_around(u, i, 2);
		*to++ = chance_around(u, i, WIDE);
		*to++ = scale_share64(near->chance >> 8, u->around[u->n_blocks].chance >> 8);
		*to++ = near->since;
		*to++ = near->until;
		*to++ = i < u->stretch_begin ? distance(i, u->stretch_begin) : 0;
		*to++ = i >= u->stretch_end ? (uint8_t)(1 + distance(u->stretch_end, i)) : 0;
		memcpy(side[0][at % SIDE], values, SIDE);
		memcpy(side[1][at % SIDE], values + SIDE, SIDE);
		if (at % SIDE != SIDE - 1 && at != n - 1)
			continue;
		for (unsigned k = 0; k < 2; k++)
			tile_turn(tile + STAGE2_UNIT_COUNT + k * SIDE, at / SIDE * SIDE,
				  (const uint8_t(*)[SIDE])side[k]);
	}
	for (unsigned k = 0; k < KIND_COUNT; k++)
		memset(tile[STAGE2_KIND_ARTICLE + k], f->kind.share[k], TILE);
	memcpy(tile[STAGE2_OWN_TOKENS], q->kept[first / TILE], sizeof(q->kept[0]));
}

void stage2_features_free(struct stage2_features *f)
{
	free(f->mass);
	free(f->view);
	free(f->path);
	struct stage2_units *u = &f->units;
	units_free(&u->units);
	free(u->view);
	free(u->around);
	*u = (struct stage2_units){ 0 };
	*f = (struct stage2_features){ 0 };
}
