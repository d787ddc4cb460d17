/* SPDX-License-Identifier: MIT */
/* What any part of a page may say of all of it: the address that its links are relative to, and that it shows TeX. */
#include "base/ascii.h"
#include "extract/structure/recorder.h"
#include "extract/structure/recorder_private.h"
#include "extract/structure/text_scan.h"

/* Takes the first <base> that has an address. */
static int read_base(struct recorder *r, const struct page_log *log)
{
	for (size_t i = log->first_base; i > 0 && i <= log->n && !r->page.has_base; i++) {
		const struct log_entry *e = &log->entry[i - 1];
		if (e->tag != HTML_TAG_BASE || e->flags)
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
		r->page.has_base = tag_facts_has(facts, ATTR_HREF);
		const struct slice href = tag_facts_value(facts, ATTR_HREF);
		if (buf_append(&r->page.base_url, href.data, href.len) < 0)
			return DANA_ENOMEM;
	}
	return DANA_OK;
}

/* Returns whether an address is that of a program that shows formulas. Both names end in an x, as few do. */
static bool is_program(struct slice url)
{
	return (slice_until(url, "x") < url.len || slice_until(url, "X") < url.len) &&
	       (slice_has(url, "mathjax") || slice_has(url, "katex"));
}

/* Returns whether a start tag says that the page shows formulas. */
static bool shows_formulas(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-container"))
		return true;
	if (html_tag_is(tag, TAG_VOID) && tag != HTML_TAG_LINK)
		return false;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	if (tag == HTML_TAG_LINK)
		return is_program(tag_facts_value(facts, ATTR_HREF));
	if (tag == HTML_TAG_SCRIPT)
		return is_program(tag_facts_value(facts, ATTR_SRC));
	return facts->words.meanings & CLASS_FORMULA;
}

/* Returns whether source text begins with a reference of '$' or '\\'. */
static bool is_reference(struct slice text)
{
	static const char *const references[] = { "&#36", "&#x24", "&dollar;", "&#92", "&#x5c", "&bsol;" };
	if (text.len < 2 || !strchr("#dDbB", text.data[1]))
		return false;
	for (size_t i = 0; i < sizeof(references) / sizeof(*references); i++) {
		if (slice_is(slice_first(text, strlen(references[i])), references[i]))
			return true;
	}
	return false;
}

/* Returns whether a dollar may be the second of a formula (formula_text.h); those of prices are not. */
static bool is_dollar(struct slice text, size_t at)
{
	const uint8_t before = at ? text.data[at - 1] : ' ', after = at + 1 < text.len ? text.data[at + 1] : ' ';
	return after == '$' || (before != ' ' && !ascii_is_digit(after));
}

/* Returns whether source text may have a formula at `at`: a dollar, or a backslash before '(', '[' or "begin". */
static bool is_delimiter(struct slice text, size_t at)
{
	switch (text.data[at]) {
	case '$':
		return is_dollar(text, at);
	case '\\':
		return at + 1 < text.len && text.data[at + 1] && strchr("([b", text.data[at + 1]);
	default:
		return text.data[at] == '&' && is_reference(slice_skip(text, at));
	}
}

/* The text of all pieces lies together, in their order. */
static bool any_delimiter(const struct structure_page *page)
{
	const struct slice all = buf_slice(&page->text);
	const struct piece *p = page->piece, *end = p + page->n_pieces;
	for (size_t at = 0; (at += text_scan_undelimited(slice_skip(all, at))) < all.len; at++) {
		while (p < end && p->text + p->len <= at)
			p++;
		if (p < end && at >= p->text && p->kind == PIECE_TEXT &&
		    is_delimiter(slice_of(all.data + p->text, p->len), at - p->text))
			return true;
	}
	return false;
}

/* What it says of formulas matters to few pages, and costs as much as the record of all of it. */
int recorder_page_facts(struct recorder *r, const struct page_log *log)
{
	const bool delimiters = any_delimiter(&r->page);
	for (size_t i = 0; i < log->n && delimiters && !r->page.formulas; i++) {
		if (log->entry[i].flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, &log->entry[i]);
		r->page.formulas = shows_formulas(r, &event);
	}
	return read_base(r, log);
}
