/* SPDX-License-Identifier: MIT */
/*
 * A tile of the first stage's features: one row for each feature, one column for each of 64 blocks. What features.c
 * prepared for each block is copied as whole rows; what a block takes from its elements is 16 bytes for each block, and
 * is transposed, 16 blocks at a time; the rest is written byte by byte.
 *
 * Example: PAGE_BLOCKS is the same for all blocks, so its row is one memset; NEXT_TOKENS is the row TOKENS shifted by
 * one column.
 */
#include "base/cpu.h"
#include "extract/learned/features_view.h"

#ifdef CPU_PATHS_SSE2
#include <emmintrin.h>
#endif

enum { SIDE = 16 };

#ifdef CPU_PATHS_SSE2
static void side_turn_sse2(uint8_t (*tile)[TILE], uint32_t at, const uint8_t (*rows)[SIDE])
{
	__m128i v[SIDE], w[SIDE];
	memcpy(v, rows, sizeof(v));
	/* each step interleaves the lower and the upper half of the rows: after four steps bytes are columns */
	_Pragma("GCC unroll 4") for (unsigned step = 0; step < 4; step++)
	{
		_Pragma("GCC unroll 8") for (unsigned k = 0; k < SIDE / 2; k++)
		{
			w[2 * k] = _mm_unpacklo_epi8(v[k], v[k + SIDE / 2]);
			w[2 * k + 1] = _mm_unpackhi_epi8(v[k], v[k + SIDE / 2]);
		}
		memcpy(v, w, sizeof(v));
	}
	_Pragma("GCC unroll 16") for (unsigned k = 0; k < SIDE; k++) memcpy(tile[k] + at, &v[k], sizeof(v[k]));
}
#endif

/* Turns rows of SIDE blocks into columns, from `at` on, of as many rows of the tile. */
static void side_turn(uint8_t (*tile)[TILE], uint32_t at, const uint8_t (*rows)[SIDE])
{
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2) {
		side_turn_sse2(tile, at, rows);
		return;
	}
#endif
	for (unsigned i = 0; i < SIDE; i++) {
		for (unsigned k = 0; k < SIDE; k++)
			tile[i][at + k] = rows[k][i];
	}
}

/* The column of one block in the tile. */
struct column {
	uint8_t (*tile)[TILE];
	uint32_t at;
};

static void put(struct column to, unsigned feature, unsigned value)
{
	to.tile[feature][to.at] = (uint8_t)value;
}

static void put_own(struct column to, const struct block *block, const struct element *e)
{
	put(to, FEATURE_WORDS, scale_log(block->counts.words));
	put(to, FEATURE_HIDDEN, block->hidden);
	put(to, FEATURE_DEPTH, scale_cap(e->depth, 255));
	put(to, FEATURE_TAG_DIV, block->tag == HTML_TAG_DIV);
	put(to, FEATURE_IN_ARTICLE, e->distance[ANC_ARTICLE]);
	put(to, FEATURE_IN_MAIN, e->distance[ANC_MAIN]);
	put(to, FEATURE_IN_FOOTER, e->distance[ANC_FOOTER]);
}

/* Returns the distance between two blocks: 50 means 0; it is limited to 1 and 250. */
static uint8_t position(uint32_t at, uint32_t origin)
{
	int64_t after = (int64_t)at - (int64_t)origin;
	return (uint8_t)(after < -49 ? 1 : after > 200 ? 250 : after + 50);
}

/* Returns how much of the page is before a byte, in 1/127. */
static unsigned share_127(const struct features *f, uint32_t byte)
{
	return (unsigned)(byte < 1U << 24 ? scale_divide(byte * 127U, &f->next_byte)
					  : byte * (uint64_t)127 / f->next_byte.whole);
}

static void put_place(struct column to, const struct features *f, const struct blocks *b, const struct aggregates *a,
		      uint32_t i)
{
	const struct block *block = &b->block[i], *h1 = a->h1_block != NO_BLOCK ? &b->block[a->h1_block] : NULL;
	put(to, FEATURE_CODE_BEFORE, scale_log(block->start - (i ? b->block[i - 1].end : 0)));
	put(to, FEATURE_BYTE_SHARE, scale_part(block->start, &f->bytes));
	put(to, FEATURE_TEXT_SHARE, scale_part(f->prefix[NEIGHBOURS_MOST + i].units, &f->units));
	put(to, FEATURE_COPIES, scale_cap(a->copies[a->text[i]], 255));
	put(to, FEATURE_AFTER_H1, h1 ? position(i, a->h1_block) : 0);
	put(to, FEATURE_BYTES_AFTER_H1, 128 + share_127(f, block->start) - (h1 ? share_127(f, h1->start) : 0));
	put(to, FEATURE_TEXTAREAS_BEFORE, scale_cap(block->textareas_before, 255));
	put(to, FEATURE_TEXTAREAS_AFTER, scale_cap(b->textareas - block->textareas_before, 255));
}

static uint8_t log64(uint64_t v)
{
	return scale_log(v > UINT32_MAX ? UINT32_MAX : (uint32_t)v);
}

/* Writes what all blocks of a page have in common, as whole rows. */
static void put_page(uint8_t tile[][TILE], const struct features *f, const struct blocks *b, const struct aggregates *a)
{
	const struct page_totals *s = &f->totals;
	const struct page_meta *m = b->meta;
	const struct {
		uint8_t feature, value;
	} rows[] = {
		{ FEATURE_PAGE_BLOCKS, scale_log(b->n_blocks) },
		{ FEATURE_PAGE_LINKS, scale_part(a->linked, &f->units) },
		{ FEATURE_PAGE_ARTICLES, scale_cap(b->articles, 255) },
		{ FEATURE_PAGE_MAIN, b->has_main },
		{ FEATURE_PAGE_IMAGES, scale_log(b->images) },
		{ FEATURE_PAGE_CURRENCY, scale_log(s->currency) },
		{ FEATURE_PAGE_PROSE, log64(s->prose) },
		{ FEATURE_PAGE_EXCLAIMS, scale_log(flag_tracker_count(&f->tracker, FLAG_EXCLAIM)) },
		{ FEATURE_PAGE_STAMPS, scale_log(flag_tracker_count(&f->tracker, FLAG_DATE)) },
		{ FEATURE_PAGE_INPUTS, scale_log(b->inputs) },
		{ FEATURE_PAGE_LI, scale_part(s->li_units, &f->units) },
		{ FEATURE_PAGE_STOPS, scale_share(s->stops, b->n_blocks) },
		{ FEATURE_PAGE_HEADINGS, scale_log(s->headings) },
		{ FEATURE_PAGE_LINKED_HEADINGS, scale_log(s->linked_headings) },
		{ FEATURE_PAGE_LINK_LENGTH, view_link_length(a->linked, a->links) },
		{ FEATURE_PAGE_TOKENS, view_tokens(b->body_tokens) },
		{ FEATURE_PAGE_TOKENS_BEST, s->tokens_best },
		{ FEATURE_PAGE_KIND, m->og_type },
		{ FEATURE_DECLARES_RECIPE, (m->declared.types & DECLARED_RECIPE) != 0 },
		{ FEATURE_DECLARES_PRODUCT, (m->declared.types & DECLARED_PRODUCT) != 0 },
		{ FEATURE_DECLARES_ARTICLE, (m->declared.types & DECLARED_ARTICLE) != 0 },
		{ FEATURE_DECLARES_FORUM, (m->declared.types & DECLARED_FORUM) != 0 },
		{ FEATURE_DECLARES_LIST, (m->declared.types & DECLARED_LIST) != 0 },
		{ FEATURE_DECLARES_SERVICE, (m->declared.types & DECLARED_SERVICE) != 0 },
		{ FEATURE_PAGE_URL_LAST, m->url_last },
		{ FEATURE_PAGE_URL_DIGITS, m->url_digits },
		{ FEATURE_BEST_SCORE, scale_log(f->best_score) },
		{ FEATURE_BEST_SHARE, scale_part(a->sum[a->best].units, &f->units) },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		memset(tile[rows[i].feature], rows[i].value, TILE);
}

static unsigned steps(const struct blocks *b, uint32_t from, uint32_t to)
{
	unsigned n = (unsigned)(b->element[from].depth - b->element[to].depth);
	return n < FAR_BLOCKS ? n : FAR_BLOCKS;
}

static void put_path(struct column to, const struct path_view *p)
{
	put(to, FEATURE_PATH_BLOCKS, p->blocks);
	put(to, FEATURE_PATH_MEAN, p->mean);
	put(to, FEATURE_PATH_LINKS, p->links);
	put(to, FEATURE_PATH_SHARE, p->share);
	put(to, FEATURE_PATH_PROSE, p->prose);
}

static void put_best(struct column to, const struct features *f, const struct blocks *b, const struct aggregates *a,
		     uint32_t element)
{
	const struct element_sums *s = &a->sum[element];
	put(to, FEATURE_BEST_INSIDE, s->in_best);
	put(to, FEATURE_BEST_STEPS, s->in_best ? steps(b, element, a->best) : FAR_BLOCKS);
	put(to, FEATURE_BEST_PARENT, s->in_best_parent);
	put(to, FEATURE_BEST_MEETS, steps(b, element, s->common_best));
	put(to, FEATURE_BEST_MEETS_SHARE, f->view[s->common_best].level[LEVEL_AT(SHARE)]);
	bool h1 = a->h1_block != NO_BLOCK;
	put(to, FEATURE_H1_MEETS, h1 ? steps(b, element, s->common_h1) : FAR_BLOCKS);
	put(to, FEATURE_H1_MEETS_SHARE, h1 ? f->view[s->common_h1].level[LEVEL_AT(SHARE)] : 0);
}

static void put_description(struct column to, const struct features *f, const struct blocks *b, uint32_t i)
{
	const struct page_totals *s = &f->totals;
	bool placed = s->described != NO_BLOCK;
	uint32_t element = b->block[i].element, common = placed ? s->common[element] : 0;
	put(to, FEATURE_DESCRIPTION_COVERED, s->has_description ? s->covered[i] : 0);
	put(to, FEATURE_AFTER_DESCRIPTION, placed ? position(i, s->described) : 0);
	put(to, FEATURE_DESCRIPTION_MEETS, placed ? steps(b, element, common) : FAR_BLOCKS);
	put(to, FEATURE_DESCRIPTION_MEETS_SHARE, placed ? f->view[common].level[LEVEL_AT(SHARE)] : 0);
}

/*
 * Writes the share of text units in the bytes of all blocks at most `distance` blocks away, and the share of links in
 * these units.
 */
static void put_around(struct column to, const struct prefix_sums *own, int distance, unsigned density, unsigned links)
{
	const struct prefix_sums *first = own - distance, *after = own + distance + 1;
	uint32_t units = after->units - first->units;
	put(to, density, scale_share64(units, (uint64_t)after->end - first->start));
	put(to, links, scale_share(after->linked - first->linked, units));
}

static void put_neighbourhood(struct column to, const struct features *f, uint32_t i)
{
	const struct prefix_sums *own = f->prefix + NEIGHBOURS_MOST + i;
	put(to, FEATURE_STAMPS16, own[NEIGHBOURS_MOST + 1].dates - own[-NEIGHBOURS_MOST].dates);
	put_around(to, own, 2, FEATURE_DENSITY2, FEATURE_LINKS2);
	put_around(to, own, 4, FEATURE_DENSITY4, FEATURE_LINKS4);
	put(to, FEATURE_LINKS8, scale_share(own[9].linked - own[-8].linked, own[9].units - own[-8].units));
}

static void put_tokens(struct column to, const struct features *f, const struct blocks *b, uint32_t i)
{
	const struct block *block = &b->block[i];
	const struct element *e = &b->element[block->element];
	uint8_t tokens = f->context[i / TILE].row[CONTEXT_TOKENS][i % TILE];
	put(to, FEATURE_TOKENS_RELATIVE, scale_signed((int32_t)tokens - (int32_t)f->totals.tokens_best));
	put(to, FEATURE_TOKENS_OVER_MEAN, scale_signed((int32_t)tokens - (int32_t)f->totals.tokens_mean));
	put(to, FEATURE_TOKENS_MOST, view_own_tokens(e->most));
	put(to, FEATURE_TOKENS_LEAST, view_own_tokens(e->least));
	put(to, FEATURE_TOKENS_OWN, view_own_tokens(e->score));
	put(to, FEATURE_TOKENS_PARENT, view_own_tokens(b->element[e->parent].score));
}

/* Writes the features that compare the block with its page. */
static void put_relative(struct column to, const struct features *f, const struct block *block, uint32_t i)
{
	put(to, FEATURE_SHARE_OF_PAGE, scale_part(block->counts.units, &f->units));
	put(to, FEATURE_UNITS_RELATIVE, scale_part(block->counts.units, &f->units_most));
	put(to, FEATURE_PROSE_BEFORE, scale_part(f->prefix[NEIGHBOURS_MOST + i].prose, &f->prose));
}

/* Copies what is prepared for a page, as whole rows. The tokens of neighbours are the same row, shifted by a block. */
static void put_context(uint8_t tile[][TILE], const struct features *f, uint32_t n_blocks, uint32_t first)
{
	static const uint8_t own[CONTEXT_SINCE_FLAG] = {
		[CONTEXT_UNITS] = FEATURE_UNITS,
		[CONTEXT_LINKS] = FEATURE_LINKS,
		[CONTEXT_ENDS_STOP] = FEATURE_ENDS_STOP,
		[CONTEXT_TOKENS] = FEATURE_TOKENS,
		[CONTEXT_UNTIL_GOOD] = FEATURE_UNTIL_GOOD,
		[CONTEXT_SINCE_HEADING] = FEATURE_SINCE_HEADING,
		[CONTEXT_HEADING_LEVEL] = FEATURE_HEADING_LEVEL,
		[CONTEXT_HEADING_TOKENS] = FEATURE_HEADING_TOKENS,
		[CONTEXT_HEADING_DIGITS] = FEATURE_HEADING_DIGITS,
		[CONTEXT_HEADING_UNITS] = FEATURE_HEADING_UNITS,
		[CONTEXT_TOKENS_BEFORE] = FEATURE_TOKENS_BEFORE,
		[CONTEXT_GOOD_AFTER] = FEATURE_GOOD_AFTER,
		[CONTEXT_TOKENS_AFTER] = FEATURE_TOKENS_AFTER,
	};
	const struct context_tile *c = &f->context[first / TILE];
	_Static_assert((int)FEATURE_LINKED_BEFORE - (int)FEATURE_SINCE_STOP + 1 ==
			       (int)CONTEXT_COUNT - (int)CONTEXT_SINCE_FLAG,
		       "flags are next to each other");
	for (unsigned k = 0; k < CONTEXT_SINCE_FLAG; k++)
		memcpy(tile[own[k]], c->row[k], TILE);
	memcpy(tile[FEATURE_SINCE_STOP], c->row[CONTEXT_SINCE_FLAG],
	       (size_t)(CONTEXT_COUNT - CONTEXT_SINCE_FLAG) * TILE);
	tile[FEATURE_PREV_TOKENS][0] = first ? c[-1].row[CONTEXT_TOKENS][TILE - 1] : 0;
	memcpy(tile[FEATURE_PREV_TOKENS] + 1, c->row[CONTEXT_TOKENS], TILE - 1);
	memcpy(tile[FEATURE_NEXT_TOKENS], c->row[CONTEXT_TOKENS] + 1, TILE - 1);
	tile[FEATURE_NEXT_TOKENS][TILE - 1] = first + TILE < n_blocks ? c[1].row[CONTEXT_TOKENS][0] : 0;
}

/* Writes features of the elements around: they come as one row for each block, and are turned into columns. */
static void put_levels(uint8_t tile[][TILE], const struct features *f, const struct blocks *b, uint32_t first,
		       uint32_t n)
{
	enum { LEVEL_SIDES = LEVELS * LEVEL_FEATURES / SIDE };
	_Static_assert(FEATURE_LEVEL3_STAMPS - FEATURE_LEVEL0_UNITS == LEVEL_SIDES * SIDE - 1,
		       "levels stand beside each other");
	for (uint32_t from = 0; from < n; from += SIDE) {
		uint8_t level[LEVEL_SIDES][SIDE][SIDE];
		for (uint32_t k = 0; k < SIDE; k++) {
			uint32_t element = b->block[from + k < n ? first + from + k : first].element;
			for (unsigned i = 0; i < LEVELS; i++, element = f->view[element].wider)
				memcpy(level[i / 2][k] + i % 2 * LEVEL_FEATURES, f->view[element].level,
				       LEVEL_FEATURES);
		}
		for (unsigned i = 0; i < LEVEL_SIDES; i++)
			side_turn(tile + FEATURE_LEVEL0_UNITS + i * SIDE, from, (const uint8_t(*)[SIDE])level[i]);
	}
}

void features_tile(const struct features *f, const struct blocks *b, const struct aggregates *a, uint32_t first,
		   uint32_t n, uint8_t tile[][TILE])
{
	put_page(tile, f, b, a);
	put_context(tile, f, b->n_blocks, first);
	put_levels(tile, f, b, first, n);
	for (uint32_t at = 0; at < n; at++) {
		uint32_t i = first + at;
		struct column to = { tile, at };
		const struct block *block = &b->block[i];
		put_own(to, block, &b->element[block->element]);
		put_place(to, f, b, a, i);
		put_path(to, &f->path[a->sum[block->element].path]);
		put_best(to, f, b, a, block->element);
		put(to, FEATURE_REPEATS_MOST, f->view[block->element].repeats_most);
		put_neighbourhood(to, f, i);
		put_tokens(to, f, b, i);
		put_description(to, f, b, i);
		put_relative(to, f, block, i);
	}
}
