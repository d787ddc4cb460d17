/* SPDX-License-Identifier: MIT */
/*
 * Declarations end with semicolons; what is after '!' is no part of a value. Classes are those of Tailwind.
 */
#include "extract/html/display.h"

#include <string.h>

#include "base/ascii.h"

bool display_is_block(struct slice style)
{
	static const struct {
		const char *value;
		bool block;
	} values[] = { { "block", true },        { "flex", true },          { "grid", true },
		       { "table", true },        { "list-item", true },     { "flow-root", true },
		       { "inline", false },      { "inline-block", false }, { "inline-flex", false },
		       { "inline-grid", false }, { "inline-table", false }, { "contents", false },
		       { "none", false } };
	bool block = false;
	/* most have no `display` */
	if (!memchr(style.data, 'y', style.len) && !memchr(style.data, 'Y', style.len))
		return false;
	while (style.len) {
		const struct slice one = slice_first(style, slice_until(style, ";"));
		const size_t colon = slice_until(one, ":");
		style = slice_skip(style, one.len + (one.len < style.len));
		if (colon == one.len || colon < sizeof("display") - 1 ||
		    !slice_is(slice_trim(slice_first(one, colon)), "display"))
			continue;
		struct slice value = slice_skip(one, colon + 1);
		value = slice_trim(slice_first(value, slice_until(value, "!")));
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
			if (slice_is(value, values[i].value))
				block = values[i].block;
		}
	}
	return block;
}

enum white_space display_class_space(struct slice value)
{
	static const struct {
		const char *word;
		enum white_space space;
	} spaces[] = {
		{ "whitespace-pre", WHITE_SPACE_KEPT },          { "whitespace-pre-wrap", WHITE_SPACE_KEPT },
		{ "whitespace-break-spaces", WHITE_SPACE_KEPT }, { "whitespace-pre-line", WHITE_SPACE_LINES },
		{ "whitespace-normal", WHITE_SPACE_COLLAPSES },  { "whitespace-nowrap", WHITE_SPACE_COLLAPSES }
	};
	enum white_space space = WHITE_SPACE_INHERITED;
	const uint8_t *const end = value.data + value.len;
	for (const uint8_t *p = value.data; p < end && (p = memchr(p, 'w', (size_t)(end - p))); p++) {
		struct slice word = slice_of(p, (size_t)(end - p));
		if (word.len < sizeof("whitespace-") || p[1] != 'h' || (p > value.data && !ascii_is_space(p[-1])))
			continue;
		word = slice_first(word, slice_until(word, " \t\n\f\r"));
		for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
			if (slice_is(word, spaces[i].word))
				space = spaces[i].space;
		}
	}
	return space;
}
