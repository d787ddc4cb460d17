/* SPDX-License-Identifier: MIT */
/*
 * Which elements are left out with all that is in them: hidden ones, numbers of lines, tools, formulas as they are
 * shown. A class alone never leaves words out: the element has to look like what its class says that it is, or its
 * source has to be beside it, by the log. Looking ahead in the log costs a few times the length of a page at most;
 * where that is used up, elements are kept.
 *
 * Example: <div class=gutter>1<br>2</div> holds numbers and goes, <div class=gutter>Our two offices</div> stays.
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "extract/structure/page_log.h"
#include "extract/structure/record_parts.h"

/** What an element holds. */
struct content {
	size_t after;  /* the entry after its end tag, or after the one that implies its end */
	uint32_t to;   /* the place after it */
	size_t bytes;  /* of text */
	bool words;    /* two letters come one after the other */
	bool blocks;   /* paragraphs, items, headings, code */
	bool complete; /* its end was found */
};

/* Begins a look at the entries from `i` on. Returns their end. */
static size_t look_from(const struct recorder *r, size_t i)
{
	const size_t n = r->log ? r->log->n : 0;
	return i + r->looks < n ? i + r->looks : n;
}

static bool has_word(struct slice text)
{
	for (size_t i = 0; i + 1 < text.len; i++) {
		if ((ascii_is_alpha(text.data[i]) && ascii_is_alpha(text.data[i + 1])) || text.data[i] >= 0xC3) {
			/* a character reference is no word */
			size_t from = i;
			while (from > 0 && text.data[from - 1] != '&' && !ascii_is_space(text.data[from - 1]))
				from--;
			if (from == 0 || text.data[from - 1] != '&')
				return true;
			while (i + 1 < text.len && text.data[i] != ';' && !ascii_is_space(text.data[i]))
				i++;
		}
	}
	return false;
}

/* Looks at the element that begins at the entry `first`. */
static struct content content_of(struct recorder *r, size_t first)
{
	const struct page_log *log = r->log;
	struct content c = { .after = first };
	const size_t end = look_from(r, first);
	if (first >= end)
		return c;
	const struct log_entry *begin = &log->entry[first];
	const struct slice name = page_log_event(log, begin).name;
	const bool cell = begin->tag == HTML_TAG_TD || begin->tag == HTML_TAG_TH;
	unsigned depth = 1;
	size_t i = first + 1;
	for (; i < end && depth; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		const struct slice text = page_log_part(log, e[-1].end, e->start);
		c.to = e->start;
		if (!(e->flags & LOG_TEXT_SKIPPED)) {
			c.bytes += slice_trim(text).len;
			c.words = c.words || has_word(text);
		}
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		const bool closing = e->flags & LOG_CLOSING;
		const bool same =
			tag == begin->tag && (tag != HTML_TAG_OTHER || slice_equal(page_log_event(log, e).name, name));
		if (cell && (tag == HTML_TAG_TD || tag == HTML_TAG_TH || tag == HTML_TAG_TR))
			depth = 0;
		else if (same)
			depth += closing ? -1U : 1U;
		c.blocks |= !closing && (html_tag_is(tag, TAG_HEADING) || tag == HTML_TAG_P || tag == HTML_TAG_LI ||
					 tag == HTML_TAG_PRE || tag == HTML_TAG_TABLE || tag == HTML_TAG_BLOCKQUOTE);
		c.to = e->end;
	}
	c.after = i;
	c.complete = depth == 0;
	r->looks -= i - first;
	return c;
}

/* Returns whether an element shows a formula whose TeX or MathML is beside it. */
static bool is_formula_copy(struct recorder *r, const struct html_tag_event *event)
{
	if (record_formula_is_near(r) || (r->tex_depth && r->tex.len))
		return true;
	const size_t first = r->log ? page_log_at(r->log, event->start) : 0;
	const struct content c = content_of(r, first);
	if (!c.complete || c.blocks)
		return false;
	/* ends of elements around it may come before the source, and after a preview its copy */
	const bool preview = slice_has(event->source, "preview");
	const struct page_log *log = r->log;
	uint32_t before = c.to;
	const size_t end = look_from(r, c.after);
	size_t i = c.after;
	bool found = false, more = true;
	while (i < end && more && !found) {
		const struct log_entry *e = &log->entry[i];
		more = slice_trim(page_log_part(log, before, e->start)).len == 0;
		before = e->end;
		i++;
		r->looks--;
		if (!more || e->flags & LOG_GAP)
			continue;
		const struct html_tag_event next = page_log_event(log, e);
		if (next.closing) {
			more = !html_tag_is((enum html_tag)next.tag, TAG_SPLITS) || next.tag == HTML_TAG_DIV;
			continue;
		}
		if (next.tag == HTML_TAG_MATH || next.tag == HTML_TAG_SCRIPT) {
			found = next.tag == HTML_TAG_MATH || formula_mathjax_likely(next.source);
			more = false;
		} else if (next.tag == HTML_TAG_OTHER) {
			more = slice_is(next.name, "mjx-assistive-mml");
		} else if (slice_has(next.source, "assistive") || slice_has(next.source, "aria-hidden")) {
			more = next.tag == HTML_TAG_SPAN;
		} else {
			more = preview && (next.tag == HTML_TAG_SPAN || next.tag == HTML_TAG_DIV) &&
			       slice_has(next.source, "mathjax");
			if (!more)
				continue;
			const struct content other = content_of(r, i - 1);
			more = other.complete && !other.blocks;
			i = other.after;
			before = other.to;
		}
	}
	return found;
}

/* Returns how many of the innermost open elements are in one around code, itself included; 0: no such is near. */
static size_t code_wrapper(const struct recorder *r)
{
	enum { NEAR = 4 };
	for (size_t i = r->depth; i > 0 && r->depth - i < NEAR; i--) {
		if (r->open[i - 1].flags & ELEMENT_WRAPS_CODE)
			return r->depth - i + 1;
	}
	return 0;
}

/* What is a tool by its class is short. */
static bool is_tool(const struct content *c)
{
	enum { TOOL_BYTES = 200 };
	return c->complete && !c->blocks && c->bytes <= TOOL_BYTES;
}

/* Returns whether an element is a tool in code, or in an element that has code before it or near after it. */
static bool is_tool_of_code(struct recorder *r, const struct html_tag_event *event)
{
	enum { NEAR = 64 };
	const struct structure_page *page = &r->page;
	const size_t levels = code_wrapper(r);
	if (r->code_block || !levels || !r->log)
		return r->code_block;
	const struct content c = content_of(r, page_log_at(r->log, event->start));
	if (!is_tool(&c))
		return false;
	bool near = page->n_pieces > r->open[r->depth - levels].pieces &&
		    page->piece[page->n_pieces - 1].kind == PIECE_CODE;
	const size_t end = r->log->n < c.after + NEAR ? r->log->n : c.after + NEAR;
	for (size_t i = c.after, open = levels - 1; i < end && open && !near; i++) {
		const struct log_entry *e = &r->log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		near = tag == HTML_TAG_PRE || tag == HTML_TAG_CODE || tag == HTML_TAG_XMP || tag == HTML_TAG_TABLE;
		if (!html_tag_is(tag, TAG_VOID) && !(e->flags & (LOG_GAP | LOG_SKIPPED)))
			open += e->flags & LOG_CLOSING ? (size_t)-1 : 1;
	}
	return near;
}

static bool is_tool_of_page(struct recorder *r, const struct html_tag_event *event)
{
	const struct content c = content_of(r, r->log ? page_log_at(r->log, event->start) : 0);
	return is_tool(&c);
}

static bool holds_numbers(struct recorder *r, const struct html_tag_event *event)
{
	const struct content c = content_of(r, r->log ? page_log_at(r->log, event->start) : 0);
	return c.complete && !c.words;
}

/* Returns whether an inline element has blocks in it, which are hidden like blocks of other elements. */
static bool holds_blocks(struct recorder *r, const struct html_tag_event *event)
{
	return html_tag_is((enum html_tag)event->tag, TAG_NESTS) && r->log &&
	       content_of(r, page_log_at(r->log, event->start)).blocks;
}

/*
 * Looks from the entry of a permalink to the end of its heading, and reads attributes of the tags there. Words in
 * elements that are left out are not the heading's.
 */
static bool has_all_words(struct recorder *r, size_t entry)
{
	enum { HEADING_TAGS = 32 };
	const struct page_log *log = r->log;
	const size_t end = entry + HEADING_TAGS < log->n ? entry + HEADING_TAGS : log->n;
	enum html_tag out = HTML_TAG_A; /* elements of this tag, one in the other, that are left out, and how many */
	unsigned depth = 1;
	bool inside = true, own = false;
	for (size_t i = entry + 1; i < end; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		if ((inside || !depth) && !(e->flags & LOG_TEXT_SKIPPED) &&
		    record_has_words(page_log_part(log, e[-1].end, e->start))) {
			if (!inside)
				return false;
			own = true;
		}
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		if (tag >= HTML_TAG_H1 && tag <= HTML_TAG_H6)
			return own;
		const struct html_tag_event event = page_log_event(log, e);
		if (depth && tag == out)
			depth = event.closing ? depth - 1 : tag == HTML_TAG_A ? 0 : depth + 1;
		if (!depth && !event.closing && !html_tag_is(tag, TAG_VOID)) {
			const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
			out = tag;
			depth = tag_facts_display(facts, tag).unseen ||
				(tag == HTML_TAG_SPAN && facts->words.meanings & CLASS_READER) ||
				(tag == HTML_TAG_A && facts->words.meanings & CLASS_ANCHOR);
		}
		inside &= tag != HTML_TAG_A;
		if (!inside && !own)
			return false;
	}
	return own && end == log->n;
}

/* Returns whether words of the heading that is open come before this place. */
static bool heading_has_begun(const struct recorder *r)
{
	const struct structure_page *page = &r->page;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	uint32_t heading = r->top;
	while (page->container[heading].kind != CONTAINER_HEADING)
		heading = page->container[heading].parent;
	return record_piece_has_words(r) || (last && last->container >= heading && !last->wordless);
}

/* Returns whether a permalink that begins in a heading holds all the words of the heading. */
static bool permalink_is_heading(struct recorder *r, const struct html_tag_event *event)
{
	if (heading_has_begun(r))
		return false;
	const bool all = has_all_words(r, page_log_at(r->log, event->start));
	(void)tag_facts_of(&r->tags, event); /* which the caller reads further: its place may have been used */
	return all;
}

bool record_is_left_out(struct recorder *r, const struct html_tag_event *event, const struct tag_facts *facts,
			bool hidden)
{
	const unsigned words = facts->words.meanings;
	const enum html_tag tag = (enum html_tag)event->tag;
	const bool part = tag == HTML_TAG_SPAN || tag == HTML_TAG_DIV, small = part || tag == HTML_TAG_A;
	const bool holds = tag == HTML_TAG_TD || tag == HTML_TAG_DIV || tag == HTML_TAG_PRE || tag == HTML_TAG_TH;
	const bool heading = r->page.container[r->top].flags & CONTAINER_IN_HEADING;
	const bool shown = (words & CLASS_FORMULA_COPY && part) ||
			   (tag == HTML_TAG_NOBR && slice_has(event->source, "aria-hidden")) ||
			   (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-math"));
	const bool tool = tag == HTML_TAG_BUTTON || (words & CLASS_COPY && small);
	return (hidden && !html_tag_is(tag, TAG_SPLITS) && !holds_blocks(r, event)) ||
	       (tool && is_tool_of_code(r, event)) || (shown && is_formula_copy(r, event)) ||
	       (words & CLASS_GUTTER && (holds || (r->code_block && (small || tag == HTML_TAG_CODE))) &&
		holds_numbers(r, event)) ||
	       (words & CLASS_KATEX_SHOWN && record_formula_is_near(r)) ||
	       (words & (r->sidenotes == SIDENOTES_TWICE ? CLASS_READER | CLASS_SIDENOTE : CLASS_READER) &&
		!html_tag_is(tag, TAG_SPLITS)) ||
	       (words & CLASS_EDIT && small && is_tool_of_page(r, event)) ||
	       (tag == HTML_TAG_BUTTON && r->caption_depth && record_piece_has_words(r)) ||
	       (heading && (tag == HTML_TAG_BUTTON || words & (CLASS_TOOL | CLASS_COPY | CLASS_READER)) &&
		heading_has_begun(r)) ||
	       (words & CLASS_ANCHOR && tag == HTML_TAG_A && heading && !permalink_is_heading(r, event));
}
