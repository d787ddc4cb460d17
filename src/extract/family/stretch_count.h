/* SPDX-License-Identifier: MIT */
/*
 * What counts of a stretch, 64 bytes at a time by their masks. A subtraction or an addition makes what others look for
 * byte by byte: adding a bit to the run of bits that begins with it carries to the bit after the run. Private to the
 * files that take stretches.
 */
#ifndef DANA_FAMILY_STRETCH_COUNT_H
#define DANA_FAMILY_STRETCH_COUNT_H

#include "base/bits.h"
#include "extract/family/stretch_text.h"

/**
 * White space that begins a text, and a word after it: it counts, with `tags` only after a word. Few blocks have that,
 * so what stands before is looked up here and not carried along. `leading`: such white space of the block; `over`: it
 * ended the one before.
 */
void stretch_count_leading(struct stretch_text *t, size_t block, bool tags, uint64_t leading, bool over);

/**
 * Fills t->units, for t->stretch and t->before: what counts of its tags, and of its texts, white space once for each run of it. What begins
 * a text counts before a word only; with `tags` only where the last thing before it was a word, not a blank, not a tag
 * that breaks. With `tags` what is void counts nothing, but parts texts as tags do.
 */
BITS_INLINE void stretch_count(struct stretch_text *t, bool tags, bool bytes)
{
	const struct html_stretch *h = t->stretch;
	const size_t first = h->from / 64, last = (h->to - 1) / 64;
	/* carries; what stands before the stretch: no space, or what a run says */
	uint64_t text = 1, white = !tags && t->before.after_space;
	const struct byte_mask *m = h->masks + first;
	const uint64_t *const codes = h->code, *const all_voids = h->voids; /* not read again after each write */
	for (size_t i = first; i <= last; i++, m++) {
		uint64_t voids = tags ? all_voids[i] : 0, code = codes[i] | voids;
		if (voids == ~(uint64_t)0) {
			t->units[i] = 0;
			text = 1;
			white = 0;
			continue;
		}
		uint64_t space = m->space & ~code, starts = space & ((code << 1) + text), ends = space + starts;
		uint64_t leading = space & ~ends, drops = (m->space & ((m->space << 1) + white)) | leading;
		uint64_t over = text & white;
		t->units[i] = ~(drops | voids | (bytes ? 0 : m->cont));
		text = (code | leading) >> 63;
		white = m->space >> 63;
		if ((ends | over) & ~(code | m->space))
			stretch_count_leading(t, i, tags, leading, over);
	}
	/* what lies outside of the stretch is told as a tag's */
	t->units[first] &= ~bits_below(h->from % 64);
	t->units[last] &= ~(uint64_t)0 >> (-h->to & 63);
}

#endif
