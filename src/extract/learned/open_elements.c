/* SPDX-License-Identifier: MIT */
/*
 * A stack in which each entry knows the next lower one of its tag, and a table of the uppermost entry of each tag:
 * whether a tag is open, and where, is known without a search.
 *
 * Example: in <ul><li>a<li>b</ul> the second <li> finds the first one open above <ul> and closes it; </ul> then closes
 * the second <li> and itself.
 */
#include "extract/learned/open_elements.h"

#include <stdlib.h>

#include "base/status.h"

static bool is_loose(enum html_tag tag)
{
	return tag == HTML_TAG_SPAN || tag == HTML_TAG_OTHER;
}

int open_elements_init(struct open_elements *o, unsigned max)
{
	o->max = max;
	o->entry = malloc(max * sizeof(*o->entry));
	open_elements_reset(o);
	return o->entry ? DANA_OK : DANA_ENOMEM;
}

void open_elements_reset(struct open_elements *o)
{
	o->len = 0;
	o->top_block = -1;
	for (size_t i = 0; i < HTML_TAGS_COUNT; i++)
		o->top[i] = -1;
}

void open_elements_free(struct open_elements *o)
{
	free(o->entry);
	o->entry = NULL;
}

/* Removes the entries from `len` upwards. */
static void pop_to(struct open_elements *o, int32_t len)
{
	while (o->len > (unsigned)len) {
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
		pop_to(o, from);
}

void open_elements_imply(struct open_elements *o, enum html_tag tag, bool is_block)
{
	const int32_t *top = o->top;
	if (is_block && o->top_block >= 0 && o->top_block == top[HTML_TAG_P])
		pop_to(o, o->top_block);
	switch (tag) {
	case HTML_TAG_LI:
		pop_inside(o, top[HTML_TAG_LI],
			   highest(top[HTML_TAG_DIV], highest(top[HTML_TAG_UL], top[HTML_TAG_OL])));
		break;
	case HTML_TAG_DD:
	case HTML_TAG_DT:
		pop_inside(o, highest(top[HTML_TAG_DD], top[HTML_TAG_DT]),
			   highest(top[HTML_TAG_DIV], top[HTML_TAG_DL]));
		break;
	case HTML_TAG_TR:
		pop_inside(o, top[HTML_TAG_TR], top[HTML_TAG_TABLE]);
		break;
	case HTML_TAG_TD:
	case HTML_TAG_TH:
		pop_inside(o, highest(top[HTML_TAG_TD], top[HTML_TAG_TH]), top[HTML_TAG_TABLE]);
		break;
	case HTML_TAG_OPTION:
		pop_inside(o, top[HTML_TAG_OPTION], top[HTML_TAG_OPTGROUP]);
		break;
	default:
		break;
	}
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
	pop_to(o, at);
}

void open_elements_cut(struct open_elements *o, unsigned len)
{
	pop_to(o, (int32_t)len);
}
