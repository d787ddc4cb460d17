/* SPDX-License-Identifier: MIT */
/*
 * Prepares once for each page what the features of many blocks share: what depends on the blocks before and after a
 * block (one pass in each direction), prefix sums for windows of neighbours, and the features of elements and paths,
 * which all blocks in them have. features_tile.c only copies and combines these.
 *
 * Example: with prefix sums of units 0, 10, 30, 60 the blocks 1 and 2 together have 60 - 10 = 50 units; the cost does
 * not depend on the size of the window.
 */
#include "extract/learned/features.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "extract/learned/features_view.h"

const char *const feature_names[FEATURE_COUNT] = {
#define FEATURE_NAME(id) #id,
	FEATURES(FEATURE_NAME)
#undef FEATURE_NAME
};

enum { DECAY = 179 /* of 256: 0.7 */ };

static int reserve(struct features *f, uint32_t n_blocks, uint32_t n_elements)
{
	const struct grow_array context = GROW_ARRAY(f->context), prefix = GROW_ARRAY(f->prefix);
	const struct grow_array elements[] = { GROW_ARRAY(f->view), GROW_ARRAY(f->path) };
	int status = grow_arrays(&context, 1, n_blocks / TILE + 1, &f->cap_tiles);
	if (status < 0)
		return status;
	status = grow_arrays(&prefix, 1, n_blocks + 2 * (size_t)NEIGHBOURS_MOST + 1, &f->cap_prefix);
	return status < 0 ? status : grow_arrays(elements, 2, (size_t)n_elements + 1, &f->cap_elements);
}

/* Returns the units weighted by the tokens' chance: linear from 0 at -4 to 1 at +4. */
static uint32_t token_units(const struct block *b, uint8_t tokens)
{
	int chance = 128 + ((int)tokens - 128) * 4;
	chance = chance < 0 ? 0 : chance > 256 ? 256 : chance;
	return (uint32_t)((uint64_t)b->counts.units * (unsigned)chance / 256);
}

static uint32_t decay(uint32_t sum, uint32_t units)
{
	return (uint32_t)(((uint64_t)sum * DECAY + (uint64_t)(units < 1U << 20 ? units : 1U << 20) * 256) >> 8);
}

static unsigned heading_level(uint8_t tag)
{
	return tag >= HTML_TAG_H1 && tag <= HTML_TAG_H6 ? tag - HTML_TAG_H1 + 1U : 0;
}

/* The heading before a block. */
struct heading {
	uint8_t level, tokens, digits, units;
};

static void put_heading(struct context_tile *c, uint32_t at, const struct heading *h)
{
	c->row[CONTEXT_HEADING_LEVEL][at] = h->level;
	c->row[CONTEXT_HEADING_TOKENS][at] = h->tokens;
	c->row[CONTEXT_HEADING_DIGITS][at] = h->digits;
	c->row[CONTEXT_HEADING_UNITS][at] = h->units;
}

/* Decaying sums of prose, and of text by its tokens. */
struct decaying {
	uint32_t good, tokens;
};

static void decaying_add(struct decaying *d, const struct block *block, uint8_t tokens)
{
	d->good = decay(d->good, block->prose);
	d->tokens = decay(d->tokens, token_units(block, tokens));
}

/* Counts exclude the block's own flags, distances include them. */
static void put_flags_before(struct flag_tracker *s, struct context_tile *c, uint32_t at, unsigned flags)
{
	for (unsigned k = 0; k < FLAGS_COUNTED; k++)
		c->row[CONTEXT_FLAGS_BEFORE + k][at] = scale_log(s->count[k]);
	flag_tracker_add(s, flags);
	c->flags[at] = (uint8_t)flags;
	for (unsigned k = 0; k < FLAGS_LOCATED; k++)
		c->row[CONTEXT_SINCE_FLAG + k][at] = flag_tracker_distance(s, k);
}

static void put_flags_after(struct flag_tracker *s, struct context_tile *c, uint32_t at)
{
	flag_tracker_add(s, c->flags[at]);
	for (unsigned k = 0; k < FLAGS_LOCATED; k++)
		c->row[CONTEXT_UNTIL_FLAG + k][at] = flag_tracker_distance(s, k);
}

static void look_back(struct features *f, const struct blocks *b)
{
	struct decaying sums = { 0 };
	unsigned since_heading = FAR_BLOCKS;
	struct heading heading = { .tokens = 128 };
	flag_tracker_reset(&f->tracker);

	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct block *block = &b->block[i];
		struct context_tile *c = &f->context[i / TILE];
		uint32_t at = i % TILE;
		uint8_t tokens = view_tokens(b->element[block->element].total + block->inline_score + f->bias);
		uint8_t units = scale_log(block->counts.units), links = scale_share(block->linked, block->counts.units);
		page_totals_add(&f->totals, block, tokens);
		c->row[CONTEXT_TOKENS][at] = tokens;
		c->row[CONTEXT_UNITS][at] = units;
		c->row[CONTEXT_LINKS][at] = links;
		c->row[CONTEXT_ENDS_STOP][at] = block->counts.stopped;
		c->row[CONTEXT_SINCE_HEADING][at] = (uint8_t)since_heading;
		c->row[CONTEXT_TOKENS_BEFORE][at] = scale_log(sums.tokens);

		put_heading(c, at, &heading);
		put_flags_before(&f->tracker, c, at, block_flags_of(block, tokens, links));

		since_heading += since_heading < FAR_BLOCKS;
		if (heading_level(block->tag)) {
			since_heading = 1;
			heading = (struct heading){ (uint8_t)heading_level(block->tag), tokens,
						    scale_cap(block->counts.digits, 255), units };
		}
		decaying_add(&sums, block, tokens);
	}

	/* there is no block after the last one */
	f->context[b->n_blocks / TILE].row[CONTEXT_TOKENS][b->n_blocks % TILE] = 0;
}

static void look_ahead(struct features *f, const struct blocks *b)
{
	struct decaying sums = { 0 };
	struct flag_tracker tracker;
	unsigned until_good = FAR_BLOCKS;
	flag_tracker_reset(&tracker);

	for (uint32_t i = b->n_blocks; i-- > 0;) {
		const struct block *block = &b->block[i];
		struct context_tile *c = &f->context[i / TILE];
		uint32_t at = i % TILE;
		c->row[CONTEXT_UNTIL_GOOD][at] = (uint8_t)until_good;
		put_flags_after(&tracker, c, at);
		c->row[CONTEXT_GOOD_AFTER][at] = scale_log(sums.good);
		c->row[CONTEXT_TOKENS_AFTER][at] = scale_log(sums.tokens);

		until_good += until_good < FAR_BLOCKS;
		if (page_totals_is_good(block))
			until_good = 1;
		decaying_add(&sums, block, c->row[CONTEXT_TOKENS][at]);
	}
}

/*
 * NEIGHBOURS_MOST entries before the first block and after the last repeat the sums there, so that readers need no
 * bounds.
 */
static void sum_prefixes(struct features *f, const struct blocks *b)
{
	struct prefix_sums sum = { 0 }, *to = f->prefix + NEIGHBOURS_MOST;
	uint32_t n = b->n_blocks;
	for (uint32_t i = 0; i < n; i++) {
		const struct block *block = &b->block[i];
		sum.start = block->start;
		*to++ = sum;
		sum.units += block->counts.units;
		sum.linked += block->linked;
		sum.dates += block->has_date;
		sum.prose += block->prose;
		sum.end = block->end;
	}

	for (uint32_t i = 0; i < NEIGHBOURS_MOST; i++)
		f->prefix[i] = f->prefix[NEIGHBOURS_MOST];
	for (uint32_t i = 0; i <= NEIGHBOURS_MOST; i++)
		to[i] = sum;
}

static void view_paths(struct features *f, const struct aggregates *a)
{
	for (uint32_t i = 0; i < a->n_paths; i++) {
		const struct path_sums *p = &a->path[i];
		struct path_view *v = &f->path[i];
		*v = (struct path_view){ .repeats = scale_log(p->elements - 1) };
		if (p->blocks == 0)
			continue;
		v->blocks = scale_log(p->blocks);
		v->mean = scale_log(p->units / p->blocks);
		v->links = scale_share(p->linked, p->units);
		v->share = scale_part(p->units, &f->units);
		v->prose = scale_share(p->prose, f->totals.path_prose);
	}
}

/* An element that only wraps another has no view but its share of the page, which those that meet in it have. */
static void view_elements(struct features *f, const struct blocks *b, const struct aggregates *a)
{
	const struct scale_whole score = scale_whole_of(f->best_score);
	f->view[b->n_elements] = (struct element_view){ .wider = b->n_elements };
	for (uint32_t i = 0; i < b->n_elements; i++) {
		const struct element_sums *s = &a->sum[i];
		struct element_view *v = &f->view[i];
		uint8_t repeats = f->path[s->path].repeats, around = i ? f->view[b->element[i].parent].repeats_most : 0;
		v->repeats_most = repeats > around ? repeats : around;
		if (s->blocks == 0)
			continue;
		uint8_t *level = v->level;
		level[LEVEL_AT(SHARE)] = scale_part(s->units, &f->units);
		if (s->wraps)
			continue;
		v->wider = s->wider;
		level[LEVEL_AT(UNITS)] = scale_log(s->units);
		level[LEVEL_AT(LINKS)] = scale_share(s->linked, s->units);
		level[LEVEL_AT(MARKS)] = view_mark_density(s->marks, s->units);
		level[LEVEL_AT(PARAGRAPHS)] = scale_share(s->p_units, s->units);
		level[LEVEL_AT(SCORE)] = scale_part(s->score, &score);
		level[LEVEL_AT(REPEATS)] = repeats;
		level[LEVEL_AT(STAMPS)] = scale_share(s->dates, s->blocks);
	}
}

int features_prepare(struct features *f, const struct blocks *b, const struct aggregates *a)
{
	int status = reserve(f, b->n_blocks, b->n_elements);
	if (status < 0)
		return status;
	status = page_totals_begin(&f->totals, b);
	if (status < 0)
		return status;

	f->best_score = aggregates_net_score(&a->sum[a->best]);
	f->units = scale_whole_of(a->units);
	f->bytes = scale_whole_of(b->page_bytes);
	f->next_byte = scale_whole_of(b->page_bytes + 1);

	look_back(f, b);
	look_ahead(f, b);
	sum_prefixes(f, b);
	page_totals_end(&f->totals, b, a);

	f->prose = scale_whole_of(f->totals.prose);
	f->units_most = scale_whole_of(f->totals.units_most);
	view_paths(f, a);
	view_elements(f, b, a);
	return DANA_OK;
}

void features_free(struct features *f)
{
	free(f->context);
	free(f->view);
	free(f->path);
	free(f->prefix);
	page_totals_free(&f->totals);
	int32_t bias = f->bias;
	*f = (struct features){ .bias = bias };
}
