/* SPDX-License-Identifier: MIT */
/* Private to the tokeniser: ordinary markup as units, a text and the tag that follows it in one call. */
#ifndef DANA_HTML_TOKENIZER_UNITS_H
#define DANA_HTML_TOKENIZER_UNITS_H

#include "extract/html/tag_near.h"
#include "extract/html/tokenizer_scan.h"

/**
 * Delivers units from t->at on, outside of skipped elements, and moves t->at past the last one. Returns 0 or the
 * handler's error.
 */
int html_step_units(struct html_tokenizer *t);

/**
 * Fills the members of the unit that describe the tag at unit->code. Returns false if the tag is not ordinary or does
 * not end in the window. Its name must be readable as html_tag_read reads it.
 */
static inline bool html_unit_tag(const struct html_tokenizer *t, struct html_unit *unit)
{
	const uint8_t *p = t->p;
	unit->closing = p[unit->code + 1] == '/';
	size_t name = unit->code + 1 + unit->closing;
	if (!ascii_is_alpha(p[name]))
		return false;
	struct html_tag_name read;
	if (!html_tag_read_near(p + name, &read))
		read = html_tag_read(p + name);
	if (html_tag_properties[read.tag] & (TAG_RAW | TAG_SKIP))
		return false;
	unit->tag = (uint8_t)read.tag;
	unit->name_len = read.len;
	unit->end = name + read.len + 1;
	if (p[unit->end - 1] != '>' && !tag_scan_plain(t, unit->end - 1, &unit->end))
		return false;
	unit->self_closing = p[unit->end - 2] == '/';
	return true;
}

#endif
