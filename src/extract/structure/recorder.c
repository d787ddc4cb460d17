/* SPDX-License-Identifier: MIT */
/*
 * Records the structure of a page (headings, lists, tables, code, links, notes) while the page streams by.
 *
 * What each event does to the record. The stack of open elements knows what a tag closes and opens; beside each of its
 * elements is what ends with it: a mark, a container, code, or a part of the page that is left out.
 *
 * Example: the </ul> of <ul><li>One <b>two</ul> ends the piece, the mark, the item and the list.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "extract/html/display.h"
#include "extract/structure/escape.h"
#include "extract/structure/page_log.h"
#include "extract/structure/record_parts.h"

/** An open element whose tag is before the part that is recorded. */
struct passed_element {
	uint32_t entry;         /* of its tag in the log */
	uint32_t holder;        /* the innermost that holds items or is one, counted from 1; 0: no element does */
	uint32_t item;          /* list: the entry of its last item; 0: it has none */
	int32_t before, number; /* list: numbers of the item before that one, and of that one */
	bool has_box;           /* item and the like: a box is directly in it, which may make it a task */
};

/*
 * Links: those that lead elsewhere are marks, those to a footnote are its references, and those back from it are left
 * out. An address is stored as it is; whether it is one is decided when it is written (url_leads_elsewhere).
 */

/*
 * Stores the place that a link leads to, with its references of bytes ("%20") decoded. `of_link`: it is the id of a
 * link whose program knows the place: "footnoteref-1" leads to "footnote-1".
 */
static bool record_place_name(struct recorder *r, struct slice id, bool of_link, uint32_t *at, uint32_t *len)
{
	uint8_t name[STRUCTURE_URL];
	size_t to = 0;
	if (id.len > sizeof(name))
		return false;
	for (size_t i = 0; i < id.len; i++) {
		unsigned byte = id.data[i];
		if (of_link && record_begins_with(slice_skip(id, i), "ref")) {
			of_link = false;
			i += 2;
			continue;
		}
		if (byte == '%' && i + 2 < id.len && ascii_hex(id.data[i + 1]) >= 0 && ascii_hex(id.data[i + 2]) >= 0) {
			byte = (unsigned)ascii_hex(id.data[i + 1]) << 4 | (unsigned)ascii_hex(id.data[i + 2]);
			i += 2;
		}
		name[to++] = (uint8_t)byte;
	}
	return !of_link && record_argument(r, slice_of(name, to), at, len);
}

/*
 * Containers: lists and their items, quotes, tables, headings, and so on. A container takes from its parent what a
 * piece inside of it needs to know, so that nobody has to go up to find its table or its list.
 *
 * Example: in <ul><li>a</li><ul><li>b</ul></ul> the inner list belongs to the item "a", since a list cannot be in a
 * list.
 */

/* Flags that what is inside of a container has too. */
enum { INHERITED = CONTAINER_FLOWS | CONTAINER_IN_HEADING | CONTAINER_IN_CAPTION | CONTAINER_ASIDE };

/* Opens a container in the innermost one. Returns it, or NULL where a limit or memory ends. */
static struct container *open_new(struct recorder *r, enum container_kind kind)
{
	struct structure_page *page = &r->page;
	if (page->n_containers == STRUCTURE_CONTAINERS) {
		page->cut = true;
		return NULL;
	}
	struct container *more = grow_items(page->container, page->n_containers, &page->cap_containers, sizeof(*more));
	if (!more) {
		r->status = DANA_ENOMEM;
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

static void open_row(struct recorder *r)
{
	const uint32_t table = r->page.container[r->top].table;
	if (table)
		r->top = table;
	struct container *c = open_new(r, CONTAINER_ROW);
	if (!c)
		return;
	c->row = r->top;
	c->flags |= r->depth > 1 && r->open[r->depth - 2].flags & ELEMENT_FOOT ? CONTAINER_FOOT : 0;
	r->page.container[table].last = 0;
}

/*
 * Places of notes. An id that an earlier link leads to may name a note: of the element on top, which has it, or
 * of the block that begins with it. So may what a link at the beginning of a block leads back to, by its name: some
 * editors lose the ids.
 *
 * Example: in <li><p><a id=n1>1</a> Words</p></li> the note n1 is the item, and <p><a href="#ftnref1">1</a> Words</p>
 * is the note ftn1.
 */

/* Adds what is the note of an id, an argument; `block`: the element on top is one. */
static void record_target(struct recorder *r, bool block, uint32_t at, uint32_t len)
{
	enum { CLIMB_MOST = 3 };
	struct structure_page *page = &r->page;
	size_t i = r->depth - 1;
	while (i > 0 && !(r->open[i].flags & ELEMENT_SPLITS))
		i--;
	const uint32_t first = page->n_pieces;
	if (!block && (r->open[i].pieces != first || record_piece_has_words(r)))
		return;
	/* the item that begins with the block */
	for (size_t k = i, n = 0; !block && k > 0 && n < CLIMB_MOST && r->open[k].pieces == first; k--, n++) {
		if (r->open[k].flags & ELEMENT_ITEM)
			i = k;
	}
	struct note_target *more = grow_items(page->target, page->n_targets, &r->cap_targets, sizeof(*more));
	if (!more) {
		r->status = DANA_ENOMEM;
		return;
	}
	page->target = more;
	const uint32_t same = r->open[i].target ? r->open[i].target - 1 : page->n_targets;
	struct note_target t = { .id = at,
				 .len = len,
				 .piece = first,
				 .end = UINT32_MAX,
				 .from = r->open[i].containers,
				 .same = same };
	const uint32_t top = r->top;
	if (same == page->n_targets && !open_new(r, CONTAINER_NOTE))
		return;
	t.note = r->top;
	r->top = top;
	r->open[i].target = same + 1;
	more[page->n_targets++] = t;
}

/* Takes the id of the element on top. */
static void record_place(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	struct structure_page *page = &r->page;
	struct slice id = tag_facts_value(facts, ATTR_ID);
	if (!id.len)
		id = tag_facts_value(facts, ATTR_NAME);
	const bool block = html_tag_is(tag, TAG_SPLITS);
	if (id.len && (!block || tag == HTML_TAG_P)) {
		struct page_anchor *all = grow_items(page->anchor, page->n_anchors, &r->cap_anchors, sizeof(*all));
		page->anchor = all ? all : page->anchor;
		if (all)
			all[page->n_anchors++] = (struct page_anchor){ id_hash(id), page->n_pieces };
		else
			r->status = DANA_ENOMEM;
	}
	uint32_t at, len;
	if (id.len && id_set_has(&page->places, id) && !r->code_block && record_argument(r, id, &at, &len))
		record_target(r, block, at, len);
}

/*
 * Returns whether a link to a place of this page or another begins a block, and leads back to the reference of a note
 * by its name: "ftnref1" for "ftn1", to which a link has led.
 */
static bool record_link_back(struct recorder *r, struct slice place, struct mark *mark)
{
	uint32_t at, len;
	if (!slice_has(place, "nref") || r->code_depth || r->code_block || record_piece_has_words(r) ||
	    !record_place_name(r, place, true, &at, &len) ||
	    !id_set_has(&r->page.places, page_argument(&r->page, at, len)))
		return false;
	*mark = (struct mark){ .kind = MARK_PLACE, .role = PLACE_BACK };
	if (!record_place_name(r, place, false, &mark->argument, &mark->len))
		return false;
	record_target(r, false, at, len);
	return true;
}

/*
 * Labels as references: pages that show notes in the margin, by style sheets alone, have a label with the number, a box
 * and the note in the line, and may have all notes once more at their end. Then those in the lines are left out.
 *
 * Example: so<label class=footref for=n1>1</label><input id=n1 type=checkbox><span class=sidenote>Words</span>
 */

/* Returns whether a tag is of such a label, which does not divide text. */
static __attribute__((noinline)) bool follow_label(struct recorder *r, const struct html_tag_event *event)
{
	const struct page_log *log = r->log;
	if (event->closing)
		return r->in_label;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	const struct slice id = html_attr_named(event, "for");
	if (!(facts->words.meanings & CLASS_NOTE_REFERENCE) || !id.len || r->code_block || !log)
		return false;
	size_t i = r->sidenotes == SIDENOTES_UNKNOWN ? page_log_at(log, event->start) + 1 : log->n;
	for (; i < log->n && r->sidenotes != SIDENOTES_TWICE; i++) {
		const struct log_entry *e = &log->entry[i];
		if (e->flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED) || html_tag_is(e->tag, TAG_VOID))
			continue;
		const struct html_tag_event later = page_log_event(log, e);
		if (slice_equal(tag_facts_value(tag_facts_of(&r->tags, &later), ATTR_ID), id))
			r->sidenotes = SIDENOTES_TWICE;
	}
	if (r->sidenotes == SIDENOTES_UNKNOWN)
		r->sidenotes = SIDENOTES_ALONE;
	r->in_label = r->sidenotes == SIDENOTES_TWICE;
	return r->in_label;
}

static void record_label(struct recorder *r, struct open_element *element, struct slice id)
{
	struct mark mark = { .kind = MARK_PLACE, .role = PLACE_REFERENCE };
	if (record_argument(r, id, &mark.argument, &mark.len)) {
		id_set_add(&r->page.places, id);
		record_mark_open(r, element, mark);
	}
}

static void record_link(struct recorder *r, struct open_element *element, const struct tag_facts *facts)
{
	const struct slice href = slice_trim(tag_facts_value(facts, ATTR_HREF));
	struct mark mark = { .kind = MARK_LINK };
	if (href.len == 0)
		return;
	const struct slice id = tag_facts_value(facts, ATTR_ID), place = slice_skip(href, slice_until(href, "#") + 1);
	const bool named = facts->words.meanings & CLASS_NOTE_REFERENCE || tag_facts_has(facts, ATTR_NOTE) ||
			   slice_is(tag_facts_value(facts, ATTR_ROLE), "doc-noteref");
	if (record_link_back(r, place, &mark)) {
		record_mark_open(r, element, mark);
	} else if (href.data[0] == '#' || (named && record_begins_with(href, "javascript:") && id.len)) {
		mark.kind = MARK_PLACE;
		mark.role = named || r->mark_kinds >> MARK_RAISED & 1 ? PLACE_REFERENCE : PLACE_OTHER;
		if (!r->code_depth && record_place_name(r, href.data[0] == '#' ? slice_skip(href, 1) : id,
							href.data[0] != '#', &mark.argument, &mark.len)) {
			id_set_add(&r->page.places, page_argument(&r->page, mark.argument, mark.len));
			record_mark_open(r, element, mark);
		}
	} else if (href.len > STRUCTURE_URL || r->code_depth) {
		r->page.cut |= href.len > STRUCTURE_URL;
	} else if (record_argument(r, href, &mark.argument, &mark.len)) {
		record_mark_open(r, element, mark);
	}
}

static void record_container(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	enum { NEAR_ASIDE = 4 };
	static const struct {
		uint8_t kind;
		bool line; /* its lines begin in another way */
		uint16_t flags;
	} others[HTML_TAGS_COUNT] = {
		[HTML_TAG_BLOCKQUOTE] = { CONTAINER_QUOTE, true, CONTAINER_FLOWS },
		[HTML_TAG_CAPTION] = { CONTAINER_CAPTION, false, CONTAINER_IN_CAPTION },
		[HTML_TAG_DL] = { CONTAINER_TERMS, false, CONTAINER_FLOWS },
		[HTML_TAG_DT] = { CONTAINER_TERM, true, 0 },
		[HTML_TAG_DD] = { CONTAINER_MEANING, true, 0 },
	};
	const struct container *around = &r->page.container[r->top];
	const bool heading = tag >= HTML_TAG_H1 && tag <= HTML_TAG_H6, quote = tag == HTML_TAG_BLOCKQUOTE;
	struct container *c = NULL;
	if (tag == HTML_TAG_UL || tag == HTML_TAG_OL || tag == HTML_TAG_MENU || tag == HTML_TAG_DIR) {
		if (around->kind == CONTAINER_LIST && around->last) {
			r->top = around->last;
			around = &r->page.container[r->top];
		}
		const bool fits = around->lists < STRUCTURE_LISTS;
		r->page.cut |= !fits;
		c = fits ? open_new(r, CONTAINER_LIST) : NULL;
		if (!c)
			return;
		c->line = r->top;
		c->lists++;
		c->number = tag_facts_number(facts, ATTR_START, -99999999, 99999999, 1) - 1;
		if (tag != HTML_TAG_OL)
			return;
		c->flags |= CONTAINER_ORDERED;
		for (size_t i = r->depth; i > 0 && r->depth - i < NEAR_ASIDE; i--) {
			if (r->open[i - 1].flags & (ELEMENT_ASIDE | ELEMENT_NOTES))
				c->flags |= CONTAINER_ASIDE;
		}
	} else if (tag == HTML_TAG_LI) {
		const uint32_t list = r->top;
		const bool listed = r->page.container[list].kind == CONTAINER_LIST;
		const bool fits = listed || r->page.container[list].lists < STRUCTURE_LISTS;
		r->page.cut |= !fits;
		c = fits ? open_new(r, CONTAINER_ITEM) : NULL;
		if (!c)
			return;
		c->line = r->top;
		if (!listed) {
			c->lists++;
			return;
		}
		struct container *l = &r->page.container[list];
		l->number = tag_facts_number(facts, ATTR_VALUE, 0, 99999999, l->number + 1);
		l->last = r->top;
		c->number = l->number;
		c->flags |= l->flags & CONTAINER_ORDERED;
	} else if (tag == HTML_TAG_TABLE) {
		const struct slice role = tag_facts_value(facts, ATTR_ROLE);
		c = open_new(r, CONTAINER_TABLE);
		if (!c)
			return;
		c->table = r->top;
		c->row = c->cell = 0;
		c->flags &= (uint16_t) ~(CONTAINER_FLOWS | CONTAINER_IN_CAPTION);
		if (slice_is(role, "presentation") || slice_is(role, "none"))
			c->flags |= CONTAINER_LAYOUT;
	} else if (tag == HTML_TAG_TR) {
		open_row(r);
	} else if (tag == HTML_TAG_TD || tag == HTML_TAG_TH) {
		const uint32_t table = r->page.container[r->top].table;
		if (table == r->top && r->page.container[table].last) {
			r->top = r->page.container[table].last;
		} else if (r->page.container[r->top].kind != CONTAINER_ROW) {
			open_row(r);
			if (table)
				r->page.container[table].last = r->page.container[r->top].row;
		}
		c = open_new(r, CONTAINER_CELL);
		if (!c)
			return;
		c->cell = r->top;
		c->columns = (uint8_t)tag_facts_number(facts, ATTR_COLSPAN, 1, STRUCTURE_COLUMNS, 1);
		c->rows = (uint16_t)tag_facts_number(facts, ATTR_ROWSPAN, 1, STRUCTURE_ROW_SPAN, 1);
		if (tag == HTML_TAG_TH)
			c->flags |= CONTAINER_HEAD_CELL;
	} else if (heading) {
		c = open_new(r, CONTAINER_HEADING);
		if (!c)
			return;
		c->flags |= CONTAINER_FLOWS | CONTAINER_IN_HEADING;
		c->number = 1 + (int)tag - HTML_TAG_H1;
	} else if (others[tag].line &&
		   (quote ? around->quotes == STRUCTURE_QUOTES : around->lists == STRUCTURE_LISTS)) {
		r->page.cut = true;
	} else if (others[tag].kind) {
		c = open_new(r, (enum container_kind)others[tag].kind);
		if (!c)
			return;
		c->flags |= others[tag].flags;
		c->line = others[tag].line ? r->top : c->line;
		if (quote)
			c->quotes++;
		else if (others[tag].line)
			c->lists++;
	}
}

/* Pictures and boxes may have many attributes: they are read only where they matter. */
static void record_void(struct recorder *r, const struct html_tag_event *event)
{
	const bool shown = !r->skip_depth && !r->code_block;
	if (event->tag == HTML_TAG_INPUT) {
		/* a box that is the first thing in an item makes it a task if nobody can use it, or if the page speaks
		 * of tasks */
		enum { NEAR = 4 };
		struct container *item = &r->page.container[r->page.container[r->top].line];
		if (r->skip_depth || r->piece_open || item->kind != CONTAINER_ITEM || item->flags & CONTAINER_TASK)
			return;
		const struct tag_facts *facts = tag_facts_of(&r->tags, event);
		bool task = tag_facts_has(facts, ATTR_DISABLED) || facts->words.meanings & CLASS_TASK;
		for (size_t i = r->depth; i > 0 && r->depth - i < NEAR; i--)
			task |= (r->open[i - 1].flags & ELEMENT_TASKS) != 0;
		if (task && slice_is(tag_facts_value(facts, ATTR_TYPE), "checkbox"))
			item->flags |= CONTAINER_TASK | (tag_facts_has(facts, ATTR_CHECKED) ? CONTAINER_DONE : 0);
	} else if (event->tag == HTML_TAG_IMG && shown) {
		record_picture(r, event);
	} else if (event->tag == HTML_TAG_SOURCE) {
		record_picture_source(r, event);
	} else if (event->tag == HTML_TAG_HR && shown && !r->notes) {
		record_rule(r, event);
	}
}

enum { KEEP_BUFFER = 1 << 20 };

struct recorder *recorder_new(size_t max_text, unsigned max_depth, bool readings)
{
	struct recorder *r = calloc(1, sizeof(*r));
	if (!r || element_stack_init(&r->stack, max_depth) < 0) {
		recorder_free(r);
		return NULL;
	}
	r->max_text = max_text;
	r->readings = readings;
	tag_reader_init(&r->tags);
	r->open = calloc(r->stack.max, sizeof(*r->open));
	r->passed = calloc(r->stack.max, sizeof(*r->passed));
	r->page.cap_containers = 64;
	r->page.container = calloc(r->page.cap_containers, sizeof(*r->page.container));
	if (!r->open || !r->passed || !r->page.container) {
		recorder_free(r);
		return NULL;
	}
	r->page.n_containers = 1;
	return r;
}

struct tag_reader *recorder_tags(struct recorder *r)
{
	return &r->tags;
}

void recorder_reset(struct recorder *r, const uint8_t *limit)
{
	struct structure_page *page = &r->page;
	element_stack_reset(&r->stack);
	tag_reader_reset(&r->tags, limit);
	buf_shrink(&page->text, KEEP_BUFFER);
	buf_shrink(&page->arguments, KEEP_BUFFER);
	buf_clear(&page->base_url);
	page->n_pieces = page->n_marks = page->n_targets = page->n_anchors = 0;
	page->places = (struct id_set){ 0 };
	page->raised = false;
	page->n_containers = 1;
	page->has_base = page->formulas = page->cut = false;
	page->container[0].flags = 0;
	r->depth = r->skip_depth = r->lines_depth = r->caption_depth = r->unshown_depth = r->code_block = r->leaf =
		r->tex_depth = 0;
	r->code_loose = r->in_label = r->button_joins = false;
	r->source.len = r->picture = 0;
	r->picture_stand_in = r->noscript = false;
	r->sidenotes = SIDENOTES_UNKNOWN;
	r->top = 0;
	r->status = DANA_OK;
	r->n_marks = r->mark_kinds = r->code_depth = r->notes = r->breaks = 0;
	r->piece_open = r->divided = false;
	r->formula.in_math = r->formula.in_script = r->in_reading = r->in_shadow = false;
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
	free(r->page.target);
	free(r->page.anchor);
	buf_free(&r->page.text);
	buf_free(&r->page.arguments);
	buf_free(&r->page.base_url);
	formula_free(&r->formula);
	buf_free(&r->image);
	buf_free(&r->numbers.places);
	free(r);
}

static void record_element_end(struct recorder *r, uint64_t end)
{
	if (r->tex_depth == r->depth)
		record_tex_end(r, end);
	const struct open_element *e = &r->open[--r->depth];
	if (r->code_block > r->depth) {
		r->code_block = 0;
		r->code_loose = false;
		record_piece_end(r, end, false);
	} else if (e->flags & ELEMENT_SPLITS && !r->code_block)
		record_piece_divide(r, end);
	if (e->mark) {
		/* close the innermost open mark */
		struct mark mark = r->marks[--r->n_marks];
		r->mark_kinds &= ~(1U << mark.kind);
		mark.closes = true;
		if (r->piece_open && !r->code_block)
			record_mark_add(r, mark);
	}
	if (r->skip_depth > r->depth)
		r->skip_depth = 0;
	if (r->unshown_depth > r->depth)
		r->unshown_depth = 0;
	if (r->lines_depth > r->depth)
		r->lines_depth = 0;
	if (r->caption_depth > r->depth)
		r->caption_depth = 0;
	if (e->flags & ELEMENT_LINE && r->piece_open && !r->code_block)
		record_piece_end(r, end, true);
	if (e->target) {
		r->page.target[e->target - 1].end = r->page.n_pieces + r->piece_open;
		r->page.target[e->target - 1].to = r->page.n_containers;
	}
	r->in_label &= !(e->flags & ELEMENT_LABEL);
	r->code_depth -= (e->flags & ELEMENT_CODE) != 0;
	r->notes -= (e->flags & ELEMENT_NOTES) != 0;
	if (r->top != e->top && r->page.container[r->top].kind == CONTAINER_TABLE)
		r->page.container[r->top].last = r->page.n_containers;
	r->top = e->top;
}

static void elements_end(struct recorder *r, size_t count, uint64_t end)
{
	while (count--)
		record_element_end(r, end);
}

/* Returns whether a button is in a line of text, where it is parted by blanks. */
static __attribute__((noinline)) bool button_joins(struct recorder *r, bool closing, uint64_t start)
{
	const bool joins = closing ? r->button_joins : r->piece_open && !r->code_block;
	r->button_joins = joins && !closing;
	if (joins && r->piece_open)
		record_text(r, slice_from_text(" "), start);
	return joins;
}

/* Ends the piece, or a line of code, at a tag that divides text. */
static inline __attribute__((always_inline)) void divide(struct recorder *r, enum html_tag tag, bool closing,
							 uint64_t start)
{
	if (!html_tag_is(tag, TAG_SPLITS) || (tag == HTML_TAG_BUTTON && button_joins(r, closing, start)))
		return;
	if (r->code_block)
		record_code_divide(r, tag, closing);
	else if (tag == HTML_TAG_BR)
		record_piece_end(r, start, true);
	else
		record_piece_divide(r, start);
}

/* Returns whether line ends of the source are shown in an element, by its style or class. */
static bool shows_lines(const struct html_tag_event *event)
{
	enum white_space space = white_space_of_style(html_attr_named(event, "style"));
	if (space == WHITE_SPACE_INHERITED)
		space = display_class_space(html_attr_named(event, "class"));
	return space == WHITE_SPACE_KEPT || space == WHITE_SPACE_LINES;
}

/** Opens an element that is on the stack. */
static void record_element(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	struct open_element *e = &r->open[r->depth++];
	*e = (struct open_element){ .top = r->top, .pieces = r->page.n_pieces, .containers = r->page.n_containers };
	if (html_tag_is(tag, TAG_SPLITS) && !(tag == HTML_TAG_BUTTON && r->button_joins))
		e->flags = tag == HTML_TAG_LI      ? ELEMENT_SPLITS | ELEMENT_ITEM
			   : tag == HTML_TAG_TFOOT ? ELEMENT_SPLITS | ELEMENT_FOOT
			   : tag == HTML_TAG_ASIDE ? ELEMENT_SPLITS | ELEMENT_ASIDE
						   : ELEMENT_SPLITS;
	if (tag == HTML_TAG_LABEL && r->in_label)
		e->flags = ELEMENT_LABEL;
	if (r->skip_depth)
		return;
	if (tag == HTML_TAG_FIGCAPTION && !r->caption_depth)
		r->caption_depth = r->depth;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	const unsigned words = facts->words.meanings;
	if ((facts->has & ATTRS_OF_ALL) | (tag == HTML_TAG_OTHER) | (tag == HTML_TAG_BUTTON) | (tag == HTML_TAG_NOBR)) {
		const struct style_display shown = tag_facts_display(facts, tag);
		/* what readers hear of a formula is its source */
		const bool formula =
			words & CLASS_FORMULA || (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-assistive-mml"));
		const bool hidden = shown.unseen && !formula;
		if (!html_tag_is(tag, TAG_SPLITS) && shown.line && r->code_block) {
			record_code_line_end(r);
		} else if (!html_tag_is(tag, TAG_SPLITS) && shown.line) {
			e->flags |= ELEMENT_LINE;
			if (r->piece_open)
				record_piece_end(r, event->start, true);
		}
		if (r->tex_depth && words & CLASS_KATEX_SHOWN)
			(void)record_tex_take(r, false, event->start);
		if (record_is_left_out(r, event, facts, hidden)) {
			r->skip_depth = r->depth;
			r->numbered |= (words & CLASS_GUTTER) != 0;
			return;
		}
		if (hidden && !r->unshown_depth)
			r->unshown_depth = r->depth;
		if (tag == HTML_TAG_OTHER && !r->code_block &&
		    (slice_is(event->name, "amp-img") || slice_is(event->name, "amp-anim")))
			record_picture(r, event);
	}
	const bool spaced = slice_has(event->source, "space");
	if (spaced && !r->lines_depth && shows_lines(event))
		r->lines_depth = r->depth;
	if (facts->has & (ATTRS_OF_PLACES | 1 << ATTR_TEX)) {
		record_place(r, tag, facts);
		if (tag_facts_has(facts, ATTR_TEX))
			record_tex_begin(r, event, tag_facts_value(facts, ATTR_TEX));
	}
	if (r->code_block) {
		record_code_element(r, tag, facts);
		return;
	}
	if (facts->has & (ATTRS_OF_ALL | 1 << ATTR_LANG))
		record_code_around(r, e, tag, facts);
	if (words & CLASS_TASK)
		e->flags |= ELEMENT_TASKS;
	if (words & CLASS_NOTES && (tag == HTML_TAG_SECTION || tag == HTML_TAG_DIV)) {
		e->flags |= ELEMENT_NOTES;
		r->notes++;
	}
	if (record_code_begin(r, event, words, spaced))
		return;
	facts = tag_facts_of(&r->tags, event); /* cells may have been read, whose facts take the place of the table's */
	if (e->flags & ELEMENT_LABEL) {
		record_label(r, e, html_attr_named(event, "for"));
	} else if (html_tag_is(tag, TAG_SPLITS) && !(tag == HTML_TAG_BUTTON && r->button_joins)) {
		record_container(r, tag, facts);
	} else { /* a mark */
		static const uint8_t kinds[HTML_TAGS_COUNT] = {
			[HTML_TAG_EM] = MARK_EMPHASIS,    [HTML_TAG_I] = MARK_EMPHASIS,
			[HTML_TAG_STRONG] = MARK_STRONG,  [HTML_TAG_B] = MARK_STRONG,
			[HTML_TAG_DEL] = MARK_DELETED,    [HTML_TAG_S] = MARK_DELETED,
			[HTML_TAG_STRIKE] = MARK_DELETED, [HTML_TAG_CODE] = MARK_CODE,
			[HTML_TAG_TT] = MARK_CODE,        [HTML_TAG_SAMP] = MARK_CODE,
			[HTML_TAG_SUP] = MARK_RAISED,     [HTML_TAG_SUB] = MARK_LOWERED,
		};
		const uint8_t kind = kinds[event->tag];
		if (event->tag == HTML_TAG_A)
			record_link(r, e, facts);
		else if (kind && (!r->code_depth || kind == MARK_RAISED || kind == MARK_LOWERED))
			record_mark_open(r, e, (struct mark){ .kind = kind });
		r->page.raised |= kind == MARK_RAISED;
		if (kind == MARK_CODE) {
			e->flags |= ELEMENT_CODE;
			r->code_depth++;
		}
	}
}

/*
 * Follows <template shadowrootmode>, and the reserve where it is the page's text: what is in them is shown, and
 * recorded as what a method has to choose itself. Returns whether a skipped tag is recorded as any other.
 */
static bool follow_shadow(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (!r->in_shadow) {
		const bool reserve = r->shows_reserve && (tag == HTML_TAG_NOSCRIPT || tag == HTML_TAG_TEMPLATE);
		r->in_shadow = (reserve || tag == HTML_TAG_TEMPLATE) && event->skipped && !event->closing &&
			       !r->skip_depth && (reserve || html_attr_named(event, "shadowrootmode").len);
		r->shadow = tag;
		r->shadows = 0;
		r->shadow_skip = HTML_TAG_OTHER;
		if (r->in_shadow)
			record_piece_divide(r, event->start);
		return false;
	}
	r->shadows += tag == r->shadow && !event->closing;
	if (!event->skipped || (tag == r->shadow && event->closing && r->shadows-- == 0)) {
		record_piece_divide(r, event->start);
		r->in_shadow = false;
		return false;
	}
	if (r->shadow_skip != HTML_TAG_OTHER) {
		if (event->closing && tag == r->shadow_skip)
			r->shadow_skip = HTML_TAG_OTHER;
		return false;
	}
	if (html_tag_is(tag, TAG_SKIP | TAG_RAW)) {
		r->shadow_skip = event->closing || event->self_closing ? HTML_TAG_OTHER : tag;
		return false;
	}
	return true;
}

/* A reading of ruby ends with its element, with another one, and with what is around it. */
static void follow_reading(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (r->in_reading && (!event->skipped || tag == HTML_TAG_RT || tag == HTML_TAG_RP || tag == HTML_TAG_RTC)) {
		r->in_reading = false;
		record_text(r, slice_from_text("）"), event->start);
	}
	if (r->readings && event->skipped && tag == HTML_TAG_RT && !event->closing) {
		r->in_reading = true;
		record_text(r, slice_from_text("（"), event->start);
	}
}

/* Returns the tag as it is taken: one in a shadow root like any other; NULL if it is left out. */
static __attribute__((noinline)) const struct html_tag_event *follow_skipped(struct recorder *r,
									     const struct html_tag_event *event)
{
	follow_reading(r, event);
	if (!follow_shadow(r, event))
		return event->skipped && r->in_shadow ? NULL : event;
	r->shown = *event;
	r->shown.skipped = false;
	return &r->shown;
}

/*
 * Returns whether the innermost of the elements that end, `count` of them, is a link with nothing in it: as a browser
 * does, the block that ends it is in the link.
 *
 * Example: in <p><a href=x><div><img src=y></div></a> the <div> ends the paragraph, and the picture is in the link.
 */
static bool begins_link(const struct recorder *r, size_t count)
{
	const struct structure_page *page = &r->page;
	if (!count || r->code_block || r->piece_open || r->open[r->depth - 1].mark != MARK_LINK)
		return false;
	const uint32_t pieces = page->n_pieces - r->open[r->depth - 1].pieces;
	const struct mark *last = page->n_marks ? &page->mark[page->n_marks - 1] : NULL;
	return pieces == 0 || (pieces == 1 && last && last->kind == MARK_LINK && !last->closes &&
			       record_is_white(slice_skip(buf_slice(&page->text), last->at)));
}

int recorder_tag(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (event->skipped | r->in_reading | r->in_shadow) {
		event = follow_skipped(r, event);
		if (!event)
			return r->status;
	}
	if (event->skipped ? r->formula.in_math || tag == HTML_TAG_MATH : tag == HTML_TAG_SCRIPT) {
		/* the tag <math>, one inside of it, or <script>, whose end tag has bytes of the script */
		bool ends = false;
		if (event->skipped) {
			record_status(r, formula_math_tag(&r->formula, event, &ends));
		} else if (!r->skip_depth || event->closing) {
			if (event->closing && r->formula.in_script)
				record_status(r, formula_script_bytes(&r->formula, event->source));
			formula_script_tag(&r->formula, event, &ends);
		}
		if (ends)
			record_formula(r);
	} else if (event->skipped) {
		if (tag == HTML_TAG_NOSCRIPT)
			r->noscript = !event->closing;
		if (r->noscript && tag == HTML_TAG_IMG && !r->skip_depth && !r->code_block)
			record_picture(r, event);
	} else if (tag != HTML_TAG_STYLE) {
		if (tag != HTML_TAG_LABEL || !follow_label(r, event))
			divide(r, tag, event->closing, event->start);
		if (tag == HTML_TAG_BR)
			return r->status;
		if (event->closing) {
			if (r->code_block && !r->skip_depth)
				record_code_number_end(r, tag);
			elements_end(r, element_stack_end(&r->stack, tag, event->name), event->start);
			return r->status;
		}
		const struct stack_change change = element_stack_start(&r->stack, tag, event->name);
		const bool reopens = change.opens && tag != HTML_TAG_P && r->mark_kinds >> MARK_LINK & 1 &&
				     begins_link(r, change.closes);
		const struct mark link = reopens ? r->marks[r->n_marks - 1] : (struct mark){ 0 };
		elements_end(r, change.closes, event->start);
		if (tag == HTML_TAG_PICTURE)
			record_picture_source(r, event);
		if (change.empty)
			record_void(r, event);
		else if (change.opens)
			record_element(r, event);
		if (reopens && !r->skip_depth && !r->code_block && r->open[r->depth - 1].mark == MARK_NONE)
			record_mark_open(r, &r->open[r->depth - 1], link);
	}
	return r->status;
}

/* Adds text whose line ends are shown. */
static void record_lines(struct recorder *r, struct slice text, uint64_t offset)
{
	for (;;) {
		const struct slice line = slice_first(text, slice_until(text, "\n"));
		record_text(r, line, offset);
		if (line.len == text.len)
			return;
		if (!r->skip_depth)
			record_piece_end(r, offset + line.len, true);
		offset += line.len + 1;
		text = slice_skip(text, line.len + 1);
	}
}

int recorder_text(struct recorder *r, struct slice text, uint64_t offset, bool skipped)
{
	if (!skipped || r->in_reading || (r->in_shadow && r->shadow_skip == HTML_TAG_OTHER)) {
		if (r->lines_depth && !r->code_block)
			record_lines(r, text, offset);
		else
			record_text(r, text, offset);
	} else if (r->formula.in_math)
		record_status(r, formula_math_text(&r->formula, text));
	return r->status;
}

int recorder_gap(struct recorder *r, struct slice bytes)
{
	if (r->formula.in_script)
		record_status(r, formula_script_bytes(&r->formula, bytes));
	return r->status;
}

bool recorder_may_end(const struct recorder *r, uint64_t place)
{
	const struct structure_page *page = &r->page;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	const struct container *all = page->container;
	if (!last || last->wordless || last->start < place || r->code_block)
		return false;
	/* a list or table that this piece is the first in does not matter; nor does one of layout */
	const uint32_t before = page->n_pieces > 1 ? last[-1].container : 0;
	uint32_t c = last->container;
	while (c > before)
		c = all[c].parent;
	return (!all[r->top].table && !all[r->top].lists) ||
	       (!all[c].lists && (!all[c].table || all[all[c].table].flags & CONTAINER_NO_DATA));
}

int recorder_finish(struct recorder *r, struct structure_page **page)
{
	if (r->formula.in_script || r->formula.in_math) { /* the page's end cuts a formula */
		record_status(r, formula_end(&r->formula));
		record_formula(r);
	}
	elements_end(r, r->depth, UINT64_MAX);
	record_piece_end(r, UINT64_MAX, false);
	if (r->piece_open)
		record_piece_add(r);
	*page = &r->page;
	return r->status;
}

/* What any part of a page may say of all of it: the address that its links are relative to, and that it shows TeX. */

/* Returns whether source text may have a formula at `at`: a dollar, or a backslash before '(', '[' or "begin". */
static bool is_delimiter(struct slice text, size_t at)
{
	static const char *const references[] = { "&#36", "&#x24", "&dollar;", "&#92", "&#x5c", "&bsol;" };
	const struct slice here = slice_skip(text, at);
	const uint8_t next = here.len > 1 ? here.data[1] : ' ';
	bool found = false;
	switch (here.data[0]) {
	case '$':
		return next == '$' || ((at ? text.data[at - 1] : ' ') != ' ' && !ascii_is_digit(next));
	case '\\':
		return next && strchr("([b", next);
	default:
		if (!strchr("#db", next | 0x20))
			return false;
		for (size_t i = 0; i < sizeof(references) / sizeof(*references) && !found; i++)
			found = record_begins_with(here, references[i]);
		return found;
	}
}

/* What it declares of formulas matters to few pages, and costs as much as the record of all of it. */
int recorder_page_facts(struct recorder *r, const struct page_log *log)
{
	/* the text of all pieces is one buffer, in their order */
	const struct slice all = buf_slice(&r->page.text);
	const struct piece *p = r->page.piece, *end = p + r->page.n_pieces;
	bool delimiters = false;
	for (size_t at = 0; !delimiters && (at += text_scan_undelimited(slice_skip(all, at))) < all.len; at++) {
		while (p < end && p->text + p->len <= at)
			p++;
		delimiters = p < end && at >= p->text && p->kind == PIECE_TEXT &&
			     is_delimiter(slice_of(all.data + p->text, p->len), at - p->text);
	}
	for (size_t i = 0; i < log->n && delimiters && !r->page.formulas; i++) {
		if (log->entry[i].flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, &log->entry[i]);
		const enum html_tag tag = (enum html_tag)event.tag;
		r->page.formulas = tag == HTML_TAG_OTHER && slice_is(event.name, "mjx-container");
		if (r->page.formulas || (html_tag_is(tag, TAG_VOID) && tag != HTML_TAG_LINK))
			continue;
		const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
		const struct slice url = tag_facts_value(facts, tag == HTML_TAG_LINK ? ATTR_HREF : ATTR_SRC);
		/* both names end in an x, as few do */
		if (tag == HTML_TAG_LINK || tag == HTML_TAG_SCRIPT)
			r->page.formulas = slice_until(url, "xX") < url.len &&
					   (slice_has(url, "mathjax") || slice_has(url, "katex"));
		else
			r->page.formulas = facts->words.meanings & CLASS_FORMULA;
	}
	/* the first <base> that has an address */
	for (size_t i = log->first_base; i > 0 && i <= log->n && !r->page.has_base; i++) {
		const struct log_entry *e = &log->entry[i - 1];
		if (e->tag != HTML_TAG_BASE || e->flags)
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
		r->page.has_base = tag_facts_has(facts, ATTR_HREF);
		const struct slice href = tag_facts_value(facts, ATTR_HREF);
		record_status(r, buf_append(&r->page.base_url, href.data, href.len));
	}
	return r->status;
}

/*
 * What is before the part of a page that is recorded: which elements are open there, and how far the lists that are
 * open have counted. Nothing else of it matters to the record.
 *
 * Example: before "two" in <ol start=3><li>one<li><b>two, the elements ol, li and b are open, and the number before
 * that of the li is 3.
 */

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
		if (!change.opens) {
			if (tag == HTML_TAG_INPUT && r->depth && r->passed[r->depth - 1].holder)
				r->passed[r->passed[r->depth - 1].holder - 1].has_box = true;
			continue;
		}
		struct passed_element *p = &r->passed[r->depth++];
		const uint32_t holder = r->depth > 1 ? p[-1].holder : 0;
		*p = (struct passed_element){ .entry = i, .holder = holder };
		if (part_of_list(tag) != NO_PART)
			p->holder = (uint32_t)r->depth;
		if (tag == HTML_TAG_OL)
			p->number = number_in(r, log, e, ATTR_START, -99999999, 1) - 1;
		struct passed_element *list = holder ? &r->passed[holder - 1] : p;
		const enum html_tag around = (enum html_tag)log->entry[list->entry].tag;
		if (tag != HTML_TAG_LI || part_of_list(around) != IS_LIST)
			continue;
		list->item = i;
		list->before = list->number++;
		if (around == HTML_TAG_OL)
			list->number = number_in(r, log, e, ATTR_VALUE, 0, list->number);
	}
}

void recorder_show_reserve(struct recorder *r, bool shown)
{
	r->shows_reserve = shown;
}

uint32_t recorder_pass_back(struct recorder *r, const struct page_log *log, uint32_t to)
{
	for (size_t i = 0; i < r->depth; i++) {
		const struct passed_element *p = &r->passed[i];
		const enum html_tag tag = (enum html_tag)log->entry[p->entry].tag;
		bool whole = tag == HTML_TAG_TABLE || tag == HTML_TAG_PRE || tag == HTML_TAG_XMP || p->has_box;
		if (!whole && (html_tag_is(tag, TAG_SPLITS) || tag == HTML_TAG_CODE)) {
			const struct html_tag_event event = page_log_event(log, &log->entry[p->entry]);
			whole = tag_facts_of(&r->tags, &event)->words.meanings &
				(tag == HTML_TAG_CODE ? CLASS_BLOCK : CLASS_CODE);
		}
		if (!whole)
			continue;
		element_stack_drop(&r->stack, r->depth - i);
		r->depth = i;
		return p->entry;
	}
	return to;
}

/* Opens an element that is not recorded as if it began here. */
static void open_here(struct recorder *r, const struct page_log *log, uint32_t entry)
{
	const struct html_tag_event event = page_log_event(log, &log->entry[entry]);
	record_element(r, &event);
}

int recorder_resume(struct recorder *r, const struct page_log *log)
{
	enum { LOOKS = 8 };
	const size_t depth = r->depth;
	r->depth = 0;
	r->looks = LOOKS * log->n;
	for (size_t i = 0; i < depth; i++) {
		const struct passed_element *p = &r->passed[i];
		const uint32_t before = r->page.n_containers;
		open_here(r, log, p->entry);
		if (!p->item || r->page.n_containers == before)
			continue;
		r->page.container[before].number = p->before;
		bool open = false; /* the last item of the list is among the open elements */
		for (size_t k = i + 1; k < depth && !open; k++)
			open = r->passed[k].entry == p->item;
		if (!open) {
			open_here(r, log, p->item);
			record_element_end(r, log->entry[p->item].end);
		}
	}
	return r->status;
}
