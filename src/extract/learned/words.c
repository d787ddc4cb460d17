/* SPDX-License-Identifier: MIT */
/*
 * Words of a text: runs of ASCII letters, digits and bytes above ASCII, without regard to case; each character of Han,
 * Kana or Hangul is a word.
 */
#include "extract/learned/words.h"

#include "base/cpu.h"
#include "base/hash.h"
#include "base/slice.h"

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

#define SAME4(x) [x] = (x), [(x) + 1] = (x) + 1, [(x) + 2] = (x) + 2, [(x) + 3] = (x) + 3

#define SAME16(x) SAME4(x), SAME4((x) + 4), SAME4((x) + 8), SAME4((x) + 12)

#define LOWER4(x) [x] = (x) | 32, [(x) + 1] = ((x) + 1) | 32, [(x) + 2] = ((x) + 2) | 32, [(x) + 3] = ((x) + 3) | 32

const uint8_t word_byte[256] = {
	SAME4('0'),    SAME4('4'),    ['8'] = '8',   ['9'] = '9',  LOWER4('A'),  LOWER4('E'),   LOWER4('I'),
	LOWER4('M'),   LOWER4('Q'),   LOWER4('U'),   ['Y'] = 'y',  ['Z'] = 'z',  SAME4('a'),    SAME4('e'),
	SAME4('i'),    SAME4('m'),    SAME4('q'),    SAME4('u'),   ['y'] = 'y',  ['z'] = 'z',   SAME16(0x80),
	SAME16(0x90),  SAME16(0xA0),  SAME16(0xB0),  SAME16(0xC0), SAME16(0xD0), [0xE0] = 0xE0, [0xE1] = 0xE1,
	[0xE2] = 0xE2, [0xEE] = 0xEE, [0xEF] = 0xEF, SAME16(0xF0),
};

/* Hashes the word at p, and returns its end. */
static inline const uint8_t *hash_word(const uint8_t *p, const uint8_t *end, uint32_t *hash)
{
	uint32_t h = HASH_FNV32_START;
	if (is_wide_lead(*p)) {
		for (const uint8_t *stop = end - p > 3 ? p + 3 : end; p < stop; p++)
			h = hash_fnv32_byte(*p, h);
	} else {
		for (uint8_t c; p < end && (c = word_byte[*p]) != 0; p++)
			h = hash_fnv32_byte(c, h);
	}
	*hash = h ^ h >> 15;
	return p;
}

uint32_t words_hash(const uint8_t *p, const uint8_t *end)
{
	uint32_t hash;
	(void)hash_word(p, end, &hash);
	return hash;
}

bool words_next(struct slice *rest, uint32_t *hash)
{
	const uint8_t *p = rest->data, *end = p + rest->len;
	while (p < end && !word_byte[*p] && !is_wide_lead(*p))
		p++;
	if (p == end)
		return false;
	p = hash_word(p, end, hash);
	*rest = slice_of(p, (size_t)(end - p));
	return true;
}

/*
 * A set of hashed runs of three words, and how many runs of another text are in it. Most words of a block are not in
 * the set: they are hashed only where three words in a row begin with the same two bytes as words of the set.
 *
 * Example: "the old harbour lamp" makes the runs "the old harbour" and "old harbour lamp"; "At the old harbour" has one
 * of them.
 */

static uint32_t hash_run(uint32_t first, uint32_t second, uint32_t third)
{
	uint32_t h = (first * 0x9E3779B1U ^ second) * 0x85EBCA6BU ^ third;
	h ^= h >> 15;
	h *= 0xC2B2AE35U;
	return h >> (32 - RUN_BITS);
}

void word_runs_add(struct word_runs *r, struct slice text)
{
	uint32_t word[3] = { 0 };
	for (uint32_t words = 0; r->n < RUNS_MOST;) {
		while (text.len && !word_byte[text.data[0]] && !is_wide_lead(text.data[0]))
			text = slice_skip(text, 1);
		const uint8_t *first = text.data, *end = first + text.len;
		word[0] = word[1];
		word[1] = word[2];
		if (!words_next(&text, &word[2]))
			return;
		word_begins_add(&r->begins, first, end);
		if (++words < 3)
			continue;
		uint32_t bit = hash_run(word[0], word[1], word[2]);
		r->set[bit >> 6] |= (uint64_t)1 << (bit & 63);
		r->n++;
	}
}

static bool has_run(const struct word_runs *r, uint32_t first, uint32_t second, uint32_t third)
{
	uint32_t bit = hash_run(first, second, third);
	return r->set[bit >> 6] >> (bit & 63) & 1;
}

/* Looks up three words in a row that begin like words of the set. */
static uint32_t match_plain(const struct word_runs *r, struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	uint32_t hash[3] = { 0 }, row = 0, found = 0;
	for (uint32_t words = 0; words < RUN_WORDS; words++) {
		while (p < end && !word_byte[*p] && !is_wide_lead(*p))
			p++;
		if (p == end)
			break;
		row = word_begins_has(&r->begins, p, end) ? row + 1 : 0;
		struct slice rest = slice_of(p, (size_t)(end - p));
		(void)words_next(&rest, &hash[2]);
		p = rest.data;
		found += row >= 3 && has_run(r, hash[0], hash[1], hash[2]);
		hash[0] = hash[1];
		hash[1] = hash[2];
	}
	return found;
}

#ifdef CPU_PATHS_SSE2
struct run_search {
	const struct word_runs *runs;
	const uint8_t *first, *end;
	const uint8_t *last;   /* the last word that was hashed, or NULL */
	uint32_t hash, before; /* its hash, and that of the word before */
	uint32_t found;
};

/* Returns the word that ends before p; the caller knows that there is one. */
static const uint8_t *word_before(const struct run_search *s, const uint8_t *p)
{
	while (!word_byte[*--p])
		;
	while (p > s->first && word_byte[p[-1]])
		p--;
	return p;
}

/* Returns whether the word at p, with the two before it, is in the set. */
static bool is_in_set(struct run_search *s, const uint8_t *p)
{
	const uint8_t *second = word_before(s, p);
	uint32_t hash[3];
	if (second == s->last) {
		hash[0] = s->before;
		hash[1] = s->hash;
	} else {
		hash[0] = words_hash(word_before(s, second), s->end);
		hash[1] = words_hash(second, s->end);
	}
	hash[2] = words_hash(p, s->end);
	s->last = p;
	s->hash = hash[2];
	s->before = hash[1];
	return has_run(s->runs, hash[0], hash[1], hash[2]);
}

/*
 * Returns the words that follow those of `from`, a subset of `begins`: an addition carries each bit over the gap to the
 * next word. *carry: whether the last word of the previous text was in `from`; set to whether the last one here is.
 */
static inline uint32_t next_words(uint32_t from, uint32_t begins, uint32_t *carry)
{
	uint64_t sum = ((uint64_t)from << 1) + (uint32_t)~begins + *carry;
	*carry = (uint32_t)(sum >> 32);
	return (uint32_t)sum & begins;
}

#define NAME(x) x##_sse2
#define TARGET
#include "extract/learned/words_lanes.h"
#endif

#ifdef CPU_PATHS_AVX
#define NAME(x) x##_avx2
#define TARGET CPU_TARGET_AVX2
#include "extract/learned/words_lanes.h"
#endif

uint32_t word_runs_match(const struct word_runs *r, struct slice text)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return match_avx2(r, text);
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return match_sse2(r, text);
#endif
	return match_plain(r, text);
}
