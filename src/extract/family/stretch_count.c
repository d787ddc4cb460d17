/* SPDX-License-Identifier: MIT */
/* Counts white space at the start of texts. */
#include "extract/family/stretch_count.h"

/* Returns the bits of `runs` from each bit of `starts` to the end of its run. */
BITS_INLINE uint64_t runs_from(uint64_t runs, uint64_t starts)
{
	return runs & ~(runs + starts);
}

/* True if a word is the last thing before block `block` of the stretch: not a blank, nor a tag that breaks. */
static bool after_word(const struct stretch_text *t, size_t block)
{
	const struct html_stretch *h = t->stretch;
	while (block-- > h->from / 64) {
		uint64_t kept = stretch_kept(t, block), found = kept | h->breaks[block];
		if (found)
			return (kept & ~h->masks[block].space) >> bits_highest(found) & 1;
	}
	return !t->before.after_space;
}

void stretch_count_leading(struct stretch_text *t, size_t block, enum stretch_scan scan, uint64_t leading, bool over)
{
	const struct html_stretch *h = t->stretch;
	uint64_t space = h->masks[block].space, code = h->code[block] | (scan == SCAN_LITERAL ? 0 : h->voids[block]);
	uint64_t word = ~(code | space), counts = leading & word >> 1;
	over &= word & 1 && block > h->from / 64;
	if (scan == SCAN_TEXT) {
		uint64_t nothing = (~t->units[block] | code) & ~h->breaks[block] & ~word, after = after_word(t, block);
		over &= after;
		counts &= runs_from(nothing, nothing & ((word << 1) + after));
	}
	t->units[block] |= counts;
	if (over)
		t->units[block - 1] |= (uint64_t)1 << 63;
}
