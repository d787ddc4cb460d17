/* SPDX-License-Identifier: MIT */
/* Declarations end with semicolons; what is after '!' is no part of a value. */
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
