/* SPDX-License-Identifier: MIT */
/*
 * Copies the text of a part of a stretch, one run of kept bytes at a time. A bit array marks the kept bytes; what
 * separates two kept runs (a tag that breaks a line, white space between inline tags, nothing) decides whether a line
 * break, a blank or nothing is written. Example: "a</b> <i>b" gives "a b", "a<br>b" gives "a" LF "b", "a<b>b" gives
 * "ab".
 *
 * The lowest run of bits is found by an addition: kept + (its lowest bit) carries through the run to the bit after it.
 */
#include "extract/family/stretch.h"

#include "base/cpu.h"
#include "base/status.h"

static inline bool bit_at(const uint64_t *words, size_t i)
{
	return words[i / 64] >> i % 64 & 1;
}

static inline bool kept_at(const struct stretch_text *t, size_t i)
{
	return stretch_kept(t, i / 64) >> i % 64 & 1;
}

/* True if from..to has white space that is text, apart from the text that continues at `from`. */
static bool has_space(const struct html_stretch *h, size_t from, size_t to, bool goes_on)
{
	while (goes_on && from < to && !bit_at(h->code, from))
		from++;
	if (from >= to)
		return false;
	for (size_t block = from / 64; block * 64 < to; block++) {
		uint64_t bits = h->masks[block].space & ~(h->code[block] | h->voids[block]);
		if (block == from / 64)
			bits &= ~bits_below(from % 64);
		if (to - block * 64 < 64)
			bits &= bits_below(to % 64);
		if (bits)
			return true;
	}
	return false;
}

static const size_t NOT_KNOWN = SIZE_MAX;

/* Returns the last kept byte or break before window[at]; NOT_KNOWN if the stretch has neither there. */
static size_t last_before(const struct stretch_text *t, size_t at)
{
	const struct html_stretch *h = t->stretch;
	size_t block = at / 64, first = h->from / 64;
	uint64_t below = bits_below(at % 64), found;
	while (!(found = (stretch_kept(t, block) | h->breaks[block]) & below) && block > first) {
		block--;
		below = ~(uint64_t)0;
	}
	return found ? block * 64 + bits_highest(found) : NOT_KNOWN;
}

/* Returns what precedes window[at], a byte that is not in the middle of kept ones. */
static struct stretch_before before(const struct stretch_text *t, size_t at)
{
	const struct html_stretch *h = t->stretch;
	size_t last = last_before(t, at);
	if (last == NOT_KNOWN) {
		struct stretch_before b = t->before;
		b.lone_space |= has_space(h, h->from, at, false);
		return b;
	}
	if (bit_at(h->breaks, last))
		return (struct stretch_before){ true, true, false };
	return (struct stretch_before){ false, h->masks[last / 64].space >> last % 64 & 1,
					has_space(h, last + 1, at, true) };
}

/* Returns the break or blank before the kept byte window[at], after a byte that is not kept; 0 if there is neither. */
static __attribute__((noinline)) uint8_t gap_before(const struct stretch_text *t, size_t at)
{
	const struct html_stretch *h = t->stretch;
	struct stretch_before b = before(t, at);
	if (b.block_pending)
		return '\n';
	bool space = h->masks[at / 64].space >> at % 64 & 1;
	return b.lone_space && (t->after_any || !b.after_space) && !space ? ' ' : 0;
}

/* The same, if the last kept byte before it is window[end - 1]. */
static __attribute__((noinline)) uint8_t gap_between(const struct stretch_text *t, size_t end, size_t at)
{
	const struct html_stretch *h = t->stretch;
	uint64_t from = ~bits_below(end % 64), seen = 0, lone = 0;
	for (size_t block = end / 64; block <= at / 64; block++) {
		uint64_t to = block < at / 64 ? ~(uint64_t)0 : bits_below(at % 64);
		uint64_t code = (h->code[block] | h->voids[block]) & from & to;
		if (h->breaks[block] & from & to)
			return '\n';
		/* white space before the first tag is the end of the text that was kept */
		lone |= h->masks[block].space & ~(h->code[block] | h->voids[block]) & to &
			(seen ? from : -(code & -code));
		seen |= code;
		from = ~(uint64_t)0;
	}
	if (!lone || h->masks[at / 64].space >> at % 64 & 1)
		return 0;
	return t->after_any || !(h->masks[(end - 1) / 64].space >> (end - 1) % 64 & 1) ? ' ' : 0;
}

enum { CHUNK = 64 };

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"

#endif

/* Copies CHUNK bytes. Returns true if one of them may be a control character. */
static inline bool copy_chunk(uint8_t *to, const uint8_t *from)
{
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2) {
		__m128i controls = _mm_setzero_si128();
		for (size_t i = 0; i < CHUNK; i += sizeof(controls)) {
			__m128i v;
			memcpy(&v, from + i, sizeof(v));
			memcpy(to + i, &v, sizeof(v));
			controls = _mm_or_si128(controls, _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v));
		}
		return _mm_movemask_epi8(controls);
	}
#endif
	memcpy(to, from, CHUNK);
	return true;
}

/* Copies kept bytes of one block, white space as blanks, not as ends of blocks. `to` has room for CHUNK bytes. */
static inline void copy_kept(const struct html_stretch *h, uint8_t *to, size_t at, size_t len)
{
	/* a copy of fixed size is a few moves; the excess is overwritten */
	if (at + CHUNK > h->to)
		memcpy(to, h->window + at, len);
	else if (!copy_chunk(to, h->window + at))
		return;
	for (uint64_t space = h->masks[at / 64].space >> at % 64 & mask_range(0, len); space; space &= space - 1) {
		const size_t i = bits_lowest(space);
		const uint8_t *white = h->window + at + i;
		to[i] = text_collapsed(*white, at + i > h->from ? white[-1] : 0);
	}
}

/* Returns whether a byte of from..to is kept, or the one after them. */
static inline bool any_kept(const struct stretch_text *t, size_t from, size_t to)
{
	uint64_t range = ~bits_below(from % 64);
	for (size_t block = from / 64; block < to / 64; block++) {
		if (stretch_kept(t, block) & range)
			return true;
		range = ~(uint64_t)0;
	}
	return stretch_kept(t, to / 64) & range & (2 * bits_below(to % 64) + 1);
}

/* What precedes a word in a text in which white space does not collapse. */
struct word_gap {
	bool breaks;            /* a block begins */
	bool early;             /* it belongs to a segment that ends at the word */
	struct held_space held; /* to be written; includes the word's first byte if that is white space, which counts */
};

/* Adds white space up to window[to], from the last kept byte or break before window[at] on, whose place it returns. */
static size_t hold(const struct stretch_text *t, size_t at, size_t to, struct held_space *held)
{
	const struct html_stretch *h = t->stretch;
	size_t last = last_before(t, at), from = last == NOT_KNOWN ? h->from : last + 1;
	if (last == NOT_KNOWN)
		*held = *t->held;
	else
		held_space_clear(held);
	if (last != NOT_KNOWN && bit_at(&h->masks[last / 64].space, last % 64)) {
		held_space_add(held, h->window[last], h->space); /* it is written */
		held->len = 0;
	}
	uint64_t range = ~bits_below(from % 64);
	for (size_t block = from / 64; block * 64 < to; block++, range = ~(uint64_t)0) {
		uint64_t white = h->masks[block].space & ~(h->code[block] | h->voids[block]) & range;
		for (; white && block * 64 + bits_lowest(white) < to; white &= white - 1)
			held_space_add(held, h->window[block * 64 + bits_lowest(white)], h->space);
	}
	return last;
}

/* True if nothing but inline tags is between window[end - 1] and window[at], which is not white space. */
static inline bool adjoins(const struct html_stretch *h, size_t end, size_t at)
{
	uint64_t range = ~bits_below(end % 64), found = 0;
	for (size_t block = end / 64; block <= at / 64; block++, range = ~(uint64_t)0) {
		const uint64_t white = h->masks[block].space & ~(h->code[block] | h->voids[block]);
		if (block == at / 64)
			range &= 2 * bits_below(at % 64) + 1;
		found |= (white | h->breaks[block]) & range;
	}
	return !found;
}

static void gap_kept(const struct stretch_text *t, size_t at, struct word_gap *gap)
{
	const struct html_stretch *h = t->stretch;
	bool space = bit_at(&h->masks[at / 64].space, at % 64);
	size_t last = hold(t, at, at + space, &gap->held);
	gap->breaks = last == NOT_KNOWN ? t->before.block_pending : bit_at(h->breaks, last);
	bool blank = t->before.lone_space && (t->after_any || !t->before.after_space);
	if (last == NOT_KNOWN && blank && !gap->breaks && !gap->held.len)
		gap->held.bytes[gap->held.len++] = ' ';
	/* the break belongs to a word, but in the byte scans only if nothing is held */
	gap->early = !space && (!gap->breaks || (t->after_any && gap->held.len));
}

static uint8_t *gap_write(uint8_t *next, const struct word_gap *gap)
{
	if (gap->breaks)
		*next++ = '\n';
	memcpy(next, gap->held.bytes, gap->held.len);
	return next + gap->held.len;
}

/* Writes what precedes window[at], if it belongs to the segment that begins at window[from]. */
static __attribute__((noinline)) uint8_t *gap_write_before(const struct stretch_text *t, uint8_t *next, size_t from,
							   size_t at)
{
	struct word_gap gap;
	gap_kept(t, at, &gap);
	return at > from || !gap.early ? gap_write(next, &gap) : next;
}

/* Writes the text of window[from..to) to `next` and returns its end. `collapses`: white space collapses. */
BITS_INLINE uint8_t *range_write(const struct stretch_text *t, uint8_t *next, size_t from, size_t to, bool collapses)
{
	const struct html_stretch *h = t->stretch;
	size_t end = from > h->from && kept_at(t, from - 1) ? from : NOT_KNOWN; /* of the last kept byte */
	uint64_t range = ~bits_below(from % 64);
	for (size_t block = from / 64, last = (to - 1) / 64; block <= last; block++) {
		uint64_t kept = stretch_kept(t, block) & range;
		if (block == last)
			kept &= ~(uint64_t)0 >> (-to & 63);
		range = ~(uint64_t)0;
		while (kept) {
			size_t at = block * 64 + bits_lowest(kept);
			uint64_t first = kept & -kept, after = kept + first;
			size_t len = (after ? bits_lowest(after & ~kept) : 64) - at % 64;
			if (at != end && collapses) {
				uint8_t gap = end == NOT_KNOWN ? gap_before(t, at) : gap_between(t, end, at);
				/* a blank before the first word belongs to the segment before */
				if (gap == '\n' || (gap && at > from))
					*next++ = gap;
			} else if (at != end && !(end != NOT_KNOWN && adjoins(h, end, at))) {
				size_t written = bit_at(&h->masks[block].space, at % 64); /* written with the gap */
				next = gap_write_before(t, next, from, at);
				at += written;
				len -= written;
			}
			if (collapses)
				copy_kept(h, next, at, len);
			else {
				/* copy kept bytes of one block, with the marks of white space that does not collapse */
				memcpy(next, h->window + at, len);
				for (uint64_t space = h->masks[at / 64].space >> at % 64 & mask_range(0, len); space;
				     space &= space - 1)
					next[bits_lowest(space)] =
						held_space_mark(h->window[at + bits_lowest(space)], h->space);
			}
			next += len;
			end = at + len;
			kept &= after;
		}
	}
	return next;
}

int stretch_text_write(void *arg, struct buf *out, size_t from, size_t to)
{
	const struct stretch_text *t = arg;
	if (!any_kept(t, from, to))
		return DANA_OK;
	/* each gap takes the place of a byte that is not kept */
	int status = buf_reserve(out, to - from + 1 + HELD_SPACE_MOST + CHUNK);
	if (status < 0)
		return status;
	uint8_t *end = out->data + out->len;
	const bool collapses = t->stretch->space == WHITE_SPACE_COLLAPSES;
	end = collapses ? range_write(t, end, from, to, true) : range_write(t, end, from, to, false);
	if (to < t->stretch->to && kept_at(t, to) && !kept_at(t, to - 1)) {
		struct word_gap gap = { 0 };
		if (!collapses)
			gap_kept(t, to, &gap);
		if (gap.early)
			end = gap_write(end, &gap);
		else if (collapses && gap_before(t, to) == ' ')
			*end++ = ' ';
	}
	out->len = (size_t)(end - out->data);
	return DANA_OK;
}

int stretch_text_begin(struct stretch_text *t, struct buf *out)
{
	const struct html_stretch *h = t->stretch;
	size_t block = h->from / 64;
	if ((h->code[block] | h->voids[block] | h->masks[block].space) >> h->from % 64 & 1)
		return DANA_OK;
	if (h->space != WHITE_SPACE_COLLAPSES) {
		/* the gap before a word where white space does not collapse */
		struct word_gap gap;
		gap_kept(t, t->stretch->from, &gap);
		if (!gap.early)
			return DANA_OK;
		int status = buf_reserve(out, 1 + HELD_SPACE_MOST);
		if (status < 0)
			return status;
		out->len = (size_t)(gap_write(out->data + out->len, &gap) - out->data);
		t->before.block_pending = t->before.lone_space = false;
		return DANA_OK;
	}
	if (!t->before.lone_space || t->before.block_pending || t->before.after_space)
		return DANA_OK;
	t->before.lone_space = false;
	return buf_append_byte(out, ' ');
}

struct stretch_before stretch_text_end(const struct stretch_text *t)
{
	struct held_space held;
	if (t->stretch->space != WHITE_SPACE_COLLAPSES) {
		(void)hold(t, t->stretch->to, t->stretch->to, &held);
		*t->held = held;
	}
	return before(t, t->stretch->to);
}

/* Counts white space at the start of texts. */

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
