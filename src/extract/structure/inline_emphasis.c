/* SPDX-License-Identifier: MIT */
/*
 * Emphasis begins and ends only at certain places (CommonMark, section 6.2): its inner side must not be white space,
 * nor punctuation unless the outer side is white space or punctuation. HTML knows no such rule; where it is broken, the
 * text is written without the mark.
 *
 * Example: "a<b>(b)</b>c" is "a(b)c", since readers would show the asterisks of "a**(b)**c".
 */
#include "extract/structure/inline_private.h"
#include "extract/structure/letter_kind.h"

static struct slice segment_text(const struct inline_writer *w, const struct segment *s)
{
	return slice_of(w->text.data + s->from, s->len);
}

static bool is_emphasis(const struct segment *s)
{
	return s->kind == SEGMENT_MARK && s->mark_kind != MARK_LINK;
}

/* The kind of character at the left (`first`) or right end of a segment that is not emphasis; links are brackets. */
static enum letter_kind end_of(const struct inline_writer *w, const struct segment *s, bool first)
{
	if (s->kind == SEGMENT_SPACE)
		return LETTER_WHITE;
	if (s->kind == SEGMENT_MARK)
		return LETTER_PUNCTUATION;
	return first ? letter_kind_first(segment_text(w, s)) : letter_kind_last(segment_text(w, s));
}

static bool allowed(enum letter_kind inside, enum letter_kind outside)
{
	if (inside == LETTER_WHITE)
		return false;
	return inside == LETTER_LETTER || outside == LETTER_WHITE || outside == LETTER_PUNCTUATION;
}

void inline_emphasis(struct inline_writer *w)
{
	enum letter_kind near = LETTER_WHITE;
	for (size_t i = 0; i < w->n_segments; i++) {
		struct segment *s = &w->segment[i];
		if (is_emphasis(s))
			s->before = (uint8_t)near;
		else if (!s->dropped)
			near = end_of(w, s, false);
	}
	near = LETTER_WHITE;
	for (size_t i = w->n_segments; i-- > 0;) {
		struct segment *s = &w->segment[i];
		if (is_emphasis(s))
			s->after = (uint8_t)near;
		else if (!s->dropped)
			near = end_of(w, s, true);
	}
	for (size_t i = 0; i < w->n_segments; i++) {
		struct segment *s = &w->segment[i], *end = &w->segment[s->pair];
		if (!is_emphasis(s) || s->closes)
			continue;
		bool fits = allowed((enum letter_kind)s->after, (enum letter_kind)s->before) &&
			    allowed((enum letter_kind)end->before, (enum letter_kind)end->after);
		s->dropped = end->dropped = !fits;
	}
}
