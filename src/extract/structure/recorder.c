/* SPDX-License-Identifier: MIT */
/*
 * What each event does to the record. The stack of open elements says what a tag closes and opens; beside each of its
 * elements stands what ends with it: a mark, a container, code, or a part of the page that is left out.
 */
#include "extract/structure/recorder.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "extract/structure/recorder_private.h"

enum { KEEP_BUFFER = 1 << 20 };

struct recorder *recorder_new(size_t max_text, unsigned max_depth)
{
	struct recorder *r = calloc(1, sizeof(*r));
	if (!r || element_stack_init(&r->stack, max_depth) < 0) {
		recorder_free(r);
		return NULL;
	}
	r->max_text = max_text;
	tag_reader_init(&r->tags);
	r->open = calloc(r->stack.max, sizeof(*r->open));
	r->passed = calloc(r->stack.max, sizeof(*r->passed));
	r->cap_containers = 64;
	r->page.container = calloc(r->cap_containers, sizeof(*r->page.container));
	if (!r->open || !r->passed || !r->page.container) {
		recorder_free(r);
		return NULL;
	}
	r->page.n_containers = 1;
	return r;
}

void recorder_reset(struct recorder *r, const uint8_t *limit)
{
	struct structure_page *page = &r->page;
	element_stack_reset(&r->stack);
	tag_reader_reset(&r->tags, limit);
	buf_shrink(&page->text, KEEP_BUFFER);
	buf_shrink(&page->arguments, KEEP_BUFFER);
	buf_clear(&page->base_url);
	page->n_pieces = page->n_marks = 0;
	page->n_containers = 1;
	page->has_base = page->formulas = page->cut = false;
	page->container[0].flags = 0;
	r->depth = r->skip_depth = r->unshown_depth = r->code_block = 0;
	r->top = 0;
	r->n_marks = r->mark_kinds = r->code_depth = r->notes = r->breaks = 0;
	r->piece_open = r->divided = false;
	r->formula.in_math = r->formula.in_script = false;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	element_stack_free(&r->stack);
	free(r->open);
	free(r->passed);
	free(r->page.piece);
	free(r->page.mark);
	free(r->page.container);
	buf_free(&r->page.text);
	buf_free(&r->page.arguments);
	buf_free(&r->page.base_url);
	formula_free(&r->formula);
	free(r);
}

int record_element_end(struct recorder *r, uint64_t end)
{
	const struct open_element *e = &r->open[--r->depth];
	int status = DANA_OK;
	if (r->code_block > r->depth)
		status = record_code_end(r, end);
	else if (e->flags & ELEMENT_SPLITS && !r->code_block)
		status = record_piece_divide(r, end);
	if (status == DANA_OK && e->mark)
		status = record_mark_close(r);
	if (r->skip_depth > r->depth)
		r->skip_depth = 0;
	if (r->unshown_depth > r->depth)
		r->unshown_depth = 0;
	r->code_depth -= (e->flags & ELEMENT_CODE) != 0;
	r->notes -= (e->flags & ELEMENT_NOTES) != 0;
	if (r->top != e->top && r->page.container[r->top].kind == CONTAINER_TABLE)
		r->page.container[r->top].last = r->page.n_containers;
	r->top = e->top;
	return status;
}

static int elements_end(struct recorder *r, size_t count, uint64_t end)
{
	int status = DANA_OK;
	while (count-- && status == DANA_OK)
		status = record_element_end(r, end);
	return status;
}

/* Ends the piece, or a line of code, at a tag that divides text. */
static inline int divide(struct recorder *r, enum html_tag tag, uint64_t start)
{
	if (!html_tag_is(tag, TAG_SPLITS))
		return DANA_OK;
	if (!r->code_block)
		return tag == HTML_TAG_BR ? record_piece_end(r, start, true) : record_piece_divide(r, start);
	return tag == HTML_TAG_PRE ? DANA_OK : record_code_line(r, tag == HTML_TAG_BR);
}

/* Returns whether an element is left out with all that is in it. */
static bool is_left_out(struct recorder *r, const struct html_tag_event *event, const struct tag_facts *facts,
			bool hidden)
{
	const unsigned words = facts->words.meanings;
	const enum html_tag tag = (enum html_tag)event->tag;
	bool small = tag == HTML_TAG_SPAN || tag == HTML_TAG_DIV || tag == HTML_TAG_A;
	if (hidden && !html_tag_is(tag, TAG_SPLITS))
		return true;
	if (tag == HTML_TAG_BUTTON && record_in_code_wrapper(r))
		return true;
	if (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-math"))
		return true;
	if (words & CLASS_GUTTER) {
		bool holds = tag == HTML_TAG_TD || tag == HTML_TAG_DIV || tag == HTML_TAG_PRE || tag == HTML_TAG_TH;
		if (holds || (r->code_block && (small || tag == HTML_TAG_CODE)))
			return true;
	}
	return (words & CLASS_KATEX_SHOWN && record_formula_is_near(r)) ||
	       (words & CLASS_COPY && small && record_in_code_wrapper(r)) ||
	       (words & CLASS_READER && tag == HTML_TAG_SPAN) ||
	       (words & CLASS_FORMULA_TWIN && tag != HTML_TAG_OTHER) ||
	       (words & CLASS_ANCHOR && tag == HTML_TAG_A && r->page.container[r->top].flags & CONTAINER_IN_HEADING &&
		!record_permalink_is_heading(r, event));
}

static enum mark_kind mark_of(enum html_tag tag)
{
	static const uint8_t kinds[HTML_TAGS_COUNT] = {
		[HTML_TAG_EM] = MARK_EMPHASIS,    [HTML_TAG_I] = MARK_EMPHASIS,  [HTML_TAG_STRONG] = MARK_STRONG,
		[HTML_TAG_B] = MARK_STRONG,       [HTML_TAG_DEL] = MARK_DELETED, [HTML_TAG_S] = MARK_DELETED,
		[HTML_TAG_STRIKE] = MARK_DELETED,
	};
	return (enum mark_kind)kinds[tag];
}

/* Opens what a mark of text opens. */
static int mark_begin(struct recorder *r, struct open_element *e, const struct html_tag_event *event,
		      const struct tag_facts *facts)
{
	enum html_tag tag = (enum html_tag)event->tag;
	enum mark_kind kind = mark_of(tag);
	if (tag == HTML_TAG_A)
		return record_link(r, e, facts, event->start);
	if (kind)
		return r->code_depth ? DANA_OK : record_mark_open(r, e, (struct mark){ .kind = (uint8_t)kind });
	if (tag != HTML_TAG_CODE && tag != HTML_TAG_TT && tag != HTML_TAG_SAMP)
		return DANA_OK;
	e->flags |= ELEMENT_CODE;
	return r->code_depth++ ? DANA_OK : record_mark_open(r, e, (struct mark){ .kind = MARK_CODE });
}

/* Opens what an element opens that is neither left out nor inside of code. */
static int element_begin(struct recorder *r, struct open_element *e, const struct html_tag_event *event,
			 const struct tag_facts *facts)
{
	const unsigned words = facts->words.meanings;
	const enum html_tag tag = (enum html_tag)event->tag;
	int status = facts->has & (ATTRS_OF_ALL | 1 << ATTR_LANG) ? record_code_wrapper(r, e, tag, facts) : DANA_OK;
	if (words & CLASS_TASK)
		e->flags |= ELEMENT_TASKS;
	if (words & CLASS_NOTES && (tag == HTML_TAG_SECTION || tag == HTML_TAG_DIV)) {
		e->flags |= ELEMENT_NOTES;
		r->notes++;
	}
	if (status < 0)
		return status;
	if (tag == HTML_TAG_PRE || tag == HTML_TAG_XMP)
		return record_code_begin(r, tag, facts, event->end);
	if (!html_tag_is(tag, TAG_SPLITS))
		return mark_begin(r, e, event, facts);
	return record_container(r, tag, facts);
}

int record_element(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	r->in_superscript = r->depth && r->open[r->depth - 1].flags & ELEMENT_SUPERSCRIPT;
	struct open_element *e = &r->open[r->depth++];
	*e = (struct open_element){ .top = r->top };
	if (html_tag_is(tag, TAG_SPLITS))
		e->flags = ELEMENT_SPLITS;
	if (tag == HTML_TAG_SUP)
		e->flags = ELEMENT_SUPERSCRIPT;
	if (r->skip_depth)
		return DANA_OK;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	if ((facts->has & ATTRS_OF_ALL) | (tag == HTML_TAG_OTHER) | (tag == HTML_TAG_BUTTON)) {
		const bool hidden = !(facts->words.meanings & CLASS_FORMULA) && tag_facts_hidden(facts);
		if (is_left_out(r, event, facts, hidden)) {
			r->skip_depth = r->depth;
			return DANA_OK;
		}
		if (hidden && !r->unshown_depth)
			r->unshown_depth = r->depth;
	}
	if (r->code_block)
		return tag == HTML_TAG_CODE ? record_code_inner(r, facts) : DANA_OK;
	return element_begin(r, e, event, facts);
}

int recorder_tag(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (event->skipped && (r->formula.in_math || tag == HTML_TAG_MATH))
		return record_formula_tag(r, event);
	if (event->skipped)
		return r->code_block ? DANA_OK : divide(r, tag, event->start);
	if (tag == HTML_TAG_SCRIPT)
		return record_script_tag(r, event);
	if (tag == HTML_TAG_STYLE)
		return DANA_OK;
	int status = divide(r, tag, event->start);
	if (status < 0 || tag == HTML_TAG_BR)
		return status;
	if (event->closing)
		return elements_end(r, element_stack_end(&r->stack, tag, event->name), event->start);
	const struct stack_change change = element_stack_start(&r->stack, tag, event->name);
	status = elements_end(r, change.closes, event->start);
	if (status < 0 || !(change.empty || change.opens))
		return status;
	return change.empty ? record_void(r, event) : record_element(r, event);
}

int recorder_text(struct recorder *r, struct slice text, uint64_t offset, bool skipped)
{
	if (skipped)
		return r->formula.in_math ? formula_math_text(&r->formula, text) : DANA_OK;
	return record_text(r, text, offset);
}

int recorder_gap(struct recorder *r, struct slice bytes)
{
	return r->formula.in_script ? formula_script_bytes(&r->formula, bytes) : DANA_OK;
}

bool recorder_may_end(const struct recorder *r, uint64_t place)
{
	const struct structure_page *page = &r->page;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	const struct container *top = &page->container[r->top];
	return last && !last->wordless && last->start >= place && !r->code_block && !top->table && !top->lists;
}

int recorder_finish(struct recorder *r, struct structure_page **page)
{
	int status = record_formula_end(r);
	if (status == DANA_OK)
		status = elements_end(r, r->depth, UINT64_MAX);
	if (status == DANA_OK)
		status = record_piece_end(r, UINT64_MAX, false);
	if (status == DANA_OK && r->piece_open)
		status = record_piece_add(r);
	*page = &r->page;
	return status;
}

int recorder_take_lines(struct recorder *r, struct slice text, struct structure_page **page)
{
	int status = DANA_OK;
	recorder_reset(r, NULL);
	while (text.len && status == DANA_OK) {
		const size_t len = slice_until(text, "\n");
		status = record_text(r, slice_first(text, len), 0);
		if (status == DANA_OK)
			status = record_piece_end(r, 0, false);
		text = slice_skip(text, len + 1);
	}
	if (status == DANA_OK)
		status = recorder_finish(r, page);
	for (uint32_t i = 0; i < r->page.n_pieces; i++)
		r->page.piece[i].raw = r->page.piece[i].kept = true;
	return status;
}
