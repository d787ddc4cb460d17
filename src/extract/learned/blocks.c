#include "extract/learned/blocks.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/status.h"
#include "extract/learned/open_elements.h"
#include "extract/learned/stamps.h"
#include "html/run_scan.h"

enum tag_effect {
	EFFECT_BREAK = 1, /* ends the block of text */
	EFFECT_STACK = 2, /* goes on the stack of open elements */
	EFFECT_MUTE = 4,  /* what is inside is not shown where the page works */
	EFFECT_COUNT = 8, /* a start tag counts by itself: count_tag */
	EFFECT_STYLE = 16, /* begins or ends a link, bold, italic */
};

#define BLOCK_TAG (EFFECT_BREAK | EFFECT_STACK)
/* Unknown names count as custom elements: they group, and do not break text. */
static const uint8_t effects[HTML_TAGS_COUNT] = {
	[HTML_TAG_OTHER] = EFFECT_STACK, [HTML_TAG_SPAN] = EFFECT_STACK,
	[HTML_TAG_A] = EFFECT_STYLE, [HTML_TAG_B] = EFFECT_STYLE, [HTML_TAG_STRONG] = EFFECT_STYLE,
	[HTML_TAG_I] = EFFECT_STYLE, [HTML_TAG_EM] = EFFECT_STYLE,
	[HTML_TAG_IMG] = EFFECT_COUNT, [HTML_TAG_INPUT] = EFFECT_COUNT, [HTML_TAG_META] = EFFECT_COUNT,
	[HTML_TAG_LINK] = EFFECT_COUNT,
	[HTML_TAG_P] = BLOCK_TAG, [HTML_TAG_DIV] = BLOCK_TAG, [HTML_TAG_LI] = BLOCK_TAG, [HTML_TAG_TD] = BLOCK_TAG,
	[HTML_TAG_TH] = BLOCK_TAG, [HTML_TAG_H1] = BLOCK_TAG, [HTML_TAG_H2] = BLOCK_TAG, [HTML_TAG_H3] = BLOCK_TAG,
	[HTML_TAG_H4] = BLOCK_TAG, [HTML_TAG_H5] = BLOCK_TAG, [HTML_TAG_H6] = BLOCK_TAG,
	[HTML_TAG_BLOCKQUOTE] = BLOCK_TAG, [HTML_TAG_PRE] = BLOCK_TAG, [HTML_TAG_FIGCAPTION] = BLOCK_TAG,
	[HTML_TAG_DD] = BLOCK_TAG, [HTML_TAG_DT] = BLOCK_TAG, [HTML_TAG_BUTTON] = BLOCK_TAG | EFFECT_COUNT,
	[HTML_TAG_LABEL] = BLOCK_TAG, [HTML_TAG_SECTION] = BLOCK_TAG, [HTML_TAG_ARTICLE] = BLOCK_TAG | EFFECT_COUNT,
	[HTML_TAG_MAIN] = BLOCK_TAG | EFFECT_COUNT, [HTML_TAG_NAV] = BLOCK_TAG, [HTML_TAG_ASIDE] = BLOCK_TAG,
	[HTML_TAG_HEADER] = BLOCK_TAG, [HTML_TAG_FOOTER] = BLOCK_TAG, [HTML_TAG_FORM] = BLOCK_TAG,
	[HTML_TAG_FIGURE] = BLOCK_TAG, [HTML_TAG_UL] = BLOCK_TAG, [HTML_TAG_OL] = BLOCK_TAG,
	[HTML_TAG_TABLE] = BLOCK_TAG, [HTML_TAG_TR] = BLOCK_TAG, [HTML_TAG_DL] = BLOCK_TAG, [HTML_TAG_BODY] = BLOCK_TAG,
	[HTML_TAG_HTML] = BLOCK_TAG, [HTML_TAG_HEAD] = BLOCK_TAG, [HTML_TAG_ADDRESS] = BLOCK_TAG,
	[HTML_TAG_CENTER] = BLOCK_TAG, [HTML_TAG_CAPTION] = BLOCK_TAG, [HTML_TAG_DETAILS] = BLOCK_TAG,
	[HTML_TAG_SUMMARY] = BLOCK_TAG, [HTML_TAG_TBODY] = BLOCK_TAG, [HTML_TAG_THEAD] = BLOCK_TAG,
	[HTML_TAG_TFOOT] = BLOCK_TAG, [HTML_TAG_FIELDSET] = BLOCK_TAG, [HTML_TAG_LEGEND] = BLOCK_TAG,
	[HTML_TAG_OPTION] = BLOCK_TAG, [HTML_TAG_MENU] = BLOCK_TAG, [HTML_TAG_DIALOG] = BLOCK_TAG,
	[HTML_TAG_HGROUP] = BLOCK_TAG, [HTML_TAG_DIR] = BLOCK_TAG,
	[HTML_TAG_HR] = EFFECT_BREAK, [HTML_TAG_BR] = EFFECT_BREAK | EFFECT_COUNT, [HTML_TAG_EMBED] = EFFECT_BREAK,
	[HTML_TAG_TITLE] = EFFECT_BREAK, [HTML_TAG_IFRAME] = EFFECT_BREAK, [HTML_TAG_OBJECT] = EFFECT_BREAK,
	[HTML_TAG_TEXTAREA] = EFFECT_BREAK, [HTML_TAG_SELECT] = EFFECT_BREAK, [HTML_TAG_NOSCRIPT] = EFFECT_BREAK,
	[HTML_TAG_TEMPLATE] = EFFECT_BREAK,
	[HTML_TAG_VIDEO] = BLOCK_TAG | EFFECT_MUTE, [HTML_TAG_AUDIO] = BLOCK_TAG | EFFECT_MUTE,
	[HTML_TAG_CANVAS] = BLOCK_TAG | EFFECT_MUTE,
};

static const uint8_t ancestor_of[HTML_TAGS_COUNT] = {
	/* one more than enum ancestor, so that 0 is none */
	[HTML_TAG_ARTICLE] = ANC_ARTICLE + 1, [HTML_TAG_MAIN] = ANC_MAIN + 1, [HTML_TAG_SECTION] = ANC_SECTION + 1,
	[HTML_TAG_ASIDE] = ANC_ASIDE + 1, [HTML_TAG_NAV] = ANC_NAV + 1, [HTML_TAG_HEADER] = ANC_HEADER + 1,
	[HTML_TAG_FOOTER] = ANC_FOOTER + 1, [HTML_TAG_FORM] = ANC_FORM + 1, [HTML_TAG_FIGURE] = ANC_FIGURE + 1,
	[HTML_TAG_BLOCKQUOTE] = ANC_QUOTE + 1, [HTML_TAG_LI] = ANC_LI + 1, [HTML_TAG_TABLE] = ANC_TABLE + 1,
};

/* RESERVE_BELOW: units of shown text from which the reserve is dropped whatever it holds. */
enum { TITLE_MOST = 1 << 10, DEPTH_DEFAULT = 512, RESERVE_BELOW = 500 };

struct block_builder {
	struct open_elements open;
	struct token_sink sink;
	struct token_cache cache;
	size_t max_text;
	size_t cap_blocks, cap_elements;
	/* the open block */
	struct block current;
	size_t counted;         /* text before this place is in current.counts */
	size_t begin;           /* where the open block's text begins */
	uint64_t last_end;
	bool in_link, in_bold, in_italic, title_done;
	uint8_t reserve_tag;    /* the skipped element whose text is kept as a reserve; 0 = outside */
	unsigned reserve_depth; /* open elements outside of it */
	uint64_t shown, reserved; /* units */
	struct buf swallowed;     /* what follows a <title> that is not closed: perhaps the whole page */
};

static const int8_t no_weights[TOKEN_COUNT];

int blocks_init(struct blocks *b, size_t max_text, unsigned max_depth)
{
	struct block_builder *t = b->builder = calloc(1, sizeof *t);
	if (!t)
		return DANA_ENOMEM;
	t->max_text = max_text;
	t->sink.weights = no_weights;
	t->cap_elements = t->cap_blocks = 256;
	b->block = malloc(t->cap_blocks * sizeof *b->block);
	b->element = malloc(t->cap_elements * sizeof *b->element);
	b->evidence = calloc(1, sizeof *b->evidence);
	if (!b->block || !b->element || !b->evidence || open_elements_init(&t->open, max_depth ? max_depth : DEPTH_DEFAULT) < 0)
		return DANA_ENOMEM;
	blocks_reset(b);
	return DANA_OK;
}

void blocks_weigh(struct blocks *b, const struct token_sink *sink)
{
	b->builder->sink = *sink;
	b->builder->sink.cache = &b->builder->cache;
	memset(&b->builder->cache, 0, sizeof b->builder->cache); /* what it holds was weighed by other weights */
}

static void begin_block(struct blocks *b)
{
	struct block_builder *t = b->builder;
	struct block *c = &t->current;
	/* what adds up; the rest is set when the block ends, and zeroing all of it is slow */
	c->counts = (struct counts){ 0 };
	c->start = c->linked = c->bold = c->italic = 0;
	c->inline_score = 0;
	c->tags_before = c->links = c->images_before = c->inputs_before = 0;
	c->br_before = false;
	t->begin = t->counted = b->text.len;
	b->begun++;
}

void blocks_reset(struct blocks *b)
{
	struct block_builder *t = b->builder;
	tokens_fetch(&t->sink);
	open_elements_reset(&t->open);
	b->n_blocks = 0;
	b->n_elements = 1;
	b->element[0] = (struct element){ .tag = HTML_TAG_OTHER };
	b->page_bytes = 0;
	b->articles = b->images = b->textareas = b->inputs = 0;
	b->body_tokens = 0;
	evidence_reset(b->evidence);
	b->has_main = b->truncated = false;
	buf_shrink(&b->text, (size_t)1 << 20);
	buf_clear(&b->title);
	t->in_link = t->in_bold = t->in_italic = t->title_done = false;
	t->last_end = 0;
	t->reserve_tag = 0;
	t->shown = t->reserved = 0;
	buf_shrink(&t->swallowed, TITLE_MOST);
	begin_block(b);
}

void blocks_free(struct blocks *b)
{
	if (b->builder) {
		open_elements_free(&b->builder->open);
		buf_free(&b->builder->swallowed);
	}
	if (b->evidence)
		evidence_free(b->evidence);
	free(b->evidence);
	free(b->builder);
	free(b->block);
	free(b->element);
	buf_free(&b->text);
	buf_free(&b->title);
	*b = (struct blocks){ 0 };
}

/* Text that waits is counted: here the state of links and bold changes, or the block ends. */
static inline void count_pending(struct blocks *b)
{
	struct block_builder *t = b->builder;
	size_t len = b->text.len - t->counted;
	if (len == 0)
		return;
	uint32_t before = t->current.counts.units;
	counts_add(&t->current.counts, slice_of(b->text.data + t->counted, len));
	uint32_t units = t->current.counts.units - before;
	if (t->in_link)
		t->current.linked += units;
	if (t->in_bold)
		t->current.bold += units;
	if (t->in_italic)
		t->current.italic += units;
	t->counted = b->text.len;
}

static inline uint64_t load_word(const uint8_t *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* Sixteen bytes at a time, which can be read on behind the end: only equality on one page matters. */
static uint32_t hash_text(struct slice s)
{
	const uint64_t factor = 0x9E3779B97F4A7C15U;
	uint64_t h = s.len * factor, k = ~h;
	const uint8_t *p = s.data;
	size_t len = s.len;
	for (; len > 16; len -= 16, p += 16) {
		h = (h ^ load_word(p)) * factor;
		k = (k ^ load_word(p + 8)) * factor;
		h ^= h >> 29;
		k ^= k >> 31;
	}
	uint64_t first = ~(uint64_t)0, second = 0; /* bytes that belong to the text */
	if (len > 8)
		second = ~(uint64_t)0 >> 8 * (16 - len);
	else
		first = ~(uint64_t)0 >> 8 * (8 - len);
	h = (h ^ (load_word(p) & first)) * factor;
	k = (k ^ (load_word(p + 8) & second)) * factor;
	h = (h ^ h >> 32 ^ (k ^ k >> 30) * 0xD6E8FEB86659FD93U) * factor;
	return (uint32_t)(h >> 32);
}

static uint8_t visible_tag(const struct blocks *b)
{
	const struct open_elements *open = &b->builder->open;
	return open->top_block < 0 ? HTML_TAG_OTHER : open->entry[open->top_block].tag;
}

/* The open block ends at `end`. One without visible characters vanishes, and its tags count for the next. */
static int end_filled_block(struct blocks *b, uint64_t end)
{
	struct block_builder *t = b->builder;
	struct block *c = &t->current;
	count_pending(b);
	if (c->counts.units == 0 || b->n_blocks == BLOCKS_MOST) {
		b->truncated |= c->counts.units != 0;
		const struct block carried = { .tags_before = c->tags_before, .br_before = c->br_before,
					       .images_before = c->images_before, .inputs_before = c->inputs_before };
		b->text.len = t->begin;
		begin_block(b);
		c->tags_before = carried.tags_before;
		c->images_before = carried.images_before;
		c->inputs_before = carried.inputs_before;
		c->br_before = carried.br_before;
		return DANA_OK;
	}
	struct block *more = grow_items(b->block, b->n_blocks, &t->cap_blocks, sizeof *more);
	if (!more)
		return DANA_ENOMEM;
	b->block = more;
	while (ascii_is_space(b->text.data[b->text.len - 1]))
		b->text.len--;
	uint32_t len = (uint32_t)(b->text.len - t->begin), hash = hash_text(slice_of(b->text.data + t->begin, len));
	/* what was just written in pieces is slow to copy whole: the last of it is written into the copy */
	struct block *to = &b->block[b->n_blocks];
	*to = *c;
	to->text = (uint32_t)t->begin;
	to->text_len = len;
	to->hash = hash;
	to->stamp = (c->counts.digits >= STAMP_DIGITS || c->counts.arabic) && stamps_found(slice_of(b->text.data + t->begin, len));
	to->end = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
	to->element = open_elements_top(&t->open);
	to->tag = visible_tag(b);
	to->hidden = b->element[to->element].hidden;
	to->reserve = t->reserve_tag != 0;
	to->serial = b->n_blocks++;
	to->textareas_before = b->textareas;
	if (to->reserve)
		t->reserved += c->counts.units;
	else
		t->shown += c->counts.units;
	t->last_end = end;
	begin_block(b);
	return DANA_OK;
}

static inline int end_block(struct blocks *b, uint64_t end)
{
	struct block_builder *t = b->builder;
	if (b->text.len != t->begin)
		return end_filled_block(b, end);
	t->current.inline_score = 0;
	t->current.links = 0;
	b->begun++;
	return DANA_OK;
}

static int add_title(struct blocks *b, struct slice text)
{
	if (b->builder->title_done)
		return DANA_OK;
	size_t room = TITLE_MOST - b->title.len, most = b->builder->max_text - b->builder->swallowed.len;
	int status = buf_append(&b->title, text.data, text.len < room ? text.len : room);
	return status < 0 ? status : buf_append(&b->builder->swallowed, text.data, text.len < most ? text.len : most);
}

static int add_text(struct blocks *b, struct slice text, uint64_t offset)
{
	struct block_builder *t = b->builder;
	if (b->text.len == t->begin) {
		const uint8_t *first = text.data;
		while (text.len && ascii_is_space(text.data[0]))
			text = slice_of(text.data + 1, text.len - 1);
		if (text.len == 0)
			return DANA_OK;
		offset += (uint64_t)(text.data - first);
		t->current.start = offset > UINT32_MAX ? UINT32_MAX : (uint32_t)offset;
	}
	if (text.len > t->max_text - b->text.len) {
		text.len = t->max_text - b->text.len;
		b->truncated = true;
	}
	if (b->text.cap - b->text.len < text.len + BLOCKS_READ_ON) {
		int status = buf_reserve(&b->text, text.len + BLOCKS_READ_ON);
		if (status < 0)
			return status;
	}
	memcpy(b->text.data + b->text.len, text.data, text.len);
	b->text.len += text.len;
	return DANA_OK;
}

int blocks_run(struct blocks *b, const struct html_run *run)
{
	b->page_bytes = run->offset + run->bytes.len;
	if (run->kind != HTML_TEXT)
		return DANA_OK;
	if (run->tag == HTML_TAG_TITLE)
		return add_title(b, run->bytes);
	if (run->skipped && (!b->builder->reserve_tag || run->tag))
		return DANA_OK;
	return add_text(b, run->bytes, run->offset);
}

static int16_t saturate16(int32_t v)
{
	return (int16_t)(v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v);
}

/* A byte more for each that is neither 0 nor ANC_FAR: a sum with 127 has the top bit when a byte of it is not 0. */
static inline uint64_t one_further(uint64_t bytes)
{
	const uint64_t most = 0x7F7F7F7F7F7F7F7FU, far = most / 0x7F * ANC_FAR;
	return bytes + (((bytes + most) & ((bytes ^ far) + most) & ~most) >> 7);
}

/* Distances from ancestors, all at once, from those of the parent: what was just copied in other pieces is slow to read. */
static inline void go_further(uint8_t to[static ANC_COUNT], const uint8_t from[static ANC_COUNT])
{
	uint64_t first;
	uint32_t rest;
	_Static_assert(ANC_COUNT == sizeof first + sizeof rest, "all of them");
	memcpy(&first, from, sizeof first);
	memcpy(&rest, from + sizeof first, sizeof rest);
	first = one_further(first);
	rest = (uint32_t)one_further(rest);
	memcpy(to, &first, sizeof first);
	memcpy(to + sizeof first, &rest, sizeof rest);
}

/* Records the element and answers its number; the parent's when there is no room. */
static int open_element(struct blocks *b, enum html_tag tag, const struct tag_facts *facts, uint32_t *number)
{
	struct block_builder *t = b->builder;
	uint32_t parent = *number = open_elements_top(&t->open);
	if (b->n_elements == ELEMENTS_MOST)
		return DANA_OK;
	struct element *more = grow_items(b->element, b->n_elements, &t->cap_elements, sizeof *more);
	if (!more)
		return DANA_ENOMEM;
	b->element = more;
	const struct element *p = &b->element[parent];
	struct element *e = &b->element[b->n_elements];
	/* one by one: the parent was perhaps just written so, and would be slow to copy whole */
	e->parent = parent;
	e->tag = (uint8_t)tag;
	e->depth = (uint16_t)(p->depth + 1);
	e->article = p->article;
	e->lists = p->lists;
	e->score = saturate16(facts->score);
	e->total = p->total + e->score;
	e->most = e->score > p->most || parent == 0 ? e->score : p->most;
	e->least = e->score < p->least || parent == 0 ? e->score : p->least;
	e->hidden = p->hidden || facts->hidden || (effects[tag] & EFFECT_MUTE);
	e->path = (p->path * 31 + (uint32_t)tag * 1000003U + facts->class_hash) * 0x9E3779B1U;
	e->path ^= e->path >> 15;
	go_further(e->distance, p->distance);
	if (ancestor_of[tag])
		e->distance[ancestor_of[tag] - 1] = 1;
	if (tag == HTML_TAG_UL || tag == HTML_TAG_OL)
		e->lists = (uint8_t)(p->lists + (p->lists != UINT8_MAX));
	if (tag == HTML_TAG_ARTICLE)
		e->article = (uint16_t)(b->articles > UINT16_MAX ? UINT16_MAX : b->articles);
	if (tag == HTML_TAG_BODY)
		b->body_tokens = e->total;
	*number = b->n_elements++;
	return DANA_OK;
}

/* Tags that tell something of the text near them. */
static int count_tag(struct blocks *b, struct attr_reader *attrs, enum html_tag tag)
{
	struct block *c = &b->builder->current;
	switch (tag) {
	case HTML_TAG_BR:
		c->br_before = true;
		break;
	case HTML_TAG_IMG:
		b->images++;
		c->images_before = (uint16_t)(c->images_before + (c->images_before != UINT16_MAX));
		break;
	case HTML_TAG_INPUT:
	case HTML_TAG_BUTTON:
		b->inputs++;
		c->inputs_before = (uint16_t)(c->inputs_before + (c->inputs_before != UINT16_MAX));
		break;
	case HTML_TAG_ARTICLE:
		b->articles++;
		break;
	case HTML_TAG_MAIN:
		b->has_main = true;
		break;
	case HTML_TAG_META:
		return evidence_meta(b->evidence, attrs);
	case HTML_TAG_LINK:
		evidence_link(b->evidence, attrs);
		break;
	default:
		break;
	}
	return DANA_OK;
}

/* A link, bold or italic begins or ends. */
static void change_style(struct block_builder *t, enum html_tag tag, bool on)
{
	if (tag == HTML_TAG_A)
		t->in_link = on;
	else if (tag == HTML_TAG_B || tag == HTML_TAG_STRONG)
		t->in_bold = on;
	else
		t->in_italic = on;
}

static int start_tag(struct blocks *b, struct attr_reader *attrs, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	unsigned effect = effects[tag];
	int status = effect & EFFECT_COUNT ? count_tag(b, attrs, tag) : DANA_OK;
	if (status < 0)
		return status;
	if (effect & EFFECT_BREAK)
		open_elements_imply(&t->open, tag, tag != HTML_TAG_BR);
	if (html_tag_is(tag, TAG_VOID))
		return DANA_OK;
	struct tag_facts facts = { 0 };
	if (attrs->at != attrs->end && *attrs->at != '>')
		tokens_of_tag(&t->sink, attrs, !(effect & EFFECT_STACK), &facts);
	if (effect & EFFECT_STYLE)
		change_style(t, tag, tag != HTML_TAG_A || facts.href);
	t->current.links = (uint16_t)(t->current.links + (facts.href && t->current.links != UINT16_MAX));
	if (!(effect & EFFECT_STACK)) {
		t->current.inline_score += facts.score;
		return DANA_OK;
	}
	uint32_t number;
	status = open_element(b, tag, &facts, &number);
	if (status == DANA_OK)
		(void)open_elements_push(&t->open, tag, number);
	return status;
}

static void end_tag(struct blocks *b, enum html_tag tag)
{
	if (effects[tag] & EFFECT_STYLE)
		change_style(b->builder, tag, false);
	if (effects[tag] & EFFECT_STACK)
		open_elements_close(&b->builder->open, tag);
}

/* A skipped tag is none to us, unless it stands in the reserve, or begins or ends it. Answers whether it counts. */
static bool is_seen(struct block_builder *t, const struct html_tag_event *event)
{
	if (!event->skipped)
		return true;
	if (t->reserve_tag && event->tag == t->reserve_tag && event->closing) {
		open_elements_cut(&t->open, t->reserve_depth);
		t->reserve_tag = 0;
		t->in_link = t->in_bold = t->in_italic = false;
		return false;
	}
	if (!t->reserve_tag && !event->closing && (event->tag == HTML_TAG_NOSCRIPT || event->tag == HTML_TAG_TEMPLATE)) {
		t->reserve_tag = event->tag;
		t->reserve_depth = t->open.len;
		return false;
	}
	return t->reserve_tag && !html_tag_is(event->tag, TAG_SKIP);
}

/* What ends before a tag, and what a tag counts wherever it stands. */
static inline int meet_tag(struct blocks *b, enum html_tag tag, uint64_t start)
{
	struct block *c = &b->builder->current;
	int status = DANA_OK;
	if (effects[tag] & EFFECT_BREAK)
		status = end_block(b, start);
	else
		count_pending(b);
	c->tags_before = (uint16_t)(c->tags_before + (c->tags_before != UINT16_MAX));
	return status;
}

int blocks_tag(struct blocks *b, const struct html_tag_event *event)
{
	struct block_builder *t = b->builder;
	enum html_tag tag = event->tag;
	if (tag == HTML_TAG_TITLE && event->closing)
		t->title_done = true;
	int status = meet_tag(b, tag, event->start);
	if (status < 0)
		return status;
	if (tag == HTML_TAG_TEXTAREA && !event->closing)
		b->textareas++;
	if (!is_seen(t, event))
		return DANA_OK;
	if (event->closing) {
		end_tag(b, tag);
		return DANA_OK;
	}
	struct attr_reader attrs = attr_reader_begin(event);
	return start_tag(b, &attrs, tag);
}

/* The unit's text; white space that begins a block is passed over by masks. */
static int unit_text(struct blocks *b, const struct html_unit *unit)
{
	size_t at = unit->text;
	if (b->text.len == b->builder->begin) {
		struct html_run run = unit_text_run(unit);
		at += run_find(&run, 0, run.bytes.len, RUN_OTHER);
		if (at == unit->code)
			return DANA_OK;
	}
	return add_text(b, slice_of(unit->window + at, unit->code - at), unit->base + at);
}

int blocks_unit(struct blocks *b, const struct html_unit *unit)
{
	enum html_tag tag = unit->tag;
	b->page_bytes = unit->base + unit->end;
	int status = unit->text != unit->code ? unit_text(b, unit) : DANA_OK;
	if (status == DANA_OK)
		status = meet_tag(b, tag, unit->base + unit->code);
	if (status < 0)
		return status;
	if (unit->closing) {
		end_tag(b, tag);
		return DANA_OK;
	}
	struct attr_reader attrs = attr_reader_of_unit(unit);
	return start_tag(b, &attrs, tag);
}

static void drop_reserve(struct blocks *b)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		if (!b->block[i].reserve)
			b->block[kept++] = b->block[i];
	}
	b->n_blocks = kept;
}

static int swallowed_run(void *arg, const struct html_run *run)
{
	return blocks_run(arg, run);
}

static int swallowed_tag(void *arg, const struct html_tag_event *event)
{
	return blocks_tag(arg, event);
}

/* A title without end took the page with it, as it does in a browser. Old pages had readers all the same: it is read again. */
static int read_swallowed(struct blocks *b)
{
	struct block_builder *t = b->builder;
	const struct html_handler handler = { .run = swallowed_run, .tag = swallowed_tag, .arg = b };
	const uint8_t *tag = memchr(t->swallowed.data, '<', t->swallowed.len);
	uint64_t page_bytes = b->page_bytes;
	if (!tag)
		return DANA_OK;
	struct html_tokenizer *again = html_tokenizer_new(&handler, NULL);
	if (!again)
		return DANA_ENOMEM;
	t->title_done = true;
	b->title.len = b->title.len < (size_t)(tag - t->swallowed.data) ? b->title.len : (size_t)(tag - t->swallowed.data);
	int status = html_tokenizer_feed(again, slice_skip(buf_slice(&t->swallowed), (size_t)(tag - t->swallowed.data)));
	if (status >= 0)
		status = html_tokenizer_finish(again);
	html_tokenizer_free(again);
	b->page_bytes = page_bytes;
	return status < 0 ? status : end_block(b, page_bytes);
}

int blocks_finish(struct blocks *b)
{
	struct block_builder *t = b->builder;
	int status = end_block(b, b->page_bytes);
	if (status == DANA_OK && t->shown == 0 && !t->title_done && t->swallowed.len)
		status = read_swallowed(b);
	if (t->reserved && (t->shown >= RESERVE_BELOW || t->reserved < t->shown))
		drop_reserve(b);
	return status;
}
