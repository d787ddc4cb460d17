/* SPDX-License-Identifier: MIT */
/*
 * Makes blocks from the tokeniser's events. A tag with TAG_SPLITS ends the block; text is added to the open block; a
 * tag with TAG_NESTS opens or closes an element.
 *
 * Example: <div>Menu<p>A <a href=/x>link</a>.</p></div> makes two blocks: "Menu" in <div>, and "A link." in <p>, with 4
 * of its 6 units in a link.
 */
#include "extract/learned/blocks.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/entity.h"
#include "extract/html/formula.h"
#include "extract/html/picture_text.h"
#include "extract/html/tokenizer.h"
#include "extract/html/white_space.h"
#include "extract/learned/block_builder.h"
#include "extract/learned/tokens.h"
#include "extract/text_writer.h"

/* In place of the letter of a picture: the last block is one letter. */
enum { LONE = 1 };

/** Limits for one page; further elements count as part of their parent, further blocks are dropped. */
enum { BLOCKS_MOST = 1 << 15, ELEMENTS_MOST = 1 << 16 };

/** Bytes after `text` that can be read, so that loops need not stop exactly at its end; their values do not matter. */
enum { BLOCKS_READ_ON = 64 };

/**
 * TITLE_HELD: room for the text after <title> that is held from page to page. RESERVE_BELOW: from this many units of
 * shown text outside of links, as menus are, on the reserve is dropped whatever it contains.
 */
enum { TITLE_HELD = 1 << 10, RESERVE_BELOW = 500 };

/** In place of a reserve's tag: the text of scripts is read. */
enum { HELD = UINT8_MAX };

_Static_assert((int)HTML_TAGS_COUNT <= (int)HELD, "it is no tag");

/*
 * A stack in which each entry knows the next lower one of its tag, and a table of the uppermost entry of each tag:
 * whether a tag is open, and where, is known without a search.
 *
 * Example: in <ul><li>a<li>b</ul> the second <li> finds the first one open above <ul> and closes it; </ul> then closes
 * the second <li> and itself.
 */

static bool is_loose(enum html_tag tag)
{
	return tag == HTML_TAG_SPAN || tag == HTML_TAG_OTHER;
}

static void open_elements_reset(struct open_elements *o)
{
	o->len = 0;
	o->top_block = -1;
	for (size_t i = 0; i < HTML_TAGS_COUNT; i++)
		o->top[i] = -1;
}

int open_elements_init(struct open_elements *o, unsigned max)
{
	o->max = max;
	o->entry = malloc(max * sizeof(*o->entry));
	open_elements_reset(o);
	return o->entry ? DANA_OK : DANA_ENOMEM;
}

void open_elements_free(struct open_elements *o)
{
	free(o->entry);
	o->entry = NULL;
}

/* Removes the entries from `len` upwards. */
static void pop_to(struct open_elements *o, unsigned len)
{
	while (o->len > len) {
		const struct open_block_element *e = &o->entry[--o->len];
		o->top[e->tag] = e->same;
		if (!is_loose(e->tag))
			o->top_block = e->block;
	}
}

static int32_t highest(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/* Pops entry `from` unless `barrier` is above it. */
static void pop_inside(struct open_elements *o, int32_t from, int32_t barrier)
{
	if (from >= 0 && from > barrier)
		pop_to(o, (unsigned)from);
}

bool open_elements_push(struct open_elements *o, enum html_tag tag, uint32_t element)
{
	if (o->len == o->max)
		return false;
	int32_t at = (int32_t)o->len++;
	o->entry[at] = (struct open_block_element){ element, o->top[tag], o->top_block, (uint8_t)tag };
	o->top[tag] = at;
	if (!is_loose(tag))
		o->top_block = at;
	return true;
}

void open_elements_close(struct open_elements *o, enum html_tag tag)
{
	int32_t at = o->top[tag];
	if (at < 0)
		return;
	bool crosses_tables =
		tag == HTML_TAG_TABLE || tag == HTML_TAG_DIV || tag == HTML_TAG_BODY || tag == HTML_TAG_HTML;
	if (!crosses_tables && o->top[HTML_TAG_TABLE] > at)
		return;
	/* An end tag of a span or paragraph that was closed already must not close the blocks around it. */
	if ((is_loose(tag) || tag == HTML_TAG_P) && o->top_block > at)
		return;
	pop_to(o, (unsigned)at);
}

/* White space of blocks that does not collapse: the places where it is kept. */

static int block_space_add(struct blocks *b, size_t from)
{
	struct kept_space *last = b->n_kept ? &b->kept[b->n_kept - 1] : NULL;
	uint8_t space = b->builder->white.now;
	uint32_t to = (uint32_t)b->text.len;
	if (from == to)
		return DANA_OK;
	if (last && last->to == from && last->space == space) {
		last->to = to;
		return DANA_OK;
	}
	struct kept_space *more = grow_items(b->kept, b->n_kept, &b->builder->cap_kept, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->kept = more;
	b->kept[b->n_kept++] = (struct kept_space){ (uint32_t)from, to, space };
	return DANA_OK;
}

/** Adapts to a cut at the end of the text. */
static void block_space_cut(struct blocks *b)
{
	while (b->n_kept && b->kept[b->n_kept - 1].to > b->text.len) {
		struct kept_space *last = &b->kept[b->n_kept - 1];
		last->to = (uint32_t)b->text.len;
		b->n_kept -= last->from >= last->to;
	}
}

/*
 * Begins and ends blocks. A block with visible characters is copied to the list of blocks, with what is known only at
 * its end: its innermost element, the hash of its text, whether it contains a date.
 *
 * Example: <p>One <b>two</b></p><p> </p> makes one block, "One two"; the second has no visible character and is
 * dropped.
 */

static void block_begin(struct blocks *b)
{
	struct block_builder *t = b->builder;
	struct block *c = &t->current;
	/* only what adds up: the rest is set when the block ends, and zeroing all of it is slow */
	c->counts = (struct counts){ 0 };
	c->start = c->linked = 0;
	c->inline_score = 0;
	c->links = 0;
	c->input_before = false;
	t->begin = t->indent = t->counted = b->text.len;
	b->begun++;
}

/* Hashes sixteen bytes at a time, for comparisons within a page; bytes after the end can be read (BLOCKS_READ_ON). */
static uint32_t hash_text(struct slice s)
{
	const uint64_t factor = 0x9E3779B97F4A7C15U;
	uint64_t h = s.len * factor, k = ~h;
	const uint8_t *p = s.data;
	size_t len = s.len;
	for (; len > 16; len -= 16, p += 16) {
		h = (h ^ little_endian_64(p)) * factor;
		k = (k ^ little_endian_64(p + 8)) * factor;
		h ^= h >> 29;
		k ^= k >> 31;
	}
	uint64_t first = ~(uint64_t)0, second = 0; /* bytes that belong to the text */
	if (len > 8)
		second = ~(uint64_t)0 >> 8 * (16 - len);
	else
		first = ~(uint64_t)0 >> 8 * (8 - len);
	h = (h ^ (little_endian_64(p) & first)) * factor;
	k = (k ^ (little_endian_64(p + 8) & second)) * factor;
	h = (h ^ h >> 32 ^ (k ^ k >> 30) * 0xD6E8FEB86659FD93U) * factor;
	return (uint32_t)(h >> 32);
}

/** Counts pending text, because a link begins or ends here, or the block ends. */
static inline void block_count_pending(struct blocks *b)
{
	struct block_builder *t = b->builder;
	size_t len = b->text.len - t->counted;
	if (len == 0)
		return;
	uint32_t before = t->current.counts.units;
	counts_add(&t->current.counts, slice_of(b->text.data + t->counted, len));
	uint32_t units = t->current.counts.units - before;
	t->current.linked += t->in_link ? units : 0;
	t->counted = b->text.len;
}

/* Returns whether a block is one letter of a script with capitals: a capital of ASCII, or one of two bytes. */
static bool is_lone_letter(struct slice text)
{
	const uint8_t first = text.data[0];
	return text.len == 1 ? first >= 'A' && first <= 'Z' : text.len == 2 && first >= 0xC3 && first <= 0xD5;
}

/* Ends the open block. One without visible characters is dropped; a field before it counts for the next one. */
static int block_end_filled(struct blocks *b, uint64_t end)
{
	struct block_builder *t = b->builder;
	struct block *c = &t->current;
	block_count_pending(b);
	const uint8_t whole = t->inside.open || t->inside.apart_to ? block_inline_end(b) : 0;
	if (c->counts.units == 0 || b->n_blocks == BLOCKS_MOST) {
		b->truncated |= c->counts.units != 0;
		bool input_before = c->input_before;
		b->text.len = t->indent;
		block_space_cut(b);
		if (t->parts.any)
			block_parts_end(b, false);
		block_begin(b);
		c->input_before = input_before;
		return DANA_OK;
	}
	struct block *more = grow_items(b->block, b->n_blocks, &t->cap_blocks, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->block = more;
	t->ended = b->text.len;
	const uint8_t *last = b->text.data + b->text.len - 1;
	while (ascii_is_space(*last))
		last--;
	b->text.len = (size_t)(last + 1 - b->text.data);
	block_space_cut(b);
	uint32_t len = (uint32_t)(b->text.len - t->begin), hash = hash_text(slice_of(b->text.data + t->begin, len));
	/* reading a struct right after writing its parts is slow: the last parts are written into the copy */
	struct block *to = &b->block[b->n_blocks];
	*to = *c;
	to->text = (uint32_t)t->begin;
	to->text_len = len;
	to->indent = (uint32_t)(t->begin - t->indent);
	to->hash = hash;
	const bool few_links = (uint64_t)c->linked * 10 < (uint64_t)c->counts.units * 3;
	const bool marks = (uint64_t)(c->counts.stops + c->counts.commas) * 200 > c->counts.units;
	to->prose = few_links && marks ? c->counts.units : 0;
	to->has_date = (c->counts.digits >= DATE_DIGITS || c->counts.arabic) &&
		       dates_found(slice_of(b->text.data + t->begin, len));
	to->end = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
	to->element = open_elements_top(&t->open);
	const struct open_elements *open = &b->builder->open;
	to->tag = open->top_block < 0 ? HTML_TAG_OTHER : open->entry[open->top_block].tag;
	to->hidden = b->element[to->element].hidden;
	to->left = b->element[to->element].left | whole;
	to->reserve = t->reserve_tag != 0;
	to->serial = b->n_blocks++;
	t->letter = len <= 2 && t->white.now == WHITE_SPACE_COLLAPSES &&
				    !html_tag_is((enum html_tag)to->tag, TAG_HEADING) &&
				    is_lone_letter(block_text(b, to))
			    ? LONE
			    : 0;
	t->letter_end = UINT64_MAX;
	to->textareas_before = b->textareas;
	if (t->parts.any)
		block_parts_end(b, true);
	if (to->reserve)
		t->reserved += c->counts.units;
	else
		t->shown += c->counts.units - (c->linked < c->counts.units ? c->linked : c->counts.units);
	block_begin(b);
	return DANA_OK;
}

static inline int block_end(struct blocks *b, uint64_t end)
{
	struct block_builder *t = b->builder;
	if (b->text.len != t->begin)
		return block_end_filled(b, end);
	if (t->indent != t->begin) {
		/* drop that white space: no text followed in this block */
		b->text.len = t->begin = t->counted = t->indent;
		block_space_cut(b);
	}
	t->current.inline_score = 0;
	t->current.links = 0;
	b->begun++;
	return DANA_OK;
}

/*
 * The text of blocks. The text of all blocks is in one buffer, one block after the other, as source
 * text (references are not decoded); white space at the beginning of a block is left out.
 *
 * Example: from <title>Lamp<p>Text without </title>, the tokeniser makes only a title. If such a page ends without any
 * other text, it is read again from <p> on, and the title is "Lamp".
 */

/* `kept`: white space may not collapse. */
static inline __attribute__((always_inline)) int add_text(struct blocks *b, struct slice text, uint64_t offset,
							  bool kept)
{
	struct block_builder *t = b->builder;
	if (b->text.len == t->begin) {
		const uint8_t *first = text.data;
		while (text.len && ascii_is_space(text.data[0]))
			text = slice_of(text.data + 1, text.len - 1);
		if (kept && t->white.now == WHITE_SPACE_KEPT) {
			/* keep white space that begins a block */
			const struct slice white = slice_of(first, (size_t)(text.data - first));
			size_t from = b->text.len, room = t->max_text - from;
			int status = buf_append(&b->text, white.data, white.len < room ? white.len : room);
			if (status == DANA_OK)
				status = block_space_add(b, from);
			t->begin = t->counted = b->text.len;
			if (status < 0)
				return status;
		}
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
	return kept ? block_space_add(b, b->text.len - text.len) : DANA_OK;
}

/*
 * Large first letters: <div class=dropcap>T</div>he and <img alt=T>he are one word. The letter of a picture is added
 * where a letter follows it, and a block of one letter is taken back where a small letter follows the tag that ended
 * it. Classes are not read: they have too many names.
 */
static __attribute__((noinline)) int add_initial(struct blocks *b, struct slice text, uint64_t offset)
{
	struct block_builder *t = b->builder;
	uint8_t letter[2] = { t->letter };
	size_t len = t->letter != LONE;
	t->letter = 0;
	if (offset != t->letter_end || !text.len)
		return DANA_OK;
	const uint8_t next = text.data[0];
	if (len == 0 && b->text.len == t->indent &&
	    (next >= 0xC3 || (ascii_is_alpha(next) && ascii_lower(next) == next))) {
		const struct block *last = &b->block[--b->n_blocks];
		len = last->text_len;
		offset = last->start;
		memcpy(letter, b->text.data + last->text, len);
		*(last->reserve ? &t->reserved : &t->shown) -= last->counts.units;
		b->text.len = t->begin = t->indent = t->counted = last->text;
	} else if (!ascii_is_alpha(next)) {
		return DANA_OK;
	}
	return len ? add_text(b, slice_of(letter, len), offset, false) : DANA_OK;
}

static __attribute__((noinline)) int add_other(struct blocks *b, struct slice text, uint64_t offset)
{
	const int status = b->builder->letter ? add_initial(b, text, offset) : DANA_OK;
	return status < 0 ? status : add_text(b, text, offset, b->builder->white.now != WHITE_SPACE_COLLAPSES);
}

/** Adds text to the open block; `offset`: its place in the page. */
static int block_add_text(struct blocks *b, struct slice text, uint64_t offset)
{
	const struct block_builder *t = b->builder;
	if (t->letter | (t->white.now ^ WHITE_SPACE_COLLAPSES))
		return add_other(b, text, offset);
	return add_text(b, text, offset, false);
}

/* A page's own markup, or other markup that belongs to the page: its place is the page's end. */
struct again {
	struct blocks *blocks;
	bool elsewhere;
	uint64_t end;
};

static int again_run(void *arg, const struct html_run *run)
{
	const struct again *again = arg;
	struct html_run moved = *run;
	if (again->elsewhere)
		moved.offset = again->end;
	return blocks_run(again->blocks, &moved);
}

static int again_tag(void *arg, const struct html_tag_event *event)
{
	const struct again *again = arg;
	struct html_tag_event moved = *event;
	if (again->elsewhere)
		moved.start = moved.end = again->end;
	return blocks_tag(again->blocks, &moved);
}

/* Takes the blocks of more markup and ends the last one. */
static int read_again(struct again *again, struct slice html)
{
	const struct html_handler handler = { .run = again_run, .tag = again_tag, .arg = again };
	struct html_tokenizer *tokenizer = html_tokenizer_new(&handler);
	if (!tokenizer)
		return DANA_ENOMEM;
	int status = html_tokenizer_feed(tokenizer, html);
	if (status >= 0)
		status = html_tokenizer_finish(tokenizer);
	html_tokenizer_free(tokenizer);
	again->blocks->page_bytes = again->end;
	return status < 0 ? status : block_end(again->blocks, again->end);
}

/*
 * The effects of tags besides breaking text: elements open and close, links begin and end, some tags are counted. An
 * element is recorded when it opens, with what it takes from its parent (the path's hash, the sum of token scores, the
 * distance from <article> and the like), so that no later step walks up the tree.
 *
 * Example: after <article><div><p> the element of <p> has depth 3 and the distance 3 from <article>: 1 is the element
 * itself, 2 its parent.
 */

/* enum ancestor + 1; 0 for elements whose distance is not recorded. */
static const uint8_t ancestors[HTML_TAGS_COUNT] = {
	[HTML_TAG_ARTICLE] = ANC_ARTICLE + 1,
	[HTML_TAG_MAIN] = ANC_MAIN + 1,
	[HTML_TAG_FOOTER] = ANC_FOOTER + 1,
};

/* Elements of a page that is worth to fetch all weights for. */
enum { FETCH_FROM = 16 };

/* Returns why an element says that it is left out. Those that hold the whole article hold what is apart, too. */
static uint8_t left_by(enum html_tag tag, const struct attribute_facts *facts)
{
	const bool heading = html_tag_is(tag, TAG_HEADING);
	const bool holds =
		tag == HTML_TAG_HTML || tag == HTML_TAG_BODY || tag == HTML_TAG_MAIN || tag == HTML_TAG_ARTICLE;
	const bool hidden = facts->unseen || facts->says & SAYS_HIDDEN;
	unsigned left = hidden || (facts->says & SAYS_READER && !heading) ? LEFT_UNSEEN : 0;
	if (!holds && !heading)
		left |= (facts->says & SAYS_APART ? LEFT_APART : 0U) | (facts->says & SAYS_TOOLS ? LEFT_TOOLS : 0U) |
			(facts->says & SAYS_LINKS ? LEFT_LINKS : 0U) | (facts->says & SAYS_OPENS ? LEFT_OPENS : 0U);
	return (uint8_t)left;
}

/*
 * A block begins in an inline element that is left out: the element holds blocks, and is left out as such.
 *
 * Example: <x-slide style="visibility:hidden"><p>Two.</p></x-slide>
 */
static __attribute__((noinline)) void open_inside(struct blocks *b)
{
	struct block_builder *t = b->builder;
	if (!html_tag_is((enum html_tag)t->inside.tag, TAG_NESTS) || !block_inline_is_empty(b))
		return;
	unsigned at = t->open.len;
	while (at && t->open.entry[at - 1].element > t->inside.element)
		at--;
	if (!at || t->open.entry[at - 1].element != t->inside.element)
		return; /* it is not on the stack */
	for (; at <= t->open.len; at++)
		b->element[t->open.entry[at - 1].element].left |= t->inside.left;
	t->inside.open = false;
}

/* Returns whether the tag has the attribute `open`: without it a <dialog> is not shown. */
static bool is_open(const struct attribute_facts *facts)
{
	struct html_attr attr;
	if (!facts->attrs)
		return false;
	struct html_attr_reader again = *facts->attrs;
	again.at = facts->first;
	while (html_attr_next(&again, &attr)) {
		if (slice_is(attr.name, "open"))
			return true;
	}
	return false;
}

/* Records the element and sets *number to its number, or to its parent's if there is no room. */
static int open_element(struct blocks *b, enum html_tag tag, const struct attribute_facts *facts, uint32_t *number)
{
	struct block_builder *t = b->builder;
	uint32_t parent = *number = open_elements_top(&t->open);
	if (b->n_elements == ELEMENTS_MOST)
		return DANA_OK;
	struct block_element *more = grow_items(b->element, b->n_elements, &t->cap_elements, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->element = more;
	const struct block_element *p = &b->element[parent];
	struct block_element *e = &b->element[b->n_elements];
	/* one by one: the parent may just have been written in this way, and would be slow to copy whole */
	e->parent = parent;
	e->depth = (uint16_t)(p->depth + 1);
	e->score = (int16_t)(facts->score > INT16_MAX   ? INT16_MAX
			     : facts->score < INT16_MIN ? INT16_MIN
							: facts->score);
	e->total = p->total + e->score;
	e->cell = p->cell;
	e->most = e->score > p->most || parent == 0 ? e->score : p->most;
	e->least = e->score < p->least || parent == 0 ? e->score : p->least;
	e->hidden = p->hidden | facts->hidden | html_tag_is(tag, TAG_MUTE);
	e->left = p->left;
	if (tag == HTML_TAG_DIALOG && !is_open(facts))
		e->left |= LEFT_UNSEEN;
	if (facts->unseen | facts->says) { /* an inline element may hold blocks that readers open */
		e->left |= left_by(tag, facts) & (html_tag_is(tag, TAG_SPLITS) ? UINT8_MAX : LEFT_OPENS);
		if (e->left & ~p->left & LEFT_UNSEEN && t->button_end && t->button_end == b->n_blocks)
			e->left |= LEFT_OPENS; /* directly after a button */
	}
	e->path = (p->path * 31 + (uint32_t)tag * 1000003U + facts->class_hash) * 0x9E3779B1U;
	e->path ^= e->path >> 15;
	/* all distances at once, by those of the parent: reading bytes that were just copied in other pieces is slow */
	uint32_t all;
	_Static_assert(ANC_COUNT == sizeof(all), "all of them");
	memcpy(&all, p->distance, sizeof(all));
	/* add one to each byte that is neither 0 nor ANC_FAR; a byte that is not 0 gets its top bit set by adding 127
	 */
	const uint32_t most = 0x7F7F7F7FU, far = most / 0x7F * ANC_FAR;
	all = all + (((all + most) & ((all ^ far) + most) & ~most) >> 7);
	memcpy(e->distance, &all, sizeof(all));
	if (ancestors[tag])
		e->distance[ancestors[tag] - 1] = 1;
	if (tag == HTML_TAG_BODY)
		b->body_tokens = e->total;
	*number = b->n_elements++;
	if (b->n_elements == FETCH_FROM)
		tokens_fetch(&t->sink);
	return DANA_OK;
}

/*
 * Inline elements that are shown as lines of their own, by their style: a line of the block ends where they begin and
 * where they end.
 *
 * Example: <p><span style="display:block">one</span><span style="display:block">two</span></p> is a block of two lines.
 */

static int line_divide(struct blocks *b, uint64_t at)
{
	struct block_builder *t = b->builder;
	const uint8_t white = t->white.now;
	if (b->text.len == t->begin || b->text.data[b->text.len - 1] == '\n')
		return DANA_OK;
	if (white == WHITE_SPACE_COLLAPSES)
		t->white.now = WHITE_SPACE_LINES;
	const int status = block_add_text(b, slice_from_text("\n"), at);
	t->white.now = white;
	return status;
}

/* Forgets the lines whose elements ended with the elements around them. */
static void lines_cut(struct block_builder *t)
{
	while (t->lines.n && t->lines.line[t->lines.n - 1].open > t->open.len)
		t->lines.n--;
}

/* Takes a start tag that begins a line, or one in a line. */
static __attribute__((noinline)) int lines_start(struct blocks *b, enum html_tag tag, bool begins, uint64_t at)
{
	struct block_builder *t = b->builder;
	struct block_lines *lines = &t->lines;
	lines_cut(t);
	if (lines->n && lines->line[lines->n - 1].tag == (uint8_t)tag && !begins)
		lines->line[lines->n - 1].depth++;
	if (!begins || t->parts.preview_depth)
		return DANA_OK;
	if (lines->n < LINES_MOST) {
		lines->line[lines->n].depth = 0;
		lines->line[lines->n].open = t->open.len;
		lines->line[lines->n++].tag = (uint8_t)tag;
	}
	return line_divide(b, at);
}

/* Takes an end tag in a line, before its element is closed. */
static __attribute__((noinline)) int lines_end(struct blocks *b, enum html_tag tag, uint64_t at)
{
	struct block_builder *t = b->builder;
	struct block_lines *lines = &t->lines;
	lines_cut(t);
	if (!lines->n || lines->line[lines->n - 1].tag != (uint8_t)tag || lines->line[lines->n - 1].depth-- != 0)
		return DANA_OK;
	lines->n--;
	return t->white.now == WHITE_SPACE_KEPT ? DANA_OK : line_divide(b, at);
}

/* Adds the text that a picture stands for. */
static __attribute__((noinline)) int block_add_picture(struct blocks *b, const struct html_attr_reader *attrs,
						       uint64_t start, uint64_t end)
{
	struct block_builder *t = b->builder;
	const struct slice text = picture_text(*attrs, &t->letter);
	t->letter_end = end;
	return text.len ? block_add_text(b, text, start) : DANA_OK;
}

/* Begins what few start tags begin, and what is in it. */
static __attribute__((noinline)) int start_in_other(struct blocks *b, enum html_tag tag, struct attribute_facts *facts,
						    uint64_t start)
{
	struct block_builder *t = b->builder;
	const struct block_parts *f = &t->parts;
	const unsigned properties = html_tag_properties[tag];
	int status = DANA_OK;
	if (t->lines.n | facts->line)
		status = lines_start(b, tag, facts->line, start);
	if (status < 0)
		return status;
	if ((properties & (TAG_KEEPS_SPACE | TAG_RAISED)) | (facts->white ^ WHITE_SPACE_INHERITED) | t->white.len |
	    f->preview_depth | f->busy) {
		/* set the white space of the element that begins: its own style overrides its tag */
		bool keeps = (properties & TAG_KEEPS_SPACE) && (tag != HTML_TAG_OTHER || t->other_keeps);
		enum white_space own = facts->white == WHITE_SPACE_INHERITED && keeps ? WHITE_SPACE_KEPT : facts->white;
		white_space_start(&t->white, tag, own);
		if (t->white.len | t->code.open)
			block_code_start_tag(b, tag);
		if ((properties & TAG_RAISED) | f->preview_depth | f->busy)
			block_parts_start_tag(b, tag, facts);
		if (t->notes.awaited)
			block_notes_place(b, tag, facts);
		if (f->raised_tag && properties & TAG_LINKS && !facts->place)
			block_notes_link(b, facts);
	}
	if ((t->inside.open | facts->unseen | facts->says) && !(properties & TAG_SPLITS)) {
		if (t->inside.open && t->inside.tag == (uint8_t)tag)
			block_inline_tag(b, false);
		else
			block_inline_begin(b, tag, left_by(tag, facts));
	}
	return DANA_OK;
}

/* Returns whether a field is for an address of mail or a password. */
static __attribute__((noinline)) bool asks_for_mail(const struct html_attr_reader *attrs)
{
	struct html_attr_reader again = *attrs;
	struct html_attr attr;
	while (html_attr_next(&again, &attr)) {
		if (attr.number == HTML_ATTR_NUMBER('t', 'y', 'p', 'e', 0, 0, 0, 0) &&
		    (slice_is(attr.value, "email") || slice_is(attr.value, "password")))
			return true;
	}
	return false;
}

static int block_start_tag(struct blocks *b, struct html_attr_reader *attrs, enum html_tag tag, uint64_t start,
			   uint64_t end)
{
	struct block_builder *t = b->builder;
	unsigned properties = html_tag_properties[tag];
	int status = DANA_OK;
	if (properties & TAG_COUNTS) {
		switch (tag) {
		case HTML_TAG_IMG:
			b->images++;
			status = block_add_formula_image(b, attrs);
			if (status == DANA_OK)
				status = block_add_picture(b, attrs, start, end);
			break;
		case HTML_TAG_INPUT:
			t->form_signs = t->form_signs || (t->form_open && asks_for_mail(attrs));
			__attribute__((fallthrough));
		case HTML_TAG_BUTTON:
			b->inputs++;
			t->current.input_before = true;
			break;
		case HTML_TAG_ARTICLE:
			b->articles++;
			break;
		case HTML_TAG_MAIN:
			b->has_main = true;
			break;
		case HTML_TAG_META:
			status = page_meta_read_meta(b->meta, attrs);
			break;
		case HTML_TAG_LINK:
			page_meta_read_link(b->meta, attrs);
			break;
		default:
			break;
		}
	}
	if (status < 0)
		return status;
	struct block_parts *f = &t->parts;
	if (properties & TAG_SPLITS) {
		if (((properties & TAG_HEADING) | f->busy) && properties & TAG_CLOSES_P) {
			f->heading = properties & TAG_HEADING ? (uint8_t)tag : 0;
			f->heading_from = (uint32_t)b->text.len;
			f->busy |= f->heading != 0;
		}
		/* end the elements that a start tag of `tag` closes by implication */
		const bool is_block = tag != HTML_TAG_BR;
		const int32_t *top = t->open.top;
		if (is_block && t->open.top_block >= 0 && t->open.top_block == top[HTML_TAG_P])
			pop_to(&t->open, (unsigned)t->open.top_block);
		switch (tag) {
		case HTML_TAG_LI:
			pop_inside(&t->open, top[HTML_TAG_LI],
				   highest(top[HTML_TAG_DIV], highest(top[HTML_TAG_UL], top[HTML_TAG_OL])));
			break;
		case HTML_TAG_DD:
		case HTML_TAG_DT:
			pop_inside(&t->open, highest(top[HTML_TAG_DD], top[HTML_TAG_DT]),
				   highest(top[HTML_TAG_DIV], top[HTML_TAG_DL]));
			break;
		case HTML_TAG_TR:
			t->row++;
			pop_inside(&t->open, top[HTML_TAG_TR], top[HTML_TAG_TABLE]);
			break;
		case HTML_TAG_TD:
		case HTML_TAG_TH:
			pop_inside(&t->open, highest(top[HTML_TAG_TD], top[HTML_TAG_TH]), top[HTML_TAG_TABLE]);
			break;
		case HTML_TAG_OPTION:
			pop_inside(&t->open, top[HTML_TAG_OPTION], top[HTML_TAG_OPTGROUP]);
			break;
		case HTML_TAG_H1:
		case HTML_TAG_H2:
		case HTML_TAG_H3:
		case HTML_TAG_H4:
		case HTML_TAG_H5:
		case HTML_TAG_H6:
		case HTML_TAG_PRE:
		case HTML_TAG_BLOCKQUOTE:
		case HTML_TAG_DL:
		case HTML_TAG_HR:
			block_tables_refuse(b);
			break;
		default:
			break;
		}
	}
	if (html_tag_is(tag, TAG_VOID)) {
		if (t->code.open && html_tag_is(tag, TAG_SPLITS))
			block_code_divide(b, tag, false);
		return DANA_OK;
	}
	NOT_ZEROED struct attribute_facts facts;
	if (attrs->at != attrs->end && *attrs->at != '>') {
		tokens_of_tag(&t->sink, attrs, !(properties & TAG_NESTS), &facts);
		facts.line &= !(properties & TAG_SPLITS);
		if (t->class_bits >> (facts.class_hash & 63) & 1) {
			if (f->preview_bits >> (facts.class_hash & 63) &
			    f->preview_next >> (facts.class_hash >> 6 & 63) & 1)
				block_parts_class(b, tag, facts.class_hash);
			if (t->code.class_hash[facts.class_hash % CODE_SLOTS] == facts.class_hash &&
			    properties & TAG_SPLITS && facts.white == WHITE_SPACE_INHERITED && facts.class_hash)
				facts.white = WHITE_SPACE_KEPT;
		}
	} else {
		facts = (struct attribute_facts){ .white = WHITE_SPACE_INHERITED };
	}
	/* all reasons in one test: hardly any tag has one of them */
	if ((properties & (TAG_KEEPS_SPACE | TAG_RAISED)) | (facts.white ^ WHITE_SPACE_INHERITED) | facts.line |
	    facts.unseen | facts.says | t->lines.n | t->inside.open | t->white.len | f->preview_depth | f->busy) {
		status = start_in_other(b, tag, &facts, start);
		if (status < 0)
			return status;
	}
	if (properties & TAG_LINKS) {
		t->in_link = facts.href;
		t->in_place = facts.place;
		if (facts.place)
			block_notes_link(b, &facts);
		if (facts.place && t->notes.count)
			block_parts_note_link(b, tag, block_notes_leads_back(&facts));
	}
	t->current.links = (uint16_t)(t->current.links + (facts.href && t->current.links != UINT16_MAX));
	t->current.host = facts.href ? facts.host : t->current.host;
	if (!(properties & TAG_NESTS)) {
		t->current.inline_score += facts.score;
		return DANA_OK;
	}
	if (t->inside.open && properties & TAG_SPLITS)
		open_inside(b);
	uint32_t number;
	status = open_element(b, tag, &facts, &number);
	if (status < 0)
		return status;
	if (properties & TAG_BARRIER && (tag == HTML_TAG_TABLE || tag == HTML_TAG_TD || tag == HTML_TAG_TH) &&
	    number + 1 == b->n_elements)
		status = block_tables_open(b, tag, &facts, number);
	(void)open_elements_push(&t->open, tag, number);
	return status;
}

/* Ends what few end tags end. */
static __attribute__((noinline)) int end_in_other(struct blocks *b, enum html_tag tag, uint64_t start)
{
	struct block_builder *t = b->builder;
	const struct block_parts *f = &t->parts;
	const int status = t->lines.n ? lines_end(b, tag, start) : DANA_OK;
	if (t->inside.open && t->inside.tag == (uint8_t)tag)
		block_inline_tag(b, true);
	const bool in_white = t->white.len | f->preview_depth | f->busy;
	if (in_white && (t->white.len | t->code.open))
		block_code_end_tag(b, tag);
	if (html_tag_is(tag, TAG_NESTS))
		open_elements_close(&t->open, tag);
	if (in_white && t->notes.open && html_tag_is(tag, TAG_LINKS))
		block_notes_link_end(b);
	if (in_white)
		block_parts_end_tag(b, tag);
	return status;
}

static inline int block_end_tag(struct blocks *b, enum html_tag tag, uint64_t start)
{
	struct block_builder *t = b->builder;
	const struct block_parts *f = &t->parts;
	if (html_tag_is(tag, TAG_LINKS))
		t->in_link = false;
	else if (tag == HTML_TAG_TR || tag == HTML_TAG_TABLE)
		t->row++;
	if (t->lines.n | t->inside.open | t->white.len | f->preview_depth | f->busy)
		return end_in_other(b, tag, start);
	if (html_tag_is(tag, TAG_NESTS))
		open_elements_close(&t->open, tag);
	return DANA_OK;
}

/* The text of blocks as it is written: with formulas, and with white space where it does not collapse. */

/* Returns the number of the first of sorted items of `size` bytes whose number at `offset` is at least `least`. */
static size_t first_from(const void *items, size_t count, size_t size, size_t offset, uint64_t least)
{
	size_t low = 0;
	while (count) {
		uint32_t value;
		const size_t half = count / 2;
		memcpy(&value, (const uint8_t *)items + (low + half) * size + offset, sizeof(value));
		low += value < least ? half + 1 : 0;
		count = value < least ? count - half - 1 : half;
	}
	return low;
}

/* Returns the first place that ends after `at`. */
static uint32_t place_after(const struct blocks *b, uint32_t at)
{
	return (uint32_t)first_from(b->kept, b->n_kept, sizeof(*b->kept), offsetof(struct kept_space, to),
				    at + UINT64_C(1));
}

/* Returns the white space that a reference or U+00A0 means, or 0 for another character. *taken: its length. */
static uint8_t white_at(struct slice text, size_t *taken)
{
	uint8_t decoded[8];
	size_t len = 0;
	if (text.data[0] == 0xC2) {
		bool blank = text.len > 1 && text.data[1] == 0xA0;
		*taken = 1 + blank;
		return blank ? ' ' : 0;
	}
	*taken = html_entity_decode(text, decoded, &len);
	if (*taken == 0)
		*taken = 1;
	if (len == 2 && decoded[0] == 0xC2 && decoded[1] == 0xA0)
		return ' ';
	return len == 1 && ascii_is_space(decoded[0]) ? decoded[0] : 0;
}

/* Appends text with white space as marks; a reference to white space counts as white space. */
static int put_kept(struct buf *to, struct slice text)
{
	int status = buf_reserve(to, text.len); /* nothing becomes longer */
	if (status < 0)
		return status;
	uint8_t *next = to->data + to->len;
	for (size_t i = 0, taken = 1; i < text.len; i += taken) {
		uint8_t c = text.data[i];
		taken = 1;
		if (c == '&' || c == 0xC2)
			c = white_at(slice_skip(text, i), &taken);
		if (c > ' ') {
			*next++ = c;
		} else if (c == 0) {
			memcpy(next, text.data + i, taken);
			next += taken;
		} else if (c == '\t') {
			*next++ = TEXT_TAB;
		} else if (c == ' ' || c == '\f') {
			*next++ = TEXT_BLANK;
		} else if (c != '\r' || i + 1 == text.len || text.data[i + 1] != '\n') {
			*next++ = c == '\r' ? '\n' : c;
		}
	}
	to->len = (size_t)(next - to->data);
	return DANA_OK;
}

/* Appends text with white space as blanks, except line ends if `space` keeps them. */
static int put_collapsing(struct buf *to, struct slice text, enum white_space space)
{
	size_t from = to->len;
	int status = buf_append(to, text.data, text.len);
	for (size_t i = from; i < to->len && status == DANA_OK; i++) {
		bool line = to->data[i] == '\n' && space == WHITE_SPACE_LINES;
		to->data[i] = ascii_is_space(to->data[i]) && !line ? ' ' : to->data[i];
	}
	return status;
}

/** Appends the text from..to of a block, as block_source does, without regard to formulas. */
static int block_part_source(const struct blocks *b, uint32_t at, uint32_t end, struct buf *to)
{
	int status = DANA_OK;
	for (uint32_t i = place_after(b, at); at < end && status == DANA_OK; i++) {
		bool any = i < b->n_kept && b->kept[i].from < end;
		uint32_t from = any && b->kept[i].from > at ? b->kept[i].from : any ? at : end;
		status = put_collapsing(to, slice_of(b->text.data + at, from - at), WHITE_SPACE_COLLAPSES);
		at = from;
		if (!any || status < 0)
			continue;
		struct slice kept = slice_of(b->text.data + at, (b->kept[i].to < end ? b->kept[i].to : end) - at);
		at += (uint32_t)kept.len;
		status = b->kept[i].space == WHITE_SPACE_KEPT ? put_kept(to, kept)
							      : put_collapsing(to, kept, WHITE_SPACE_LINES);
	}
	return status;
}

/* Returns the number of the first formula of block `serial`, or of a later one. */
static size_t place_of(const struct block_parts *f, uint32_t serial)
{
	size_t count;
	const struct formula_place *all = block_places(f, &count);
	return first_from(all, count, sizeof(*all), offsetof(struct formula_place, serial), serial);
}

/* Appends the text from..to of a block without its previews. */
static int part_source(const struct blocks *b, uint32_t from, uint32_t to, struct buf *out)
{
	size_t count;
	const struct formula_preview *all = block_previews(&b->builder->parts, &count);
	int status = DANA_OK;
	size_t i = first_from(all, count, sizeof(*all), offsetof(struct formula_preview, to), from + UINT64_C(1));
	for (; status == DANA_OK; i++) {
		while (i < count && all[i].waits)
			i++;
		if (i == count || all[i].from >= to)
			return from < to ? block_part_source(b, from, to, out) : DANA_OK;
		if (all[i].from > from)
			status = block_part_source(b, from, all[i].from, out);
		from = all[i].to;
	}
	return status;
}

int block_source(const struct blocks *b, const struct block *block, struct buf *to)
{
	const struct block_parts *f = &b->builder->parts;
	uint32_t at = block->text - block->indent;
	const uint32_t end = block->text + block->text_len;
	if (!f->any)
		return block_part_source(b, at, end, to);
	size_t count;
	const struct formula_place *all = block_places(f, &count);
	int status = DANA_OK;
	for (size_t i = place_of(f, block->serial); i < count && all[i].serial == block->serial; i++) {
		if (!all[i].joined || status < 0)
			continue;
		const uint32_t next = all[i].at < at ? at : all[i].at > end ? end : all[i].at;
		status = part_source(b, at, next, to);
		if (status == DANA_OK) {
			const struct formula_place *place = &all[i];
			if (place->display && to->len && to->data[to->len - 1] != '\n')
				(void)buf_append_byte(to, '\n');
			status = put_collapsing(to, slice_of(f->text.data + place->text, place->len),
						WHITE_SPACE_COLLAPSES);
			status = status == DANA_OK && place->display ? buf_append_byte(to, '\n') : status;
		}
		at = next;
	}
	return status < 0 ? status : part_source(b, at, end, to);
}

int blocks_write_after(const struct blocks *b, const struct block *block, struct text_writer *out)
{
	if (!b->builder->parts.any)
		return DANA_OK;
	/* write the formulas that are alone after block `serial` */
	const uint32_t serial = block->serial;
	const struct block_parts *f = &b->builder->parts;
	size_t count;
	const struct formula_place *all = block_places(f, &count);
	int status = DANA_OK;
	for (size_t i = place_of(f, serial + 1); i < count && all[i].serial == serial + 1; i++) {
		if (all[i].joined)
			continue;
		status = text_writer_wrapped(out, slice_of(f->text.data + all[i].text, all[i].len));
		if (status >= 0)
			status = text_writer_break(out);
		if (status < 0)
			break;
	}
	return status;
}

/* Returns whether a formula, or what is left out for one, is in the text from..end of a block. */
static bool has_formulas(const struct blocks *b, uint32_t serial, uint32_t from, uint32_t end)
{
	const struct block_parts *f = &b->builder->parts;
	size_t count, n_previews;
	if (!f->any)
		return false;
	const struct formula_place *all = block_places(f, &count);
	const size_t place = place_of(f, serial);
	if (place < count && all[place].serial == serial)
		return true;
	const struct formula_preview *previews = block_previews(&b->builder->parts, &n_previews);
	const size_t preview = first_from(previews, n_previews, sizeof(*previews), offsetof(struct formula_preview, to),
					  from + UINT64_C(1));
	return preview < n_previews && previews[preview].from < end;
}

/* Writes the empty lines before a block of code. */
static int write_gap(const struct blocks *b, const struct block *block, struct text_writer *out)
{
	const struct buf *gaps = &b->builder->code.gaps;
	const size_t count = gaps->len / sizeof(struct code_gap);
	const struct code_gap *all = (const struct code_gap *)(const void *)gaps->data;
	const size_t i = first_from(all, count, sizeof(*all), offsetof(struct code_gap, serial), block->serial);
	int status = DANA_OK;
	for (uint32_t k = 0; i < count && all[i].serial == block->serial && k < all[i].lines && status >= 0; k++)
		status = text_writer_empty_line(out);
	return status;
}

int block_write(const struct blocks *b, const struct block *block, struct text_writer *out)
{
	const uint32_t from = block->text - block->indent, end = block->text + block->text_len;
	const uint32_t kept = b->n_kept ? place_after(b, from) : 0;
	int status = b->builder->code.gaps.len && out->out.len ? write_gap(b, block, out) : DANA_OK;
	if (status < 0)
		return status;
	if ((kept == b->n_kept || b->kept[kept].from >= end) && !has_formulas(b, block->serial, from, end)) {
		status = text_writer_wrapped(out, block_text(b, block));
	} else {
		struct buf source = { 0 };
		status = block_source(b, block, &source);
		/* lines of nothing but kept white space count where text of the block is before and after them */
		const size_t start = out->out.len;
		struct slice rest = buf_slice(&source);
		while (rest.len && status >= 0) {
			const uint8_t *lf = memchr(rest.data, '\n', rest.len);
			const struct slice line = slice_first(rest, lf ? (size_t)(lf - rest.data) + 1 : rest.len);
			size_t i = 0;
			while (i < line.len &&
			       (line.data[i] == TEXT_BLANK || line.data[i] == TEXT_TAB || line.data[i] == ' '))
				i++;
			if (i < line.len && line.data[i] == '\n')
				status = out->out.len > start ? text_writer_empty_line(out) : DANA_OK;
			else
				status = text_writer_kept(out, line);
			rest = slice_skip(rest, line.len);
		}
		buf_free(&source);
	}
	return status < 0 ? status : text_writer_break(out);
}

enum { DEPTH_DEFAULT = 512 };

static const int8_t no_weights[TOKEN_COUNT];

int blocks_init(struct blocks *b, size_t max_text, unsigned max_depth)
{
	struct block_builder *t = b->builder = malloc(sizeof(*t));
	if (!t)
		return DANA_ENOMEM;
	memset(t, 0, offsetof(struct block_builder, cache));
	t->max_text = max_text;
	t->sink.weights = no_weights;
	block_parts_init(&t->parts);
	block_code_init(&t->code);
	t->class_bits = t->parts.preview_bits | t->code.class_bits;
	t->cap_elements = t->cap_blocks = 256;
	b->block = malloc(t->cap_blocks * sizeof(*b->block));
	b->element = malloc(t->cap_elements * sizeof(*b->element));
	b->meta = calloc(1, sizeof(*b->meta));
	if (!b->block || !b->element || !b->meta ||
	    open_elements_init(&t->open, max_depth ? max_depth : DEPTH_DEFAULT) < 0)
		return DANA_ENOMEM;
	blocks_reset(b);
	return DANA_OK;
}

void blocks_set_token_sink(struct blocks *b, const struct token_sink *sink)
{
	b->builder->sink = *sink;
	b->builder->sink.cache = &b->builder->cache;
	token_cache_reset(&b->builder->cache); /* its scores come from other weights */
}

void blocks_reset(void *state)
{
	struct blocks *b = state;
	struct block_builder *t = b->builder;
	open_elements_reset(&t->open);
	b->n_blocks = 0;
	b->n_elements = 1;
	b->element[0] = (struct block_element){ 0 };
	b->page_bytes = 0;
	b->articles = b->images = b->textareas = b->inputs = 0;
	b->body_tokens = 0;
	page_meta_reset(b->meta);
	b->has_main = b->truncated = false;
	buf_shrink(&b->text, (size_t)1 << 20);
	b->n_kept = 0;
	t->white = (struct white_space_state){ 0 };
	block_code_reset(&t->code);
	block_notes_reset(&t->notes);
	t->lines.n = 0;
	t->letter = 0;
	t->form_begin = t->button_begin = t->button_end = 0;
	t->form_open = t->form_signs = false;
	t->in_link = t->title_done = t->button_joins = t->reserve_waits = false;
	t->reserve_tag = 0;
	t->shown = t->reserved = 0;
	buf_shrink(&t->after_title, TITLE_HELD);
	held_text_reset(&t->held);
	block_parts_reset(&t->parts);
	t->inside = (struct block_inline){ 0 };
	t->n_cells = 0;
	t->row = 0;
	t->ended = 0;
	block_begin(b);
}

void blocks_free(struct blocks *b)
{
	if (b->builder) {
		open_elements_free(&b->builder->open);
		buf_free(&b->builder->after_title);
		held_text_free(&b->builder->held);
		block_parts_free(&b->builder->parts);
		block_code_free(&b->builder->code);
		free(b->builder->cell);
	}
	if (b->meta)
		buf_free(&b->meta->scratch);
	free(b->meta);
	free(b->builder);
	free(b->block);
	free(b->element);
	free(b->kept);
	buf_free(&b->text);
	*b = (struct blocks){ 0 };
}

/* Holds source of a reserve that is in a line of text, so that the line does not end there. */
static int hold_reserve(struct blocks *b, struct slice source)
{
	struct block_builder *t = b->builder;
	const bool first = !t->script_begun;
	t->script_begun = true;
	return t->shown < RESERVE_BELOW ? held_text_add(&t->held, SCRIPT_TEMPLATE, source, first) : DANA_OK;
}

int blocks_run(void *state, const struct html_run *run)
{
	struct blocks *b = state;
	b->page_bytes = run->offset + run->bytes.len;
	if (run->kind == HTML_HIDDEN) {
		/* take bytes of comments, scripts and styles */
		struct block_builder *t = b->builder;
		if (t->parts.reader.in_script)
			return formula_script_bytes(&t->parts.reader, run->bytes);
		struct slice content = declared_add(&b->meta->declared, run->bytes, run->first);
		if (run->first)
			t->script_begun = false;
		if (content.len == 0 || t->shown >= RESERVE_BELOW || t->reserve_tag == HELD)
			return DANA_OK;
		int status = held_text_add(&t->held, b->meta->declared.script, content, !t->script_begun);
		t->script_begun = true;
		return status;
	}
	if (b->builder->reserve_waits && run->skipped)
		return hold_reserve(b, run->bytes);
	if (run->kind != HTML_TEXT)
		return DANA_OK;
	if (run->tag == HTML_TAG_TITLE) {
		const struct slice text = run->bytes;
		if (b->builder->title_done)
			return DANA_OK;
		size_t most = b->builder->max_text - b->builder->after_title.len;
		return buf_append(&b->builder->after_title, text.data, text.len < most ? text.len : most);
	}
	if (run->skipped && (!b->builder->reserve_tag || run->tag)) {
		/* take text inside of skipped elements */
		struct block_parts *f = &b->builder->parts;
		const struct slice text = run->bytes;
		return f->reader.in_math ? formula_math_text(&f->reader, text) : 0;
	}
	return block_add_text(b, run->bytes, run->offset);
}

/*
 * Ends the block at a button, unless it is in a line of text: there it is parted by blanks. After the words of a
 * caption it is left out.
 */
static __attribute__((noinline)) int button_divide(struct blocks *b, bool closing, uint64_t start)
{
	struct block_builder *t = b->builder;
	if (!closing) {
		const struct open_elements *open = &t->open;
		const enum html_tag around =
			open->top_block < 0 ? HTML_TAG_OTHER : (enum html_tag)open->entry[open->top_block].tag;
		t->button_joins =
			around == HTML_TAG_P || (b->text.len != t->begin && html_tag_is(around, TAG_SENTENCES));
	}
	const bool joins = t->button_joins;
	t->button_joins &= !closing;
	if (joins && !closing)
		t->button_from = (uint32_t)b->text.len;
	else if (joins && t->button_from > t->begin && t->open.top[HTML_TAG_FIGCAPTION] >= 0)
		block_leave_out(b, t->button_from, (uint32_t)b->text.len);
	if (!joins) {
		const int status = block_end(b, start);
		t->button_end = closing && b->n_blocks > t->button_begin ? b->n_blocks : 0;
		t->button_begin = b->n_blocks;
		return status;
	}
	return b->text.len == t->begin ? DANA_OK : block_add_text(b, slice_from_text(" "), start);
}

/*
 * Ends the block at a form. What is in a form that asks for an address of mail or a password, to sign up or in, is a
 * tool. The names of fields are not of the article.
 */
static __attribute__((noinline)) int form_divide(struct blocks *b, bool closing, uint64_t start)
{
	struct block_builder *t = b->builder;
	const int status = block_end(b, start);
	for (uint32_t i = t->form_begin; closing && t->form_open && i < b->n_blocks; i++) {
		struct block *block = &b->block[i];
		const bool names = (block->tag == HTML_TAG_LABEL || block->tag == HTML_TAG_LEGEND) && !block->links;
		block->left |= (uint8_t)((t->form_signs ? LEFT_TOOLS : 0) | (names ? LEFT_APART : 0));
	}
	t->form_open = !closing;
	t->form_signs = false;
	t->form_begin = b->n_blocks;
	return status;
}

/* Ends what a tag ends wherever it is. */
static inline int before_tag(struct blocks *b, enum html_tag tag, bool closing, uint64_t start, uint64_t end)
{
	if (html_tag_is(tag, TAG_SPLITS)) {
		struct block_builder *t = b->builder;
		const int status = tag == HTML_TAG_FORM     ? form_divide(b, closing, start)
				   : tag == HTML_TAG_BUTTON ? button_divide(b, closing, start)
							    : block_end(b, start);
		if (t->letter == LONE && closing && t->letter_end == UINT64_MAX)
			t->letter_end = end;
		return status;
	}
	if (html_tag_is(tag, TAG_LINKS))
		block_count_pending(b);
	return DANA_OK;
}

int blocks_tag(void *state, const struct html_tag_event *event)
{
	struct blocks *b = state;
	struct block_builder *t = b->builder;
	enum html_tag tag = event->tag;
	if (tag == HTML_TAG_TITLE && event->closing)
		t->title_done = true;
	int status = DANA_OK;
	if (!event->skipped || (t->reserve_tag && !t->reserve_waits))
		status = before_tag(b, tag, event->closing, event->start, event->end);
	else if (html_tag_is(tag, TAG_PARTS) && b->text.len != t->begin)
		status = block_add_text(b, slice_from_text(" "), event->start);
	if (status < 0)
		return status;
	if (tag == HTML_TAG_TEXTAREA && !event->closing)
		b->textareas++;
	struct formula_reader *reader = &t->parts.reader;
	const bool script = tag == HTML_TAG_SCRIPT && (reader->in_script || formula_script_likely(event));
	const bool math = tag != HTML_TAG_SCRIPT && event->skipped && (reader->in_math || tag == HTML_TAG_MATH);
	if (!t->reserve_tag && (script || math)) {
		bool ends = false;
		status = DANA_OK;
		if (script)
			formula_script_tag(reader, event, &ends);
		else
			status = formula_math_tag(reader, event, &ends);
		status = ends && status == DANA_OK ? block_add_formula(b) : status;
		if (status < 0)
			return status;
	}
	/* skipped tags count in the reserve only */
	if (event->skipped) {
		if (t->reserve_tag && tag == t->reserve_tag && event->closing) {
			if (t->reserve_waits) {
				t->reserve_waits = false;
				t->reserve_tag = 0;
				return DANA_OK;
			}
			status = block_end(b, event->start);
			pop_to(&t->open, t->reserve_depth);
			white_space_end(&t->white, tag);
			t->reserve_tag = 0;
			t->in_link = false;
			return status;
		}
		if (t->reserve_waits)
			return DANA_OK;
		if (!t->reserve_tag && !event->closing && (tag == HTML_TAG_NOSCRIPT || tag == HTML_TAG_TEMPLATE)) {
			t->reserve_tag = (uint8_t)tag;
			t->reserve_waits = b->text.len != t->begin;
			t->script_begun = false;
			if (t->reserve_waits)
				return DANA_OK;
			status = block_end(b, event->start);
			t->reserve_depth = t->open.len;
			white_space_start(&t->white, tag, WHITE_SPACE_INHERITED);
			return status;
		}
		if (!t->reserve_tag || html_tag_is(tag, TAG_SKIP))
			return DANA_OK;
	}
	if (event->closing)
		return block_end_tag(b, tag, event->start);
	if (tag == HTML_TAG_OTHER)
		t->other_keeps = white_space_of_tag(tag, event->name) == WHITE_SPACE_KEPT;
	struct html_attr_reader attrs = html_attr_begin(event);
	return block_start_tag(b, &attrs, tag, event->start, event->end);
}

int blocks_unit(void *state, const struct html_unit *unit)
{
	struct blocks *b = state;
	enum html_tag tag = unit->tag;
	b->page_bytes = unit->base + unit->end;
	int status = DANA_OK;
	size_t at = unit->text;
	/* white space that begins a block is skipped by masks */
	if (at != unit->code && b->text.len == b->builder->begin && b->builder->white.now != WHITE_SPACE_KEPT) {
		struct html_run run = unit_text_run(unit);
		at += run_find(&run, 0, run.bytes.len, RUN_OTHER);
	}
	if (at != unit->code)
		status = block_add_text(b, slice_of(unit->window + at, unit->code - at), unit->base + at);
	if (status < 0)
		return status;
	status = before_tag(b, tag, unit->closing, unit->base + unit->code, unit->base + unit->end);
	if (status < 0)
		return status;
	if (unit->closing)
		return block_end_tag(b, tag, unit->base + unit->code);
	if (tag == HTML_TAG_OTHER) {
		struct slice name = slice_of(unit->window + unit->code + 1, unit->name_len);
		b->builder->other_keeps = white_space_of_tag(tag, name) == WHITE_SPACE_KEPT;
	}
	struct html_attr_reader attrs = html_attr_of_unit(unit);
	return block_start_tag(b, &attrs, tag, unit->base + unit->code, unit->base + unit->end);
}

int blocks_finish(struct blocks *b)
{
	struct block_builder *t = b->builder;
	int status = block_end(b, b->page_bytes);
	if (status == DANA_OK)
		status = t->parts.status;
	/* without </title>, browsers take the whole page for the title, but old ones did not: it is read again */
	const struct slice untitled = buf_slice(&t->after_title);
	const size_t tag = slice_until(untitled, "<");
	if (status == DANA_OK && t->shown == 0 && !t->title_done && tag < untitled.len) {
		struct again again = { .blocks = b, .end = b->page_bytes };
		t->title_done = true;
		status = read_again(&again, slice_skip(untitled, tag));
	}
	if (status == DANA_OK && t->shown < RESERVE_BELOW && (t->held.templates.len || t->held.data.len)) {
		/* text that only scripts hold is a part of the reserve: templates and, where they have little, JSON-LD
		 */
		struct again again = { .blocks = b, .elsewhere = true, .end = b->page_bytes };
		struct slice templates = held_text_templates(&t->held);
		pop_to(&t->open, 0);
		t->white = (struct white_space_state){ 0 };
		t->in_link = false;
		t->reserve_tag = HELD;
		struct buf taken = t->held.templates; /* what is held while it is read goes elsewhere */
		t->held.templates = (struct buf){ 0 };
		if (templates.len && t->reserved < RESERVE_BELOW)
			status = read_again(&again, templates);
		buf_free(&taken);
		if (status == DANA_OK && t->held.data.len && t->reserved < RESERVE_BELOW) {
			struct buf html = { 0 };
			size_t shown = 0;
			status = held_text_bodies(&t->held, b, &html, &shown);
			t->reserved += html.len ? shown : 0;
			if (status == DANA_OK && html.len)
				status = read_again(&again, buf_slice(&html));
			buf_free(&html);
		}
	}
	const bool wanted = t->shown < RESERVE_BELOW && t->reserved >= t->shown;
	if (t->reserved && wanted && status == DANA_OK)
		status = blocks_drop_shown(b);
	if (t->reserved && !wanted) {
		uint32_t kept = 0;
		for (uint32_t i = 0; i < b->n_blocks; i++) {
			if (!b->block[i].reserve)
				b->block[kept++] = b->block[i];
		}
		b->n_blocks = kept;
	}
	if (status == DANA_OK)
		block_tables_judge(b);
	return status;
}
