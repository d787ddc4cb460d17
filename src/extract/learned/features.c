/* SPDX-License-Identifier: MIT */
/*
 * The features of each block: sums over elements first, then units that repeat, then what depends on the blocks before
 * and after a block, then the features themselves, for a tile of blocks at a time.
 */
#include "extract/learned/features.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cpu.h"
#include "base/status.h"

enum { NO_BLOCK = UINT32_MAX };

/** Returns the score of an element, reduced by its share of links. */
static inline uint32_t aggregates_net_score(const struct element_sums *s)
{
	return s->units ? (uint32_t)((uint64_t)s->score * (s->units - s->linked) / s->units) : 0;
}

/*
 * Sums over elements. Each block adds to its own element; one pass over the elements from the last to the first then
 * adds each to its parent (parents have lower numbers than children), and one from the first to the last passes down
 * what children take from their parents. Nothing recurses, whatever the depth.
 *
 * Example: in <main><div><p>...</p></div></main> a paragraph of 200 units with 3 commas and no links has the score 100
 * + 3 * 100 + 200 = 600. It adds 600 to <div>, 300 to <main>, and 200 and 100 to the two elements around that.
 */

/* Blocks with fewer units do not add to the scores of their ancestors (Mozilla Readability's rule). */
enum { SCORED_UNITS = 25 };

/* Fills what an element takes from its ancestors. Parents come first. */
static void pass_down(struct aggregates *a, const struct blocks *b)
{
	uint32_t best_parent = b->element[a->best].parent;
	a->sum[b->n_elements] = (struct element_sums){ .wider = b->n_elements };
	a->sum[0].wider = b->n_elements;
	a->sum[0].in_best = a->best == 0;
	a->sum[0].in_best_parent = true;
	if (a->best != 0 && best_parent != 0)
		a->sum[0].in_best_parent = false;
	for (uint32_t i = 1; i < b->n_elements; i++) {
		struct element_sums *s = &a->sum[i];
		uint32_t parent = b->element[i].parent;
		struct element_sums *p = &a->sum[parent];
		s->wider = p->blocks != s->blocks ? parent : p->wider;
		p->wraps |= p->blocks == s->blocks;
		s->in_best = i == a->best || p->in_best;
		s->in_best_parent = i == best_parent || p->in_best_parent;
		/* already set for ancestors of the best element or of the h1: they are their own common ancestor */
		if (s->common_best == 0)
			s->common_best = p->common_best;
		if (s->common_h1 == 0)
			s->common_h1 = p->common_h1;
	}
}

int aggregates_compute(struct aggregates *a, const struct blocks *b)
{
	const struct grow_array elements[] = { GROW_ARRAY(a->sum), GROW_ARRAY(a->path) };
	const struct grow_array blocks[] = { GROW_ARRAY(a->text), GROW_ARRAY(a->copies) };
	int status = renew_arrays(elements, 2, (size_t)b->n_elements + 1, &a->cap_elements);
	if (status == DANA_OK)
		status = renew_arrays(blocks, 2, b->n_blocks, &a->cap_blocks);
	if (status < 0)
		return status;
	a->units = a->linked = a->links = a->steps = 0;
	a->n_paths = 0;
	a->h1_block = NO_BLOCK;
	/* number the paths */
	status = key_trie_reset(&a->keys, b->n_elements);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_elements; i++) {
		uint32_t path = key_trie_number(&a->keys, b->element[i].path);
		if (path == a->n_paths)
			a->path[a->n_paths++] = (struct path_sums){ 0 };
		a->sum[i] = (struct element_sums){ .path = path };
		a->path[path].elements++;
	}
	a->steps += a->keys.steps;
	/* find the copies */
	status = key_trie_reset(&a->keys, b->n_blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0, texts = 0; i < b->n_blocks; i++) {
		uint32_t text = key_trie_number(&a->keys, b->block[i].hash);
		if (text == texts)
			a->copies[texts++] = 0;
		a->text[i] = text;
		a->copies[text]++;
	}
	a->steps += a->keys.steps;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct block *block = &b->block[i];
		const struct counts *c = &block->counts;
		struct element_sums *s = &a->sum[block->element];
		s->units += c->units;
		s->linked += block->linked;
		a->links += block->links;
		s->marks += c->stops + c->commas;
		s->blocks++;
		s->dates += block->has_date;
		s->p_units += block->tag == HTML_TAG_P ? c->units : 0;
		struct path_sums *p = &a->path[s->path];
		p->blocks++;
		p->units += c->units;
		p->linked += block->linked;
		p->prose += block->prose;
		a->units += c->units;
		a->linked += block->linked;
		if (block->tag == HTML_TAG_H1 && a->h1_block == NO_BLOCK)
			a->h1_block = i;
		/* the score of a paragraph goes to four ancestors of its element: all of it to the parent, then 1/2,
		 * 1/3 and 1/6 */
		static const uint32_t part[] = { 6, 3, 2, 1 };
		if (c->units < SCORED_UNITS)
			continue;
		uint32_t score =
			100 + 100 * (c->commas < 10000 ? c->commas : 10000) + (c->units < 300 ? c->units : 300);
		score = (uint32_t)((uint64_t)score * (c->units - block->linked) / c->units);
		uint32_t e = block->element;
		for (size_t k = 0; k < 4 && e; k++) {
			e = b->element[e].parent;
			uint32_t *to = &a->sum[e].score;
			uint32_t added = score * part[k] / 6;
			*to = *to > UINT32_MAX - added ? UINT32_MAX : *to + added;
		}
	}
	for (uint32_t i = b->n_elements; i-- > 1;) {
		const struct element_sums *s = &a->sum[i];
		struct element_sums *p = &a->sum[b->element[i].parent];
		p->units += s->units;
		p->linked += s->linked;
		p->dates += s->dates;
		p->blocks += s->blocks;
		p->marks += s->marks;
		p->p_units += s->p_units;
	}
	uint32_t most = 0;
	a->best = 0;
	for (uint32_t i = 0; i < b->n_elements; i++) {
		if (a->sum[i].score <= most)
			continue;
		uint32_t net = aggregates_net_score(&a->sum[i]);
		if (net > most) {
			most = net;
			a->best = i;
		}
	}
	for (uint32_t e = a->best; e; e = b->element[e].parent)
		a->sum[e].common_best = e;
	if (a->h1_block != NO_BLOCK) {
		for (uint32_t e = b->block[a->h1_block].element; e; e = b->element[e].parent)
			a->sum[e].common_h1 = e;
	}
	pass_down(a, b);
	return DANA_OK;
}

void aggregates_free(struct aggregates *a)
{
	free(a->sum);
	free(a->path);
	free(a->text);
	free(a->copies);
	key_trie_free(&a->keys);
	*a = (struct aggregates){ 0 };
}

/* Finds sequences in one pass over the elements as they open: each is compared with the two siblings before it. */

int units_find(struct units *u, const struct blocks *b, const struct aggregates *a)
{
	const struct grow_array arrays[] = { GROW_ARRAY(u->place), GROW_ARRAY(u->sequence) };
	int status = renew_arrays(arrays, 2, b->n_elements, &u->cap);
	if (status < 0)
		return status;
	u->n = 0;
	u->place[0] = (struct unit_place){ .sequence = NO_SEQUENCE };
	for (uint32_t i = 1; i < b->n_elements; i++) {
		uint32_t parent = b->element[i].parent, sibling = u->place[parent].last, number = NO_SEQUENCE;
		for (int k = 0; k < 2 && sibling && number == NO_SEQUENCE; k++, sibling = u->place[sibling].before) {
			if (b->element[sibling].path == b->element[i].path)
				number = u->place[sibling].sequence;
		}
		if (number == NO_SEQUENCE) {
			number = u->n++;
			u->sequence[number] = (struct sequence){ .parent = parent };
		}
		struct sequence *s = &u->sequence[number];
		const struct element_sums *sum = &a->sum[i];
		u->place[i] = (struct unit_place){ .sequence = number, .before = u->place[parent].last };
		u->place[parent].last = i;
		if (sum->blocks == 0)
			continue;
		s->members++;
		s->units += sum->units;
		s->linked += sum->linked;
		s->blocks += sum->blocks;
		s->dates += sum->dates > 0;
	}
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

/*
 * Sums over the blocks of a page, and the block that has most of the page's description: the one with most of the
 * description's runs of three words, if it has at least a quarter of them.
 *
 * Example: if one block has 9 of a description's 12 runs and another has 2, the first is the described block, and
 * features give the distance of the others from it.
 */

enum { GOOD_UNITS = 80 };

/** True for a block of some length with few links that ends with a stop. */
static bool page_totals_is_good(const struct block *b)
{
	const struct counts *c = &b->counts;
	return c->units >= GOOD_UNITS && (uint64_t)b->linked * 10 < (uint64_t)c->units * 3 && c->stopped;
}

enum { LEVELS = 4, FAR_BLOCKS = 99, NEIGHBOURS_MOST = 16 };

/* Features of an element around a block, in the order of FEATURES_LEVEL. */
#define LEVEL_AT(id) (FEATURE_LEVEL0_##id - FEATURE_LEVEL0_UNITS)

enum { LEVEL_FEATURES = FEATURE_LEVEL1_UNITS - FEATURE_LEVEL0_UNITS };

/* What a block has from the blocks around it, as rows of the tile. */
/* clang-format off */
#define CONTEXT_FEATURES(X) \
	X(UNITS) X(LINKS) X(ENDS_STOP) X(TOKENS) X(UNTIL_GOOD) X(SINCE_HEADING) X(HEADING_LEVEL) X(HEADING_TOKENS) \
	X(HEADING_DIGITS) X(HEADING_UNITS) X(TOKENS_BEFORE) X(GOOD_AFTER) X(TOKENS_AFTER)
/* clang-format on */

enum context {
#define CONTEXT_ENUM(id) CONTEXT_##id,
	CONTEXT_FEATURES(CONTEXT_ENUM)
#undef CONTEXT_ENUM
		CONTEXT_SINCE_FLAG, /* these are adjacent features */
	CONTEXT_UNTIL_FLAG = CONTEXT_SINCE_FLAG + FLAGS_LOCATED,
	CONTEXT_FLAGS_BEFORE = CONTEXT_UNTIL_FLAG + FLAGS_LOCATED,
	CONTEXT_COUNT = CONTEXT_FLAGS_BEFORE + FLAGS_COUNTED,
};

struct context_tile {
	uint8_t row[CONTEXT_COUNT][TILE];
};

/* Its tokens, 0 where there is no block, and its flags that have a distance. */
struct block_marks {
	uint8_t tokens, flags;
};

/*
 * Prefix sums: units, linked units, blocks with a date and units of prose of all blocks before this one; and where this
 * block starts and the one before it ends.
 */
struct prefix_sums {
	uint32_t units, linked, dates, start, end;
	uint64_t prose;
};

/* What all blocks in an element have from it. */
struct element_view {
	uint8_t level[LEVEL_FEATURES];
	uint32_t wider; /* as in element_sums */
	uint8_t repeats_most;
};

/* What all blocks on a path have from it. */
struct path_view {
	uint8_t blocks, mean, links, share, repeats, prose;
};

/* Weights are in 1/32; features are in 1/8, of single elements in 1/16. */
static inline uint8_t view_tokens(int32_t score)
{
	return scale_signed(score >> 2);
}

static inline uint8_t view_own_tokens(int32_t score)
{
	return scale_signed(score >> 1);
}

/*
 * 8 log2(1 + i / 64), rounded down. Example: scale_log(100): 101 is 2^6 * (1 + 37 / 64), so 8 * 6 +
 * scale_log_fraction[37] = 48 + 5 = 53, which is 8 log2(101) rounded down.
 */
const uint8_t scale_log_fraction[64] = {
	0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4,
	4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
};

/*
 * Flags of a block, and for each flag the distance to the last block that had it. The tracker adds one to each distance
 * at each block, up to FLAG_FAR, and sets it to 0 if the block has the flag.
 *
 * Example: if only the second of four blocks has a date, FLAG_DATE has the distances FLAG_FAR, 0, 1, 2 and the count is
 * 1 from then on.
 */

enum { BAD_TOKENS = 100, ALL_LINKS = 200 };

#define EACH_BYTE 0x0101010101010101U

void flag_tracker_reset(struct flag_tracker *s)
{
	memset(s->count, 0, sizeof(s->count));
	s->distances = EACH_BYTE * FLAG_FAR;
}

/* Returns a word of bytes, 1 where the byte of `word` is not 0. */
static inline uint64_t not_zero(uint64_t word)
{
	const uint64_t low = EACH_BYTE * 0x7F;
	return (((word & low) + low) | word) >> 7 & EACH_BYTE;
}

/* Sets the distances of a block's flags to 0, and adds one to the others. */
static inline void flag_tracker_move(struct flag_tracker *s, unsigned flags)
{
	/* bit k of the flags is moved to bit k of byte k */
	uint64_t located = (flags & 0xFF) * EACH_BYTE & 0x8040201008040201U;
	uint64_t further = s->distances + not_zero(s->distances ^ EACH_BYTE * FLAG_FAR);
	_Static_assert(FLAGS_LOCATED <= 8, "a byte for each");
	s->distances = further & ~(not_zero(located) * 0xFF);
}

void flag_tracker_add(struct flag_tracker *s, unsigned flags)
{
	flag_tracker_move(s, flags);
	_Pragma("GCC unroll 8") for (unsigned k = 0; k < FLAGS_COUNTED; k++) s->count[k] +=
		flags >> (FLAG_DATE + k) & 1;
}

/*
 * A tile of the first stage's features: one row for each feature, one column for each of 64 blocks. What features.c
 * prepared for each block is copied as whole rows; what a block takes from its elements is 16 bytes for each block, and
 * is transposed, 16 blocks at a time; the rest is written byte by byte.
 *
 * Example: PAGE_BLOCKS is the same for all blocks, so its row is one memset; NEXT_TOKENS is the row TOKENS shifted by
 * one column.
 */

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"
#endif

void tile_turn(uint8_t (*tile)[TILE], uint32_t at, const uint8_t (*rows)[SIDE])
{
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2) {
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
		return;
	}
#endif
	for (unsigned i = 0; i < SIDE; i++) {
		for (unsigned k = 0; k < SIDE; k++)
			tile[i][at + k] = rows[k][i];
	}
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
		{ FEATURE_PAGE_PROSE, scale_log(s->prose > UINT32_MAX ? UINT32_MAX : (uint32_t)s->prose) },
		{ FEATURE_PAGE_EXCLAIMS, scale_log(flag_tracker_count(&f->tracker, FLAG_EXCLAIM)) },
		{ FEATURE_PAGE_STAMPS, scale_log(flag_tracker_count(&f->tracker, FLAG_DATE)) },
		{ FEATURE_PAGE_INPUTS, scale_log(b->inputs) },
		{ FEATURE_PAGE_LI, scale_part(s->li_units, &f->units) },
		{ FEATURE_PAGE_STOPS, scale_share(s->stops, b->n_blocks) },
		{ FEATURE_PAGE_HEADINGS, scale_log(s->headings) },
		{ FEATURE_PAGE_LINKED_HEADINGS, scale_log(s->linked_headings) },
		/* mean units of a link, in quarters: names of sections are short, headlines long */
		{ FEATURE_PAGE_LINK_LENGTH, scale_log(a->links ? (uint32_t)(a->linked * 4 / a->links) : 0) },
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

static uint8_t steps(const struct blocks *b, uint32_t from, uint32_t to)
{
	unsigned n = (unsigned)(b->element[from].depth - b->element[to].depth);
	return (uint8_t)(n < FAR_BLOCKS ? n : FAR_BLOCKS);
}

/* Writes the share of units in the bytes of blocks at most `distance` away, and the share of links in these units. */
static inline void put_around(uint8_t tile[][TILE], uint32_t at, const struct prefix_sums *own, int distance,
			      unsigned density, unsigned links)
{
	const struct prefix_sums *first = own - distance, *after = own + distance + 1;
	uint32_t units = after->units - first->units;
	tile[density][at] = scale_share64(units, (uint64_t)after->end - first->start);
	tile[links][at] = scale_share(after->linked - first->linked, units);
}

/* Copies what is prepared for a page, as whole rows. */
static void put_context(uint8_t tile[][TILE], const struct context_tile *c)
{
	static const uint8_t own[CONTEXT_SINCE_FLAG] = {
#define CONTEXT_OWN(id) FEATURE_##id,
		CONTEXT_FEATURES(CONTEXT_OWN)
#undef CONTEXT_OWN
	};
	_Static_assert((int)FEATURE_LINKED_BEFORE - (int)FEATURE_SINCE_STOP + 1 ==
			       (int)CONTEXT_COUNT - (int)CONTEXT_SINCE_FLAG,
		       "flags are next to each other");
	for (unsigned k = 0; k < CONTEXT_SINCE_FLAG; k++)
		memcpy(tile[own[k]], c->row[k], TILE);
	memcpy(tile[FEATURE_SINCE_STOP], c->row[CONTEXT_SINCE_FLAG],
	       (size_t)(CONTEXT_COUNT - CONTEXT_SINCE_FLAG) * TILE);
}

void features_tile(const struct features *f, const struct blocks *b, const struct aggregates *a, const struct judged *j,
		   uint32_t first, uint32_t n, uint8_t tile[][TILE])
{
	const uint32_t *blocks = j->block + first;
	put_page(tile, f, b, a);
	put_context(tile, &f->context[first / TILE]);
	/* write features of the elements around: they come as one row for each block, and are turned into columns */
	enum { LEVEL_SIDES = LEVELS * LEVEL_FEATURES / SIDE };
	_Static_assert(FEATURE_LEVEL3_STAMPS - FEATURE_LEVEL0_UNITS == LEVEL_SIDES * SIDE - 1,
		       "levels are next to each other");
	for (uint32_t from = 0; from < n; from += SIDE) {
		uint8_t level[LEVEL_SIDES][SIDE][SIDE];
		for (uint32_t k = 0; k < SIDE; k++) {
			uint32_t element = b->block[blocks[from + k < n ? from + k : 0]].element;
			for (unsigned i = 0; i < LEVELS; i++, element = f->view[element].wider)
				memcpy(level[i / 2][k] + i % 2 * LEVEL_FEATURES, f->view[element].level,
				       LEVEL_FEATURES);
		}
		for (unsigned i = 0; i < LEVEL_SIDES; i++)
			tile_turn(tile + FEATURE_LEVEL0_UNITS + i * SIDE, from, (const uint8_t(*)[SIDE])level[i]);
	}
	for (uint32_t at = 0; at < n; at++) {
		const uint32_t i = blocks[at];
		const struct block *block = &b->block[i], *h1 = a->h1_block != NO_BLOCK ? &b->block[a->h1_block] : NULL;
		const uint32_t element = block->element;
		const struct prefix_sums *own = f->prefix + NEIGHBOURS_MOST + i;
		const struct block_element *e = &b->element[element];
		tile[FEATURE_WORDS][at] = scale_log(block->counts.words);
		tile[FEATURE_HIDDEN][at] = block->hidden;
		tile[FEATURE_DEPTH][at] = scale_cap(e->depth, 255);
		tile[FEATURE_TAG_DIV][at] = block->tag == HTML_TAG_DIV;
		tile[FEATURE_IN_ARTICLE][at] = e->distance[ANC_ARTICLE];
		tile[FEATURE_IN_MAIN][at] = e->distance[ANC_MAIN];
		tile[FEATURE_IN_FOOTER][at] = e->distance[ANC_FOOTER];
		tile[FEATURE_CODE_BEFORE][at] = scale_log(block->start - (i ? b->block[i - 1].end : 0));
		tile[FEATURE_BYTE_SHARE][at] = scale_part(block->start, &f->bytes);
		tile[FEATURE_TEXT_SHARE][at] = scale_part(own->units, &f->units);
		tile[FEATURE_COPIES][at] = scale_cap(a->copies[a->text[i]], 255);
		tile[FEATURE_AFTER_H1][at] = h1 ? position(i, a->h1_block) : 0;
		tile[FEATURE_BYTES_AFTER_H1][at] =
			(uint8_t)(128 + share_127(f, block->start) - (h1 ? share_127(f, h1->start) : 0));
		tile[FEATURE_TEXTAREAS_BEFORE][at] = scale_cap(block->textareas_before, 255);
		tile[FEATURE_TEXTAREAS_AFTER][at] = scale_cap(b->textareas - block->textareas_before, 255);
		const struct path_view *p = &f->path[a->sum[element].path];
		tile[FEATURE_PATH_BLOCKS][at] = p->blocks;
		tile[FEATURE_PATH_MEAN][at] = p->mean;
		tile[FEATURE_PATH_LINKS][at] = p->links;
		tile[FEATURE_PATH_SHARE][at] = p->share;
		tile[FEATURE_PATH_PROSE][at] = p->prose;
		const struct element_sums *s = &a->sum[element];
		tile[FEATURE_BEST_INSIDE][at] = s->in_best;
		tile[FEATURE_BEST_STEPS][at] = s->in_best ? steps(b, element, a->best) : FAR_BLOCKS;
		tile[FEATURE_BEST_PARENT][at] = s->in_best_parent;
		tile[FEATURE_BEST_MEETS][at] = steps(b, element, s->common_best);
		tile[FEATURE_BEST_MEETS_SHARE][at] = f->view[s->common_best].level[LEVEL_AT(SHARE)];
		tile[FEATURE_H1_MEETS][at] = h1 ? steps(b, element, s->common_h1) : FAR_BLOCKS;
		tile[FEATURE_H1_MEETS_SHARE][at] = h1 ? f->view[s->common_h1].level[LEVEL_AT(SHARE)] : 0;
		tile[FEATURE_REPEATS_MOST][at] = f->view[element].repeats_most;
		tile[FEATURE_STAMPS16][at] = (uint8_t)(own[NEIGHBOURS_MOST + 1].dates - own[-NEIGHBOURS_MOST].dates);
		put_around(tile, at, own, 2, FEATURE_DENSITY2, FEATURE_LINKS2);
		put_around(tile, at, own, 4, FEATURE_DENSITY4, FEATURE_LINKS4);
		tile[FEATURE_LINKS8][at] = scale_share(own[9].linked - own[-8].linked, own[9].units - own[-8].units);
		const uint8_t tokens = f->marks[i + 1].tokens;
		tile[FEATURE_PREV_TOKENS][at] = f->marks[i].tokens;
		tile[FEATURE_NEXT_TOKENS][at] = f->marks[i + 2].tokens;
		tile[FEATURE_TOKENS_RELATIVE][at] = scale_signed((int32_t)tokens - (int32_t)f->totals.tokens_best);
		tile[FEATURE_TOKENS_OVER_MEAN][at] = scale_signed((int32_t)tokens - (int32_t)f->totals.tokens_mean);
		tile[FEATURE_TOKENS_MOST][at] = view_own_tokens(e->most);
		tile[FEATURE_TOKENS_LEAST][at] = view_own_tokens(e->least);
		tile[FEATURE_TOKENS_OWN][at] = view_own_tokens(e->score);
		tile[FEATURE_TOKENS_PARENT][at] = view_own_tokens(b->element[e->parent].score);
		const struct page_totals *page = &f->totals;
		const bool placed = page->described != NO_BLOCK;
		const uint32_t common = placed ? page->common[element] : 0;
		tile[FEATURE_DESCRIPTION_COVERED][at] = page->has_description ? page->covered[i] : 0;
		tile[FEATURE_AFTER_DESCRIPTION][at] = placed ? position(i, page->described) : 0;
		tile[FEATURE_DESCRIPTION_MEETS][at] = placed ? steps(b, element, common) : FAR_BLOCKS;
		tile[FEATURE_DESCRIPTION_MEETS_SHARE][at] = placed ? f->view[common].level[LEVEL_AT(SHARE)] : 0;
		tile[FEATURE_SHARE_OF_PAGE][at] = scale_part(block->counts.units, &f->units);
		tile[FEATURE_UNITS_RELATIVE][at] = scale_part(block->counts.units, &f->units_most);
		tile[FEATURE_PROSE_BEFORE][at] = scale_part(own->prose, &f->prose);
	}
}

const char *const feature_names[FEATURE_COUNT] = {
#define FEATURE_NAME(id, ...) #id,
	FEATURE_WORDS(FEATURE_NAME)
#undef FEATURE_NAME
};

enum { DECAY = 179 /* of 256: 0.7 */ };

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

/* Decaying sums of prose, and of text by its tokens. */
struct decaying {
	uint32_t good, tokens;
};

static inline void decaying_add(struct decaying *d, const struct block *block, uint8_t tokens)
{
	d->good = decay(d->good, block->prose);
	/* units are weighted by the tokens' chance: linear from 0 at -4 to 1 at +4 */
	int chance = 128 + ((int)tokens - 128) * 4;
	chance = chance < 0 ? 0 : chance > 256 ? 256 : chance;
	d->tokens = decay(d->tokens, (uint32_t)((uint64_t)block->counts.units * (unsigned)chance / 256));
}

static void look_back(struct features *f, const struct blocks *b, const struct judged *j)
{
	uint32_t column = 0;
	struct decaying sums = { 0 };
	unsigned since_heading = FAR_BLOCKS;
	struct heading heading = { .tokens = 128 };
	flag_tracker_reset(&f->tracker);
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct block *block = &b->block[i];
		uint8_t tokens = view_tokens(b->element[block->element].total + block->inline_score + f->bias);
		const uint8_t links = scale_share(block->linked, block->counts.units);
		const struct counts *counts = &block->counts;
		struct page_totals *s = &f->totals;
		uint32_t text = counts->units - block->linked;
		s->prose += block->prose;
		s->score_sum += (uint64_t)tokens * text;
		s->scored += text;
		s->units_most = counts->units > s->units_most ? counts->units : s->units_most;
		s->currency += counts->currency;
		s->stops += counts->stopped;
		s->li_units += block->tag == HTML_TAG_LI ? counts->units : 0;
		if (block->tag >= HTML_TAG_H1 && block->tag <= HTML_TAG_H6) {
			s->headings++;
			s->linked_headings += 2 * (uint64_t)block->linked > counts->units;
		}
		if (page_totals_is_good(block))
			s->tokens_best = tokens > s->tokens_best ? tokens : s->tokens_best;
		const bool digit =
			counts->units && (uint64_t)counts->digits * 255 >= counts->units; /* scale_share is not 0 */
		const unsigned flags =
			(unsigned)counts->stopped << FLAG_STOP | (unsigned)(tokens < BAD_TOKENS) << FLAG_BAD |
			(unsigned)(links > ALL_LINKS) << FLAG_LINK | (unsigned)block->input_before << FLAG_INPUT |
			(unsigned)block->has_date << FLAG_DATE | (unsigned)(counts->exclaims != 0) << FLAG_EXCLAIM |
			(unsigned)(block->tag == HTML_TAG_P) << FLAG_PARAGRAPH | (unsigned)digit << FLAG_DIGIT |
			(unsigned)(links != 0 && links <= ALL_LINKS) << FLAG_LINKED;
		flag_tracker_add(&f->tracker, flags);
		f->marks[i + 1] = (struct block_marks){ tokens, (uint8_t)flags };
		for (; column < j->n && j->block[column] == i; column++) {
			struct context_tile *c = &f->context[column / TILE];
			const uint32_t at = column % TILE;
			c->row[CONTEXT_TOKENS][at] = tokens;
			c->row[CONTEXT_UNITS][at] = scale_log(counts->units);
			c->row[CONTEXT_LINKS][at] = links;
			c->row[CONTEXT_ENDS_STOP][at] = counts->stopped;
			c->row[CONTEXT_SINCE_HEADING][at] = (uint8_t)since_heading;
			c->row[CONTEXT_TOKENS_BEFORE][at] = scale_log(sums.tokens);
			c->row[CONTEXT_HEADING_LEVEL][at] = heading.level;
			c->row[CONTEXT_HEADING_TOKENS][at] = heading.tokens;
			c->row[CONTEXT_HEADING_DIGITS][at] = heading.digits;
			c->row[CONTEXT_HEADING_UNITS][at] = heading.units;
			/* counts exclude the block's own flags, distances include them */
			for (unsigned k = 0; k < FLAGS_COUNTED; k++)
				c->row[CONTEXT_FLAGS_BEFORE + k][at] =
					scale_log(f->tracker.count[k] - (flags >> (FLAG_DATE + k) & 1));
			for (unsigned k = 0; k < FLAGS_LOCATED; k++)
				c->row[CONTEXT_SINCE_FLAG + k][at] = flag_tracker_distance(&f->tracker, k);
		}
		since_heading += since_heading < FAR_BLOCKS;
		if (heading_level(block->tag)) {
			since_heading = 1;
			heading = (struct heading){ (uint8_t)heading_level(block->tag), tokens,
						    scale_cap(counts->digits, 255), scale_log(counts->units) };
		}
		decaying_add(&sums, block, tokens);
	}
	f->marks[0].tokens = f->marks[b->n_blocks + 1].tokens = 0;
}

static void look_ahead(struct features *f, const struct blocks *b, const struct judged *j)
{
	uint32_t column = j->n;
	struct decaying sums = { 0 };
	struct flag_tracker tracker;
	unsigned until_good = FAR_BLOCKS;
	flag_tracker_reset(&tracker);
	for (uint32_t i = b->n_blocks; i-- > 0;) {
		const struct block *block = &b->block[i];
		flag_tracker_move(&tracker, f->marks[i + 1].flags);
		for (; column && j->block[column - 1] == i; column--) {
			struct context_tile *c = &f->context[(column - 1) / TILE];
			const uint32_t at = (column - 1) % TILE;
			c->row[CONTEXT_UNTIL_GOOD][at] = (uint8_t)until_good;
			for (unsigned k = 0; k < FLAGS_LOCATED; k++)
				c->row[CONTEXT_UNTIL_FLAG + k][at] = flag_tracker_distance(&tracker, k);
			c->row[CONTEXT_GOOD_AFTER][at] = scale_log(sums.good);
			c->row[CONTEXT_TOKENS_AFTER][at] = scale_log(sums.tokens);
		}
		until_good += until_good < FAR_BLOCKS;
		if (page_totals_is_good(block))
			until_good = 1;
		decaying_add(&sums, block, f->marks[i + 1].tokens);
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
		const uint64_t marks = s->units ? (uint64_t)s->marks * 1000 / s->units : 0;
		level[LEVEL_AT(MARKS)] = (uint8_t)(marks > 255 ? 255 : marks);
		level[LEVEL_AT(PARAGRAPHS)] = scale_share(s->p_units, s->units);
		level[LEVEL_AT(SCORE)] = scale_part(s->score, &score);
		level[LEVEL_AT(REPEATS)] = repeats;
		level[LEVEL_AT(STAMPS)] = scale_share(s->dates, s->blocks);
	}
}

int features_prepare(struct features *f, const struct blocks *b, const struct aggregates *a, const struct judged *j)
{
	const uint32_t n_blocks = b->n_blocks, n_elements = b->n_elements;
	struct page_totals *s = &f->totals;
	const struct grow_array context = GROW_ARRAY(f->context), marks = GROW_ARRAY(f->marks),
				prefix = GROW_ARRAY(f->prefix);
	const struct grow_array covered = GROW_ARRAY(s->covered), common = GROW_ARRAY(s->common);
	const struct grow_array elements[] = { GROW_ARRAY(f->view), GROW_ARRAY(f->path) };
	*s = (struct page_totals){ .covered = s->covered,
				   .common = s->common,
				   .cap_blocks = s->cap_blocks,
				   .cap_elements = s->cap_elements,
				   .described = NO_BLOCK };
	if (renew_arrays(&context, 1, j->n / TILE + 1, &f->cap_tiles) < 0 ||
	    renew_arrays(&marks, 1, (size_t)n_blocks + 2, &f->cap_blocks) < 0 ||
	    renew_arrays(&prefix, 1, n_blocks + 2 * (size_t)NEIGHBOURS_MOST + 1, &f->cap_prefix) < 0 ||
	    renew_arrays(elements, 2, (size_t)n_elements + 1, &f->cap_elements) < 0 ||
	    renew_arrays(&covered, 1, n_blocks, &s->cap_blocks) < 0 ||
	    renew_arrays(&common, 1, n_elements, &s->cap_elements) < 0)
		return DANA_ENOMEM;
	f->best_score = aggregates_net_score(&a->sum[a->best]);
	f->units = scale_whole_of(a->units);
	f->bytes = scale_whole_of(b->page_bytes);
	f->next_byte = scale_whole_of(b->page_bytes + 1);
	look_back(f, b, j);
	look_ahead(f, b, j);
	/* entries before the first block and after the last repeat the sums there, so that readers need no bounds */
	struct prefix_sums sum = { 0 }, *to = f->prefix + NEIGHBOURS_MOST;
	for (uint32_t i = 0; i < n_blocks; i++) {
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
	f->totals.tokens_mean = (uint8_t)(f->totals.scored ? f->totals.score_sum / f->totals.scored : 128);
	for (uint32_t i = 0; i < a->n_paths; i++)
		f->totals.path_prose =
			a->path[i].prose > f->totals.path_prose ? a->path[i].prose : f->totals.path_prose;
	if (b->meta->described.n) {
		/* the described block. A description that is hardly on the page is no hint about its blocks. */
		uint32_t most = 0, all = b->meta->described.n;
		uint64_t found = 0;
		for (uint32_t i = 0; i < b->n_blocks; i++) {
			if (j->block[j->column[i]] != i) /* judged by another */
				continue;
			uint32_t here = word_runs_match(&b->meta->described, block_text(b, &b->block[i]));
			f->totals.covered[i] = scale_share(here, all);
			found += here;
			if (here > most && 4 * here >= all) {
				most = here;
				f->totals.described = i;
			}
		}
		f->totals.has_description = 4 * found >= all;
		if (f->totals.described != NO_BLOCK) {
			/* find the lowest common ancestor of each element with the described block's element: an
			 * ancestor of that has itself, any other element the same as its parent. Parents come before
			 * children. */
			for (uint32_t i = 0; i < b->n_elements; i++)
				f->totals.common[i] = 0;
			for (uint32_t i = b->block[f->totals.described].element; i; i = b->element[i].parent)
				f->totals.common[i] = i;
			for (uint32_t i = 1; i < b->n_elements; i++) {
				if (f->totals.common[i] == 0)
					f->totals.common[i] = f->totals.common[b->element[i].parent];
			}
		}
	}
	f->prose = scale_whole_of(f->totals.prose);
	f->units_most = scale_whole_of(f->totals.units_most);
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
	view_elements(f, b, a);
	return DANA_OK;
}

void features_free(struct features *f)
{
	free(f->context);
	free(f->marks);
	free(f->view);
	free(f->path);
	free(f->prefix);
	free(f->totals.covered);
	free(f->totals.common);
	*f = (struct features){ .bias = f->bias };
}
