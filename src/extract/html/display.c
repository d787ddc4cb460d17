/* SPDX-License-Identifier: MIT */
/*
 * Declarations end with semicolons; what is after '!' is no part of a value. Classes for white space are
 * those of Tailwind; those for first letters have many forms, of which parts are known.
 */
#include "extract/html/display.h"

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
	while (style.len) {
		const struct slice one = slice_first(style, slice_until(style, ";"));
		const size_t colon = slice_until(one, ":");
		style = slice_skip(style, one.len + (one.len < style.len));
		if (colon == one.len || !slice_is(slice_trim(slice_first(one, colon)), "display"))
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

struct class_display display_of_class(struct slice value)
{
	static const struct {
		const char *word;
		enum white_space space;
	} spaces[] = {
		{ "whitespace-pre", WHITE_SPACE_KEPT },          { "whitespace-pre-wrap", WHITE_SPACE_KEPT },
		{ "whitespace-break-spaces", WHITE_SPACE_KEPT }, { "whitespace-pre-line", WHITE_SPACE_LINES },
		{ "whitespace-normal", WHITE_SPACE_COLLAPSES },  { "whitespace-nowrap", WHITE_SPACE_COLLAPSES }
	};
	static const char *const initials[] = { "dropcap",     "drop-cap",     "drop_cap", "first-letter",
						"firstletter", "first_letter", "lettrine", "initial-letter",
						"firstchar",   "first-char" };
	struct class_display display = { .white = WHITE_SPACE_INHERITED };
	for (size_t i = 0; i < sizeof(initials) / sizeof(*initials) && !display.initial; i++)
		display.initial = slice_has(value, initials[i]);
	if (!slice_has(value, "whitespace-"))
		return display;
	while (value.len) {
		const struct slice word = slice_first(value, slice_until(value, " \t\n\f\r"));
		value = slice_skip(value, word.len + (word.len < value.len));
		for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
			if (slice_is(word, spaces[i].word))
				display.white = (uint8_t)spaces[i].space;
		}
	}
	return display;
}
