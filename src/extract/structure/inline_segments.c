/* SPDX-License-Identifier: MIT */
/*
 * A piece as a list of segments. A mark that opens is held until something stands in it, so that empty ones vanish, and
 * a blank is held until something follows it, so that it comes before marks that open and after those that close.
 *
 * Example: "one<em> two </em>three" has the segments "one", blank, em, "two", /em, blank, "three".
 */
#include "base/grow.h"
#include "extract/structure/inline_private.h"

struct collector {
	struct inline_writer *w;
	uint32_t held[MARK_NESTING_KINDS], open[MARK_NESTING_KINDS]; /* marks; segments */
	unsigned n_held, n_open;
	bool pending, started;
	struct buf *code; /* text of inline code goes here; NULL outside of it */
	bool code_pending;
};

static int add(struct inline_writer *w, struct segment segment)
{
	struct segment *more = grow_items(w->segment, w->n_segments, &w->cap, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	w->segment = more;
	more[w->n_segments++] = segment;
	return DANA_OK;
}

/* Opens a held mark, or goes on with one of its kind that just closed. */
static int open_held(struct collector *c, uint32_t mark)
{
	struct inline_writer *w = c->w;
	const uint8_t kind = w->page->mark[mark].kind;
	const struct segment *last = w->n_segments ? &w->segment[w->n_segments - 1] : NULL;
	if (last && last->kind == SEGMENT_MARK && last->closes && last->mark_kind == kind && kind != MARK_LINK) {
		c->open[c->n_open++] = last->pair;
		w->n_segments--;
		return DANA_OK;
	}
	c->open[c->n_open++] = (uint32_t)w->n_segments;
	return add(w, (struct segment){ .kind = SEGMENT_MARK, .mark_kind = kind, .mark = mark });
}

/* Adds what is not a mark, with all that was held. */
static int content(struct collector *c, struct segment segment)
{
	int status = DANA_OK;
	if (c->pending && c->started)
		status = add(c->w, (struct segment){ .kind = SEGMENT_SPACE });
	c->pending = false;
	c->started = true;
	for (unsigned i = 0; i < c->n_held && status == DANA_OK; i++)
		status = open_held(c, c->held[i]);
	c->n_held = 0;
	return status < 0 ? status : add(c->w, segment);
}

static int close_last(struct collector *c)
{
	struct inline_writer *w = c->w;
	uint32_t opened = c->open[--c->n_open];
	w->segment[opened].pair = (uint32_t)w->n_segments;
	return add(w, (struct segment){ .kind = SEGMENT_MARK,
					.mark_kind = w->segment[opened].mark_kind,
					.mark = w->segment[opened].mark,
					.pair = opened,
					.closes = true });
}

static int code_end(struct collector *c)
{
	struct inline_writer *w = c->w;
	struct segment segment = { .kind = SEGMENT_RAW, .from = (uint32_t)w->text.len };
	int status = inline_code(w->style, buf_slice(c->code), &w->text);
	segment.len = (uint32_t)(w->text.len - segment.from);
	c->code = NULL;
	return status < 0 || segment.len == 0 ? status : content(c, segment);
}

static int close_mark(struct collector *c, uint8_t kind)
{
	if (kind == MARK_CODE)
		return c->code ? code_end(c) : DANA_OK;
	if (c->n_held) {
		c->n_held -= c->w->page->mark[c->held[c->n_held - 1]].kind == kind;
		return DANA_OK;
	}
	/* at the limit of marks some have no beginning */
	bool matches = c->n_open && c->w->segment[c->open[c->n_open - 1]].mark_kind == kind;
	return matches ? close_last(c) : DANA_OK;
}

static int take_atom(struct collector *c, const struct mark *mark)
{
	struct inline_writer *w = c->w;
	struct segment segment = { .from = (uint32_t)w->text.len, .display = mark->display };
	enum segment_kind kind = SEGMENT_RAW;
	int status = c->code ? DANA_OK : inline_atom(w, mark, &w->text, &kind);
	segment.kind = (uint8_t)kind;
	segment.len = (uint32_t)(w->text.len - segment.from);
	return status < 0 || segment.len == 0 ? status : content(c, segment);
}

static int take_mark(struct collector *c, uint32_t number)
{
	const struct mark *mark = &c->w->page->mark[number];
	if (mark->kind >= MARK_NESTING_KINDS)
		return take_atom(c, mark);
	if (mark->closes)
		return close_mark(c, mark->kind);
	if (mark->kind != MARK_CODE) {
		if (!c->code && c->n_held + c->n_open < MARK_NESTING_KINDS)
			c->held[c->n_held++] = number;
		return DANA_OK;
	}
	c->code = &c->w->run;
	c->code_pending = false;
	buf_clear(c->code);
	return DANA_OK;
}

static int take_text(struct collector *c, struct slice source, bool references)
{
	struct inline_writer *w = c->w;
	struct segment segment = { .kind = SEGMENT_TEXT, .from = (uint32_t)w->text.len };
	bool pending = false, lead = false;
	if (c->code)
		return inline_collapse(c->code, 0, source, references, &c->code_pending, &lead);
	int status = inline_collapse(&w->text, w->text.len, source, references, &pending, &lead);
	segment.len = (uint32_t)(w->text.len - segment.from);
	if (segment.len == 0) {
		c->pending |= pending;
		return status;
	}
	c->pending |= lead;
	if (status == DANA_OK)
		status = content(c, segment);
	c->pending = pending;
	return status;
}

int inline_segments(struct inline_writer *w, const struct piece *piece)
{
	struct collector c = { .w = w };
	const struct structure_page *page = w->page;
	uint32_t at = piece->text, end = piece->text + piece->len;
	int status = DANA_OK;
	w->n_segments = 0;
	buf_clear(&w->text);
	for (uint32_t i = piece->mark; i <= piece->marks_end && status == DANA_OK; i++) {
		uint32_t to = i < piece->marks_end && page->mark[i].at < end ? page->mark[i].at : end;
		if (to > at)
			status = take_text(&c, slice_of(page->text.data + at, to - at), !piece->raw);
		at = to;
		if (i < piece->marks_end && status == DANA_OK)
			status = take_mark(&c, i);
	}
	if (c.code && status == DANA_OK)
		status = code_end(&c);
	while (c.n_open && status == DANA_OK)
		status = close_last(&c);
	return status;
}
