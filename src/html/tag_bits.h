/*
 * Which bytes of a block of 64 are those of tags, from its masks. Nearly all markup is regular: '<' and '>' take turns, and so do
 * quotes that open, directly behind '=', and quotes that close. Then a subtraction makes every byte between them: each '>' minus
 * the '<' before it are the bits from one to the other, and all tags of a block are subtracted at once. What is not regular shows
 * in the difference, and is looked at event by event.
 */
#ifndef DANA_HTML_TAG_BITS_H
#define DANA_HTML_TAG_BITS_H

#include "base/ascii.h"
#include "base/bits.h"
#include "html/byte_masks.h"

/** What is open where a block begins; zeroed at the start, outside of tags. A carry is 0 or 1. */
struct tag_state {
	uint64_t open;   /* in a tag */
	uint64_t quoted; /* in quotes */
	uint64_t equals; /* behind '=' */
	bool single;     /* in quotes, and they are '\'' */
};

struct tag_bits {
	uint64_t code;   /* bytes of tags */
	uint64_t starts; /* '<' of tags */
};

/** `single`: the quotes are '\'', else '"', and so are open ones; the caller sets s->single. False when the block is not regular; then *s is as it was. */
BITS_INLINE bool tag_bits_regular(const struct byte_mask *m, bool single, struct tag_state *s, struct tag_bits *bits)
{
	uint64_t in_tag = m->gt - m->lt - s->open; /* from '<' to before '>' */
	uint64_t quotes = (single ? m->apos : m->quote) & in_tag, others = (single ? m->quote : m->apos) & in_tag;
	uint64_t opening = quotes & (m->equals << 1 | s->equals), closing = quotes ^ opening;
	uint64_t inside =
		closing - opening - s->quoted; /* the other quotes mean nothing there, and nowhere else may they be */
	if ((m->lt & ~in_tag) | (m->gt & in_tag) | (inside & (closing | m->gt)) | ((opening | others) & ~inside))
		return false;
	s->open = in_tag >> 63;
	s->quoted = inside >> 63;
	s->equals = m->equals >> 63;
	*bits = (struct tag_bits){ in_tag | m->gt, m->lt };
	return true;
}

/* The last byte before p[i] that is no white space is '='. A tag's '<' stands before p[i]. */
static inline bool tag_behind_equals(const uint8_t *p, size_t i)
{
	while (ascii_is_space(p[i - 1]))
		i--;
	return p[i - 1] == '=';
}

/** The same for every block. window[at] is its first byte; an open tag began in the window. */
static inline struct tag_bits tag_bits_walk(const uint8_t *window, size_t at, const struct byte_mask *m,
					    struct tag_state *s)
{
	struct tag_bits bits = { 0, 0 };
	size_t from = 0; /* of the open tag */
	for (uint64_t events = m->lt | m->gt | m->quote | m->apos; events; events &= events - 1) {
		size_t i = bits_lowest(events);
		uint8_t c = window[at + i];
		if (!s->open) {
			if (c != '<')
				continue;
			s->open = 1;
			from = i;
			bits.starts |= (uint64_t)1 << i;
		} else if (s->quoted) {
			s->quoted = c != (s->single ? '\'' : '"');
		} else if (c == '>') {
			s->open = 0;
			bits.code |= mask_range(from, i + 1);
		} else if (c != '<' && tag_behind_equals(window, at + i)) {
			s->quoted = 1;
			s->single = c == '\'';
		}
	}
	if (s->open)
		bits.code |= mask_range(from, 64);
	s->equals = m->equals >> 63;
	s->single &= s->quoted;
	return bits;
}

#endif
