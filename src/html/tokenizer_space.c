/* SPDX-License-Identifier: MIT */
/*
 * Outside of what keeps white space only two kinds of start tags matter: names such as <pre>, and those in which the
 * window's search has found a style. Inside of it each tag is read, because elements end there, and any style counts.
 *
 * Example: "<pre>a <b>b</b></pre>c". <pre> comes as a run and changes t->white. "a <b>b</b>" is a stretch, whose tags
 * are followed; </pre> ends what keeps white space, and comes as a run again.
 */
#include "html/tokenizer_space.h"

#include "html/attribute.h"
#include "html/tokenizer_units.h"

/* Whether the start tag may have a style that counts. */
static bool may_be_styled(struct html_tokenizer *t, const struct html_tag_event *event)
{
	struct slice source = event->source;
	if (source.len <= sizeof("<p style=white-space:pre"))
		return false;
	if (t->white.len)
		return memchr(source.data, '-', source.len) != NULL;
	if (event->start < t->base)
		return white_space_find(source.data, 0, source.len, source.len) < source.len;
	return html_next_styled(t, (size_t)(event->start - t->base)) < event->end - t->base;
}

static enum white_space space_of_style(const struct html_tag_event *event)
{
	struct html_attr_reader attrs = html_attr_begin(event);
	for (struct html_attr attr; html_attr_next(&attrs, &attr);) {
		if (attr.number == HTML_ATTR_NUMBER('s', 't', 'y', 'l', 'e', 0, 0, 0))
			return white_space_of_style(attr.value);
	}
	return WHITE_SPACE_INHERITED;
}

/* What a start tag says: its style, else its name. */
static enum white_space space_of_event(const struct html_tag_event *event, bool styled)
{
	enum white_space space = styled ? space_of_style(event) : WHITE_SPACE_INHERITED;
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

/* The first byte of a tag in p[from..to), which part of a stretch are; `to` if there is none. */
static size_t next_code(const struct html_tokenizer *t, size_t from, size_t to)
{
	uint64_t keep = ~(uint64_t)0 << from % 64;
	for (size_t block = from / 64; block * 64 < to; block++, keep = ~(uint64_t)0) {
		uint64_t code = t->code[block] & keep;
		if (code) {
			size_t at = block * 64 + (size_t)__builtin_ctzll(code);
			return at < to ? at : to;
		}
	}
	return to;
}

size_t html_space_follow(struct html_tokenizer *t, size_t from, size_t to)
{
	struct html_unit unit = { .window = t->p, .masks = t->masks, .len = t->n, .base = t->base };
	for (size_t done = from;; done = unit.end) {
		unit.code = next_code(t, done, to);
		if (unit.code == to)
			return to;
		struct white_space_state before = t->white;
		bool ordinary = html_unit_tag(t, &unit);
		if (ordinary) {
			struct html_tag_event event = html_unit_event(&unit);
			html_space_take(t, &event);
		}
		if (!ordinary || t->white.now != before.now) {
			t->white = before;
			t->runs_till = unit.code + 1;
			return done;
		}
	}
}
