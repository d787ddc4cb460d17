/* SPDX-License-Identifier: MIT */
/*
 * Finds '<' and the end of a tag in the current window, by masks.
 *
 * The end of a tag is its first '>' outside of quotes. Which bytes are inside of quotes is the parity of the quotes so
 * far. Example: the tag part a="x>y" b> has quotes at 2 and 6; the parity is odd for the bits 2 to 5; of the '>' at 4
 * and 9 only the second has even parity.
 */
#ifndef DANA_HTML_TOKENIZER_SCAN_H
#define DANA_HTML_TOKENIZER_SCAN_H

#include "base/ascii.h"
#include "extract/html/run_scan.h"
#include "extract/html/tokenizer_markup.h"
#include "extract/html/tokenizer_state.h"

/* Masks are made on demand, this many blocks ahead: scripts and comments need none. */
enum { FILL_AHEAD = 8 };

static inline void masks_need(struct html_tokenizer *t, size_t blocks)
{
	if (t->filled < blocks)
		html_masks_fill(t, blocks);
}

static inline size_t next_lt(struct html_tokenizer *t, size_t from)
{
	for (size_t block = from / 64, keep = from % 64; block * 64 < t->n; block++, keep = 0) {
		masks_need(t, block + 1);
		uint64_t bits = t->masks[block].lt & ~(uint64_t)0 << keep;
		if (bits)
			return block * 64 + (size_t)__builtin_ctzll(bits);
	}
	return t->n;
}

/* Returns the next '>' or quote. */
static inline size_t next_stop(struct html_tokenizer *t, size_t from)
{
	for (size_t block = from / 64, keep = from % 64; block * 64 < t->n; block++, keep = 0) {
		masks_need(t, block + 1);
		const struct byte_mask *m = &t->masks[block];
		uint64_t bits = (m->gt | m->quote | m->apos) & ~(uint64_t)0 << keep;
		if (bits)
			return block * 64 + (size_t)__builtin_ctzll(bits);
	}
	return t->n;
}

/* Bit k of the result is set if the number of set bits in x, from bit 0 to bit k, is odd. */
static inline uint64_t odd_so_far(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

/* Returns whether the last byte before p[i] that is not white space is '='. Looks no further back than p[from]. */
static inline bool follows_equals(const struct html_tokenizer *t, size_t from, size_t i)
{
	while (i > from) {
		uint8_t c = t->p[--i];
		if (!ascii_is_space(c))
			return c == '=';
	}
	return t->after_equals;
}

/*
 * Finds the end of a tag in the usual form, 64 bytes at a time: every opening '"' comes directly after '=', and the
 * next '"' closes it. Returns false if that does not hold, or the window ends; tag_scan then works byte by byte, with
 * the same result. An '=' before p[at] does not count. `single`: the same with '\'' and '"' exchanged.
 */
static inline __attribute__((always_inline)) bool tag_scan_quotes(const struct html_tokenizer *t, size_t at,
								  bool single, size_t *end)
{
	uint64_t quoted = 0; /* all ones: the 64 bytes begin inside of quotes */
	uint64_t equals_before = 0;

	for (; at < t->n; at += 64) {
		uint64_t quotes = MASK_BITS_AT(t->masks, quote, at), others = MASK_BITS_AT(t->masks, apos, at);
		uint64_t equals = MASK_BITS_AT(t->masks, equals, at);
		if (single) {
			uint64_t swap = quotes;
			quotes = others;
			others = swap;
		}

		uint64_t inside = odd_so_far(quotes) ^ quoted; /* including the opening quote, not the closing one */
		uint64_t ends = MASK_BITS_AT(t->masks, gt, at) & ~inside;
		uint64_t looked_at = ends ^ (ends - 1); /* the bits up to the first end, or all bits */
		uint64_t odd = (quotes & inside & ~(equals << 1 | equals_before)) | (others & ~inside);
		if (odd & looked_at)
			return false;

		if (ends) {
			*end = at + (size_t)__builtin_ctzll(ends) + 1;
			return true;
		}
		quoted = (uint64_t)0 - (inside >> 63);
		equals_before = equals >> 63;
	}
	return false;
}

/* Tries one kind of quotes, then the other: nearly every tag has only one. */
static inline bool tag_scan_plain(const struct html_tokenizer *t, size_t at, size_t *end)
{
	return tag_scan_quotes(t, at, false, end) || tag_scan_quotes(t, at, true, end);
}

/* Scans a tag from t->at, quote by quote. Returns true if it ends in this window; *end is the byte after its '>'. */
static inline bool tag_scan(struct html_tokenizer *t, size_t *end)
{
	size_t from = t->at;
	for (size_t i = t->at; (i = next_stop(t, i)) < t->n; i++) {
		uint8_t c = t->p[i];
		*end = i + 1;
		if (t->state == STATE_QUOTED) {
			if (c == '>' && t->base + i - t->start >= QUOTED_TAG_MOST)
				return true;
			if (c == t->quote) {
				t->state = STATE_TAG;
				t->after_equals = false;
				from = i + 1;
			}
		} else if (c == '>') {
			return true;
		} else if (follows_equals(t, from, i)) {
			t->state = STATE_QUOTED;
			t->quote = c;
		}
	}
	if (t->state == STATE_TAG)
		t->after_equals = follows_equals(t, from, t->n);
	return false;
}

/* Returns the bytes that decide what p[at] opens; fewer if the window ends. */
static inline struct slice opening_bytes(const struct html_tokenizer *t, size_t at)
{
	return slice_of(t->p + at, t->n - at < OPENING_MOST ? t->n - at : OPENING_MOST);
}

/* Returns the byte `back` places before p[i], even if it was in an earlier window. */
static inline uint8_t byte_before(const struct html_tokenizer *t, size_t i, size_t back)
{
	return i >= back ? t->p[i - back] : t->tail[back - i - 1];
}

/*
 * Returns whether '>' at p[i] ends the comment that begins at `start` of the page: "-->", "--!>", and the whole
 * comments "<!-->" and "<!--->" (HTML, section 13.2.5.43 to 52). The dashes of the opening count for the last two, not
 * for "--!>".
 */
static inline bool comment_ends(const struct html_tokenizer *t, uint64_t start, size_t i)
{
	uint64_t inside = t->base + i - start - 4; /* bytes between "<!--" and '>' */
	if (byte_before(t, i, 1) == '-')
		return byte_before(t, i, 2) == '-';
	return inside >= 3 && byte_before(t, i, 1) == '!' && byte_before(t, i, 2) == '-' && byte_before(t, i, 3) == '-';
}

#endif
