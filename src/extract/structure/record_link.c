/* SPDX-License-Identifier: MIT */
/*
 * Links: those that lead elsewhere are marks, those to a footnote are its references, and those back from it are left
 * out. An address is stored as it stands; whether it is one is decided when it is written (url.h).
 */
#include "base/ascii.h"
#include "extract/structure/recorder_private.h"

static struct slice without_prefix(struct slice s, const char *prefix)
{
	size_t len = strlen(prefix);
	return s.len >= len && slice_is(slice_first(s, len), prefix) ? slice_skip(s, len) : s;
}

static bool begins_with(struct slice s, const char *prefix)
{
	return slice_is(slice_first(s, strlen(prefix)), prefix);
}

struct slice record_note_name(struct slice id)
{
	struct slice s = without_prefix(without_prefix(id, "#"), "user-content-");
	if (!begins_with(s, "fn"))
		return slice_of(NULL, 0);
	s = slice_skip(s, 2);
	if (s.len && (s.data[0] == '-' || s.data[0] == ':'))
		s = slice_skip(s, 1);
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '_' && c != '-')
			return slice_of(NULL, 0);
	}
	return s.len <= STRUCTURE_LANGUAGE ? s : slice_of(NULL, 0);
}

static int reference(struct recorder *r, struct slice name, uint64_t offset)
{
	struct mark mark = { .kind = MARK_NOTE };
	r->skip_depth = r->depth;
	int status = record_argument(r, name, &mark.argument, &mark.len);
	if (status < 0 || mark.len == 0)
		return status;
	r->skip_depth = 0;
	status = record_atom(r, mark, offset);
	r->skip_depth = r->depth;
	return status;
}

int record_link(struct recorder *r, struct open_element *element, const struct tag_facts *facts, uint64_t offset)
{
	struct slice href = slice_trim(tag_facts_value(facts, ATTR_HREF));
	if (href.len == 0)
		return DANA_OK;
	if (href.data[0] == '#') {
		if (begins_with(without_prefix(slice_skip(href, 1), "user-content-"), "fnref")) {
			r->skip_depth = r->depth;
			return DANA_OK;
		}
		struct slice name = record_note_name(href);
		bool marked = facts->words.meanings & CLASS_NOTE_REFERENCE || tag_facts_has(facts, ATTR_NOTE) ||
			      r->in_superscript;
		return name.len && marked ? reference(r, name, offset) : DANA_OK;
	}
	if (href.len > STRUCTURE_URL || r->code_depth) {
		r->page.cut |= href.len > STRUCTURE_URL;
		return DANA_OK;
	}
	struct mark mark = { .kind = MARK_LINK };
	int status = record_argument(r, href, &mark.argument, &mark.len);
	return status < 0 || mark.len == 0 ? status : record_mark_open(r, element, mark);
}
