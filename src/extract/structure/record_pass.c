/* SPDX-License-Identifier: MIT */
/*
 * What is before the part of a page that is recorded: which elements are open there, and how far the lists that are
 * open have counted. Nothing else of it matters to the record.
 *
 * Example: before "two" in <ol start=3><li>one<li><b>two, the elements ol, li and b are open, and the number before
 * that of the li is 3.
 */
#include "extract/structure/recorder.h"
#include "extract/structure/recorder_private.h"

enum part_of_list { NO_PART, IS_LIST, IS_OTHER };

/* What an element is to the items in it: IS_OTHER holds them without being a list. */
static enum part_of_list part_of_list(enum html_tag tag)
{
	static const uint8_t parts[HTML_TAGS_COUNT] = {
		[HTML_TAG_UL] = IS_LIST,       [HTML_TAG_OL] = IS_LIST,          [HTML_TAG_MENU] = IS_LIST,
		[HTML_TAG_DIR] = IS_LIST,      [HTML_TAG_LI] = IS_OTHER,         [HTML_TAG_DL] = IS_OTHER,
		[HTML_TAG_DT] = IS_OTHER,      [HTML_TAG_DD] = IS_OTHER,         [HTML_TAG_TABLE] = IS_OTHER,
		[HTML_TAG_TR] = IS_OTHER,      [HTML_TAG_TD] = IS_OTHER,         [HTML_TAG_TH] = IS_OTHER,
		[HTML_TAG_CAPTION] = IS_OTHER, [HTML_TAG_BLOCKQUOTE] = IS_OTHER, [HTML_TAG_H1] = IS_OTHER,
		[HTML_TAG_H2] = IS_OTHER,      [HTML_TAG_H3] = IS_OTHER,         [HTML_TAG_H4] = IS_OTHER,
		[HTML_TAG_H5] = IS_OTHER,      [HTML_TAG_H6] = IS_OTHER,
	};
	return (enum part_of_list)parts[tag];
}

static int number_in(struct recorder *r, const struct page_log *log, const struct log_entry *e, enum attr_kind kind,
		     int least, int other)
{
	const struct html_tag_event event = page_log_event(log, e);
	return tag_facts_number(tag_facts_of(&r->tags, &event), kind, least, 99999999, other);
}

/* Opens an element that is not recorded. */
static void pass_element(struct recorder *r, const struct page_log *log, uint32_t entry)
{
	const struct log_entry *e = &log->entry[entry];
	struct passed_element *p = &r->passed[r->depth++];
	const uint32_t holder = r->depth > 1 ? p[-1].holder : 0;
	*p = (struct passed_element){ .entry = entry, .holder = holder };
	const enum part_of_list part = part_of_list((enum html_tag)e->tag);
	if (part != NO_PART)
		p->holder = (uint32_t)r->depth;
	if (e->tag == HTML_TAG_OL)
		p->number = number_in(r, log, e, ATTR_START, -99999999, 1) - 1;
	if (e->tag != HTML_TAG_LI || !holder)
		return;
	struct passed_element *list = &r->passed[holder - 1];
	const enum html_tag around = (enum html_tag)log->entry[list->entry].tag;
	if (part_of_list(around) != IS_LIST)
		return;
	list->item = entry;
	list->before = list->number;
	list->number += 1;
	if (around == HTML_TAG_OL)
		list->number = number_in(r, log, e, ATTR_VALUE, 0, list->number);
}

void recorder_pass(struct recorder *r, const struct page_log *log, uint32_t to)
{
	r->log = log;
	for (uint32_t i = 0; i < to; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		if (e->flags & (LOG_GAP | LOG_SKIPPED) || tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE ||
		    tag == HTML_TAG_BR)
			continue;
		const bool closing = e->flags & LOG_CLOSING;
		const struct slice name = slice_of(log->source.data + e->start + 1 + closing, e->name_len);
		if (closing) {
			r->depth -= element_stack_end(&r->stack, tag, name);
			continue;
		}
		const struct stack_change change = element_stack_start(&r->stack, tag, name);
		r->depth -= change.closes;
		if (change.opens)
			pass_element(r, log, i);
		else if (tag == HTML_TAG_INPUT && r->depth && r->passed[r->depth - 1].holder)
			r->passed[r->passed[r->depth - 1].holder - 1].has_box = true;
	}
}

uint32_t recorder_pass_back(struct recorder *r, const struct page_log *log, uint32_t to)
{
	for (size_t i = 0; i < r->depth; i++) {
		const struct passed_element *p = &r->passed[i];
		const enum html_tag tag = (enum html_tag)log->entry[p->entry].tag;
		if (tag != HTML_TAG_TABLE && tag != HTML_TAG_PRE && tag != HTML_TAG_XMP && !p->has_box)
			continue;
		element_stack_drop(&r->stack, r->depth - i);
		r->depth = i;
		return p->entry;
	}
	return to;
}

/* Opens an element that is not recorded as if it began here. */
static int open_here(struct recorder *r, const struct page_log *log, uint32_t entry)
{
	const struct html_tag_event event = page_log_event(log, &log->entry[entry]);
	return record_element(r, &event);
}

/* Returns whether the last item of passed list `i` is among the open elements, of which there are `depth`. */
static bool item_is_open(const struct recorder *r, size_t i, size_t depth)
{
	const uint32_t item = r->passed[i].item;
	while (++i < depth) {
		if (r->passed[i].entry == item)
			return true;
	}
	return false;
}

int recorder_resume(struct recorder *r, const struct page_log *log)
{
	const size_t depth = r->depth;
	int status = DANA_OK;
	r->depth = 0;
	for (size_t i = 0; i < depth && status == DANA_OK; i++) {
		const struct passed_element *p = &r->passed[i];
		const uint32_t before = r->page.n_containers;
		status = open_here(r, log, p->entry);
		if (status < 0 || !p->item || r->page.n_containers == before)
			continue;
		r->page.container[before].number = p->before;
		if (item_is_open(r, i, depth))
			continue;
		status = open_here(r, log, p->item);
		if (status == DANA_OK)
			status = record_element_end(r, log->entry[p->item].end);
	}
	return status;
}
