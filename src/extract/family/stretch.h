/* SPDX-License-Identifier: MIT */
/* The text of a stretch of markup, written only for the segments that need it. */
#ifndef DANA_EXTRACT_FAMILY_STRETCH_H
#define DANA_EXTRACT_FAMILY_STRETCH_H

#include "base/buf.h"
#include "base/cpu.h"
#include "extract/family/content_stream.h"
#include "extract/family/references.h"
#include "extract/html/tokenizer.h"
#include "extract/text_writer.h"

enum { STRETCH_WORDS = HTML_WINDOW / 64 + 1 };

/** What precedes a text: the stretch's first text, and finally the text after the stretch. */
struct stretch_before {
	bool block_pending; /* a block begins */
	bool after_space;   /* the last content was a blank, or a block begins */
	bool lone_space;    /* only white space came since the last content */
};

struct stretch_text {
	const struct html_stretch *stretch;
	struct stretch_before before;
	/** Held before the stretch, then after it; used where white space does not collapse. */
	struct held_space *held;
	bool after_any;                /* white space between tags becomes a blank even after a blank */
	uint64_t units[STRETCH_WORDS]; /* bytes of the stretch that count: one for each unit */
};

/** Returns the bytes of the text in a block, as bits; white space among them is written as a blank. */
static inline uint64_t stretch_kept(const struct stretch_text *t, size_t block)
{
	const struct html_stretch *h = t->stretch;
	return (t->units[block] | h->masks[block].cont) & ~(h->code[block] | h->voids[block]);
}

/** Appends the text of window[from..to), for struct chain_source. */
int stretch_text_write(void *text, struct buf *out, size_t from, size_t to);

/** Writes the white space before a word that begins the stretch: it belongs to the segment even if that is full. */
int stretch_text_begin(struct stretch_text *text, struct buf *out);

/** Returns what precedes the text that follows the stretch; *text->held then also belongs to that text. */
struct stretch_before stretch_text_end(const struct stretch_text *text);

/*
 * Finds the bytes of a stretch that count, 64 at a time by their masks. Arithmetic replaces a search byte by byte:
 * adding a bit to the run of bits that begins with it carries to the bit after the run.
 */

/** What counts as content. */
enum stretch_scan {
	SCAN_TEXT,    /* text; void bytes count nothing */
	SCAN_BYTES,   /* bytes above 127 of text; void bytes are code, in which white space does not collapse */
	SCAN_LITERAL, /* all bytes above 127 */
};

/**
 * Counts white space that begins a text before a word; with SCAN_TEXT it counts only after a word. Few blocks have it,
 * so what precedes it is looked up here instead of being carried along. `leading`: such white space of the block;
 * `over`: it ended the block before.
 */
void stretch_count_leading(struct stretch_text *t, size_t block, enum stretch_scan scan, uint64_t leading, bool over);

/** What the blocks before leave to the limits of tags in the next one. */
struct limit_carry {
	uint64_t tag[6], link[6]; /* for bits_preceded */
	uint64_t in_link;         /* 1: its first byte continues a link's tag, */
	uint64_t first;           /* of which these bytes are not beyond 64, as bits */
};

/* Returns the bits of which the `have` bits up to it were found set, as many more as `most` needs, twice as many at
 * most. */
BITS_INLINE uint64_t bits_doubled(uint64_t bits, uint64_t *before, unsigned have, unsigned most)
{
	const unsigned by = 2 * have <= most ? have : most - have;
	if (have >= most)
		return bits;
	const uint64_t earlier = bits << by | *before >> (64 - by);
	*before = bits;
	return bits & earlier;
}

/* Returns the bits that end a run of at least `most` bits, 1 to 64, which may begin in the blocks before. */
BITS_INLINE uint64_t bits_preceded(uint64_t bits, uint64_t before[6], unsigned most)
{
	bits = bits_doubled(bits, &before[0], 1, most);
	bits = bits_doubled(bits, &before[1], 2, most);
	bits = bits_doubled(bits, &before[2], 4, most);
	bits = bits_doubled(bits, &before[3], 8, most);
	bits = bits_doubled(bits, &before[4], 16, most);
	return bits_doubled(bits, &before[5], 32, most);
}

/**
 * Returns the bytes of a block's tags that are beyond their limit: those that so many bytes of their tag precede. A
 * link's are found by a sum: a bit added to the first one of a run carries to its end.
 */
BITS_INLINE uint64_t beyond_limits(uint64_t rest, uint64_t links, struct tag_limits limits, struct limit_carry *carry)
{
	uint64_t tag = 0, link = 0;
	if (limits.tag <= TAG_LIMIT_MOST)
		tag = bits_preceded(rest, carry->tag, (unsigned)limits.tag);
	if (limits.tag == limits.link)
		return tag;
	if (limits.link == 64 && limits.tag < 64) {
		const uint64_t begun = rest & ~(rest + (links << 1)),
			       more = rest & ~(rest + carry->in_link) & carry->first;
		carry->in_link = (begun | links) >> 63;
		carry->first = bits_below(bits_highest(links | 1));
		return tag & ~(begun | more);
	}
	const uint64_t in_link = rest & ~(rest + (links << 1 | carry->in_link));
	if (limits.link <= 64)
		link = bits_preceded(rest, carry->link, (unsigned)limits.link);
	carry->in_link = (in_link | links) >> 63;
	return (tag & ~in_link) | (link & in_link);
}

/* Fills t->units with the bytes of tags that are beyond their limit. */
BITS_INLINE void stretch_limits(struct stretch_text *t, struct tag_limits limits)
{
	const struct html_stretch *h = t->stretch;
	const uint64_t *const codes = h->code, *const starts = h->starts, *const links = h->links,
			      *const voids = h->voids;
	const size_t last = (h->to - 1) / 64;
	struct limit_carry carry = { 0 };
	for (size_t i = h->from / 64; i <= last; i++) {
		if (voids[i] != ~(uint64_t)0) /* void bytes do not matter; '<' divides tags */
			t->units[i] = beyond_limits(codes[i] & ~starts[i], links[i], limits, &carry);
	}
}

/**
 * Fills t->units, for t->stretch and t->before, with the bytes of its tags and texts that count; each run of white
 * space counts once. White space that begins a text counts only before a word; with SCAN_TEXT only if the last thing
 * before it was a word, not a blank or a tag that breaks. Void bytes separate texts as tags do, but for SCAN_LITERAL.
 * `literal`: references are text, and nothing is limited.
 */
BITS_INLINE void stretch_count(struct stretch_text *t, enum stretch_scan scan, bool bytes, struct tag_limits limits,
			       bool literal)
{
	const struct html_stretch *h = t->stretch;
	const size_t first = h->from / 64, last = (h->to - 1) / 64;
	if (!literal) {
		stretch_limits(t, limits);
		(void)references_mark(h, t->units, scan == SCAN_BYTES);
	}
	/* carries; before the stretch: no space, or the state after the last run */
	uint64_t text = 1, white = scan != SCAN_TEXT && t->before.after_space;
	const struct byte_mask *m = h->masks + first;
	const uint64_t *const codes = h->code, *const all_voids = h->voids; /* not read again after each write */
	for (size_t i = first; i <= last; i++, m++) {
		uint64_t voids = scan == SCAN_LITERAL ? 0 : all_voids[i], code = codes[i] | voids;
		if (voids == ~(uint64_t)0) {
			t->units[i] = scan == SCAN_TEXT ? 0 : ~(uint64_t)0;
			text = 1;
			white = 0;
			continue;
		}
		uint64_t seen = m->space & ~voids, space = m->space & ~code, starts = space & ((code << 1) + text),
			 ends = space + starts;
		uint64_t leading = space & ~ends, drops = (seen & ((seen << 1) + white)) | leading;
		if (!literal)
			drops |= t->units[i] & ~voids;
		uint64_t over = text & white;
		t->units[i] = ~(drops | (scan == SCAN_TEXT ? voids : 0) | (bytes ? 0 : m->cont & ~voids));
		text = (code | leading) >> 63;
		white = seen >> 63;
		if ((ends | over) & ~(code | m->space))
			stretch_count_leading(t, i, scan, leading, over);
	}
	/* bytes outside of the stretch are marked as a tag's */
	t->units[first] &= ~bits_below(h->from % 64);
	t->units[last] &= ~(uint64_t)0 >> (-h->to & 63);
}

#endif
