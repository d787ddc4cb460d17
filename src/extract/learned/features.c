#include "extract/learned/features.h"

#include <stdlib.h>

#include "base/status.h"
#include "extract/learned/scale.h"
#include "extract/learned/words.h"

const char *const feature_names[FEATURE_COUNT] = {
#define FEATURE_NAME(id) #id,
	FEATURES(FEATURE_NAME)
#undef FEATURE_NAME
};

enum {
	LEVELS = 6, LEVEL_FEATURES = 8,
	DECAY = 179,         /* of 256: 0.7 */
	FAR_BLOCKS = 99,
};

/* What a block has from the blocks around it. */
struct block_context {
	uint8_t since_good, until_good, since_heading, heading_level, heading_tokens, heading_digits, heading_units;
	uint8_t tokens, good_before, links_before, tokens_before, good_after, links_after, tokens_after;
	uint8_t units, links, ends_stop, digits; /* of the block itself: its neighbours see them too */
};

/* What an element gives to all blocks in it. */
struct element_view {
	uint8_t level[LEVEL_FEATURES];
	uint8_t repeats_most, repeats_units, repeats_ordinal, repeats_ratio;
	uint8_t link_length;         /* in the next element with more blocks */
};

/* What a path gives to all blocks on it. */
struct path_view {
	uint8_t blocks, mean, links, share, repeats, prose;
};

static int reserve(struct features *f, uint32_t n_blocks, uint32_t n_elements)
{
	if (!f->title && !(f->title = malloc(sizeof *f->title)))
		return DANA_ENOMEM;
	if (n_blocks + 1 > f->cap_blocks) {
		uint32_t cap = n_blocks + n_blocks / 2 + 256;
		void *context = realloc(f->context, cap * sizeof *f->context);
		if (!context)
			return DANA_ENOMEM;
		f->context = context;
		void *before = realloc(f->before, 2 * (size_t)cap * sizeof *f->before);
		if (!before)
			return DANA_ENOMEM;
		f->before = before;
		f->cap_blocks = cap;
	}
	if (n_elements + 1 > f->cap_elements) {
		uint32_t cap = n_elements + n_elements / 2 + 1;
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
	return DANA_OK;
}

/* Weights are in 1/32; features in 1/8, and of single elements in 1/16. */
static uint8_t scale_tokens(int32_t score)
{
	return scale_signed(score >> 2);
}

static uint8_t scale_own_tokens(int32_t score)
{
	return scale_signed(score >> 1);
}

/* Units weighted by the chance that the tokens give: a straight line from 0 at -4 to 1 at +4. */
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

static void look_back(struct features *f, const struct blocks *b)
{
	uint32_t good = 0, links = 0, tokens = 0;
	unsigned since_good = FAR_BLOCKS, since_heading = FAR_BLOCKS;
	struct block_context heading = { .heading_tokens = 128 };
	f->before[0] = f->before[1] = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct block *block = &b->block[i];
		struct block_context *c = &f->context[i];
		c->tokens = scale_tokens(b->element[block->element].total + block->inline_score + f->bias);
		standing_add(&f->standing, b, i, c->tokens);
		c->since_good = (uint8_t)since_good;
		c->since_heading = (uint8_t)since_heading;
		c->heading_level = heading.heading_level;
		c->heading_tokens = heading.heading_tokens;
		c->heading_digits = heading.heading_digits;
		c->heading_units = heading.heading_units;
		c->good_before = scale_log(good);
		c->links_before = scale_log(links);
		c->tokens_before = scale_log(tokens);
		c->units = scale_log(block->counts.units);
		c->links = scale_share(block->linked, block->counts.units);
		c->ends_stop = block->counts.ending == ENDS_STOP;
		c->digits = scale_share(block->counts.digits, block->counts.units);
		since_good += since_good < FAR_BLOCKS;
		since_heading += since_heading < FAR_BLOCKS;
		if (standing_is_good(block))
			since_good = 1;
		if (heading_level(block->tag)) {
			since_heading = 1;
			heading.heading_level = (uint8_t)heading_level(block->tag);
			heading.heading_tokens = c->tokens;
			heading.heading_digits = scale_cap(block->counts.digits, 255);
			heading.heading_units = c->units;
		}
		good = decay(good, aggregates_prose(block));
		links = decay(links, block->linked);
		tokens = decay(tokens, token_units(block, c->tokens));
		f->before[2 * i + 2] = f->before[2 * i] + block->counts.units;
		f->before[2 * i + 3] = f->before[2 * i + 1] + block->linked;
	}
}

static void look_ahead(struct features *f, const struct blocks *b)
{
	uint32_t good = 0, links = 0, tokens = 0;
	unsigned until_good = FAR_BLOCKS;
	for (uint32_t i = b->n_blocks; i-- > 0;) {
		const struct block *block = &b->block[i];
		struct block_context *c = &f->context[i];
		c->until_good = (uint8_t)until_good;
		c->good_after = scale_log(good);
		c->links_after = scale_log(links);
		c->tokens_after = scale_log(tokens);
		until_good += until_good < FAR_BLOCKS;
		if (standing_is_good(block))
			until_good = 1;
		good = decay(good, aggregates_prose(block));
		links = decay(links, block->linked);
		tokens = decay(tokens, token_units(block, c->tokens));
	}
}

static uint8_t mark_density(uint32_t marks, uint32_t units)
{
	uint64_t density = units ? (uint64_t)marks * 1000 / units : 0;
	return (uint8_t)(density > 255 ? 255 : density);
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
		v->prose = scale_share(p->prose, f->standing.path_prose);
	}
}

/* Units of a link, in quarters: names of sections are short, headlines long. */
static uint8_t link_length(uint64_t linked, uint64_t links)
{
	return scale_log(links ? (uint32_t)(linked * 4 / links) : 0);
}

/* An element's length among those on its path: 128 = as all of them on average. */
static uint8_t repeats_ratio(const struct element_sums *s, const struct path_sums *p)
{
	uint64_t own = (uint64_t)s->units * p->elements;
	return scale_share64(own, own + p->held);
}

static void view_elements(struct features *f, const struct blocks *b, const struct aggregates *a)
{
	const struct scale_whole worth = scale_whole_of(f->best_worth);
	f->view[b->n_elements] = (struct element_view){ 0 };
	for (uint32_t i = 0; i < b->n_elements; i++) {
		const struct element_sums *s = &a->sum[i];
		struct element_view *v = &f->view[i];
		const struct element_view *parent = &f->view[b->element[i].parent];
		uint8_t repeats = f->path[s->path].repeats;
		v->repeats_most = i ? parent->repeats_most : 0;
		v->repeats_units = i ? parent->repeats_units : 0;
		v->repeats_ordinal = i ? parent->repeats_ordinal : 0;
		v->repeats_ratio = i ? parent->repeats_ratio : 0;
		if (repeats > v->repeats_most) {
			v->repeats_most = repeats;
			v->repeats_units = scale_log(s->units);
			v->repeats_ordinal = scale_log(s->ordinal);
			v->repeats_ratio = repeats_ratio(s, &a->path[s->path]);
		}
		if (s->blocks == 0)
			continue;
		uint8_t *level = v->level;
		level[0] = scale_log(s->units);
		level[1] = scale_share(s->linked, s->units);
		level[2] = scale_log(s->blocks);
		level[3] = scale_part(s->units, &f->units);
		level[4] = mark_density(s->marks, s->units);
		level[5] = scale_share(s->p_units, s->units);
		level[6] = scale_part(s->score, &worth);
		level[7] = repeats;
		const struct element_sums *wide = s->wider && s->wider != b->n_elements ? &a->sum[s->wider] : s;
		v->link_length = link_length(wide->linked, wide->links);
	}
}

int features_prepare(struct features *f, const struct blocks *b, const struct aggregates *a)
{
	int status = reserve(f, b->n_blocks, b->n_elements);
	if (status == DANA_OK)
		status = standing_begin(&f->standing, b);
	if (status < 0)
		return status;
	title_words_set(f->title, buf_slice(&b->title));
	f->best_worth = aggregates_worth(&a->sum[a->best]);
	f->units = scale_whole_of(a->units);
	f->bytes = scale_whole_of(b->page_bytes);
	f->next_byte = scale_whole_of(b->page_bytes + 1);
	look_back(f, b);
	look_ahead(f, b);
	standing_end(&f->standing, b, a);
	f->prose = scale_whole_of(f->standing.prose);
	f->units_most = scale_whole_of(f->standing.units_most);
	view_paths(f, a);
	view_elements(f, b, a);
	return DANA_OK;
}

/* One block, one column of the tile. */
struct column {
	uint8_t (*tile)[TILE];
	uint32_t at;
};

static void put(struct column to, unsigned feature, unsigned value)
{
	to.tile[feature][to.at] = (uint8_t)value;
}

static void put_own(struct column to, const struct block_context *own, const struct block *block, const struct element *e)
{
	const struct counts *c = &block->counts;
	uint32_t marks = c->stops + c->commas, length = c->words ? c->units / (c->words / 8 + 1) : 255;
	if (c->words && c->words < 1U << 20)
		length = c->units * 8 / c->words;
	put(to, FEATURE_UNITS, own->units);
	put(to, FEATURE_LINKS, own->links);
	put(to, FEATURE_WORDS, scale_log(c->words));
	put(to, FEATURE_WORD_LENGTH, scale_cap(length, 255));
	put(to, FEATURE_MARK_DENSITY, mark_density(marks, c->units));
	put(to, FEATURE_MARKS, scale_cap(marks, 255));
	put(to, FEATURE_ENDS_STOP, own->ends_stop);
	put(to, FEATURE_ENDS_COLON, c->ending == ENDS_COLON);
	put(to, FEATURE_UPPER, scale_share(c->upper, c->units));
	put(to, FEATURE_DIGITS, own->digits);
	put(to, FEATURE_BOLD, scale_share(block->bold, c->units));
	put(to, FEATURE_WIDE, scale_share(c->wide, c->units));
	put(to, FEATURE_SEPARATORS, scale_cap(c->separators, 255));
	put(to, FEATURE_QUOTES, scale_cap(c->quotes, 255));
	put(to, FEATURE_CURRENCY, scale_cap(c->currency, 255));
	put(to, FEATURE_ITALIC, scale_share(block->italic, c->units));
	put(to, FEATURE_IMAGES_BEFORE, scale_cap(block->images_before, 255));
	put(to, FEATURE_INPUTS_BEFORE, scale_cap(block->inputs_before, 255));
	put(to, FEATURE_TAGS_BEFORE, scale_cap(block->tags_before, 255));
	put(to, FEATURE_BR_BEFORE, block->br_before);
	put(to, FEATURE_HIDDEN, block->hidden);
	put(to, FEATURE_ARTICLE, scale_cap(e->article, 255));
	put(to, FEATURE_LISTS, e->lists);
	put(to, FEATURE_DEPTH, scale_cap(e->depth, 255));
}

/* 127ths of the page before a byte. */
static unsigned share_127(const struct features *f, uint32_t byte)
{
	return (unsigned)(byte < 1U << 24 ? scale_divide(byte * 127U, &f->next_byte) : byte * (uint64_t)127 / f->next_byte.whole);
}

static void put_place(struct column to, const struct features *f, const struct blocks *b, const struct aggregates *a,
		      uint32_t i)
{
	const struct block *block = &b->block[i], *h1 = a->h1_block != NO_BLOCK ? &b->block[a->h1_block] : NULL;
	const struct block_context *c = &f->context[i];
	uint32_t n = b->n_blocks, copy = a->copy_of[i];
	uint64_t next = i + 1 < n ? b->block[i + 1].start : b->page_bytes;
	put(to, FEATURE_CODE_BEFORE, scale_log(block->start - (i ? b->block[i - 1].end : 0)));
	put(to, FEATURE_CODE_AFTER, scale_log(next > block->end ? (uint32_t)(next - block->end) : 0));
	put(to, FEATURE_BR_AFTER, i + 1 < n && b->block[i + 1].br_before);
	put(to, FEATURE_INDEX_SHARE, scale_share(i, n));
	put(to, FEATURE_INDEX, scale_log(i));
	put(to, FEATURE_INDEX_END, scale_log(n - i));
	put(to, FEATURE_BYTE_SHARE, scale_part(block->start, &f->bytes));
	put(to, FEATURE_TEXT_SHARE, scale_part(f->before[2 * i], &f->units));
	put(to, FEATURE_COPIES, scale_cap(a->copies[copy], 255));
	put(to, FEATURE_REPEATED, copy != i && block->counts.words >= 4);
	int32_t after = h1 ? (int32_t)i - (int32_t)a->h1_block : -50;
	put(to, FEATURE_AFTER_H1, (unsigned)(after < -49 && h1 ? 1 : after > 200 ? 250 : after + 50));
	put(to, FEATURE_BYTES_AFTER_H1, 128 + share_127(f, block->start) - (h1 ? share_127(f, h1->start) : 0));
	put(to, FEATURE_SINCE_GOOD, c->since_good);
	put(to, FEATURE_UNTIL_GOOD, c->until_good);
	put(to, FEATURE_SINCE_HEADING, c->since_heading);
	put(to, FEATURE_HEADING_LEVEL, c->heading_level);
	put(to, FEATURE_HEADING_TOKENS, c->heading_tokens);
	put(to, FEATURE_HEADING_DIGITS, c->heading_digits);
	put(to, FEATURE_HEADING_UNITS, c->heading_units);
	uint32_t words = 0, matched = 0;
	if (block->text_len <= TITLE_LIKE_BYTES && f->title->n)
		matched = title_words_match(f->title, block_text(b, block), &words);
	put(to, FEATURE_IN_TITLE, scale_share(matched, words));
	put(to, FEATURE_TITLE_COVERED, scale_share(matched, f->title->n));
	put(to, FEATURE_TEXTAREAS_BEFORE, scale_cap(block->textareas_before, 255));
	put(to, FEATURE_TEXTAREAS_AFTER, scale_cap(b->textareas - block->textareas_before, 255));
	put(to, FEATURE_IMAGES_AFTER, i + 1 < n ? scale_cap(b->block[i + 1].images_before, 255) : 0);
}

static uint8_t log64(uint64_t v)
{
	return scale_log(v > UINT32_MAX ? UINT32_MAX : (uint32_t)v);
}

/* What all blocks of a page have in common: whole rows. */
static void put_page(uint8_t tile[][TILE], const struct features *f, const struct blocks *b, const struct aggregates *a)
{
	const struct standing *s = &f->standing;
	const struct evidence *e = b->evidence;
	const struct {
		uint8_t feature, value;
	} rows[] = {
		{ FEATURE_PAGE_UNITS, log64(a->units) },
		{ FEATURE_PAGE_BLOCKS, scale_log(b->n_blocks) },
		{ FEATURE_PAGE_LINKS, scale_part(a->linked, &f->units) },
		{ FEATURE_PAGE_ARTICLES, scale_cap(b->articles, 255) },
		{ FEATURE_PAGE_MAIN, b->has_main },
		{ FEATURE_PAGE_GOOD, scale_log(s->good) },
		{ FEATURE_PAGE_IMAGES, scale_log(b->images) },
		{ FEATURE_PAGE_CURRENCY, scale_log(s->currency) },
		{ FEATURE_PAGE_PROSE, log64(s->prose) },
		{ FEATURE_PAGE_INPUTS, scale_log(b->inputs) },
		{ FEATURE_PAGE_LI, scale_part(s->li_units, &f->units) },
		{ FEATURE_PAGE_PRICES, scale_log(s->prices) },
		{ FEATURE_PAGE_STOPS, scale_share(s->stops, b->n_blocks) },
		{ FEATURE_PAGE_HEADINGS, scale_log(s->headings) },
		{ FEATURE_PAGE_LINKED_HEADINGS, scale_log(s->linked_headings) },
		{ FEATURE_PAGE_LINK_LENGTH, link_length(a->linked, a->links) },
		{ FEATURE_PAGE_TOKENS, scale_tokens(b->body_tokens) },
		{ FEATURE_PAGE_TOKENS_BEST, s->tokens_best },
		{ FEATURE_PAGE_DESCRIPTION, scale_log(s->description_runs) },
		{ FEATURE_PAGE_KIND, e->page_kind },
		{ FEATURE_PAGE_URL_DEPTH, e->url_depth },
		{ FEATURE_PAGE_URL_LAST, e->url_last },
		{ FEATURE_PAGE_URL_HYPHENS, e->url_hyphens },
		{ FEATURE_PAGE_URL_DIGITS, e->url_digits },
		{ FEATURE_BEST_SCORE, scale_log(f->best_worth) },
		{ FEATURE_BEST_SHARE, scale_part(a->sum[a->best].units, &f->units) },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		memset(tile[rows[i].feature], rows[i].value, TILE);
}

static void put_tags(struct column to, const struct block *block, const struct element *e)
{
	static const uint8_t tags[] = { HTML_TAG_P, HTML_TAG_DIV, HTML_TAG_LI, HTML_TAG_TD, HTML_TAG_H1, HTML_TAG_H2,
		HTML_TAG_H3, HTML_TAG_H4, HTML_TAG_H5, HTML_TAG_BLOCKQUOTE, HTML_TAG_PRE, HTML_TAG_FIGCAPTION,
		HTML_TAG_DD, HTML_TAG_BUTTON, HTML_TAG_LABEL, HTML_TAG_BODY };
	uint8_t tag = block->tag == HTML_TAG_H6 ? HTML_TAG_H5 : block->tag;
	_Pragma("GCC unroll 16") for (unsigned i = 0; i < sizeof tags; i++)
		put(to, FEATURE_TAG_P + i, tag == tags[i]);
	_Pragma("GCC unroll 12") for (unsigned i = 0; i < ANC_COUNT; i++)
		put(to, FEATURE_IN_ARTICLE + i, e->distance[i]);
}

static unsigned steps(const struct blocks *b, uint32_t from, uint32_t to)
{
	unsigned n = (unsigned)(b->element[from].depth - b->element[to].depth);
	return n < FAR_BLOCKS ? n : FAR_BLOCKS;
}

static void put_best(struct column to, const struct features *f, const struct blocks *b, const struct aggregates *a,
		     uint32_t element)
{
	const struct element_sums *s = &a->sum[element];
	put(to, FEATURE_BEST_INSIDE, s->in_best);
	put(to, FEATURE_BEST_STEPS, s->in_best ? steps(b, element, a->best) : FAR_BLOCKS);
	put(to, FEATURE_BEST_PARENT, s->in_best_parent);
	put(to, FEATURE_BEST_MEETS, steps(b, element, s->meets_best));
	put(to, FEATURE_BEST_MEETS_SHARE, f->view[s->meets_best].level[3]);
	bool h1 = a->h1_block != NO_BLOCK;
	put(to, FEATURE_H1_MEETS, h1 ? steps(b, element, s->meets_h1) : FAR_BLOCKS);
	put(to, FEATURE_H1_MEETS_SHARE, h1 ? f->view[s->meets_h1].level[3] : 0);
	const struct path_view *p = &f->path[s->path];
	put(to, FEATURE_PATH_BLOCKS, p->blocks);
	put(to, FEATURE_PATH_MEAN, p->mean);
	put(to, FEATURE_PATH_LINKS, p->links);
	put(to, FEATURE_PATH_SHARE, p->share);
	put(to, FEATURE_PATH_PROSE, p->prose);
}

static uint8_t position(uint32_t at, uint32_t origin)
{
	int64_t after = (int64_t)at - (int64_t)origin;
	return (uint8_t)(after < -49 ? 1 : after > 200 ? 250 : after + 50);
}

static void put_description(struct column to, const struct features *f, const struct blocks *b,
			    uint32_t i)
{
	const struct block_standing *c = &f->standing.block[i];
	bool any = f->standing.description_runs != 0, placed = f->standing.described != NO_BLOCK;
	uint32_t element = b->block[i].element, meets = placed ? f->standing.meets[element] : 0;
	put(to, FEATURE_IN_DESCRIPTION, any ? c->in_description : 0);
	put(to, FEATURE_DESCRIPTION_COVERED, any ? c->description_covered : 0);
	put(to, FEATURE_AFTER_DESCRIPTION, placed ? position(i, f->standing.described) : 0);
	put(to, FEATURE_DESCRIPTION_MEETS, placed ? steps(b, element, meets) : FAR_BLOCKS);
	put(to, FEATURE_DESCRIPTION_MEETS_SHARE, placed ? f->view[meets].level[3] : 0);
}

static void put_levels(struct column to, const struct features *f, const struct aggregates *a, uint32_t element)
{
	put(to, FEATURE_LEVEL1_LINK_LENGTH, f->view[element].link_length);
	put(to, FEATURE_REPEATS_ORDINAL, f->view[element].repeats_ordinal);
	put(to, FEATURE_REPEATS_RATIO, f->view[element].repeats_ratio);
	put(to, FEATURE_REPEATS_MOST, f->view[element].repeats_most);
	put(to, FEATURE_REPEATS_UNITS, f->view[element].repeats_units);
	unsigned at = FEATURE_LEVEL0_UNITS;
	_Pragma("GCC unroll 6") for (unsigned level = 0; level < LEVELS; level++, at += LEVEL_FEATURES) {
		_Pragma("GCC unroll 8") for (unsigned i = 0; i < LEVEL_FEATURES; i++)
			put(to, at + i, f->view[element].level[i]);
		element = a->sum[element].wider;
	}
}

static void put_neighbourhood(struct column to, const struct features *f, const struct blocks *b, uint32_t i)
{
	unsigned at = FEATURE_DENSITY2;
	for (uint32_t reach = 2; reach <= 8; reach *= 2, at += 2) {
		uint32_t first = i < reach ? 0 : i - reach, last = b->n_blocks - i <= reach ? b->n_blocks - 1 : i + reach;
		uint32_t units = f->before[2 * last + 2] - f->before[2 * first];
		uint32_t linked = f->before[2 * last + 3] - f->before[2 * first + 1];
		put(to, at, scale_share64(units, (uint64_t)b->block[last].end - b->block[first].start));
		put(to, at + 1, scale_share(linked, units));
	}
	const struct block_context *c = &f->context[i];
	put(to, FEATURE_GOOD_BEFORE, c->good_before);
	put(to, FEATURE_LINKS_BEFORE, c->links_before);
	put(to, FEATURE_TOKENS_BEFORE, c->tokens_before);
	put(to, FEATURE_GOOD_AFTER, c->good_after);
	put(to, FEATURE_LINKS_AFTER, c->links_after);
	put(to, FEATURE_TOKENS_AFTER, c->tokens_after);
}

static void put_neighbours(struct column to, const struct features *f, uint32_t n, uint32_t i)
{
	static const struct block_context none;
	const struct block_context *before = i ? &f->context[i - 1] : &none, *after = i + 1 < n ? &f->context[i + 1] : &none;
	put(to, FEATURE_PREV_UNITS, before->units);
	put(to, FEATURE_PREV_LINKS, before->links);
	put(to, FEATURE_PREV_STOP, before->ends_stop);
	put(to, FEATURE_PREV_TOKENS, before->tokens);
	put(to, FEATURE_NEXT_UNITS, after->units);
	put(to, FEATURE_NEXT_LINKS, after->links);
	put(to, FEATURE_NEXT_STOP, after->ends_stop);
	put(to, FEATURE_NEXT_TOKENS, after->tokens);
	/* comments stand behind a name and a date */
	put(to, FEATURE_PREV_DIGITS, before->digits);
	put(to, FEATURE_NEXT_DIGITS, after->digits);
}

static void put_tokens(struct column to, const struct features *f, const struct blocks *b, uint32_t i)
{
	const struct block *block = &b->block[i];
	const struct element *e = &b->element[block->element];
	uint8_t tokens = f->context[i].tokens;
	put(to, FEATURE_TOKENS, tokens);
	put(to, FEATURE_TOKENS_RELATIVE, scale_signed((int32_t)tokens - (int32_t)f->standing.tokens_best));
	put(to, FEATURE_TOKENS_OVER_MEAN, scale_signed((int32_t)tokens - (int32_t)f->standing.tokens_mean));
	put(to, FEATURE_TOKENS_MOST, scale_own_tokens(e->most));
	put(to, FEATURE_TOKENS_LEAST, scale_own_tokens(e->least));
	put(to, FEATURE_TOKENS_OWN, scale_own_tokens(e->score));
	put(to, FEATURE_TOKENS_PARENT, scale_own_tokens(b->element[e->parent].score));
	put(to, FEATURE_TOKENS_INLINE, scale_own_tokens(block->inline_score));
}

/* How a block stands among all of its page. */
static void put_standing(struct column to, const struct features *f, const struct block *block, uint32_t i)
{
	put(to, FEATURE_SHARE_OF_PAGE, scale_part(block->counts.units, &f->units));
	put(to, FEATURE_UNITS_RELATIVE, scale_part(block->counts.units, &f->units_most));
	put(to, FEATURE_PROSE_BEFORE, scale_part(f->standing.block[i].prose_before, &f->prose));
	put(to, FEATURE_LINK_COUNT, scale_cap(block->links, 255));
}

void features_tile(const struct features *f, const struct blocks *b, const struct aggregates *a, uint32_t first,
		   uint32_t n, uint8_t tile[][TILE])
{
	put_page(tile, f, b, a);
	for (uint32_t at = 0; at < n; at++) {
		uint32_t i = first + at;
		struct column to = { tile, at };
		const struct block *block = &b->block[i];
		const struct element *e = &b->element[block->element];
		put_own(to, &f->context[i], block, e);
		put_place(to, f, b, a, i);
		put_tags(to, block, e);
		put_best(to, f, b, a, block->element);
		put_levels(to, f, a, block->element);
		put_neighbourhood(to, f, b, i);
		put_tokens(to, f, b, i);
		put_neighbours(to, f, b->n_blocks, i);
		put_description(to, f, b, i);
		put_standing(to, f, block, i);
	}
}

void features_free(struct features *f)
{
	free(f->context);
	free(f->view);
	free(f->path);
	free(f->before);
	standing_free(&f->standing);
	free(f->title);
	int32_t bias = f->bias;
	*f = (struct features){ .bias = bias };
}
