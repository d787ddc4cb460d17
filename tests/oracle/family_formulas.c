/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/ascii.h"
#include "extract/html/attribute.h"
#include "extract/html/formula.h"
#include "oracle/family_page.h"

enum { HOLDS_MOST = 64 << 10 };

/* A page whose items are read one after the other, and those that come of them. */
struct formulas {
	const uint8_t *base;
	struct family_page out;
	struct formula_reader reader;
	bool mathjax, near, katex, holds;
	size_t holds_at;
	enum html_tag twin;
	size_t depth;
	struct buf shown; /* size_t each: items to be skipped if the formula comes */
	uint8_t space;
};

static struct family_item *add(struct family_page *page, const struct family_item *item)
{
	if ((page->count & (page->count - 1)) == 0) {
		page->items = realloc(page->items, (page->count ? page->count * 2 : 1) * sizeof(*page->items));
		if (!page->items)
			abort();
	}
	page->items[page->count] = *item;
	return &page->items[page->count++];
}

static void release(struct formulas *f, bool skips)
{
	const size_t *shown = (const size_t *)(void *)f->shown.data;
	for (size_t i = 0; i < f->shown.len / sizeof(*shown) && skips; i++)
		f->out.items[shown[i]].skipped = true;
	buf_clear(&f->shown);
	f->holds = false;
}

/* Adds the formula as a text of the page. */
static void add_formula(struct formulas *f)
{
	struct family_page *out = &f->out;
	if (f->reader.in_script && formula_script_bytes(&f->reader, slice_from_text("</")) < 0)
		abort();
	formula_end(&f->reader);
	const struct slice tex = formula_tex(&f->reader), text = tex.len ? tex : formula_letters(&f->reader);
	if (text.len == 0 || (f->depth && !tex.len))
		return;
	if (tex.len && f->depth == 0)
		release(f, true);
	struct buf made = { 0 };
	if (buf_printf(&made, "%s%.*s%s", f->reader.display ? "\n" : "", (int)text.len, (const char *)text.data,
		       f->reader.display ? "\n" : "") < 0)
		abort();
	for (size_t i = f->reader.display; i + f->reader.display < made.len; i++)
		made.data[i] = ascii_is_space(made.data[i]) ? ' ' : made.data[i];
	const bool lines = f->reader.display && f->space == WHITE_SPACE_COLLAPSES;
	const struct family_item item = { .kind = FAMILY_TEXT,
					  .bytes = buf_slice(&made),
					  .space = lines ? WHITE_SPACE_LINES : f->space };
	add(out, &item);
	if (buf_append(&out->made, &made, sizeof(made)) < 0)
		abort();
	f->near = true;
}

static bool names_mathjax(struct slice s)
{
	for (size_t i = 0; i + 5 <= s.len; i++) {
		struct slice here = slice_of(s.data + i, 5);
		if (slice_is(here, "mathj") || slice_is(here, "math/"))
			return true;
	}
	return false;
}

static struct html_tag_event event_of(const struct family_item *item)
{
	size_t len = item->bytes.len < HTML_TAG_BYTES ? item->bytes.len : HTML_TAG_BYTES;
	return (struct html_tag_event){ .tag = (uint8_t)item->tag,
					.closing = item->closing,
					.name = item->name,
					.source = slice_of(item->bytes.data, len) };
}

static bool has_class(const struct html_tag_event *event, bool katex)
{
	static const char *const classes[] = { "MathJax",       "MathJax_Preview", "MathJax_Display", "MathJax_SVG",
					       "MathJax_CHTML", "mjx-chtml",       "katex-html" };
	struct html_attr_reader attrs = html_attr_begin(event);
	struct html_attr attr;
	while (html_attr_next(&attrs, &attr)) {
		if (!slice_is(attr.name, "class"))
			continue;
		struct slice class = slice_trim(attr.value);
		class.len = slice_until(class, " \t\n\f\r");
		for (size_t i = katex ? 6 : 0; i < (katex ? 7 : 6); i++) {
			if (slice_equal(class, slice_from_text(classes[i])))
				return true;
		}
		return false;
	}
	return false;
}

static void take_tag(struct formulas *f, const struct family_item *item, size_t at)
{
	const struct html_tag_event event = event_of(item);
	bool ends;
	f->space = item->space;
	f->reader.in_math &= item->skipped;
	if (item->tag == HTML_TAG_SCRIPT && !item->closing && !item->skipped && names_mathjax(event.source)) {
		f->mathjax = true;
		formula_script_tag(&f->reader, &event, &ends);
	} else if (f->reader.in_math || (item->tag == HTML_TAG_MATH && item->skip == HTML_TAG_MATH)) {
		if (formula_math_tag(&f->reader, &event, &ends) < 0)
			abort();
	}
	if (item->skipped)
		return;
	if (f->depth) {
		f->depth += item->tag != f->twin ? 0 : item->closing ? (size_t)-1 : 1;
		return;
	}
	if (item->closing || (item->tag != HTML_TAG_SPAN && item->tag != HTML_TAG_DIV))
		return;
	f->katex = f->near && has_class(&event, true);
	if (!f->katex && !(f->mathjax && has_class(&event, false)))
		return;
	f->near &= !f->katex;
	f->twin = item->tag;
	f->depth = 1;
	if (!f->katex && !f->holds) {
		f->holds = true;
		f->holds_at = at;
	}
}

static void take_item(struct formulas *f, const struct family_item *item)
{
	const size_t at = (size_t)(item->bytes.data - f->base);
	bool text = item->kind == FAMILY_TEXT && !item->skipped, status = true;
	if (item->closing &&
	    (item->tag == HTML_TAG_MATH ? f->reader.in_math : item->tag == HTML_TAG_SCRIPT && f->reader.in_script))
		add_formula(f);
	else if (item->kind == FAMILY_TEXT && item->skipped && f->reader.in_math)
		status = formula_math_text(&f->reader, item->bytes) == 0;
	else if (item->kind == FAMILY_VOID && f->reader.in_script)
		status = formula_script_bytes(&f->reader, item->bytes) == 0;
	if (!status)
		abort();
	bool other = text && !f->depth && slice_trim(item->bytes).len;
	f->near &= !other;
	if (f->holds && (other || at + item->bytes.len > f->holds_at + HOLDS_MOST)) {
		f->depth = 0;
		release(f, false);
	}
	if (text && f->depth && !f->katex && buf_append(&f->shown, &f->out.count, sizeof(size_t)) < 0)
		abort();
	add(&f->out, item)->skipped |= text && f->depth && f->katex;
	if (item->is_tag)
		take_tag(f, item, at);
}

void family_page_formulas(struct family_page *page, struct slice html)
{
	struct formulas f = { .base = html.data, .out = { .title_seen = page->title_seen, .title = page->title } };
	for (size_t i = 0; i < page->count; i++)
		take_item(&f, &page->items[i]);
	formula_free(&f.reader);
	buf_free(&f.shown);
	free(page->items);
	*page = f.out;
}
