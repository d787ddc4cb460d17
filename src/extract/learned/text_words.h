/* SPDX-License-Identifier: MIT */
/*
 * Finds the words in 32 bytes of text at once, and which of them begin with the same two bytes as a word of a set:
 * others need not be hashed. For SSE2 and AVX2; plain C looks at each word.
 */
#ifndef DANA_LEARNED_TEXT_WORDS_H
#define DANA_LEARNED_TEXT_WORDS_H

#include "base/cpu.h"
#include "base/slice.h"
#include "extract/learned/word_begins.h"

#if defined(CPU_PATHS_AVX)
#include <immintrin.h>
#elif defined(CPU_PATHS_SSE2)
#include <emmintrin.h>
#endif

#ifdef CPU_PATHS_SSE2
enum { TEXT_WORDS = 32 };

/** One bit for each byte of the text: a word begins there; one that begins like a word of the set; a wide character. */
struct text_words {
	uint32_t begins, likely, wide;
};

/** Returns the bits of bytes that belong to a text of `len` bytes, at least one. */
static inline uint32_t text_words_all(size_t len)
{
	return len < TEXT_WORDS ? ((uint32_t)1 << len) - 1 : ~(uint32_t)0;
}

#define TEXT_WORDS_IN(v, low, high) \
	_mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)((low)-1))), \
		      _mm_cmplt_epi8(v, _mm_set1_epi8((char)((high) + 1))))
/* Finds bytes of words, as in word_byte, and of wide characters. */
static inline uint32_t text_words_16(const uint8_t *p, uint32_t *wide)
{
	__m128i v;
	memcpy(&v, p, sizeof(v));
	__m128i small = _mm_or_si128(v, _mm_set1_epi8(0x20));
	__m128i word = _mm_or_si128(_mm_or_si128(TEXT_WORDS_IN(small, 'a', 'z'), TEXT_WORDS_IN(v, '0', '9')), v);
	*wide = (uint32_t)_mm_movemask_epi8(TEXT_WORDS_IN(v, 0xE3, 0xED));
	return (uint32_t)_mm_movemask_epi8(word);
}
#undef TEXT_WORDS_IN

/**
 * Finds the words in the first bytes of `text`, after which WORDS_READ_ON more can be read. *before: the byte before
 * belongs to a word.
 */
static inline struct text_words text_words_sse2(const struct word_begins *set, struct slice text, uint32_t *before)
{
	uint32_t wide, more, all = text_words_all(text.len);
	uint32_t bits = text_words_16(text.data, &wide) | text_words_16(text.data + 16, &more) << 16;
	bits &= all;
	struct text_words w = { .begins = bits & ~(bits << 1 | *before), .wide = (wide | more << 16) & all };
	*before = bits >> 31;
	for (uint32_t begins = w.begins; begins; begins &= begins - 1) {
		if (word_begins_has(set, text.data + __builtin_ctz(begins), text.data + text.len))
			w.likely |= begins & (0U - begins);
	}
	return w;
}
#endif

#ifdef CPU_PATHS_AVX
/*
 * Finds bytes of words, as in word_byte, except wide characters. An ASCII byte belongs to a word if the tables of its
 * upper and lower four bits share a class: 'A' to 'O', 'P' to 'Z', each with the 32 bytes above, or digits. With bit 5
 * set, all of these are small letters or digits.
 */
CPU_TARGET_AVX2 static inline __m256i text_word_bytes(__m256i v)
{
	const __m256i upper =
		_mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 4, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0));
	const __m256i lower =
		_mm256_broadcastsi128_si256(_mm_setr_epi8(6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 3, 1, 1, 1, 1, 1));
	__m256i half = _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15));
	__m256i agree = _mm256_and_si256(_mm256_shuffle_epi8(upper, half), _mm256_shuffle_epi8(lower, v));
	__m256i none = _mm256_cmpeq_epi8(agree, _mm256_setzero_si256());
	__m256i ascii = _mm256_andnot_si256(none, _mm256_or_si256(v, _mm256_set1_epi8(0x20)));
	return _mm256_blendv_epi8(ascii, v, v); /* a byte's top bit chooses */
}

/* Finds first bytes of wide characters. */
CPU_TARGET_AVX2 static inline uint32_t text_words_wide(__m256i v)
{
	__m256i from = _mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)0xE2));
	return (uint32_t)_mm256_movemask_epi8(
		_mm256_and_si256(from, _mm256_cmpgt_epi8(_mm256_set1_epi8((char)0xEE), v)));
}

/* Computes word_begin_of in all columns, and whether the set has that bit: first the byte, then the bit in it. */
CPU_TARGET_AVX2 static inline uint32_t text_words_likely(const struct word_begins *set, __m256i first, __m256i second)
{
	const __m256i bit_of = _mm256_set1_epi64x((long long)0x8040201008040201U);
	__m128i low, high;
	memcpy(&low, set->bits, sizeof(low));
	memcpy(&high, set->bits + 16, sizeof(high));
	__m256i twice = _mm256_add_epi8(second, second), four = _mm256_add_epi8(twice, twice);
	__m256i eleven = _mm256_add_epi8(_mm256_add_epi8(four, four), _mm256_add_epi8(twice, second));
	__m256i place = _mm256_add_epi8(first, eleven);
	__m256i at = _mm256_and_si256(_mm256_srli_epi16(place, 3), _mm256_set1_epi8(15));
	__m256i byte = _mm256_blendv_epi8(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(low), at),
					  _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(high), at), place);
	__m256i bit = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(place, _mm256_set1_epi8(7)));
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(byte, bit), bit));
}

CPU_TARGET_AVX2 static inline struct text_words text_words_avx2(const struct word_begins *set, struct slice text,
								uint32_t *before)
{
	__m256i v, w;
	memcpy(&v, text.data, sizeof(v));
	memcpy(&w, text.data + 1, sizeof(w));
	__m256i first = text_word_bytes(v);
	uint32_t all = text_words_all(text.len), last = text.len <= TEXT_WORDS ? (uint32_t)1 << (text.len - 1) : 0;
	uint32_t bits = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, _mm256_setzero_si256())) & all;
	struct text_words words = { .begins = bits & ~(bits << 1 | *before) };
	if ((uint32_t)_mm256_movemask_epi8(v) & all)
		words.wide = text_words_wide(v) & all;
	*before = bits >> 31;
	words.likely = text_words_likely(set, first, text_word_bytes(w)) & words.begins;
	/* the byte after the last one does not belong to the text */
	if (words.begins & last) {
		const uint8_t *p = text.data + text.len - 1;
		words.likely = (words.likely & ~last) | (word_begins_has(set, p, p + 1) ? last : 0);
	}
	return words;
}
#endif

#endif
