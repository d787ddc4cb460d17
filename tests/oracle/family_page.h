/* SPDX-License-Identifier: MIT */
/*
 * A page cut into texts, tags and comments by plain code that has all of it in memory: the oracle of the tokeniser.
 * It shares nothing with the streaming code but the table of element names.
 */
#ifndef DANA_TESTS_ORACLE_FAMILY_PAGE_H
#define DANA_TESTS_ORACLE_FAMILY_PAGE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "extract/html/attribute.h"
#include "extract/html/tag.h"
#include "extract/html/tokenizer.h"
#include "extract/html/white_space.h"

enum family_kind { FAMILY_TEXT, FAMILY_CODE, FAMILY_VOID };

struct family_item {
	enum family_kind kind;
	struct slice bytes;
	bool skipped;      /* in or of noscript, svg and the like */
	enum html_tag tag; /* of the tag; of a raw element's text: that element */
	bool is_tag;       /* finished: a tag event belongs to it */
	bool closing, self_closing;
	struct slice name;
	uint8_t space;      /* enum white_space of the text, or after the tag */
	enum html_tag skip; /* of the tag: whose content is skipped after it */
};

struct family_page {
	struct family_item *items;
	size_t count;
	bool title_seen;
	struct slice title;
};

/* Where the page is read, and which elements are open as far as that matters. */
struct family_reader {
	struct family_page *page;
	struct slice html;
	size_t at;
	enum html_tag raw, skip;
	bool in_title;
	struct white_space_state white;
};

static inline bool family_is_void(enum html_tag tag)
{
	return tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE;
}

static inline struct family_item *family_add(struct family_reader *r, enum family_kind kind, size_t from, size_t to)
{
	struct family_page *page = r->page;
	if ((page->count & (page->count - 1)) == 0) {
		page->items = realloc(page->items, (page->count ? page->count * 2 : 1) * sizeof(*page->items));
		if (!page->items)
			abort();
	}
	struct family_item *item = &page->items[page->count++];
	*item = (struct family_item){ .kind = kind,
				      .bytes = slice_of(r->html.data + from, to - from),
				      .skipped = r->skip != 0,
				      .space = r->white.now };
	r->at = to;
	return item;
}

static inline bool family_starts(const struct family_reader *r, size_t at, const char *text)
{
	size_t len = strlen(text);
	return r->html.len - at >= len && memcmp(r->html.data + at, text, len) == 0;
}

static inline uint8_t family_byte_at(const struct family_reader *r, size_t at)
{
	return at < r->html.len ? r->html.data[at] : 0;
}

/* The end tag of the raw element stands at `at`. */
static inline bool family_raw_ends(const struct family_reader *r, size_t at)
{
	struct slice name = slice_from_text(html_tag_name(r->raw));
	size_t after = at + 2 + name.len;
	if (!family_starts(r, at, "</") || after >= r->html.len)
		return false;
	uint8_t c = r->html.data[after];
	return slice_equal_nocase(slice_of(r->html.data + at + 2, name.len), name) &&
	       (ascii_is_space(c) || c == '/' || c == '>');
}

/* Markup begins at the '<' at `at`: not so for a lone one. */
static inline bool family_opens(const struct family_reader *r, size_t at)
{
	if (r->raw)
		return family_raw_ends(r, at);
	uint8_t c = family_byte_at(r, at + 1);
	return at + 1 < r->html.len && (ascii_is_alpha(c) || c == '/' || c == '!' || c == '?');
}

static inline void family_read_text(struct family_reader *r)
{
	size_t to = r->at;
	while (to < r->html.len && !(r->html.data[to] == '<' && family_opens(r, to)))
		to++;
	if (to == r->at)
		return;
	struct family_item *item = family_add(r, family_is_void(r->raw) ? FAMILY_VOID : FAMILY_TEXT, r->at, to);
	item->tag = r->raw;
	if (r->in_title)
		r->page->title = slice_of(item->bytes.data, item->bytes.len < 16384 ? item->bytes.len : 16384);
}

/* After the next '>' from `at` on; the page's end when there is none. */
static inline size_t family_behind_gt(const struct family_reader *r, size_t at)
{
	while (at < r->html.len && r->html.data[at] != '>')
		at++;
	return at < r->html.len ? at + 1 : at;
}

static inline void family_read_comment(struct family_reader *r)
{
	size_t from = r->at, inside = from + 4, to = r->html.len;
	for (size_t i = inside; i < r->html.len; i++) {
		bool whole = i == inside || (i == inside + 1 && r->html.data[inside] == '-'); /* <!--> and <!---> */
		bool dashes = i >= inside + 2 &&
			      (family_starts(r, i - 2, "-->") || (i >= inside + 3 && family_starts(r, i - 3, "--!>")));
		if (r->html.data[i] == '>' && (whole || dashes)) {
			to = i + 1;
			break;
		}
	}
	family_add(r, FAMILY_VOID, from, to);
}

/* After the '>' that ends the tag at `from`, whose name ends at `at`; 0 when the page ends before. */
static inline size_t family_tag_end(const struct family_reader *r, size_t from, size_t at)
{
	bool equals = false;
	while (at < r->html.len) {
		uint8_t c = r->html.data[at++];
		if (c == '>')
			return at;
		if ((c == '"' || c == '\'') && equals) {
			while (at < r->html.len && r->html.data[at] != c) {
				/* a quote that is never closed must not hide a page */
				if (r->html.data[at] == '>' && at - from >= 65536)
					return at + 1;
				at++;
			}
			at++;
			equals = false;
		} else if (!ascii_is_space(c)) {
			equals = c == '=';
		}
	}
	return 0;
}

static inline bool family_one_of(enum html_tag tag, const char *names)
{
	char name[32];
	(void)snprintf(name, sizeof(name), " %s ", html_tag_name(tag));
	return tag && strstr(names, name);
}

/* The tag shows that the skipped element under way was never closed. */
static inline bool family_leaves_skip(enum html_tag skip, enum html_tag tag, bool closing)
{
	const bool reading = family_one_of(skip, " rt rp rtc "), film = family_one_of(skip, " video audio ");
	const bool around = tag == HTML_TAG_DIV || (html_tag_is(tag, TAG_SPECIAL) && !html_tag_is(tag, TAG_SKIP));
	if (closing)
		return family_one_of(tag, " body html ") || (reading && family_one_of(tag, " ruby p ")) ||
		       ((reading || film) && around);
	if ((skip == HTML_TAG_SELECT && family_one_of(tag, " input textarea ")) ||
	    (reading && family_one_of(tag, " rb rtc ")) ||
	    (family_one_of(skip, " rt rp ") && family_one_of(tag, " rt rp ")))
		return true;
	return (reading || family_one_of(skip, " select svg math ")) &&
	       family_one_of(tag, " body div p table ul ol h1 h2 h3 h4 ");
}

static inline void family_tag_takes_effect(struct family_reader *r, const struct family_item *item)
{
	r->raw = HTML_TAG_OTHER;
	if (item->closing) {
		r->in_title &= item->tag != HTML_TAG_TITLE;
		if (r->skip == item->tag)
			r->skip = HTML_TAG_OTHER;
		return;
	}
	if (item->self_closing && !family_is_void(item->tag))
		return;
	if (html_tag_is(item->tag, TAG_RAW))
		r->raw = item->tag;
	if (!r->skip && html_tag_is(item->tag, TAG_SKIP)) {
		r->skip = item->tag;
		r->in_title = item->tag == HTML_TAG_TITLE && !r->page->title_seen;
		r->page->title_seen |= r->in_title;
	}
}

/* The style of a start tag, else its name. */
static inline enum white_space family_own_space(const struct family_item *item)
{
	size_t len = item->bytes.len < HTML_TAG_BYTES ? item->bytes.len : HTML_TAG_BYTES;
	const struct html_tag_event event = { .name = item->name, .source = slice_of(item->bytes.data, len) };
	struct html_attr_reader attrs = html_attr_begin(&event);
	struct html_attr attr;
	enum white_space space = WHITE_SPACE_INHERITED;
	while (html_attr_next(&attrs, &attr)) {
		if (slice_is(attr.name, "style")) {
			space = white_space_of_style(attr.value);
			break;
		}
	}
	return space != WHITE_SPACE_INHERITED ? space : white_space_of_tag(item->tag, item->name);
}

static inline void family_white_space_changes(struct family_reader *r, struct family_item *item)
{
	if (item->skipped || item->self_closing || family_is_void(item->tag))
		return;
	if (item->closing)
		white_space_end(&r->white, item->tag);
	else
		white_space_start(&r->white, item->tag, family_own_space(item));
	item->space = r->white.now;
}

static inline void family_read_tag(struct family_reader *r)
{
	size_t from = r->at;
	bool closing = family_byte_at(r, from + 1) == '/';
	size_t name = from + 1 + closing, at = name;
	while (at < r->html.len && at < name + 64 && !ascii_is_space(r->html.data[at]) && r->html.data[at] != '/' &&
	       r->html.data[at] != '>')
		at++;
	size_t end = family_tag_end(r, from, at);
	bool cut = at == r->html.len && at < name + 64; /* the page ends in the name: not even that is known */
	enum html_tag tag = cut ? HTML_TAG_OTHER : html_tag_find(slice_of(r->html.data + name, at - name));
	if (!cut && r->skip && family_leaves_skip(r->skip, tag, closing))
		r->skip = HTML_TAG_OTHER;
	struct family_item *item =
		family_add(r, family_is_void(tag) ? FAMILY_VOID : FAMILY_CODE, from, end ? end : r->html.len);
	item->tag = tag;
	item->closing = closing && !cut;
	item->skipped |= html_tag_is(tag, TAG_SKIP);
	item->name = slice_of(r->html.data + name, at - name);
	item->is_tag = end != 0;
	if (end) {
		item->self_closing = r->html.data[end - 2] == '/';
		family_tag_takes_effect(r, item);
		item->skip = r->skip;
		family_white_space_changes(r, item);
	}
}

static inline void family_page_split(struct family_page *page, struct slice html)
{
	struct family_reader r = { .page = page, .html = html };
	*page = (struct family_page){ 0 };
	while (r.at < html.len) {
		size_t at = r.at;
		family_read_text(&r);
		if (r.at == html.len || r.at != at)
			continue;
		if (family_starts(&r, at, "<!--"))
			family_read_comment(&r);
		else if (ascii_is_alpha(family_byte_at(&r, at + 1)) ||
			 (family_byte_at(&r, at + 1) == '/' && ascii_is_alpha(family_byte_at(&r, at + 2))))
			family_read_tag(&r);
		else
			family_add(&r, FAMILY_CODE, at, family_behind_gt(&r, at));
	}
}

static inline void family_page_free(struct family_page *page)
{
	free(page->items);
}

#endif
