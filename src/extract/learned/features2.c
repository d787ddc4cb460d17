#include "extract/learned/features2.h"

#include <stdlib.h>

#include "base/status.h"
#include "extract/learned/scale.h"

const char *const feature2_names[FEATURE2_COUNT] = {
#define FEATURE2_NAME(id) #id,
	FEATURES2(FEATURE2_NAME)
#undef FEATURE2_NAME
#define FEATURE2_NAME(id) "OWN_" #id,
	FEATURES2_KEPT(FEATURE2_NAME)
#undef FEATURE2_NAME
};

static const uint8_t kept_features[FEATURE2_KEPT] = {
#define FEATURE2_COLUMN(id) FEATURE_##id,
	FEATURES2_KEPT(FEATURE2_COLUMN)
#undef FEATURE2_COLUMN
};

enum { LEVELS = 6, LEVEL_FEATURES = 3, NEAR = 128 /* 0.5 of 256 */, FAR = 218 /* 0.85 */, RUN_REACH = 30, BALANCED = 256, NEIGHBOURS = 4 };

/* Expected words of the main text inside an element (1/65536), words, and words that the first stage would keep. */
struct element_mass {
	uint64_t chance, words, taken;
	uint32_t fit;           /* expected F1 of this element as the result, 1/65536 */
	bool in_fittest;
};

/* What an element gives to all blocks in it. */
struct element_view2 {
	uint8_t level[LEVEL_FEATURES];
	uint8_t path;           /* mean chance of all elements on its path */
	uint32_t wider;         /* as element_sums have it */
};

struct path_mass {
	uint64_t chance, words;         /* of blocks */
	uint64_t all_chance, all_words; /* of whole elements */
	uint8_t mean, all_mean, share;
};

struct block_mass {
	uint64_t before;        /* chance-weighted words before */
	uint32_t heading;       /* number + 1 of the heading before; 0 = none */
	uint8_t near_before, far_before, near_after, far_after;
};

void features2_keep(uint8_t (*tile)[TILE], uint8_t (*kept)[TILE])
{
	for (uint32_t k = 0; k < FEATURE2_KEPT; k++)
		memcpy(kept[k], tile[kept_features[k]], TILE);
}

static int reserve(struct features2 *f, uint32_t n_elements, uint32_t n_blocks)
{
	if (n_elements + 1 > f->cap_elements) {
		uint32_t cap = n_elements + n_elements / 2 + 1;
		void *mass = realloc(f->mass, cap * sizeof *f->mass);
		if (!mass)
			return DANA_ENOMEM;
		f->mass = mass;
		void *view = realloc(f->view, cap * sizeof *f->view);
		if (!view)
			return DANA_ENOMEM;
		f->view = view;
		void *path = realloc(f->path, cap * sizeof *f->path);
		if (!path)
			return DANA_ENOMEM;
		f->path = path;
		f->cap_elements = cap;
	}
	if (n_blocks > f->cap_blocks) {
		uint32_t cap = n_blocks + n_blocks / 2;
		void *block = realloc(f->block, cap * sizeof *f->block);
		if (!block)
			return DANA_ENOMEM;
		f->block = block;
		void *logit = realloc(f->logit, cap + 2 * NEIGHBOURS + TILE); /* rows are read whole */
		if (!logit)
			return DANA_ENOMEM;
		f->logit = logit;
		f->cap_blocks = cap;
	}
	return DANA_OK;
}

static void sum_masses(struct features2 *f, const struct blocks *b, const struct aggregates *a,
		       const struct first_stage *q)
{
	memset(f->mass, 0, b->n_elements * sizeof *f->mass);
	memset(f->path, 0, a->n_paths * sizeof *f->path);
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

/* Chance-weighted words to words, both of some place: 0..255. */
static uint8_t mean_chance(uint64_t chance, uint64_t words)
{
	return scale_share64(chance >> 8, words << 8);
}

/* What a block is compared with: means and ranks over the mass of the page. */
static void find_ranks(struct features2 *f, const struct first_stage *q, uint32_t n)
{
	uint64_t by_chance[256] = { 0 }, all = 0, lower = 0;
	int64_t sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t chance = ((uint64_t)q->chance[i] * q->words[i]) >> 8;
		by_chance[q->chance[i] >> 8] += chance;
		all += chance;
		sum += (q->margin[i] >> 8) * (int64_t)chance;
	}
	f->mean = all ? (int32_t)(sum / (int64_t)all) : 0;
	const struct scale_whole mass = scale_whole_of(all);
	for (unsigned i = 0; i < 256; i++) {
		f->rank[i] = scale_part(lower, &mass);
		lower += by_chance[i];
	}
}

static void find_means(struct features2 *f, uint32_t n_paths)
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

static void find_fittest(struct features2 *f, const struct blocks *b, const struct aggregates *a)
{
	f->fittest = 0;
	for (uint32_t i = 0; i < b->n_elements; i++) {
		struct element_mass *m = &f->mass[i];
		if (m->words == 0)
			continue;
		m->fit = (uint32_t)(2 * m->chance / (m->words + (f->decision.mass >> 16) + 1));
		if (m->fit > f->mass[f->fittest].fit)
			f->fittest = i;
	}
	uint32_t fit = f->mass[f->fittest].fit;
	const struct scale_whole fittest = scale_whole_of(fit);
	f->view[b->n_elements] = (struct element_view2){ .wider = b->n_elements };
	for (uint32_t i = 0; i < b->n_elements; i++) {
		struct element_mass *m = &f->mass[i];
		struct element_view2 *v = &f->view[i];
		m->in_fittest = i == f->fittest || (i && f->mass[b->element[i].parent].in_fittest);
		if (m->words == 0)
			continue;
		v->level[0] = mean_chance(m->chance, m->words);
		v->level[1] = scale_part(m->fit, &fittest);
		v->level[2] = scale_share64(m->taken, m->words);
		v->path = f->path[a->sum[i].path].all_mean;
		v->wider = a->sum[i].wider;
	}
}

/* The run of blocks with the largest sum of (chance - threshold) * words. */
static void find_run(struct features2 *f, const struct first_stage *q, uint32_t n)
{
	int64_t best = INT64_MIN, sum = 0;
	uint32_t first = 0;
	f->run_first = f->run_last = 0;
	for (uint32_t i = 0; i < n; i++) {
		int64_t gain = ((int64_t)q->chance[i] - (int64_t)f->decision.threshold) * q->words[i];
		if (sum <= 0) {
			sum = 0;
			first = i;
		}
		sum += gain;
		if (sum > best) {
			best = sum;
			f->run_first = first;
			f->run_last = i;
		}
	}
}

/* A decaying sum of words and of their chances. */
struct decaying {
	uint64_t chance, words;
};

static void decay(struct decaying *d, uint64_t chance, uint32_t words, uint32_t factor)
{
	d->chance = (d->chance * factor >> 8) + chance;
	d->words = (d->words * factor >> 8) + ((uint64_t)words << 8);
}

static uint8_t decayed_mean(const struct decaying *d)
{
	return scale_share64(d->chance >> 8, d->words + 256);
}

static uint8_t logit(int32_t margin)
{
	return scale_signed(margin >> 8);
}

static void find_logits(struct features2 *f, const struct first_stage *q, uint32_t n)
{
	memset(f->logit, 0, NEIGHBOURS);
	for (uint32_t i = 0; i < n; i++)
		f->logit[NEIGHBOURS + i] = logit(q->margin[i]);
	memset(f->logit + NEIGHBOURS + n, 0, NEIGHBOURS);
}

static void look_around(struct features2 *f, const struct blocks *b, const struct first_stage *q)
{
	struct decaying near = { 0 }, far = { 0 };
	uint64_t before = 0;
	uint32_t heading = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		struct block_mass *m = &f->block[i];
		uint64_t chance = (uint64_t)q->chance[i] * q->words[i];
		m->near_before = decayed_mean(&near);
		m->far_before = decayed_mean(&far);
		m->before = before += chance;
		m->heading = heading;
		if (b->block[i].tag >= HTML_TAG_H1 && b->block[i].tag <= HTML_TAG_H6)
			heading = i + 1;
		decay(&near, chance, q->words[i], NEAR);
		decay(&far, chance, q->words[i], FAR);
	}
	near = far = (struct decaying){ 0 };
	for (uint32_t i = b->n_blocks; i-- > 0;) {
		struct block_mass *m = &f->block[i];
		uint64_t chance = (uint64_t)q->chance[i] * q->words[i];
		m->near_after = decayed_mean(&near);
		m->far_after = decayed_mean(&far);
		decay(&near, chance, q->words[i], NEAR);
		decay(&far, chance, q->words[i], FAR);
	}
}

int features2_prepare(struct features2 *f, const struct blocks *b, const struct aggregates *a,
		      const struct first_stage *q)
{
	int status = reserve(f, b->n_elements, b->n_blocks);
	if (status < 0)
		return status;
	f->decision = decode_best(q->chance, q->words, b->n_blocks, BALANCED);
	sum_masses(f, b, a, q);
	f->mass_words = scale_whole_of(f->decision.mass >> 16);
	find_ranks(f, q, b->n_blocks);
	find_means(f, a->n_paths);
	find_fittest(f, b, a);
	find_logits(f, q, b->n_blocks);
	find_run(f, q, b->n_blocks);
	look_around(f, b, q);
	return DANA_OK;
}

struct column {
	uint8_t (*tile)[TILE];
	uint32_t at;
};

static void put(struct column to, unsigned feature, unsigned value)
{
	to.tile[feature][to.at] = (uint8_t)value;
}

static uint8_t reach(int64_t distance)
{
	return (uint8_t)(distance > RUN_REACH ? 2 * RUN_REACH : distance < -RUN_REACH ? 0 : distance + RUN_REACH);
}

static void put_levels(struct column to, const struct features2 *f, uint32_t element)
{
	unsigned at = FEATURE2_LEVEL0_MEAN;
	_Pragma("GCC unroll 6") for (unsigned level = 0; level < LEVELS; level++, at += LEVEL_FEATURES) {
		const struct element_view2 *v = &f->view[element];
		_Pragma("GCC unroll 3") for (unsigned i = 0; i < LEVEL_FEATURES; i++)
			put(to, at + i, v->level[i]);
		if (level == 1)
			put(to, FEATURE2_PATH1_CHANCE, v->path);
		if (level == 2)
			put(to, FEATURE2_PATH2_CHANCE, v->path);
		element = v->wider;
	}
}

/* Log odds of the blocks and of their neighbours: the same row, some blocks further. */
static void put_logits(uint8_t tile[][TILE], const struct features2 *f, uint32_t first)
{
	const uint8_t *own = f->logit + NEIGHBOURS + first;
	memcpy(tile[FEATURE2_LOGIT], own, TILE);
	for (uint32_t d = 1; d <= NEIGHBOURS; d++) {
		memcpy(tile[FEATURE2_NEXT1 + 2 * (d - 1)], own + d, TILE);
		memcpy(tile[FEATURE2_PREV1 + 2 * (d - 1)], own - d, TILE);
	}
}

/* What all blocks of a page have in common: whole rows. */
static void put_page(uint8_t tile[][TILE], const struct features2 *f)
{
	uint64_t mass = f->decision.mass >> 16;
	uint32_t fit = f->mass[f->fittest].fit;
	const struct {
		uint8_t feature, value;
	} rows[] = {
		{ FEATURE2_PAGE_EXPECTED, (uint8_t)(f->decision.expected > 65535 ? 255 : f->decision.expected >> 8) },
		{ FEATURE2_PAGE_FITTEST, (uint8_t)(fit > 65535 ? 255 : fit >> 8) },
		{ FEATURE2_PAGE_MASS, scale_log(mass > UINT32_MAX ? UINT32_MAX : (uint32_t)mass) },
		{ FEATURE2_PAGE_WORDS, scale_log(f->words > UINT32_MAX ? UINT32_MAX : (uint32_t)f->words) },
		{ FEATURE2_PAGE_RATIO, scale_share64(mass, f->words) },
		{ FEATURE2_PAGE_THRESHOLD, (uint8_t)(f->decision.threshold >> 8) },
		{ FEATURE2_PAGE_MOST, (uint8_t)(f->most >> 8) },
		{ FEATURE2_PAGE_TAKEN, scale_share64(f->taken, f->words) },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		memset(tile[rows[i].feature], rows[i].value, TILE);
}

static void put_place(struct column to, const struct features2 *f, const struct blocks *b, const struct aggregates *a,
		      const struct first_stage *q, uint32_t i)
{
	const struct block_mass *m = &f->block[i];
	const struct path_mass *p = &f->path[a->sum[b->block[i].element].path];
	int64_t at = i, first = f->run_first, last = f->run_last;
	put(to, FEATURE2_OVER, scale_signed(((int32_t)q->chance[i] - (int32_t)f->decision.threshold) / 512));
	put(to, FEATURE2_OVER_MEAN, scale_signed((q->margin[i] >> 8) - f->mean));
	put(to, FEATURE2_RANK, f->rank[q->chance[i] >> 8]);
	put(to, FEATURE2_PATH_MASS, p->share);
	put(to, FEATURE2_PATH_OVER, scale_signed((int32_t)p->mean / 2 - (int32_t)f->path_most / 2));
	put(to, FEATURE2_SELECTED, q->chance[i] >= f->decision.threshold);
	put(to, FEATURE2_IN_FITTEST, f->mass[b->block[i].element].in_fittest);
	put(to, FEATURE2_RUN_OUTSIDE, reach(at < first ? at - first : at > last ? at - last : 0));
	put(to, FEATURE2_RUN_START, reach(at - first));
	put(to, FEATURE2_RUN_END, reach(last - at));
	put(to, FEATURE2_PATH_CHANCE, p->mean);
	put(to, FEATURE2_COPY_LOGIT, a->copy_of[i] == i ? 0 : f->logit[NEIGHBOURS + a->copy_of[i]]);
	put(to, FEATURE2_HEADING_LOGIT, m->heading ? f->logit[NEIGHBOURS + m->heading - 1] : 0);
	put(to, FEATURE2_BEFORE_NEAR, m->near_before);
	put(to, FEATURE2_BEFORE_FAR, m->far_before);
	put(to, FEATURE2_AFTER_NEAR, m->near_after);
	put(to, FEATURE2_AFTER_FAR, m->far_after);
	put(to, FEATURE2_MASS_BEFORE, scale_part(m->before >> 16, &f->mass_words));
}

void features2_tile(const struct features2 *f, const struct blocks *b, const struct aggregates *a,
		    const struct first_stage *q, uint32_t first, uint32_t n, uint8_t tile[][TILE])
{
	put_page(tile, f);
	put_logits(tile, f, first);
	for (uint32_t at = 0; at < n; at++) {
		uint32_t i = first + at;
		struct column to = { tile, at };
		put_place(to, f, b, a, q, i);
		put_levels(to, f, b->block[i].element);
	}
	memcpy(tile[FEATURE2_OWN_UNITS], q->kept[first / TILE], sizeof q->kept[0]);
}

void features2_free(struct features2 *f)
{
	free(f->mass);
	free(f->view);
	free(f->path);
	free(f->block);
	free(f->logit);
	*f = (struct features2){ 0 };
}
