/* SPDX-License-Identifier: MIT */
#include "extract/html/white_space.h"

#include <string.h>

#include "base/ascii.h"

static bool in_name(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || c == '-' || c == '_' || c >= 0x80;
}

static struct slice without_space(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_skip(s, 1);
	return s;
}

/* Returns the value after the property's name. */
static enum white_space value_of(struct slice s)
{
	static const struct {
		const char *name;
		enum white_space space;
	} values[] = { { "normal", WHITE_SPACE_COLLAPSES },  { "nowrap", WHITE_SPACE_COLLAPSES },
		       { "pre", WHITE_SPACE_KEPT },          { "pre-wrap", WHITE_SPACE_KEPT },
		       { "break-spaces", WHITE_SPACE_KEPT }, { "pre-line", WHITE_SPACE_LINES } };
	s = without_space(s);
	if (s.len == 0 || s.data[0] != ':')
		return WHITE_SPACE_INHERITED;
	s = without_space(slice_skip(s, 1));
	size_t len = 0;
	while (len < s.len && in_name(s.data[len]))
		len++;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (slice_is(slice_first(s, len), values[i].name))
			return values[i].space;
	}
	return WHITE_SPACE_INHERITED;
}

enum white_space white_space_of_property(struct slice s)
{
	static const char name[] = "white-space";
	const size_t len = sizeof(name) - 1;
	if (s.len <= len || (s.data[0] | 0x20) != name[0] || !slice_is(slice_first(s, len), name))
		return WHITE_SPACE_INHERITED;
	return value_of(slice_skip(s, len));
}

/* Looks only at hyphens, of which the property's name has one: memchr skips nearly all declarations. */
enum white_space white_space_of_style(struct slice style)
{
	enum { BEFORE_HYPHEN = sizeof("white") - 1 };
	enum white_space space = WHITE_SPACE_INHERITED;
	const uint8_t *hyphen;

	for (size_t from = BEFORE_HYPHEN; from < style.len; from = (size_t)(hyphen - style.data) + 1) {
		hyphen = memchr(style.data + from, '-', style.len - from);
		if (!hyphen)
			break;
		size_t at = (size_t)(hyphen - style.data) - BEFORE_HYPHEN;
		enum white_space value = white_space_of_property(slice_skip(style, at));
		bool other = value == WHITE_SPACE_INHERITED || (at && in_name(style.data[at - 1]));
		space = other ? space : value;
	}
	return space;
}

enum white_space white_space_of_tag(enum html_tag tag, struct slice name)
{
	if (!html_tag_is(tag, TAG_KEEPS_SPACE))
		return WHITE_SPACE_INHERITED;
	bool keeps = tag != HTML_TAG_OTHER || slice_is(name, "listing") || slice_is(name, "plaintext");
	return keeps ? WHITE_SPACE_KEPT : WHITE_SPACE_INHERITED;
}

static void cut(struct white_space_state *s, unsigned len)
{
	s->len = (uint8_t)len;
	s->deeper = 0;
	s->now = len ? s->open[len - 1].space : WHITE_SPACE_COLLAPSES;
}

static bool is_block(enum html_tag tag)
{
	return tag != HTML_TAG_OTHER && !html_tag_is(tag, TAG_INLINE);
}

/*
 * Groups of tags: a start tag of one ends open elements of its group, unless the element that contains the group is
 * nearer.
 */
static const struct {
	uint8_t tag, alike, outer;
} implied[] = {
	{ HTML_TAG_LI, HTML_TAG_LI, HTML_TAG_UL },
	{ HTML_TAG_DT, HTML_TAG_DD, HTML_TAG_DL },
	{ HTML_TAG_DD, HTML_TAG_DT, HTML_TAG_DL },
	{ HTML_TAG_TD, HTML_TAG_TH, HTML_TAG_TABLE },
	{ HTML_TAG_TH, HTML_TAG_TD, HTML_TAG_TABLE },
	{ HTML_TAG_TR, HTML_TAG_TR, HTML_TAG_TABLE },
	{ HTML_TAG_OPTION, HTML_TAG_OPTION, HTML_TAG_OPTGROUP },
};

static void end_alike(struct white_space_state *s, enum html_tag tag, enum html_tag alike, enum html_tag outer)
{
	for (unsigned i = s->len; i-- > 0;) {
		enum html_tag open = s->open[i].tag;
		if (open == tag || open == alike) {
			cut(s, i);
			return;
		}
		if (open == outer || (outer == HTML_TAG_UL && (open == HTML_TAG_OL || open == HTML_TAG_MENU)))
			return;
	}
}

/* Ends the elements that a start tag closes by implication. */
static void imply(struct white_space_state *s, enum html_tag tag)
{
	if (!is_block(tag))
		return;
	unsigned i = s->len;
	while (i && !is_block(s->open[i - 1].tag))
		i--;
	if (i && s->open[i - 1].tag == HTML_TAG_P && !html_tag_is(tag, TAG_VOID))
		cut(s, i - 1);
	for (i = 0; i < sizeof(implied) / sizeof(implied[0]); i++) {
		if (tag == implied[i].tag)
			end_alike(s, tag, implied[i].alike, implied[i].outer);
	}
}

void white_space_start(struct white_space_state *s, enum html_tag tag, enum white_space own)
{
	if (s->len)
		imply(s, tag);
	if (html_tag_is(tag, TAG_VOID) ||
	    (s->len == 0 && (own == WHITE_SPACE_INHERITED || own == WHITE_SPACE_COLLAPSES)))
		return;
	if (s->len == WHITE_SPACE_DEPTH) {
		s->deeper++;
		return;
	}
	s->open[s->len].tag = (uint8_t)tag;
	s->open[s->len].space = own == WHITE_SPACE_INHERITED ? s->now : (uint8_t)own;
	s->now = s->open[s->len++].space;
}

void white_space_end(struct white_space_state *s, enum html_tag tag)
{
	bool blocks = false;
	if (s->deeper) {
		s->deeper--;
		return;
	}
	for (unsigned i = s->len; i-- > 0;) {
		if (s->open[i].tag == tag) {
			/* the end tag of an inline element closes no block */
			if (is_block(tag) || !blocks)
				cut(s, i);
			return;
		}
		blocks |= is_block(s->open[i].tag);
	}
	/* it ends an element that encloses all of them */
	if (is_block(tag) && tag != HTML_TAG_P && !html_tag_is(tag, TAG_VOID))
		cut(s, 0);
}
