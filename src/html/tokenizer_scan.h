/* Looking for '<' and for the end of a tag in the window under way, by masks. */
#ifndef DANA_HTML_TOKENIZER_SCAN_H
#define DANA_HTML_TOKENIZER_SCAN_H

#include "base/ascii.h"
#include "html/run_scan.h"
#include "html/tokenizer_markup.h"
#include "html/tokenizer_state.h"

/* Masks are made as far as they are needed, some blocks at a time: what scripts and comments hold needs none. */
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

/* Next '>' or quote. */
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

/* Bit k of the answer: the number of set bits up to and with bit k is odd. */
static inline uint64_t odd_so_far(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

/* True when the last byte before p[i] that is no white space is '='. p[from] is the first byte that may be looked at. */
static inline bool follows_equals(const struct html_tokenizer *t, size_t from, size_t i)
{
	while (i > from) {
		uint8_t c = t->p[--i];
		if (!ascii_is_space(c))
			return c == '=';
	}
	return t->behind_equals;
}

/*
 * The end of a tag as nearly all are written, 64 bytes at a time: every second '"' closes, each other one stands directly behind
 * '='. False where that does not hold or the window ends: tag_scan then goes byte by byte, with the same result. An '=' before
 * p[at], at the end of a name that was cut off, opens nothing.
 * `single`: the same with '\'' and '"' in each other's place.
 */
static inline __attribute__((always_inline)) bool tag_scan_quotes(const struct html_tokenizer *t, size_t at,
								  bool single, size_t *end)
{
	uint64_t quoted = 0; /* all ones: the 64 bytes begin inside quotes */
	uint64_t equals_before = 0;
	for (; at < t->n; at += 64) {
		uint64_t quotes = MASK_BITS_AT(t->masks, quote, at), others = MASK_BITS_AT(t->masks, apos, at);
		uint64_t equals = MASK_BITS_AT(t->masks, equals, at);
		if (single) {
			uint64_t swap = quotes;
			quotes = others;
			others = swap;
		}
		uint64_t inside = odd_so_far(quotes) ^ quoted; /* an opening quote is inside, a closing one is not */
		uint64_t ends = MASK_BITS_AT(t->masks, gt, at) & ~inside;
		uint64_t looked_at = ends ^ (ends - 1); /* up to the first one; everything when there is none */
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

/* Most pages have but one kind of quotes in a tag. */
static inline bool tag_scan_plain(const struct html_tokenizer *t, size_t at, size_t *end)
{
	return tag_scan_quotes(t, at, false, end) || tag_scan_quotes(t, at, true, end);
}

/* Scans a tag from t->at, byte by byte. True when it ends in this window, behind *end. */
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
				t->behind_equals = false;
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
		t->behind_equals = follows_equals(t, from, t->n);
	return false;
}

/* What tells the opening at p[at]; fewer bytes where the window ends. */
static inline struct slice opening_bytes(const struct html_tokenizer *t, size_t at)
{
	return slice_of(t->p + at, t->n - at < OPENING_MOST ? t->n - at : OPENING_MOST);
}

/* Byte number `back` before p[i] (1 = the one before), from earlier windows where need be. */
static inline uint8_t byte_before(const struct html_tokenizer *t, size_t i, size_t back)
{
	return i >= back ? t->p[i - back] : t->tail[back - i - 1];
}

/*
 * Whether '>' at p[i] ends the comment that begins at `start` of the page: "-->", "--!>", and the whole comments "<!-->" and
 * "<!--->" (HTML, section 13.2.5.43 to 52). The dashes of the opening count for the last two, not for "--!>".
 */
static inline bool comment_ends(const struct html_tokenizer *t, uint64_t start, size_t i)
{
	uint64_t inside = t->base + i - start - 4; /* bytes between "<!--" and '>' */
	if (byte_before(t, i, 1) == '-')
		return byte_before(t, i, 2) == '-';
	return inside >= 3 && byte_before(t, i, 1) == '!' && byte_before(t, i, 2) == '-' && byte_before(t, i, 3) == '-';
}

#endif
