/* SPDX-License-Identifier: MIT */
/*
 * Containers: lists and their items, quotes, tables, headings, and so on. A container takes from its parent what a
 * piece inside of it needs to know, so that nobody has to go up to find its table or its list.
 *
 * Example: in <ul><li>a</li><ul><li>b</ul></ul> the inner list belongs to the item "a", since a list cannot be in a
 * list.
 */
#include "base/ascii.h"
#include "base/grow.h"
#include "extract/structure/recorder_private.h"

/* Flags that what is inside of a container has too. */
enum { INHERITED = CONTAINER_FLOWS | CONTAINER_IN_HEADING | CONTAINER_IN_CAPTION };

/* Opens a container in the innermost one. Returns it, or NULL with *status where a limit or memory ends. */
static struct container *open_new(struct recorder *r, enum container_kind kind, int *status)
{
	struct structure_page *page = &r->page;
	*status = DANA_OK;
	if (page->n_containers == STRUCTURE_CONTAINERS) {
		page->cut = true;
		return NULL;
	}
	struct container *more = grow_items(page->container, page->n_containers, &r->cap_containers, sizeof(*more));
	if (!more) {
		*status = DANA_ENOMEM;
		return NULL;
	}
	page->container = more;
	struct container *c = &more[page->n_containers];
	*c = more[r->top];
	c->parent = r->top;
	c->last = 0;
	c->number = 0;
	c->rows = 0;
	c->columns = 0;
	c->flags &= INHERITED;
	c->kind = (uint8_t)kind;
	r->top = page->n_containers++;
	return c;
}

static int open_list(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	int status;
	const struct container *around = &r->page.container[r->top];
	if (around->kind == CONTAINER_LIST && around->last) {
		r->top = around->last;
		around = &r->page.container[r->top];
	}
	if (around->lists == STRUCTURE_LISTS) {
		r->page.cut = true;
		return DANA_OK;
	}
	struct container *c = open_new(r, CONTAINER_LIST, &status);
	if (!c)
		return status;
	c->line = r->top;
	c->lists++;
	c->number = tag_facts_number(facts, ATTR_START, -99999999, 99999999, 1) - 1;
	if (tag == HTML_TAG_OL)
		c->flags |= CONTAINER_ORDERED;
	if (r->notes || facts->words.meanings & CLASS_NOTES)
		c->flags |= CONTAINER_NOTES;
	return DANA_OK;
}

/* An item of a list of notes whose id is that of a note is one. */
static int be_note(struct recorder *r, const struct tag_facts *facts)
{
	uint32_t at, len;
	struct slice name = record_note_name(tag_facts_value(facts, ATTR_ID));
	if (!name.len)
		return DANA_OK;
	int status = record_argument(r, name, &at, &len);
	struct container *c = &r->page.container[r->top];
	if (len == 0)
		return status;
	c->kind = CONTAINER_NOTE;
	c->number = (int32_t)at;
	c->rows = (uint16_t)len;
	return status;
}

static int open_item(struct recorder *r, const struct tag_facts *facts)
{
	int status;
	uint32_t list = r->top;
	bool listed = r->page.container[list].kind == CONTAINER_LIST;
	if (!listed && r->page.container[list].lists == STRUCTURE_LISTS) {
		r->page.cut = true;
		return DANA_OK;
	}
	struct container *c = open_new(r, CONTAINER_ITEM, &status);
	if (!c)
		return status;
	c->line = r->top;
	if (!listed) {
		c->lists++;
		return DANA_OK;
	}
	struct container *l = &r->page.container[list];
	l->number = tag_facts_number(facts, ATTR_VALUE, 0, 99999999, l->number + 1);
	l->last = r->top;
	c->number = l->number;
	c->flags |= l->flags & CONTAINER_ORDERED;
	return l->flags & CONTAINER_NOTES ? be_note(r, facts) : DANA_OK;
}

static int open_table(struct recorder *r, const struct tag_facts *facts)
{
	int status;
	struct container *c = open_new(r, CONTAINER_TABLE, &status);
	struct slice role = tag_facts_value(facts, ATTR_ROLE);
	if (!c)
		return status;
	c->table = r->top;
	c->row = c->cell = 0;
	c->flags &= (uint16_t) ~(CONTAINER_FLOWS | CONTAINER_IN_CAPTION);
	if (slice_is(role, "presentation") || slice_is(role, "none"))
		c->flags |= CONTAINER_LAYOUT;
	return DANA_OK;
}

static int open_row(struct recorder *r)
{
	int status;
	const uint32_t table = r->page.container[r->top].table;
	if (table)
		r->top = table;
	struct container *c = open_new(r, CONTAINER_ROW, &status);
	if (!c)
		return status;
	c->row = r->top;
	r->page.container[table].last = 0;
	return DANA_OK;
}

static int open_cell(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	int status = DANA_OK;
	const uint32_t table = r->page.container[r->top].table;
	if (table == r->top && r->page.container[table].last) {
		r->top = r->page.container[table].last;
	} else if (r->page.container[r->top].kind != CONTAINER_ROW) {
		status = open_row(r);
		if (table)
			r->page.container[table].last = r->page.container[r->top].row;
	}
	struct container *c = status < 0 ? NULL : open_new(r, CONTAINER_CELL, &status);
	if (!c)
		return status;
	c->cell = r->top;
	c->columns = (uint8_t)tag_facts_number(facts, ATTR_COLSPAN, 1, STRUCTURE_COLUMNS, 1);
	c->rows = (uint16_t)tag_facts_number(facts, ATTR_ROWSPAN, 1, STRUCTURE_ROW_SPAN, 1);
	if (tag == HTML_TAG_TH)
		c->flags |= CONTAINER_HEAD_CELL;
	return DANA_OK;
}

/* Opens a container of which nothing is known but its kind. `line`: its lines begin in another way. */
static int open_plain(struct recorder *r, enum container_kind kind, unsigned flags, bool line)
{
	int status;
	struct container *c = open_new(r, kind, &status);
	if (!c)
		return status;
	c->flags |= (uint16_t)flags;
	if (line)
		c->line = r->top;
	return DANA_OK;
}

/* Opens a quote, a term or a meaning, unless too many are around it. */
static int open_level(struct recorder *r, enum container_kind kind)
{
	const struct container *around = &r->page.container[r->top];
	const bool quote = kind == CONTAINER_QUOTE;
	if (quote ? around->quotes == STRUCTURE_QUOTES : around->lists == STRUCTURE_LISTS) {
		r->page.cut = true;
		return DANA_OK;
	}
	uint32_t before = r->page.n_containers;
	int status = open_plain(r, kind, quote ? CONTAINER_FLOWS : 0, true);
	if (r->page.n_containers != before) {
		r->page.container[before].quotes += quote;
		r->page.container[before].lists += !quote;
	}
	return status;
}

static int open_heading(struct recorder *r, enum html_tag tag)
{
	uint32_t before = r->page.n_containers;
	int status = open_plain(r, CONTAINER_HEADING, CONTAINER_FLOWS | CONTAINER_IN_HEADING, false);
	if (r->page.n_containers != before)
		r->page.container[before].number = 1 + (int)tag - HTML_TAG_H1;
	return status;
}

int record_container(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	switch (tag) {
	case HTML_TAG_UL:
	case HTML_TAG_OL:
	case HTML_TAG_MENU:
	case HTML_TAG_DIR:
		return open_list(r, tag, facts);
	case HTML_TAG_LI:
		return open_item(r, facts);
	case HTML_TAG_BLOCKQUOTE:
		return open_level(r, CONTAINER_QUOTE);
	case HTML_TAG_TABLE:
		return open_table(r, facts);
	case HTML_TAG_TR:
		return open_row(r);
	case HTML_TAG_TD:
	case HTML_TAG_TH:
		return open_cell(r, tag, facts);
	case HTML_TAG_CAPTION:
		return open_plain(r, CONTAINER_CAPTION, CONTAINER_IN_CAPTION, false);
	case HTML_TAG_DL:
		return open_plain(r, CONTAINER_TERMS, CONTAINER_FLOWS, false);
	case HTML_TAG_DT:
		return open_level(r, CONTAINER_TERM);
	case HTML_TAG_DD:
		return open_level(r, CONTAINER_MEANING);
	case HTML_TAG_H1:
	case HTML_TAG_H2:
	case HTML_TAG_H3:
	case HTML_TAG_H4:
	case HTML_TAG_H5:
	case HTML_TAG_H6:
		return open_heading(r, tag);
	default:
		return DANA_OK;
	}
}
