/* SPDX-License-Identifier: MIT */
/*
 * Outside of elements that keep white space, only two kinds of start tags matter: names such as <pre>, and tags in
 * which the window's search has found a style. Inside of them each tag is read, because elements end there and any
 * style counts.
 *
 * Example: "<pre>a <b>b</b></pre>c". <pre> comes as a run and changes t->white. "a <b>b</b>" is a stretch, whose tags
 * are read; </pre> ends the element that keeps white space, and comes as a run again.
 */
#include "extract/html/tokenizer_space.h"

#include "extract/html/attribute_next.h"
#include "extract/html/tokenizer_units.h"

enum { STYLED_LEAST = sizeof("<p style=white-space:pre>") - 1 };

/*
 * Returns whether a start tag inside of an element that keeps white space may have a style that counts; the match may
 * be in another attribute.
 */
static bool has_style(struct slice source)
{
	return source.len >= STYLED_LEAST && white_space_of_style(source) != WHITE_SPACE_INHERITED;
}

/* The same anywhere. The window's search finds only styles that keep white space; in a <pre> others count as well. */
static bool may_be_styled(struct html_tokenizer *t, const struct html_tag_event *event)
{
	struct slice source = event->source;
	if (t->white.len || source.len < STYLED_LEAST || html_tag_is(event->tag, TAG_KEEPS_SPACE))
		return has_style(source);
	if (event->start < t->base)
		return white_space_find(source.data, 0, source.len, source.len) < source.len;
	return html_next_styled(t, (size_t)(event->start - t->base)) < event->end - t->base;
}

static enum white_space space_of_attributes(struct html_attr_reader attrs)
{
	for (struct html_attr attr; html_attr_next(&attrs, &attr);) {
		if (attr.number == HTML_ATTR_NUMBER('s', 't', 'y', 'l', 'e', 0, 0, 0))
			return white_space_of_style(attr.value);
	}
	return WHITE_SPACE_INHERITED;
}

/* Returns the white space of an element: by its style, else by its name. */
static enum white_space space_of_event(const struct html_tag_event *event, bool styled)
{
	enum white_space space = styled ? space_of_attributes(html_attr_begin(event)) : WHITE_SPACE_INHERITED;
	return space == WHITE_SPACE_INHERITED ? white_space_of_tag(event->tag, event->name) : space;
}

void html_space_take(struct html_tokenizer *t, struct html_tag_event *event)
{
	enum html_tag tag = event->tag;
	event->space = t->white.now;
	if (t->white.len == 0 && event->closing)
		return;
	bool styled = !event->closing && may_be_styled(t, event);
	if (t->white.len == 0 && !styled && !html_tag_is(tag, TAG_KEEPS_SPACE))
		return;
	/* the tags of scripts may come without an event */
	if (event->skipped || event->self_closing || tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE)
		return;
	if (event->closing)
		white_space_end(&t->white, tag);
	else
		white_space_start(&t->white, tag, space_of_event(event, styled));
	event->space = t->white.now;
}

/*
 * Returns the first byte of p[from..to) at which a tag begins or, with `ends`, that is outside of tags; `to` if there
 * is no such byte.
 */
static inline size_t next_tag(const struct html_tokenizer *t, size_t from, size_t to, bool ends)
{
	uint64_t keep = ~(uint64_t)0 << from % 64;
	for (size_t block = from / 64; block * 64 < to; block++, keep = ~(uint64_t)0) {
		uint64_t bits = (t->starts[block] | (ends ? ~t->code[block] : 0)) & keep;
		if (bits) {
			size_t at = block * 64 + (size_t)__builtin_ctzll(bits);
			return at < to ? at : to;
		}
	}
	return to;
}

/* Reads the ordinary tag at unit->code, which ends in p[..to]. */
static inline void unit_read(const struct html_tokenizer *t, size_t to, struct html_unit *unit)
{
	const uint8_t *p = t->p;
	unit->closing = p[unit->code + 1] == '/';
	size_t name = unit->code + 1 + unit->closing;
	struct html_tag_name read;
	if (!html_tag_read_near(p + name, &read))
		read = html_tag_read(p + name);
	unit->tag = (uint8_t)read.tag;
	unit->name_len = read.len;
	unit->end = name + read.len + 1;
	if (p[unit->end - 1] != '>')
		unit->end = next_tag(t, unit->end, to, true);
	unit->self_closing = p[unit->end - 2] == '/';
}

/* Returns the white space of an element inside of one that keeps white space. */
static enum white_space space_of_unit(const struct html_unit *u)
{
	size_t len = u->end - u->code;
	const struct slice source = slice_of(u->window + u->code, len < HTML_TAG_BYTES ? len : HTML_TAG_BYTES);
	enum white_space space = WHITE_SPACE_INHERITED;
	if (has_style(source))
		space = space_of_attributes(html_attr_of_unit(u));
	if (space != WHITE_SPACE_INHERITED || !html_tag_is(u->tag, TAG_KEEPS_SPACE))
		return space;
	return white_space_of_tag(u->tag, slice_of(u->window + u->code + 1, u->name_len));
}

/* The same as html_space_take, for the tags of a stretch. */
static void take_unit(struct white_space_state *white, const struct html_unit *u)
{
	if (u->self_closing)
		return;
	if (u->closing)
		white_space_end(white, u->tag);
	else
		white_space_start(white, u->tag, space_of_unit(u));
}

/*
 * Copies the part of the state that a tag may change: a block's start tag may end others and take the place of one of
 * them.
 */
static inline void keep_state(struct white_space_state *kept, const struct white_space_state *s, bool whole)
{
	if (whole)
		*kept = *s;
	else
		memcpy(kept, s, offsetof(struct white_space_state, open));
}

size_t html_space_follow(struct html_tokenizer *t, size_t from, size_t to)
{
	struct html_unit unit = { .window = t->p, .masks = t->masks, .len = t->n, .base = t->base };
	struct white_space_state before;
	size_t done = from;
	for (size_t at = next_tag(t, from, to, false); at < to; at = next_tag(t, done, to, false)) {
		unit.code = at;
		unit_read(t, to, &unit);
		const bool whole = !unit.closing && !html_tag_is(unit.tag, TAG_INLINE);
		keep_state(&before, &t->white, whole);
		take_unit(&t->white, &unit);
		if (t->white.now != before.now) {
			keep_state(&t->white, &before, whole);
			t->runs_till = at + 1;
			return done;
		}
		done = unit.end;
	}
	return to;
}
