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
#include "extract/html/line_numbers.h"
#include "extract/html/raised.h"
#include "extract/html/tokenizer.h"
#include "extract/html/white_space.h"
#include "extract/learned/tokens.h"
#include "extract/text_writer.h"

/** Limits for one page; further elements count as part of their parent, further blocks are dropped. */
enum { BLOCKS_MOST = 1 << 15, ELEMENTS_MOST = 1 << 16 };

/** Bytes after `text` that can be read, so that loops need not stop exactly at its end; their values do not matter. */
enum { BLOCKS_READ_ON = 64 };

/** Returns the innermost open element; 0 is the page. */
static inline uint32_t open_elements_top(const struct open_elements *o)
{
	return o->len ? o->entry[o->len - 1].element : 0;
}

/** Bytes of all formulas of a page; later ones are left out. */
enum { FORMULAS_MOST = 1 << 20 };

/* Classes of what stands beside the words of a heading: those that do so anywhere, then those of elements in it. */
enum { ORNAMENT_CLASSES = 20, ORNAMENTS_ANYWHERE = 4 };
static const char *const ornament_classes[ORNAMENT_CLASSES] = {
	"mw-editsection",
	"editsection",
	"secedit",
	"mw-editsection-like",
	"headerlink",
	"header-anchor",
	"hash-link",
	"permalink",
	"heading-anchor",
	"anchor-link",
	"anchorjs-link",
	"heading-link",
	"edit",
	"edit-link",
	"copy",
	"sr-only",
	"visually-hidden",
	"screen-reader-text",
	"editlink",
	"anchor",
};

/* First classes of elements whose white space style sheets keep: lines of code, or all of them. */
enum { CODE_CLASSES = 11, CODE_SLOTS = 256 /* no two of them share one */ };
static const char *const code_classes[CODE_CLASSES] = {
	"blob-code",   "cm-content",       "CodeMirror-code", "crayon-pre", "dp-highlighter",    "lines-code",
	"crayon-line", "react-code-lines", "ace_text-layer",  "view-line",  "syntaxhighlighter",
};

/* Code: blocks in which white space is kept. Zeroed, none is open. */
struct block_code {
	struct line_numbers numbers;
	struct buf gaps;       /* struct code_gap each */
	uint32_t first, after; /* its first block; the block after the code before */
	uint32_t seen;         /* blocks at the last tag in it that divides text */
	uint32_t empty;        /* lines since its last block */
	bool open;
	bool leaf; /* since a block began neither text nor another one has come */
	bool cell; /* the last empty line may be a cell that others follow */
};

/** Empty lines before a block of code. */
struct code_gap {
	uint32_t serial, lines;
};

/** Zeroed, the page has no formulas. */
struct block_formulas {
	struct formula_reader reader;
	struct buf text;     /* of all formulas */
	struct buf places;   /* struct formula_place each */
	struct buf previews; /* struct formula_preview each */
	/* the open preview */
	uint32_t preview_from;
	uint32_t preview_depth; /* 1, and 1 for each open element with its tag; 0: it is not open */
	uint8_t preview_tag;
	uint8_t raised_tag;    /* the outermost <sup> or <sub> that is open; 0: none is */
	uint32_t raised_depth; /* open elements with this tag */
	bool raised_note;      /* a link to a place of the page is in it */
	uint32_t raised_from, raised_begun;
	bool preview_pairs; /* its formula came before it */
	uint8_t heading;    /* the <h1> to <h6> that is open; 0: none is */
	uint32_t heading_from;
	/* the open ornament of a heading */
	uint8_t ornament_tag, ornament_rule;
	uint32_t ornament_depth; /* open elements with its tag */
	uint32_t ornament_from;
	bool busy;  /* a heading, raised text or an ornament is open */
	bool any;   /* the page has formulas, or what may be a preview: the text of blocks is not all that is written */
	int status; /* DANA_ENOMEM: a preview is lost */
	uint64_t preview_bits; /* of the hashes of classes of previews, by their lowest six bits */
	uint32_t preview_class[FORMULA_CLASSES];
	uint64_t class_bits;             /* these, and as many of code */
	uint32_t code_class[CODE_SLOTS]; /* hashes, each in its slot */
	uint64_t ornament_bits;          /* as preview_bits */
	uint32_t ornament_class[ORNAMENT_CLASSES];
};

/**
 * TITLE_HELD: room for the text after <title> that is held from page to page. RESERVE_BELOW: from this many units of
 * shown text outside of links, as menus are, on the reserve is dropped whatever it contains.
 */
enum { TITLE_HELD = 1 << 10, RESERVE_BELOW = 500 };

/** In place of a reserve's tag: the text of scripts is read. */
enum { HELD = UINT8_MAX };

struct block_builder {
	struct open_elements open;
	struct block_code code;
	struct token_sink sink;
	struct token_cache cache;
	size_t max_text;
	size_t cap_blocks, cap_elements, cap_kept;
	struct white_space_state white;
	/* the open block */
	struct block current;
	size_t counted; /* text before this offset is in current.counts */
	size_t ended;   /* where the text of the last block ended, with the white space after it */
	size_t begin;   /* offset where the open block's text begins */
	size_t indent;  /* the same, including kept white space before it */
	bool in_link, title_done;
	bool in_place;            /* the link is to a place of the page */
	bool other_keeps;         /* the current unknown tag keeps its white space */
	uint8_t reserve_tag;      /* the skipped element whose text is kept as a reserve, or HELD; 0 = outside */
	unsigned reserve_depth;   /* open elements outside of it */
	uint64_t shown, reserved; /* units; of what is shown those outside of links */
	struct buf after_title;   /* text after <title>: the whole page if </title> is missing */
	struct held_text held;
	bool script_begun; /* some content of the current script was held */
	struct block_formulas formulas;
};

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
		const struct open_element *e = &o->entry[--o->len];
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
	o->entry[at] = (struct open_element){ element, o->top[tag], o->top_block, (uint8_t)tag };
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

/* White space of blocks that does not collapse: the places where it is kept, and the source of text with it. */

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

/*
 * KaTeX shows a formula after its <math>; MathJax 2 has a preview, the formula as it is shown, and then a script with
 * its TeX. What is shown is in the text like any other; once its formula is known, it is noted as a preview, which is
 * left out when the block is written.
 *
 * Example: "so <span class=MathJax_Preview>x2</span><script type=math/tex>x_2</script> is" has the text "so x2 is", the
 * preview 3..5 and the formula "x_2" at 5; it is written as "so x_2 is".
 */

struct formula_place {
	uint32_t at;        /* it comes before this byte of blocks.text */
	uint32_t text, len; /* in block_formulas.text */
	uint32_t serial;    /* of the block that it is part of, or of the next one */
	uint32_t begun;     /* blocks.begun when it came */
	bool joined;        /* it is part of a block */
	bool display;       /* it has a line of its own */
};

/** A part of blocks.text that is left out; while it `waits`, its formula has not come. */
struct formula_preview {
	uint32_t from, to;
	bool waits;
};

enum { KATEX = FORMULA_CLASSES - 1 };

static struct formula_place *places_of(const struct block_formulas *f, size_t *count)
{
	*count = f->places.len / sizeof(struct formula_place);
	return (struct formula_place *)(void *)f->places.data;
}

static struct formula_preview *previews_of(const struct block_formulas *f, size_t *count)
{
	*count = f->previews.len / sizeof(struct formula_preview);
	return (struct formula_preview *)(void *)f->previews.data;
}

static bool is_white(const struct blocks *b, uint32_t from, uint32_t to)
{
	while (from < to && ascii_is_space(b->text.data[from]))
		from++;
	return from >= to;
}

/* Adds a formula at the end of the text. `source`: its text is the page's; else it is made. */
static int add_formula_text(struct blocks *b, struct slice text, bool source, bool display)
{
	struct block_formulas *f = &b->builder->formulas;
	if (text.len == 0 || text.len > FORMULAS_MOST - f->text.len)
		return DANA_OK;
	if (f->preview_depth && !source) /* for readers who hear the page: what is shown is beside it */
		return DANA_OK;
	const struct formula_place place = { .at = (uint32_t)b->text.len,
					     .text = (uint32_t)f->text.len,
					     .len = (uint32_t)text.len,
					     .serial = b->n_blocks,
					     .display = display,
					     .begun = b->begun };
	int status = buf_append(&f->text, text.data, text.len);
	f->any = true;
	if (status == DANA_OK)
		status = buf_append(&f->places, &place, sizeof(place));
	if (status == DANA_OK && source) {
		/* the previews directly before the formula are its own */
		uint32_t at = place.at;
		size_t count;
		struct formula_preview *all = previews_of(&b->builder->formulas, &count);
		while (count && all[count - 1].waits && is_white(b, all[count - 1].to, at)) {
			at = all[--count].from;
			all[count].waits = false;
		}
	}
	return status;
}

static int add_formula(struct blocks *b)
{
	const struct formula_reader *reader = &b->builder->formulas.reader;
	const struct slice tex = formula_tex(reader);
	return add_formula_text(b, tex.len ? tex : formula_letters(reader), formula_has_source(reader),
				reader->display);
}

/* Returns whether a picture here may show a formula: in text, or where one is alone; long tags are of photographs. */
static bool formula_may_begin(const struct blocks *b, size_t tag_len)
{
	enum { SHORT = 160 };
	const struct open_elements *open = &b->builder->open;
	if (b->text.len != b->builder->begin)
		return true;
	const uint8_t around = open->top_block < 0 ? HTML_TAG_BODY : open->entry[open->top_block].tag;
	return around == HTML_TAG_P || around == HTML_TAG_DD || (around != HTML_TAG_A && tag_len < SHORT);
}

/* Adds the formula that a picture shows, unless it is the one directly before it. */
static __attribute__((noinline)) int add_formula_image(struct blocks *b, struct html_attr_reader attrs)
{
	const struct block_formulas *f = &b->builder->formulas;
	struct buf tex = { 0 };
	size_t count;
	const struct formula_place *all = places_of(f, &count), *last = count ? &all[count - 1] : NULL;
	int status = formula_image_tex(&attrs, &tex);
	const bool again = last && last->begun == b->begun && is_white(b, last->at, (uint32_t)b->text.len) &&
			   slice_equal(slice_of(f->text.data + last->text, last->len), buf_slice(&tex));
	if (status >= 0 && !again)
		status = add_formula_text(b, buf_slice(&tex), true, false);
	buf_free(&tex);
	return status;
}

/** Begins a preview, if the class is of a formula as it is shown. Call it for each start tag with a class. */
static void block_preview_begin(struct blocks *b, enum html_tag tag, uint32_t class_hash)
{
	struct block_formulas *f = &b->builder->formulas;
	size_t i = 0, count;
	while (i <= KATEX && f->preview_class[i] != class_hash)
		i++;
	if (i > KATEX || f->preview_depth || (tag != HTML_TAG_SPAN && tag != HTML_TAG_DIV))
		return;
	const struct formula_place *all = places_of(f, &count);
	const struct formula_place *last = count ? &all[count - 1] : NULL;
	f->preview_pairs = last && last->at == b->text.len && last->begun == b->begun;
	if (i == KATEX && !f->preview_pairs)
		return;
	f->preview_pairs = i == KATEX;
	f->preview_tag = (uint8_t)tag;
	f->preview_depth = 1;
	f->any = true;
	f->preview_from = (uint32_t)b->text.len;
}

/** Takes a tag while a preview is open. */
static void block_preview_tag(struct blocks *b, enum html_tag tag, bool closing)
{
	struct block_formulas *f = &b->builder->formulas;
	if (tag != f->preview_tag)
		return;
	if (!closing)
		f->preview_depth++;
	else if (--f->preview_depth == 1) {
		const struct formula_preview preview = { f->preview_from, (uint32_t)b->text.len, !f->preview_pairs };
		size_t count;
		const struct formula_preview *all = previews_of(f, &count);
		f->preview_depth = 0;
		if (is_white(b, preview.from, preview.to) || preview.to - preview.from > FORMULA_MOST)
			return;
		/* one that waits in vain */
		if (count && all[count - 1].waits && !is_white(b, all[count - 1].to, preview.from))
			f->previews.len -= sizeof(preview);
		if (buf_append(&f->previews, &preview, sizeof(preview)) < 0)
			f->status = DANA_ENOMEM;
	}
}

/*
 * The text of a <sup> or <sub> is left out, and what is written for it (raised.h) comes in its place, as if it were a
 * preview and its formula.
 */
static void block_raised_tag(struct blocks *b, enum html_tag tag, bool closing)
{
	struct block_formulas *f = &b->builder->formulas;
	const uint32_t from = f->raised_from, to = (uint32_t)b->text.len;
	if (f->raised_begun != b->begun)
		f->raised_tag = 0;
	if (f->raised_tag) {
		if (f->raised_tag == (uint8_t)tag)
			f->raised_depth += closing ? -1U : 1U;
		if (f->raised_depth)
			return;
	} else if (!closing && !f->preview_depth) {
		f->raised_tag = (uint8_t)tag;
		f->raised_depth = 1;
		f->raised_note = b->builder->in_link && b->builder->in_place;
		f->raised_from = to;
		f->raised_begun = b->begun;
		f->busy = true;
		return;
	}
	size_t count;
	const struct formula_place *all = places_of(f, &count);
	const bool whole = f->raised_tag && f->raised_begun == b->begun && from < to &&
			   (!count || all[count - 1].at <= from || all[count - 1].begun != b->begun);
	f->raised_tag = 0;
	if (!whole || f->text.len + 2 * RAISED_MOST > FORMULAS_MOST)
		return;
	const uint32_t at = (uint32_t)f->text.len;
	const int made =
		raised_text(&f->text, slice_of(b->text.data + from, to - from), tag == HTML_TAG_SUB, f->raised_note);
	const struct formula_place place = { .at = to,
					     .text = at,
					     .len = (uint32_t)f->text.len - at,
					     .serial = b->n_blocks,
					     .begun = b->begun };
	const struct formula_preview shown = { from, to, false };
	f->any |= made != 0;
	if (made < 0 || (made && (buf_append(&f->places, &place, sizeof(place)) < 0 ||
				  buf_append(&f->previews, &shown, sizeof(shown)) < 0)))
		f->status = DANA_ENOMEM;
}

/*
 * What headings carry beside their words: links to themselves ("¶", "#", a zero-width space), "[edit]", "Copy link". It
 * is known by its class, or by being a button or a link to a place of the page, and left out as a preview is.
 *
 * Example: <h2>History<a class=headerlink href="#history">¶</a></h2> is "History".
 */

enum ornament_rule {
	NO_ORNAMENT,
	ALWAYS,          /* left out */
	AFTER_WORDS,     /* ... if words of the heading are before it, or it has none itself */
	WITHOUT_LETTERS, /* ... if it has no letter and no digit */
};

/* Returns whether source text has a letter or digit. */
static bool has_letters(struct slice text)
{
	struct buf decoded = { 0 };
	bool found = html_entity_append(&decoded, text) < 0;
	for (size_t i = 0; i < decoded.len && !found;) {
		uint32_t c;
		i += utf8_decode(slice_skip(buf_slice(&decoded), i), &c);
		const bool symbol = (c >= 0x2000 && c < 0x2C00) || (c >= 0xE000 && c < 0xF900) ||
				    (c >= 0xFE00 && c < 0xFE10) || c >= 0x1F000 || c == 0xFEFF;
		found = c < 0x80 ? ascii_is_alpha((uint8_t)c) || ascii_is_digit((uint8_t)c) : c >= 0xC0 && !symbol;
	}
	buf_free(&decoded);
	return found;
}

static __attribute__((noinline)) void block_ornament_begin(struct blocks *b, enum html_tag tag, uint32_t class_hash,
							   bool place)
{
	struct block_formulas *f = &b->builder->formulas;
	size_t i = 0;
	if (f->ornament_rule || f->preview_depth || html_tag_is(tag, TAG_HEADING))
		return;
	while (i < ORNAMENT_CLASSES && f->ornament_class[i] != class_hash)
		i++;
	if (i < ORNAMENTS_ANYWHERE)
		f->ornament_rule = ALWAYS;
	else if (f->heading && (i < ORNAMENT_CLASSES || tag == HTML_TAG_BUTTON))
		f->ornament_rule = AFTER_WORDS;
	else if (place)
		f->ornament_rule = WITHOUT_LETTERS;
	else
		return;
	f->ornament_tag = (uint8_t)tag;
	f->ornament_depth = 0; /* its own tag counts as one of those in it */
	f->ornament_from = (uint32_t)b->text.len;
	f->busy = true;
}

static void block_ornament_end(struct blocks *b)
{
	struct block_formulas *f = &b->builder->formulas;
	const struct formula_preview left = { f->ornament_from, (uint32_t)b->text.len, false };
	const bool words = f->heading && !is_white(b, f->heading_from, left.from);
	bool leaves = f->ornament_rule == ALWAYS || (f->ornament_rule == AFTER_WORDS && words);
	f->ornament_rule = NO_ORNAMENT;
	size_t count;
	const struct formula_preview *all = previews_of(f, &count);
	if (is_white(b, left.from, left.to) || (count && all[count - 1].to > left.from))
		return;
	leaves |= !has_letters(slice_of(b->text.data + left.from, left.to - left.from));
	if (leaves && buf_append(&f->previews, &left, sizeof(left)) < 0)
		f->status = DANA_ENOMEM;
	f->any |= leaves;
}

/** Adapts to a cut at the end of the text. */
static void block_formulas_cut(struct blocks *b)
{
	struct block_formulas *f = &b->builder->formulas;
	const uint32_t len = (uint32_t)b->text.len;
	size_t count;
	struct formula_preview *all = previews_of(f, &count);
	if (f->preview_from > len)
		f->preview_from = len;
	for (; count && all[count - 1].to > len; count -= all[count - 1].from >= all[count - 1].to)
		all[count - 1].to = len;
	f->previews.len = count * sizeof(*all);
}

/* Returns the number of the first formula of block `serial`, or of a later one. */
static size_t place_of(const struct block_formulas *f, uint32_t serial)
{
	size_t count;
	const struct formula_place *all = places_of(f, &count);
	return first_from(all, count, sizeof(*all), offsetof(struct formula_place, serial), serial);
}

/* Appends the text from..to of a block without its previews. */
static int part_source(const struct blocks *b, uint32_t from, uint32_t to, struct buf *out)
{
	size_t count;
	const struct formula_preview *all = previews_of(&b->builder->formulas, &count);
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

/* Ends the open block. One without visible characters is dropped; a field before it counts for the next one. */
static int block_end_filled(struct blocks *b, uint64_t end)
{
	struct block_builder *t = b->builder;
	struct block *c = &t->current;
	block_count_pending(b);
	if (c->counts.units == 0 || b->n_blocks == BLOCKS_MOST) {
		b->truncated |= c->counts.units != 0;
		bool input_before = c->input_before;
		b->text.len = t->indent;
		block_space_cut(b);
		if (t->formulas.any)
			block_formulas_cut(b);
		block_begin(b);
		c->input_before = input_before;
		return DANA_OK;
	}
	struct block *more = grow_items(b->block, b->n_blocks, &t->cap_blocks, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->block = more;
	t->ended = b->text.len;
	while (ascii_is_space(b->text.data[b->text.len - 1]))
		b->text.len--;
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
	to->reserve = t->reserve_tag != 0;
	to->serial = b->n_blocks++;
	to->textareas_before = b->textareas;
	if (t->formulas.any) {
		block_formulas_cut(b);
		/* the open block ends and is one: the formulas that came in it are part of it */
		size_t count;
		struct formula_place *all = places_of(&b->builder->formulas, &count);
		while (count && all[count - 1].begun == b->begun)
			all[--count].joined = true;
	}
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
 * Code. Where lines are numbered, the numbers are left out as previews are; empty lines between blocks are noted.
 *
 * Example: <pre><div><i>1</i>a</div><div><i>2</i></div><div><i>3</i>b</div></pre> is "a", an empty line and "b".
 */

static void code_begin(struct blocks *b, enum html_tag tag)
{
	struct block_code *c = &b->builder->code;
	if (tag == HTML_TAG_PRE || c->after != b->n_blocks)
		c->empty = 0;
	c->open = c->leaf = true;
	c->first = c->seen = b->n_blocks;
	line_numbers_reset(&c->numbers);
}

/* Returns the text of a block with the white space before it. */
static struct slice code_text(const struct blocks *b, const struct block *block)
{
	return slice_of(b->text.data + block->text - block->indent, block->indent + block->text_len);
}

/* Leaves a part of the text out, unless something after it is left out already. */
static void leave_out(struct blocks *b, uint32_t from, uint32_t to)
{
	struct block_formulas *f = &b->builder->formulas;
	const struct formula_preview left = { from, to, false };
	size_t count;
	const struct formula_preview *all = previews_of(f, &count);
	if (from == to || (count && all[count - 1].to > from))
		return;
	if (buf_append(&f->previews, &left, sizeof(left)) < 0)
		f->status = DANA_ENOMEM;
	f->any = true;
}

/* Leaves out blocks before the code that are nothing but as many numbers as it has lines. */
static void leave_row_out(struct blocks *b)
{
	const struct block_code *c = &b->builder->code;
	uint32_t code = c->first, first = 0, last = 0;
	for (uint32_t one, more = 0; code < b->n_blocks; code++) {
		more = one = 0;
		if (!line_numbers_row(block_text(b, &b->block[code]), &one, &more))
			break;
	}
	uint64_t lines = 0;
	size_t gap = 0;
	for (uint32_t i = code; i < b->n_blocks; i++, lines++) {
		const struct slice text = code_text(b, &b->block[i]);
		for (size_t k = 0; k < text.len; k++)
			lines += text.data[k] == '\n';
	}
	const struct code_gap *gaps = (const struct code_gap *)(const void *)c->gaps.data;
	for (gap = c->gaps.len / sizeof(*gaps); gap && gaps[gap - 1].serial > code; gap--)
		lines += gaps[gap - 1].lines;
	for (uint32_t i = code; i > 0 && lines > 1 && last + UINT64_C(1) - first <= lines; i--) {
		if (!line_numbers_row(block_text(b, &b->block[i - 1]), &first, &last))
			return;
		if (last + UINT64_C(1) - first != lines)
			continue;
		for (i--; i < code; i++)
			leave_out(b, b->block[i].text, b->block[i].text + b->block[i].text_len);
		return;
	}
}

static __attribute__((noinline)) void code_end(struct blocks *b)
{
	struct block_code *c = &b->builder->code;
	size_t count, i = 0, least = SIZE_MAX;
	const struct line_number *all = line_numbers_places(&c->numbers, &count);
	bool alone = false, covers = count > 1;
	c->open = false;
	c->after = b->n_blocks;
	for (uint32_t k = c->first; k < b->n_blocks && covers; k++) {
		const struct slice text = code_text(b, &b->block[k]);
		covers = line_numbers_cover(&c->numbers, text, (size_t)(text.data - b->text.data), &i, &alone);
	}
	if (!covers || i != count) {
		leave_row_out(b);
		return;
	}
	/* one blank may part numbers from code: indentations are even */
	for (i = 0; i < count; i++) {
		size_t at = all[i].to;
		while (at < b->text.len && b->text.data[at] == ' ')
			at++;
		if (at < b->text.len && b->text.data[at] != '\n' && at - all[i].to < least)
			least = at - all[i].to;
	}
	for (i = 0; i < count; i++) {
		const bool blank = least != SIZE_MAX && least % 2 && b->text.data[all[i].to] == ' ';
		leave_out(b, all[i].from, all[i].to + blank);
	}
}

/* Ends an element in code, which may be the number of a line. */
static int code_number_end(struct blocks *b, enum html_tag tag)
{
	struct block_code *c = &b->builder->code;
	const bool ended = html_tag_is(tag, TAG_SPLITS);
	const size_t len = b->text.len - c->numbers.begun;
	if (c->numbers.tag != (uint8_t)tag || len == 0 || len > HTML_TAG_NAME_MOST / 2)
		return DANA_OK;
	const struct block *last = b->n_blocks > c->first ? &b->block[b->n_blocks - 1] : NULL;
	if (ended && !last)
		return DANA_OK;
	const size_t begin = ended ? last->text - last->indent : b->builder->indent, end = b->text.len;
	size_t line = end;
	while (line > begin && b->text.data[line - 1] != '\n' && end - line < HTML_TAG_NAME_MOST)
		line--;
	return line_numbers_close(&c->numbers, tag, slice_of(b->text.data + line, end - line), end);
}

/* Takes a tag in code that divides text, after the block before it has ended. */
static __attribute__((noinline)) void code_divide(struct blocks *b, enum html_tag tag, bool closing)
{
	struct block_code *c = &b->builder->code;
	const bool filled = b->n_blocks != c->seen;
	if (filled) {
		const struct code_gap gap = { c->seen, c->empty };
		uint32_t ends = 0; /* of lines after its last word: white space that the end of the block took */
		for (size_t i = b->text.len; i < b->builder->ended; i++)
			ends += b->text.data[i] == '\n';
		if (c->empty && (c->seen > c->first || c->after == c->first) && c->seen &&
		    buf_append(&c->gaps, &gap, sizeof(gap)) < 0)
			b->builder->formulas.status = DANA_ENOMEM;
		c->empty = ends + (ends && tag == HTML_TAG_BR) - (ends > 0);
		c->seen = b->n_blocks;
	} else if (tag == HTML_TAG_BR || (closing && c->leaf)) {
		c->empty++;
	}
	if (c->cell && !closing && (tag == HTML_TAG_TD || tag == HTML_TAG_TH) && c->empty)
		c->empty--;
	c->cell = closing && tag != HTML_TAG_TR && (c->leaf || (c->cell && !filled));
	c->leaf = tag != HTML_TAG_BR && !closing;
}

/* Takes a start tag in white space that is kept, or directly after it. */
static __attribute__((noinline)) void code_start_tag(struct blocks *b, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	if (t->code.open && html_tag_is(tag, TAG_SPLITS))
		code_divide(b, tag, false);
	if (t->white.now == WHITE_SPACE_KEPT && !t->code.open)
		code_begin(b, tag);
	else if (t->code.open && !t->white.len)
		code_end(b);
	if (t->code.open)
		line_numbers_open(&t->code.numbers, tag, b->text.len);
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

static __attribute__((noinline)) int add_kept(struct blocks *b, struct slice text, uint64_t offset)
{
	return add_text(b, text, offset, true);
}

/** Adds text to the open block; `offset`: its place in the page. */
static int block_add_text(struct blocks *b, struct slice text, uint64_t offset)
{
	if (b->builder->white.now != WHITE_SPACE_COLLAPSES)
		return add_kept(b, text, offset);
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

/* Records the element and sets *number to its number, or to its parent's if there is no room. */
static int open_element(struct blocks *b, enum html_tag tag, const struct tag_facts *facts, uint32_t *number)
{
	struct block_builder *t = b->builder;
	uint32_t parent = *number = open_elements_top(&t->open);
	if (b->n_elements == ELEMENTS_MOST)
		return DANA_OK;
	struct element *more = grow_items(b->element, b->n_elements, &t->cap_elements, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->element = more;
	const struct element *p = &b->element[parent];
	struct element *e = &b->element[b->n_elements];
	/* one by one: the parent may just have been written in this way, and would be slow to copy whole */
	e->parent = parent;
	e->depth = (uint16_t)(p->depth + 1);
	e->score = (int16_t)(facts->score > INT16_MAX   ? INT16_MAX
			     : facts->score < INT16_MIN ? INT16_MIN
							: facts->score);
	e->total = p->total + e->score;
	e->most = e->score > p->most || parent == 0 ? e->score : p->most;
	e->least = e->score < p->least || parent == 0 ? e->score : p->least;
	e->hidden = p->hidden || facts->hidden || html_tag_is(tag, TAG_MUTE);
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
	return DANA_OK;
}

static int block_start_tag(struct blocks *b, struct html_attr_reader *attrs, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	unsigned properties = html_tag_properties[tag];
	int status = DANA_OK;
	if (properties & TAG_COUNTS) {
		switch (tag) {
		case HTML_TAG_IMG:
			b->images++;
			if (formula_may_begin(b, (size_t)(attrs->end - attrs->at)) &&
			    formula_image_likely(slice_of(attrs->at, (size_t)(attrs->end - attrs->at))))
				status = add_formula_image(b, *attrs);
			break;
		case HTML_TAG_INPUT:
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
	struct block_formulas *f = &t->formulas;
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
			pop_inside(&t->open, top[HTML_TAG_TR], top[HTML_TAG_TABLE]);
			break;
		case HTML_TAG_TD:
		case HTML_TAG_TH:
			pop_inside(&t->open, highest(top[HTML_TAG_TD], top[HTML_TAG_TH]), top[HTML_TAG_TABLE]);
			break;
		case HTML_TAG_OPTION:
			pop_inside(&t->open, top[HTML_TAG_OPTION], top[HTML_TAG_OPTGROUP]);
			break;
		default:
			break;
		}
	}
	if (html_tag_is(tag, TAG_VOID)) {
		if (t->code.open && html_tag_is(tag, TAG_SPLITS))
			code_divide(b, tag, false);
		return DANA_OK;
	}
	struct tag_facts facts;
	if (attrs->at != attrs->end && *attrs->at != '>') {
		tokens_of_tag(&t->sink, attrs, !(properties & TAG_NESTS), &facts);
		if (f->class_bits >> (facts.class_hash & 63) & 1) {
			if (f->preview_bits >> (facts.class_hash & 63) & 1) {
				block_preview_begin(b, tag, facts.class_hash);
				block_ornament_begin(b, tag, facts.class_hash, false);
			}
			if (f->code_class[facts.class_hash % CODE_SLOTS] == facts.class_hash &&
			    properties & TAG_SPLITS && facts.white == WHITE_SPACE_INHERITED && facts.class_hash)
				facts.white = WHITE_SPACE_KEPT;
		}
	} else {
		facts = (struct tag_facts){ .white = WHITE_SPACE_INHERITED };
	}
	/* four reasons in one test: hardly any tag has one of them */
	if ((properties & (TAG_KEEPS_SPACE | TAG_RAISED)) | (facts.white ^ WHITE_SPACE_INHERITED) | t->white.len |
	    f->preview_depth | f->busy) {
		/* set the white space of the element that begins: its own style overrides its tag */
		bool keeps = (properties & TAG_KEEPS_SPACE) && (tag != HTML_TAG_OTHER || t->other_keeps);
		enum white_space own = facts.white == WHITE_SPACE_INHERITED && keeps ? WHITE_SPACE_KEPT : facts.white;
		white_space_start(&t->white, tag, own);
		if (t->white.len | t->code.open)
			code_start_tag(b, tag);
		if (properties & TAG_RAISED)
			block_raised_tag(b, tag, false);
		if (f->preview_depth)
			block_preview_tag(b, tag, false);
		if (f->busy) {
			/* a tag in a heading, or in raised text */
			f->raised_note |= facts.place;
			if (f->heading && (facts.place || tag == HTML_TAG_BUTTON ||
					   (f->ornament_bits >> (facts.class_hash & 63) & 1)))
				block_ornament_begin(b, tag, facts.class_hash, facts.place);
			f->ornament_depth += f->ornament_rule && f->ornament_tag == (uint8_t)tag;
		}
	}
	if (properties & TAG_LINKS) {
		t->in_link = facts.href;
		t->in_place = facts.place;
	}
	t->current.links = (uint16_t)(t->current.links + (facts.href && t->current.links != UINT16_MAX));
	if (!(properties & TAG_NESTS)) {
		t->current.inline_score += facts.score;
		return DANA_OK;
	}
	uint32_t number;
	status = open_element(b, tag, &facts, &number);
	if (status < 0)
		return status;
	(void)open_elements_push(&t->open, tag, number);
	return DANA_OK;
}

/* Ends what few end tags end. */
static __attribute__((noinline)) void end_in_white(struct blocks *b, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	if (t->code.open) {
		if (html_tag_is(tag, TAG_SPLITS))
			code_divide(b, tag, true);
		if (code_number_end(b, tag) < 0)
			t->formulas.status = DANA_ENOMEM;
	}
	if (t->white.len)
		white_space_end(&t->white, tag);
	if (t->code.open && !t->white.len)
		code_end(b);
	if (html_tag_is(tag, TAG_NESTS))
		open_elements_close(&t->open, tag);
	if (t->formulas.preview_depth)
		block_preview_tag(b, tag, true);
	if (html_tag_is(tag, TAG_RAISED))
		block_raised_tag(b, tag, true);
	struct block_formulas *f = &t->formulas;
	if (f->ornament_rule && f->ornament_tag == (uint8_t)tag && --f->ornament_depth == 0)
		block_ornament_end(b);
	if (html_tag_is(tag, TAG_HEADING))
		f->heading = 0;
	if (f->raised_begun != b->begun)
		f->raised_tag = 0;
	f->busy = f->heading || f->raised_tag || f->ornament_rule;
}

static void block_end_tag(struct blocks *b, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	if (html_tag_is(tag, TAG_LINKS))
		t->in_link = false;
	const struct block_formulas *f = &t->formulas;
	if (t->white.len | f->preview_depth | f->busy)
		end_in_white(b, tag);
	else if (html_tag_is(tag, TAG_NESTS))
		open_elements_close(&t->open, tag);
}

/* The text of blocks as it is written: with formulas, and with white space where it does not collapse. */

int block_source(const struct blocks *b, const struct block *block, struct buf *to)
{
	const struct block_formulas *f = &b->builder->formulas;
	uint32_t at = block->text - block->indent;
	const uint32_t end = block->text + block->text_len;
	if (!f->any)
		return block_part_source(b, at, end, to);
	size_t count;
	const struct formula_place *all = places_of(f, &count);
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
	if (!b->builder->formulas.any)
		return DANA_OK;
	/* write the formulas that are alone after block `serial` */
	const uint32_t serial = block->serial;
	const struct block_formulas *f = &b->builder->formulas;
	size_t count;
	const struct formula_place *all = places_of(f, &count);
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
	const struct block_formulas *f = &b->builder->formulas;
	size_t count, n_previews;
	if (!f->any)
		return false;
	const struct formula_place *all = places_of(f, &count);
	const size_t place = place_of(f, serial);
	if (place < count && all[place].serial == serial)
		return true;
	const struct formula_preview *previews = previews_of(&b->builder->formulas, &n_previews);
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
	struct block_builder *t = b->builder = calloc(1, sizeof(*t));
	if (!t)
		return DANA_ENOMEM;
	t->max_text = max_text;
	t->sink.weights = no_weights;
	/* set the hashes of classes */
	struct block_formulas *f = &t->formulas;
	for (size_t i = 0; i < FORMULA_CLASSES; i++) {
		f->preview_class[i] = token_words_first(slice_from_text(formula_classes[i]));
		f->preview_bits |= (uint64_t)1 << (f->preview_class[i] & 63);
	}
	for (size_t i = 0; i < ORNAMENT_CLASSES; i++) {
		f->ornament_class[i] = token_words_first(slice_from_text(ornament_classes[i]));
		f->ornament_bits |= (uint64_t)1 << (f->ornament_class[i] & 63);
		f->preview_bits |= (uint64_t)(i < ORNAMENTS_ANYWHERE) << (f->ornament_class[i] & 63);
	}
	for (size_t i = 0; i < CODE_CLASSES; i++) {
		const uint32_t hash = token_words_first(slice_from_text(code_classes[i]));
		f->code_class[hash % CODE_SLOTS] = hash;
		f->class_bits |= (uint64_t)1 << (hash & 63);
	}
	f->class_bits |= f->preview_bits;
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
	memset(&b->builder->cache, 0, sizeof(b->builder->cache)); /* its scores come from other weights */
}

void blocks_reset(void *state)
{
	struct blocks *b = state;
	struct block_builder *t = b->builder;
	tokens_fetch(&t->sink);
	open_elements_reset(&t->open);
	b->n_blocks = 0;
	b->n_elements = 1;
	b->element[0] = (struct element){ 0 };
	b->page_bytes = 0;
	b->articles = b->images = b->textareas = b->inputs = 0;
	b->body_tokens = 0;
	page_meta_reset(b->meta);
	b->has_main = b->truncated = false;
	buf_shrink(&b->text, (size_t)1 << 20);
	b->n_kept = 0;
	t->white = (struct white_space_state){ 0 };
	t->code.open = false;
	t->code.after = 0;
	buf_clear(&t->code.gaps);
	t->in_link = t->title_done = false;
	t->reserve_tag = 0;
	t->shown = t->reserved = 0;
	buf_shrink(&t->after_title, TITLE_HELD);
	held_text_reset(&t->held);
	struct block_formulas *f = &t->formulas;
	buf_clear(&f->text);
	buf_clear(&f->places);
	buf_clear(&f->previews);
	f->reader.in_math = f->reader.in_script = false;
	f->preview_depth = 0;
	f->raised_tag = f->heading = f->ornament_rule = 0;
	f->busy = false;
	f->any = false;
	f->status = DANA_OK;
	block_begin(b);
}

void blocks_free(struct blocks *b)
{
	if (b->builder) {
		open_elements_free(&b->builder->open);
		buf_free(&b->builder->after_title);
		held_text_free(&b->builder->held);
		struct block_formulas *f = &b->builder->formulas;
		formula_free(&f->reader);
		buf_free(&f->text);
		buf_free(&f->places);
		buf_free(&f->previews);
		buf_free(&b->builder->code.numbers.places);
		buf_free(&b->builder->code.gaps);
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

int blocks_run(void *state, const struct html_run *run)
{
	struct blocks *b = state;
	b->page_bytes = run->offset + run->bytes.len;
	if (run->kind == HTML_VOID) {
		/* take bytes of comments, scripts and styles */
		struct block_builder *t = b->builder;
		if (t->formulas.reader.in_script)
			return formula_script_bytes(&t->formulas.reader, run->bytes);
		struct slice content = declared_add(&b->meta->declared, run->bytes, run->first);
		if (run->first)
			t->script_begun = false;
		if (content.len == 0 || t->shown >= RESERVE_BELOW || t->reserve_tag == HELD)
			return DANA_OK;
		int status = held_text_add(&t->held, b->meta->declared.script, content, !t->script_begun);
		t->script_begun = true;
		return status;
	}
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
		struct block_formulas *f = &b->builder->formulas;
		const struct slice text = run->bytes;
		return f->reader.in_math ? formula_math_text(&f->reader, text) : 0;
	}
	return block_add_text(b, run->bytes, run->offset);
}

/* Ends what a tag ends wherever it is. */
static inline int before_tag(struct blocks *b, enum html_tag tag, uint64_t start)
{
	if (html_tag_is(tag, TAG_SPLITS))
		return block_end(b, start);
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
	int status = before_tag(b, tag, event->start);
	if (status < 0)
		return status;
	if (tag == HTML_TAG_TEXTAREA && !event->closing)
		b->textareas++;
	struct formula_reader *reader = &t->formulas.reader;
	const bool script = tag == HTML_TAG_SCRIPT && (reader->in_script || formula_script_likely(event));
	const bool math = tag != HTML_TAG_SCRIPT && event->skipped && (reader->in_math || tag == HTML_TAG_MATH);
	if (!t->reserve_tag && (script || math)) {
		bool ends = false;
		status = DANA_OK;
		if (script)
			formula_script_tag(reader, event, &ends);
		else
			status = formula_math_tag(reader, event, &ends);
		status = ends && status == DANA_OK ? add_formula(b) : status;
		if (status < 0)
			return status;
	}
	/* skipped tags count in the reserve only */
	if (event->skipped) {
		if (t->reserve_tag && tag == t->reserve_tag && event->closing) {
			pop_to(&t->open, t->reserve_depth);
			white_space_end(&t->white, tag);
			t->reserve_tag = 0;
			t->in_link = false;
			return DANA_OK;
		}
		if (!t->reserve_tag && !event->closing && (tag == HTML_TAG_NOSCRIPT || tag == HTML_TAG_TEMPLATE)) {
			t->reserve_tag = (uint8_t)tag;
			t->reserve_depth = t->open.len;
			white_space_start(&t->white, tag, WHITE_SPACE_INHERITED);
			return DANA_OK;
		}
		if (!t->reserve_tag || html_tag_is(tag, TAG_SKIP))
			return DANA_OK;
	}
	if (event->closing) {
		block_end_tag(b, tag);
		return DANA_OK;
	}
	if (tag == HTML_TAG_OTHER)
		t->other_keeps = white_space_of_tag(tag, event->name) == WHITE_SPACE_KEPT;
	struct html_attr_reader attrs = html_attr_begin(event);
	return block_start_tag(b, &attrs, tag);
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
	status = before_tag(b, tag, unit->base + unit->code);
	if (status < 0)
		return status;
	if (unit->closing) {
		block_end_tag(b, tag);
		return DANA_OK;
	}
	if (tag == HTML_TAG_OTHER) {
		struct slice name = slice_of(unit->window + unit->code + 1, unit->name_len);
		b->builder->other_keeps = white_space_of_tag(tag, name) == WHITE_SPACE_KEPT;
	}
	struct html_attr_reader attrs = html_attr_of_unit(unit);
	return block_start_tag(b, &attrs, tag);
}

int blocks_finish(struct blocks *b)
{
	struct block_builder *t = b->builder;
	int status = block_end(b, b->page_bytes);
	if (status == DANA_OK)
		status = t->formulas.status;
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
		if (templates.len && t->reserved < RESERVE_BELOW)
			status = read_again(&again, templates);
		if (status == DANA_OK && t->held.data.len && t->reserved < RESERVE_BELOW) {
			struct buf html = { 0 };
			status = held_text_bodies(&t->held, &html);
			if (status == DANA_OK && html.len)
				status = read_again(&again, buf_slice(&html));
			buf_free(&html);
		}
	}
	if (t->reserved && (t->shown >= RESERVE_BELOW || t->reserved < t->shown)) {
		uint32_t kept = 0;
		for (uint32_t i = 0; i < b->n_blocks; i++) {
			if (!b->block[i].reserve)
				b->block[kept++] = b->block[i];
		}
		b->n_blocks = kept;
	}
	return status;
}
