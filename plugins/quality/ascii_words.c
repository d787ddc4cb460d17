/* SPDX-License-Identifier: MIT */
/*
 * Eight bytes are looked at together: an arithmetic step sets bit 7 of each byte that is a letter, the number of zeros below
 * the first other one is the length of the word, and the same eight bytes, cut there, make its hash.
 */
#include "plugins/quality/ascii_words.h"

#include "plugins/quality/classes.h"
#include "plugins/quality/word_hash.h"

#define ONES UINT64_C(0x0101010101010101)

enum { TWICE_8 = 16 };

/** Bit 7 of each byte that is no letter. */
static inline uint64_t others(uint64_t bytes)
{
	const uint64_t small = (bytes | 0x20 * ONES) & 0x7f * ONES; /* letters as small ones, in 7 bits */
	const uint64_t letters = (small + 0x1f * ONES) & ~(small + 0x05 * ONES) & ~bytes;

	return ~letters & 0x80 * ONES;
}

/** Bits of the letters that stand before the first other byte; `others` is not 0. */
static inline unsigned bits_before(uint64_t others)
{
	return (unsigned)__builtin_ctzll(others) - 7;
}

struct ascii_word {
	uint64_t hash;
	size_t len;
	bool upper;
};

/** The letters at `at`, after which there are 16 bytes; len 0: none, or more than 15. */
static inline struct ascii_word read_letters(const char *at)
{
	const uint64_t first = little_endian_64((const uint8_t *)at), other = others(first);

	if (other) {
		const unsigned bits = bits_before(other);
		const uint64_t mask = ((uint64_t)1 << bits) - 1;
		return (struct ascii_word){ word_hash_8(first & mask, bits / 8), bits / 8,
					    (~first & mask & 0x20 * ONES) != 0 };
	}
	const uint64_t second = little_endian_64((const uint8_t *)at + 8), later = others(second);
	if (!later)
		return (struct ascii_word){ .len = 0 };
	const unsigned bits = bits_before(later);
	const uint64_t mask = ((uint64_t)1 << bits) - 1;
	const size_t len = 8 + bits / 8;
	return (struct ascii_word){ len > 8 ? word_hash_16(at, len) : word_hash_8(first, len), len,
				    ((~first | (~second & mask)) & 0x20 * ONES) != 0 };
}

struct ascii_place ascii_words(struct words *w, const char *text, size_t len, struct ascii_place place)
{
	const uint8_t *classes = w->classes->of_byte;
	struct word *list = w->list;
	uint64_t *hashes = w->hashes, letters = 0;
	size_t n = w->n, marks = 0;
	size_t at = place.at;
	const uint32_t ahead = (uint32_t)at - place.chars; /* all bytes that follow are characters */

	while (len - at > TWICE_8 && n + 2 <= WORDS_KEPT) {
		const struct ascii_word word = read_letters(text + at);
		size_t end = at + word.len;
		const bool mark = classes[(uint8_t)text[end]] == CLASS_MARK;
		if (!word.len || classes[(uint8_t)text[end + mark]] != CLASS_SPACE)
			break;
		hashes[n] = word.hash;
		list[n++] = (struct word){ (uint32_t)at,       (uint32_t)word.len, (uint32_t)at - ahead,
					   (uint32_t)word.len, WORD_SPACED,        word.upper };
		letters += word.len;
		if (mark) {
			hashes[n] = word_hash_8((uint8_t)text[end], 1);
			list[n++] = (struct word){ (uint32_t)end, 1, (uint32_t)end - ahead, 1, WORD_MARK, false };
			marks++;
			end++;
		}
		at = end + 1;
	}
	const uint64_t words = n - w->n - marks;
	w->n = n;
	w->spaced += words;
	w->with_letter += words;
	w->spaced_chars += letters;
	w->marks += marks;
	return (struct ascii_place){ at, (uint32_t)at - ahead };
}
