/* SPDX-License-Identifier: MIT */
/* Elements without content: pictures, rules and boxes of tasks. */
#include "base/ascii.h"
#include "base/not_zeroed.h"
#include "extract/structure/recorder_private.h"

/* A picture whose address comes from a script has a stand-in, often in the page itself. */
static bool is_stand_in(struct slice url)
{
	return url.len == 0 || slice_is(slice_first(url, 5), "data:");
}

static struct slice picture_url(const struct tag_facts *facts)
{
	struct slice url = slice_trim(tag_facts_value(facts, ATTR_SRC));
	if (is_stand_in(url))
		url = slice_trim(tag_facts_value(facts, ATTR_LAZY_SRC));
	if (is_stand_in(url)) {
		url = slice_trim(tag_facts_value(facts, ATTR_SRCSET));
		size_t len = 0;
		while (len < url.len && url.data[len] != ',' && !ascii_is_space(url.data[len]))
			len++;
		url = slice_first(url, len);
	}
	return is_stand_in(url) ? slice_of(NULL, 0) : url;
}

static int record_formula_picture(struct recorder *r, struct slice tex, uint64_t offset)
{
	struct mark mark = { .kind = MARK_FORMULA };
	while (tex.len && (tex.data[0] == '$' || ascii_is_space(tex.data[0])))
		tex = slice_skip(tex, 1);
	while (tex.len && (tex.data[tex.len - 1] == '$' || ascii_is_space(tex.data[tex.len - 1])))
		tex.len--;
	if (tex.len == 0 || tex.len > FORMULA_MOST || record_formula_is_near(r))
		return DANA_OK;
	int status = record_argument(r, tex, &mark.argument, &mark.len);
	return status < 0 || !mark.len ? status : record_atom(r, mark, offset);
}

/* Pictures of one pixel count visitors; those without words for them in a link are signs. */
static bool is_decoration(const struct recorder *r, const struct tag_facts *facts)
{
	if (tag_facts_number(facts, ATTR_WIDTH, 0, 2, 2) < 2 || tag_facts_number(facts, ATTR_HEIGHT, 0, 2, 2) < 2)
		return true;
	return (r->mark_kinds >> MARK_LINK & 1) && tag_facts_has(facts, ATTR_ALT) &&
	       tag_facts_value(facts, ATTR_ALT).len == 0 && !tag_facts_has(facts, ATTR_TITLE);
}

static int record_picture(struct recorder *r, const struct tag_facts *facts, uint64_t offset)
{
	struct slice alt = tag_facts_value(facts, ATTR_ALT), url = picture_url(facts);
	struct mark mark = { .kind = MARK_IMAGE };
	uint32_t at, len;
	if (facts->words.meanings & CLASS_FORMULA_IMAGE)
		return record_formula_picture(r, alt, offset);
	if (url.len == 0 || url.len > STRUCTURE_URL || is_decoration(r, facts))
		return DANA_OK;
	int status = record_argument(r, url, &mark.argument, &mark.len);
	if (status < 0 || mark.len == 0)
		return status;
	if (record_argument(r, slice_of("", 1), &at, &len) < 0 || record_argument(r, alt, &at, &len) < 0)
		return DANA_ENOMEM;
	mark.len = (uint32_t)(r->page.arguments.len - mark.argument);
	return record_atom(r, mark, offset);
}

static struct container *item_around(const struct recorder *r)
{
	return &r->page.container[r->page.container[r->top].line];
}

/* Returns whether a box here would be the first thing in an item. */
static bool may_be_task(const struct recorder *r)
{
	const struct container *item = item_around(r);
	return !r->skip_depth && !r->piece_open && item->kind == CONTAINER_ITEM && !(item->flags & CONTAINER_TASK);
}

/* A box makes its item a task if nobody can use it, or if the page speaks of tasks. */
static void record_box(struct recorder *r, const struct tag_facts *facts)
{
	enum { NEAR = 4 };
	struct container *item = item_around(r);
	bool task = tag_facts_has(facts, ATTR_DISABLED) || facts->words.meanings & CLASS_TASK;
	for (size_t i = r->depth; i > 0 && r->depth - i < NEAR; i--)
		task |= (r->open[i - 1].flags & ELEMENT_TASKS) != 0;
	if (task && slice_is(tag_facts_value(facts, ATTR_TYPE), "checkbox"))
		item->flags |= CONTAINER_TASK | (tag_facts_has(facts, ATTR_CHECKED) ? CONTAINER_DONE : 0);
}

/* Pictures and boxes may have many attributes: they are read only where they matter. */
int record_void(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	const bool shown = !r->skip_depth && !r->code_block;
	switch (tag) {
	case HTML_TAG_HR:
		return shown && !r->notes ? record_rule(r, event->start, event->end) : DANA_OK;
	case HTML_TAG_IMG:
		if (!shown)
			return DANA_OK;
		return record_picture(r, tag_facts_of(&r->tags, event), event->start);
	case HTML_TAG_INPUT:
		if (may_be_task(r))
			record_box(r, tag_facts_of(&r->tags, event));
		return DANA_OK;
	default:
		return DANA_OK;
	}
}
