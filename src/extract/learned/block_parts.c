/* SPDX-License-Identifier: MIT */
/*
 * Parts of a block whose text is replaced or left out: formulas as they are shown, raised text, and what headings
 * carry beside their words.
 *
 * KaTeX shows a formula after its <math>; MathJax 2 has a preview, the formula as it is shown, and then a script with
 * its TeX. What is shown is in the text like any other; once its formula is known, it is noted as a preview, which is
 * left out when the block is written.
 *
 * Example: "so <span class=MathJax_Preview>x2</span><script type=math/tex>x_2</script> is" has the text "so x2 is", the
 * preview 3..5 and the formula "x_2" at 5; it is written as "so x_2 is".
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/class_words.h"
#include "extract/html/entity.h"
#include "extract/html/formula.h"
#include "extract/html/raised.h"
#include "extract/learned/block_builder.h"

/** Bytes of all formulas of a page; later ones are left out. */
enum { FORMULAS_MOST = 1 << 20 };

enum { KATEX = FORMULA_CLASSES - 1 };

/* What is done with what headings carry beside their words. */
enum ornament_rule {
	NO_ORNAMENT,
	ALWAYS,          /* left out */
	AFTER_WORDS,     /* ... if words of the heading are before it, or it has none itself */
	WITHOUT_LETTERS, /* ... if it has no letter and no digit */
	MAY_LEAD_BACK,   /* ... if it has neither, but an arrow */
	LEADS_BACK,      /* ... if it is more than a number */
};

void block_parts_init(struct block_parts *f)
{
	for (size_t i = 0; i < FORMULA_CLASSES; i++) {
		f->preview_class[i] = token_words_first(slice_from_text(formula_classes[i]));
		f->preview_bits |= (uint64_t)1 << (f->preview_class[i] & 63);
		f->preview_next |= (uint64_t)1 << (f->preview_class[i] >> 6 & 63);
	}
	for (size_t i = 0; i < CLASS_WORDS; i++) {
		const bool anywhere = class_word_table[i].meanings & (CLASS_EDIT | CLASS_NUMBERS);
		if (!anywhere && !(class_word_table[i].meanings & CLASS_ORNAMENT))
			continue;
		const uint32_t hash = token_words_first(slice_from_text(class_word_table[i].word));
		f->ornament[f->n_ornaments++] = (struct ornament_class){ hash, anywhere ? ALWAYS : AFTER_WORDS };
		f->ornament_bits |= (uint64_t)1 << (hash & 63);
		f->preview_bits |= (uint64_t)anywhere << (hash & 63);
		f->preview_next |= (uint64_t)anywhere << (hash >> 6 & 63);
	}
}

void block_parts_reset(struct block_parts *f)
{
	buf_clear(&f->text);
	buf_clear(&f->places);
	buf_clear(&f->previews);
	f->reader.in_math = f->reader.in_script = false;
	f->preview_depth = 0;
	f->raised_tag = f->heading = f->ornament_rule = 0;
	f->busy = false;
	f->any = false;
	f->status = DANA_OK;
}

void block_parts_free(struct block_parts *f)
{
	formula_free(&f->reader);
	buf_free(&f->text);
	buf_free(&f->places);
	buf_free(&f->previews);
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
	struct block_parts *f = &b->builder->parts;
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
		struct formula_preview *all = block_previews(&b->builder->parts, &count);
		while (count && all[count - 1].waits && is_white(b, all[count - 1].to, at)) {
			at = all[--count].from;
			all[count].waits = false;
		}
	}
	return status;
}

int block_add_formula(struct blocks *b)
{
	const struct formula_reader *reader = &b->builder->parts.reader;
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
	const struct block_parts *f = &b->builder->parts;
	struct buf tex = { 0 };
	size_t count;
	const struct formula_place *all = block_places(f, &count), *last = count ? &all[count - 1] : NULL;
	int status = formula_image_tex(&attrs, &tex);
	enum { APART_MOST = 64 }; /* bytes of white space between the two */
	const bool again = last && last->begun == b->begun && b->text.len - last->at <= APART_MOST &&
			   is_white(b, last->at, (uint32_t)b->text.len) &&
			   slice_equal(slice_of(f->text.data + last->text, last->len), buf_slice(&tex));
	if (status >= 0 && !again)
		status = add_formula_text(b, buf_slice(&tex), true, false);
	buf_free(&tex);
	return status;
}

int block_add_formula_image(struct blocks *b, const struct html_attr_reader *attrs)
{
	const struct slice source = slice_of(attrs->at, (size_t)(attrs->end - attrs->at));
	return formula_may_begin(b, source.len) && formula_image_likely(source) ? add_formula_image(b, *attrs)
										: DANA_OK;
}

/* Begins a preview, if the class is of a formula as it is shown. */
static void preview_begin(struct blocks *b, enum html_tag tag, uint32_t class_hash)
{
	struct block_parts *f = &b->builder->parts;
	size_t i = 0, count;
	while (i <= KATEX && f->preview_class[i] != class_hash)
		i++;
	if (i > KATEX || f->preview_depth || (tag != HTML_TAG_SPAN && tag != HTML_TAG_DIV))
		return;
	const struct formula_place *all = block_places(f, &count);
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

/* Takes a tag while a preview is open. */
static void preview_tag(struct blocks *b, enum html_tag tag, bool closing)
{
	struct block_parts *f = &b->builder->parts;
	if (tag != f->preview_tag)
		return;
	if (!closing)
		f->preview_depth++;
	else if (--f->preview_depth == 1) {
		const struct formula_preview preview = { f->preview_from, (uint32_t)b->text.len, !f->preview_pairs };
		size_t count;
		const struct formula_preview *all = block_previews(f, &count);
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
static void raised_tag(struct blocks *b, enum html_tag tag, bool closing)
{
	struct block_parts *f = &b->builder->parts;
	const uint32_t from = f->raised_from, to = (uint32_t)b->text.len;
	if (f->raised_begun != b->begun)
		f->raised_tag = 0;
	if (f->raised_tag) {
		if (f->raised_tag == (uint8_t)tag)
			f->raised_depth += closing ? -1U : 1U;
		if (f->raised_depth)
			return;
	} else if (!closing && !f->preview_depth && !b->builder->inside.open) {
		f->raised_tag = (uint8_t)tag;
		f->raised_depth = 1;
		f->raised_note = b->builder->in_link && b->builder->in_place;
		f->raised_from = to;
		f->raised_begun = b->begun;
		f->busy = true;
		return;
	}
	size_t count;
	const struct formula_place *all = block_places(f, &count);
	bool whole = f->raised_tag && f->raised_begun == b->begun && from < to &&
		     (!count || all[count - 1].at <= from || all[count - 1].begun != b->begun);
	f->raised_tag = 0;
	/* nothing is written for a link back */
	size_t n_previews;
	const struct formula_preview *previews = block_previews(f, &n_previews);
	whole &= !n_previews || previews[n_previews - 1].from > from || previews[n_previews - 1].to < to;
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

/* Returns whether source text has a letter or digit; *arrow: whether it has an arrow, if that is asked for. */
static bool has_letters(struct slice text, bool *arrow)
{
	struct buf decoded = { 0 };
	bool found = html_entity_append(&decoded, text) < 0;
	for (size_t i = 0; i < decoded.len && !found;) {
		uint32_t c;
		i += utf8_decode(slice_skip(buf_slice(&decoded), i), &c);
		const bool symbol = (c >= 0x2000 && c < 0x2C00) || (c >= 0xE000 && c < 0xF900) ||
				    (c >= 0xFE00 && c < 0xFE10) || c >= 0x1F000 || c == 0xFEFF;
		if (arrow)
			*arrow |= c == '^' || (c >= 0x2190 && c < 0x2200) || (c >= 0x27F0 && c < 0x2800) ||
				  (c >= 0x2900 && c < 0x2980) || (c >= 0x2B00 && c < 0x2C00) || c == 0x23CE ||
				  (c >= 0x25B2 && c < 0x25B6);
		found = c < 0x80 ? ascii_is_alpha((uint8_t)c) || ascii_is_digit((uint8_t)c) : c >= 0xC0 && !symbol;
	}
	buf_free(&decoded);
	return found;
}

static __attribute__((noinline)) void ornament_begin(struct blocks *b, enum html_tag tag, uint32_t class_hash,
						     bool place)
{
	struct block_parts *f = &b->builder->parts;
	size_t i = 0;
	if (f->ornament_rule || f->preview_depth || html_tag_is(tag, TAG_HEADING))
		return;
	while (i < f->n_ornaments && f->ornament[i].hash != class_hash)
		i++;
	if (i < f->n_ornaments && f->ornament[i].rule == ALWAYS)
		f->ornament_rule = ALWAYS;
	else if (f->heading && (i < f->n_ornaments || tag == HTML_TAG_BUTTON))
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

/*
 * Leaves out a link from a note back to where it is referred to, with what is in it and the marks before it where it
 * begins its block.
 *
 * Example: "^ <a href='#cite_ref-1'><sup>a</sup></a> Minutes <a href='#fnref1'>Back</a>" is "Minutes".
 */
static void leave_link_back(struct blocks *b, uint32_t from, uint32_t to)
{
	struct block_parts *f = &b->builder->parts;
	size_t count, n_places;
	const struct formula_preview *all = block_previews(f, &count);
	const struct formula_place *places = block_places(f, &n_places);
	while (count && all[count - 1].from >= from)
		count--;
	while (n_places && places[n_places - 1].at > from && places[n_places - 1].begun == b->begun)
		n_places--;
	f->previews.len = count * sizeof(*all);
	f->places.len = n_places * sizeof(*places);
	uint32_t begin = (uint32_t)b->builder->begin;
	if (count && all[count - 1].to > begin)
		begin = all[count - 1].from == begin ? all[count - 1].to : from;
	if (begin < from && !has_letters(slice_of(b->text.data + begin, from - begin), NULL))
		from = begin;
	block_leave_out(b, from, to);
}

static void ornament_end(struct blocks *b)
{
	struct block_parts *f = &b->builder->parts;
	const struct formula_preview left = { f->ornament_from, (uint32_t)b->text.len, false };
	const bool words = f->heading && !is_white(b, f->heading_from, left.from);
	bool leaves = f->ornament_rule == ALWAYS || (f->ornament_rule == AFTER_WORDS && words);
	const uint8_t rule = f->ornament_rule;
	f->ornament_rule = NO_ORNAMENT;
	if (rule == LEADS_BACK || rule == MAY_LEAD_BACK) {
		const struct slice text = slice_of(b->text.data + left.from, left.to - left.from);
		bool arrow = false;
		if (f->ornament_begun == b->begun && !is_white(b, left.from, left.to) &&
		    (rule == LEADS_BACK ? !block_notes_is_number(text) : (!has_letters(text, &arrow) && arrow)))
			leave_link_back(b, left.from, left.to);
		return;
	}
	size_t count;
	const struct formula_preview *all = block_previews(f, &count);
	if (is_white(b, left.from, left.to) || (count && all[count - 1].to > left.from))
		return;
	leaves |= !has_letters(slice_of(b->text.data + left.from, left.to - left.from), NULL);
	if (leaves && buf_append(&f->previews, &left, sizeof(left)) < 0)
		f->status = DANA_ENOMEM;
	f->any |= leaves;
}

void block_parts_note_link(struct blocks *b, enum html_tag tag, bool back)
{
	struct block_parts *f = &b->builder->parts;
	if (f->ornament_rule || f->heading || f->preview_depth || b->builder->inside.open)
		return;
	f->ornament_rule = back ? LEADS_BACK : MAY_LEAD_BACK;
	f->ornament_tag = (uint8_t)tag;
	f->ornament_depth = 1;
	f->ornament_from = (uint32_t)b->text.len;
	f->ornament_begun = b->begun;
	f->busy = true;
}

void block_parts_class(struct blocks *b, enum html_tag tag, uint32_t class_hash)
{
	preview_begin(b, tag, class_hash);
	ornament_begin(b, tag, class_hash, false);
}

void block_parts_start_tag(struct blocks *b, enum html_tag tag, const struct attribute_facts *facts)
{
	struct block_parts *f = &b->builder->parts;
	if (html_tag_is(tag, TAG_RAISED))
		raised_tag(b, tag, false);
	b->builder->notes.raised |= tag == HTML_TAG_SUP;
	if (f->preview_depth)
		preview_tag(b, tag, false);
	if (f->busy) {
		/* a tag in a heading, or in raised text */
		f->raised_note |= facts->place;
		if (f->heading &&
		    (facts->place || tag == HTML_TAG_BUTTON || (f->ornament_bits >> (facts->class_hash & 63) & 1)))
			ornament_begin(b, tag, facts->class_hash, facts->place);
		f->ornament_depth += f->ornament_rule && f->ornament_tag == (uint8_t)tag;
	}
}

void block_parts_end_tag(struct blocks *b, enum html_tag tag)
{
	struct block_parts *f = &b->builder->parts;
	if (f->preview_depth)
		preview_tag(b, tag, true);
	if (html_tag_is(tag, TAG_RAISED))
		raised_tag(b, tag, true);
	if (f->ornament_rule && f->ornament_tag == (uint8_t)tag && --f->ornament_depth == 0)
		ornament_end(b);
	if (html_tag_is(tag, TAG_HEADING))
		f->heading = 0;
	if (f->raised_begun != b->begun)
		f->raised_tag = 0;
	f->busy =
		f->heading || f->raised_tag || f->ornament_rule || b->builder->notes.open || b->builder->notes.awaited;
}

void block_parts_end(struct blocks *b, bool kept)
{
	struct block_parts *f = &b->builder->parts;
	const uint32_t len = (uint32_t)b->text.len;
	size_t count;
	struct formula_preview *all = block_previews(f, &count);
	if (f->preview_from > len)
		f->preview_from = len;
	for (; count && all[count - 1].to > len; count -= all[count - 1].from >= all[count - 1].to)
		all[count - 1].to = len;
	f->previews.len = count * sizeof(*all);
	/* the formulas that came in the block are part of it */
	struct formula_place *places = block_places(f, &count);
	while (kept && count && places[count - 1].begun == b->begun)
		places[--count].joined = true;
}

void block_leave_out(struct blocks *b, uint32_t from, uint32_t to)
{
	struct block_parts *f = &b->builder->parts;
	const struct formula_preview left = { from, to, false };
	size_t count;
	const struct formula_preview *all = block_previews(f, &count);
	if (from == to || (count && all[count - 1].to > from))
		return;
	if (buf_append(&f->previews, &left, sizeof(left)) < 0)
		f->status = DANA_ENOMEM;
	f->any = true;
}

/*
 * Inline elements that a browser does not show, or that are not of the article. Words of the former are left out of
 * their block; of the latter a block is left out that consists of them alone.
 *
 * Example: "<p>At <b hidden>or near</b> noon</p>" is written as "At noon"; "<p><a class=share>Send</a></p>" is left
 * out, and of "<p>You can <a class=share>send</a> it" all stays.
 */

void block_inline_begin(struct blocks *b, enum html_tag tag, uint8_t left)
{
	struct block_inline *o = &b->builder->inside;
	/* what is hidden in an element that is apart is hidden all the same */
	if (!(left & ~LEFT_OPENS) || (o->open && (o->left & LEFT_UNSEEN || !(left & LEFT_UNSEEN))))
		return;
	o->open = true;
	o->tag = (uint8_t)tag;
	o->depth = 1;
	o->left = left;
	o->from = (uint32_t)b->text.len;
	o->element = b->n_elements;
}

bool block_inline_is_empty(const struct blocks *b)
{
	return is_white(b, b->builder->inside.from, (uint32_t)b->text.len);
}

static void inline_end(struct blocks *b)
{
	struct block_inline *o = &b->builder->inside;
	struct block_parts *f = &b->builder->parts;
	const uint32_t from = o->from, to = (uint32_t)b->text.len;
	o->open = false;
	if (is_white(b, from, to))
		return;
	if (o->left & LEFT_UNSEEN) {
		size_t count;
		const struct formula_preview *all = block_previews(f, &count);
		while (count && all[count - 1].from >= from) /* parts of it */
			count--;
		f->previews.len = count * sizeof(*all);
		block_leave_out(b, from, to);
	}
	const uint32_t begin = (uint32_t)b->builder->begin;
	const bool more = o->apart_to > begin && is_white(b, o->apart_to, from);
	if (!more && !is_white(b, begin, from))
		return;
	o->apart = more ? o->apart & o->left : o->left;
	o->apart_to = to;
}

void block_inline_tag(struct blocks *b, bool closing)
{
	struct block_inline *o = &b->builder->inside;
	o->depth += closing ? -1U : 1U;
	if (o->depth == 0)
		inline_end(b);
}

uint8_t block_inline_end(struct blocks *b)
{
	struct block_inline *o = &b->builder->inside;
	if (o->open)
		inline_end(b);
	const bool whole = o->apart_to > b->builder->begin && is_white(b, o->apart_to, (uint32_t)b->text.len);
	const uint8_t left = whole ? o->apart : 0;
	o->apart_to = 0;
	return left & (uint8_t)~LEFT_UNSEEN;
}
