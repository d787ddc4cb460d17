/* SPDX-License-Identifier: MIT */
/*
 * Features of the second stage. Each block has a probability and a number of words; their product is the expected
 * number of words of main text in it (its mass). Masses are summed over elements, paths and the page like units in the
 * first stage.
 *
 * Example: an element with blocks of 10 words at 0.9 and 30 words at 0.1 has 40 words and a mass of 12; its mean
 * probability is 0.3, which is the feature value 76.
 */
#include "extract/learned/stage2_features.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "extract/learned/scale.h"

const char *const stage2_feature_names[STAGE2_COUNT] = {
#define STAGE2_NAME(id) #id,
	STAGE2_FEATURES(STAGE2_NAME)
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

static void sum_masses(struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
		       const struct first_stage *q)
{
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
		struct element_mass *p = &f->mass[b->element[i].parent];
		p->chance += m->chance;
		p->words += m->words;
		p->taken += m->taken;
	}
}

/* Returns the ratio of chance-weighted words to words of the same place: 0..255. */
static uint8_t mean_chance(uint64_t chance, uint64_t words)
{
	return scale_share64(chance >> 8, words << 8);
}

/* Returns what a block's log odds are compared with: their mean, weighted by mass. */
static int32_t mean_logit(const struct first_stage *q, uint32_t n)
{
	uint64_t all = 0;
	int64_t sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t chance = ((uint64_t)q->chance[i] * q->words[i]) >> 8;
		all += chance;
		sum += (q->margin[i] >> 8) * (int64_t)chance;
	}
	return all ? (int32_t)(sum / (int64_t)all) : 0;
}

static void find_path_means(struct stage2_features *f, uint32_t n_paths)
{
	uint64_t most = 0;
	f->path_most = 0;
	for (uint32_t i = 0; i < n_paths; i++) {
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
}

static void view_elements(struct stage2_features *f, const struct blocks *b, const struct aggregates *a)
{
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
}

int stage2_features_prepare(struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			    const struct first_stage *q)
{
	const struct grow_array arrays[] = { GROW_ARRAY(f->mass), GROW_ARRAY(f->view), GROW_ARRAY(f->path) };
	int status = grow_arrays(arrays, 3, (size_t)b->n_elements + 1, &f->cap_elements);
	if (status < 0)
		return status;

	f->decision = decode_best(q->chance, q->words, b->n_blocks, BALANCED);
	sum_masses(f, b, a, q);
	f->mass_words = scale_whole_of(f->decision.mass >> 16);
	f->mean = mean_logit(q, b->n_blocks);
	find_path_means(f, a->n_paths);
	view_elements(f, b, a);
	const struct first_results results = { q->chance, q->words, f->decision.threshold, f->decision.mass, f->words };
	status = stage2_units_prepare(&f->units, b, a, f->mass, &results);
	if (status == DANA_OK)
		stage2_units_largest(&f->units, f->kind_row + OF_LARGEST);
	return status;
}

struct column {
	uint8_t (*tile)[TILE];
	uint32_t at;
};

static void put(struct column to, unsigned feature, unsigned value)
{
	to.tile[feature][to.at] = (uint8_t)value;
}

static void put_levels(struct column to, const struct stage2_features *f, uint32_t element)
{
	const struct element_view2 *v = &f->view[element];
	unsigned at = STAGE2_LEVEL0_MEAN;
	_Pragma("GCC unroll 2") for (unsigned level = 0; level < LEVELS; level++, at += LEVEL_FEATURES)
	{
		_Pragma("GCC unroll 3") for (unsigned i = 0; i < LEVEL_FEATURES; i++) put(to, at + i, v->level[i]);
		v = &f->view[v->wider];
		put(to, STAGE2_PATH1_CHANCE + level, v->path);
	}
}

/* Writes what all blocks of a page have in common, as whole rows. */
static void put_page(uint8_t tile[][TILE], const struct stage2_features *f)
{
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
	for (unsigned k = 0; k < KIND_COUNT; k++)
		memset(tile[STAGE2_KIND_ARTICLE + k], f->kind.share[k], TILE);
}

static void put_chances(struct column to, const struct stage2_features *f, const struct first_stage *q, uint32_t i)
{
	uint32_t threshold = f->decision.threshold;
	put(to, STAGE2_LOGIT, scale_signed(q->margin[i] >> 8));
	put(to, STAGE2_OVER, scale_signed(((int32_t)q->chance[i] - (int32_t)threshold) / 512));
	put(to, STAGE2_SELECTED, q->chance[i] >= threshold);
	put(to, STAGE2_OVER_MEAN, scale_signed((q->margin[i] >> 8) - f->mean));
}

static void put_path(struct column to, const struct stage2_features *f, const struct path_mass *p)
{
	put(to, STAGE2_PATH_CHANCE, p->mean);
	put(to, STAGE2_PATH_MASS, p->share);
	put(to, STAGE2_PATH_OVER, scale_signed((int32_t)p->mean / 2 - (int32_t)f->path_most / 2));
}

void stage2_features_tile(const struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			  const struct first_stage *q, uint32_t first, uint32_t n, uint8_t tile[][TILE])
{
	put_page(tile, f);
	for (uint32_t at = 0; at < n; at++) {
		uint32_t i = first + at;
		struct column to = { tile, at };
		uint32_t element = b->block[i].element;
		put_chances(to, f, q, i);
		put_levels(to, f, element);
		put_path(to, f, &f->path[a->sum[element].path]);
		uint8_t values[2 * UNIT_FEATURES + AROUND_FEATURES];
		stage2_units_put(&f->units, b, f->mass, i, values);
		for (unsigned k = 0; k < sizeof(values); k++)
			put(to, STAGE2_UNIT_COUNT + k, values[k]);
	}
	memcpy(tile[STAGE2_OWN_TOKENS], q->kept[first / TILE], sizeof(q->kept[0]));
}

void stage2_features_free(struct stage2_features *f)
{
	free(f->mass);
	free(f->view);
	free(f->path);
	stage2_units_free(&f->units);
	*f = (struct stage2_features){ 0 };
}
