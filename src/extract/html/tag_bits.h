/* SPDX-License-Identifier: MIT */
/*
 * Finds which bytes of a block of 64 belong to tags, by subtracting masks of the block.
 *
 * Bit k belongs to byte k. If one tag begins at byte i and ends at byte j, then 2^j - 2^i is a number with the bits i
 * to j - 1 set: the tag without its '>'. Several tags are subtracted at once, as their bits do not overlap. Example:
 *
 *     byte        0 1 2 3 4 5 6 7
 *     text        a < b > c < i >
 *     lt            x       x        2^1 + 2^5 =  34
 *     gt                x       x    2^3 + 2^7 = 136
 *     gt - lt       x x     x x      136 - 34 = 102 = 2^1 + 2^2 + 2^5 + 2^6
 *
 * A tag that is open where the block begins adds a '<' before bit 0, so 1 is subtracted as well. A tag that is open
 * where the block ends has no '>' in it: the subtraction borrows, and all bits from its '<' up to 63 are set, bit 63
 * too.
 *
 * Quoted attribute values are found in the same way: closing quotes minus opening quotes, where opening ones are those
 * directly after '='.
 *
 * This holds as long as '<' and '>' alternate, and opening and closing quotes too, as in nearly all markup. Where they
 * do not, the difference shows it: "<a<b>" has '<' at 0 and 2 and '>' at 4; 16 - 5 = 11 = 2^0 + 2^1 + 2^3, and bit 2, a
 * '<', is not set in it. Such a block is scanned byte by byte (tag_bits_walk).
 */
#ifndef DANA_EXTRACT_HTML_TAG_BITS_H
#define DANA_EXTRACT_HTML_TAG_BITS_H

#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/html/byte_masks.h"

/**
 * What is open at the start of a block; all zero outside of tags. The first two are different kinds of numbers, so
 * that the compiler does not keep both in one vector, out of which they come too slowly for the next block.
 */
struct tag_state {
	uint64_t open;   /* 1: in a tag */
	int64_t quoted;  /* -1: in quotes */
	uint64_t equals; /* 1: the byte before the block is '=' */
	bool single;     /* quoted by '\'' */
};

struct tag_bits {
	uint64_t code;   /* all bytes of tags, '<' and '>' included */
	uint64_t starts; /* the '<' of each tag */
};

/**
 * Finds the tags of a regular block. `single`: attribute values, including an open one, are quoted by '\'' instead of
 * '"'; the caller sets s->single. Returns false and leaves *s as it is if the block is not regular.
 */
BITS_INLINE bool tag_bits_regular(const struct byte_mask *m, bool single, struct tag_state *s, struct tag_bits *bits)
{
	uint64_t in_tag = m->gt - m->lt - s->open; /* each tag from '<' up to, but without, its '>' */
	uint64_t quotes = (single ? m->apos : m->quote) & in_tag, others = (single ? m->quote : m->apos) & in_tag;
	uint64_t opening = quotes & (m->equals << 1 | s->equals), closing = quotes ^ opening;
	/* quoted values; the other kind of quotes may occur only here */
	uint64_t inside = closing - opening + (uint64_t)s->quoted;

	if ((m->lt & ~in_tag) | (m->gt & in_tag) | (inside & (closing | m->gt)) | ((opening | others) & ~inside))
		return false;

	s->open = in_tag >> 63;
	s->quoted = (int64_t)inside >> 63;
	s->equals = m->equals >> 63;
	*bits = (struct tag_bits){ in_tag | m->gt, m->lt };
	return true;
}

/* Returns whether the last byte before p[i] that is not white space is '='. A '<' before p[i] ends the search. */
static inline bool tag_after_equals(const uint8_t *p, size_t i)
{
	while (ascii_is_space(p[i - 1]))
		i--;
	return p[i - 1] == '=';
}

/** Finds the tags of any block, byte by byte, from window[at] on; a tag that is open there began in the window. */
static inline struct tag_bits tag_bits_walk(const uint8_t *window, size_t at, const struct byte_mask *m,
					    struct tag_state *s)
{
	struct tag_bits bits = { 0, 0 };
	size_t from = 0; /* where the open tag begins in the block */
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
			s->quoted = -(c != (s->single ? '\'' : '"'));
		} else if (c == '>') {
			s->open = 0;
			bits.code |= mask_range(from, i + 1);
		} else if (c != '<' && tag_after_equals(window, at + i)) {
			s->quoted = -1;
			s->single = c == '\'';
		}
	}
	if (s->open)
		bits.code |= mask_range(from, 64);
	s->equals = m->equals >> 63;
	s->single &= s->quoted != 0;
	return bits;
}

#endif
