/* SPDX-License-Identifier: MIT */
/*
 * Finds the bytes of a stretch that count, 64 at a time by their masks. Arithmetic replaces a search byte by byte:
 * adding a bit to the run of bits that begins with it carries to the bit after the run. Private to the files that take
 * stretches.
 */
#ifndef DANA_FAMILY_STRETCH_COUNT_H
#define DANA_FAMILY_STRETCH_COUNT_H

#include "base/bits.h"
#include "extract/family/content_stream.h"
#include "extract/family/stretch_text.h"

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

/** What the block before leaves to the limits of tags in the next one. */
struct limit_carry {
	uint64_t starts, links, beyond; /* of that block */
};

/* Returns the bits of `starts` and the ones after each, `most` bits in all, also of those that begin in `before`. */
BITS_INLINE uint64_t bits_widen(uint64_t starts, uint64_t before, unsigned most)
{
	/* the last of the starts before reaches furthest; bit 0 stands for none */
	const uint64_t reach = before >> (64 - most) | 1, begun = bits_below(bits_highest(reach));
	unsigned have = 1;
	for (; 2 * have <= most; have *= 2)
		starts |= starts << have;
	return starts | starts << (most - have) | begun;
}

/*
 * Returns where the tags that begin at `kind`, or at `before` in the block before, reach a limit of 1 to TAG_LIMIT_MOST
 * bytes. No tag has fewer than 3 bytes, so from there on a smaller limit is not reached in another tag; a larger one
 * is, if the tag ends earlier.
 */
BITS_INLINE uint64_t limit_reached(uint64_t kind, uint64_t before, uint64_t starts, uint64_t starts_before,
				   uint64_t limit)
{
	if (limit == TAG_LIMIT_MOST) /* in the next block, if no tag begins after the last one */
		return starts_before ? (uint64_t)1 << bits_highest(starts_before) & before & ~starts & (starts - 1) : 0;
	const uint64_t reached = kind << limit | before >> (64 - limit);
	return limit <= 3 ? reached : reached & ~bits_widen(starts, starts_before, (unsigned)limit);
}

/**
 * Returns the bytes of a block's tags that are beyond their limit. Each tag is a run of code from its '<' to the next
 * one. Where it reaches its limit, a sum clears the rest of the run: a bit added to a run of bits carries to its end.
 */
BITS_INLINE uint64_t beyond_limits(const struct html_stretch *h, size_t block, struct tag_limits limits,
				   struct limit_carry *carry)
{
	const uint64_t starts = h->starts[block], links = h->links[block], rest = h->code[block] & ~starts;
	uint64_t reached = carry->beyond >> 63;
	if (limits.tag <= TAG_LIMIT_MOST)
		reached |= limit_reached(starts & ~links, carry->starts & ~carry->links, starts, carry->starts,
					 limits.tag);
	if (limits.link <= TAG_LIMIT_MOST)
		reached |= limit_reached(links, carry->links, starts, carry->starts, limits.link);
	const uint64_t beyond = rest & ~(rest + (reached & rest));
	*carry = (struct limit_carry){ starts, links, beyond };
	return beyond;
}

/**
 * Fills t->units, for t->stretch and t->before, with the bytes of its tags and texts that count; each run of white
 * space counts once. White space that begins a text counts only before a word; with SCAN_TEXT only if the last thing
 * before it was a word, not a blank or a tag that breaks. Void bytes separate texts as tags do, but for SCAN_LITERAL.
 */
BITS_INLINE void stretch_count(struct stretch_text *t, enum stretch_scan scan, bool bytes, struct tag_limits limits)
{
	const bool limited = limits.tag <= TAG_LIMIT_MOST || limits.link <= TAG_LIMIT_MOST;
	struct limit_carry carry = { 0 };
	const struct html_stretch *h = t->stretch;
	const size_t first = h->from / 64, last = (h->to - 1) / 64;
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
			carry = (struct limit_carry){ 0 };
			continue;
		}
		uint64_t seen = m->space & ~voids, space = m->space & ~code, starts = space & ((code << 1) + text),
			 ends = space + starts;
		uint64_t leading = space & ~ends, drops = (seen & ((seen << 1) + white)) | leading;
		if (limited)
			drops |= beyond_limits(h, i, limits, &carry) & ~voids;
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
