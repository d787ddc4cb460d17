#include "extract/learned/words.h"

#ifdef __x86_64__
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/hash.h"
#include "extract/learned/word_byte.h"

#define SAME4(x) [x] = (x), [(x) + 1] = (x) + 1, [(x) + 2] = (x) + 2, [(x) + 3] = (x) + 3
#define SAME16(x) SAME4(x), SAME4((x) + 4), SAME4((x) + 8), SAME4((x) + 12)
#define LOWER4(x) [x] = (x) | 32, [(x) + 1] = ((x) + 1) | 32, [(x) + 2] = ((x) + 2) | 32, [(x) + 3] = ((x) + 3) | 32
const uint8_t word_byte[256] = {
	SAME4('0'), SAME4('4'), ['8'] = '8', ['9'] = '9',
	LOWER4('A'), LOWER4('E'), LOWER4('I'), LOWER4('M'), LOWER4('Q'), LOWER4('U'), ['Y'] = 'y', ['Z'] = 'z',
	SAME4('a'), SAME4('e'), SAME4('i'), SAME4('m'), SAME4('q'), SAME4('u'), ['y'] = 'y', ['z'] = 'z',
	SAME16(0x80), SAME16(0x90), SAME16(0xA0), SAME16(0xB0), SAME16(0xC0), SAME16(0xD0),
	[0xE0] = 0xE0, [0xE1] = 0xE1, [0xE2] = 0xE2, [0xEE] = 0xEE, [0xEF] = 0xEF, SAME16(0xF0),
};

bool words_next(struct slice *rest, uint32_t *hash)
{
	const uint8_t *p = rest->data, *end = p + rest->len;
	while (p < end && !word_byte[*p] && !is_wide_lead(*p))
		p++;
	if (p == end)
		return false;
	uint32_t h = HASH_FNV32_START;
	if (is_wide_lead(*p)) {
		for (const uint8_t *stop = end - p > 3 ? p + 3 : end; p < stop; p++)
			h = (h ^ *p) * 16777619U;
	} else {
		for (uint8_t c; p < end && (c = word_byte[*p]) != 0; p++)
			h = (h ^ c) * 16777619U;
	}
	*hash = h ^ h >> 15;
	*rest = slice_of(p, (size_t)(end - p));
	return true;
}

/* Place in title_words.begins of a word at p. */
static inline unsigned begin_of(const uint8_t *p, const uint8_t *end)
{
	return (word_byte[p[0]] + (p + 1 < end ? word_byte[p[1]] * 11U : 0)) & 63;
}

void title_words_set(struct title_words *t, struct slice title)
{
	t->n = 0;
	t->filter = t->begins = 0;
	while (t->n < TITLE_WORDS) {
		while (title.len && !word_byte[title.data[0]] && !is_wide_lead(title.data[0]))
			title = slice_skip(title, 1);
		const uint8_t *first = title.data, *end = first + title.len;
		if (!words_next(&title, &t->hash[t->n]))
			break;
		t->begins |= (uint64_t)1 << begin_of(first, end);
		t->filter |= (uint64_t)1 << (t->hash[t->n++] & 63);
	}
}

static bool is_in_title(const struct title_words *t, uint32_t hash)
{
	if (!(t->filter >> (hash & 63) & 1))
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->hash[i] == hash)
			return true;
	}
	return false;
}

static uint32_t match_any(const struct title_words *t, struct slice text, uint32_t *words)
{
	uint32_t matched = 0, hash;
	*words = 0;
	while (words_next(&text, &hash)) {
		++*words;
		matched += is_in_title(t, hash);
	}
	return matched;
}

#if defined(__SSE2__)
/* What masks tell of 32 bytes of text. */
struct text_words {
	uint32_t bits;   /* belong to words */
	uint32_t wide;   /* begin wide characters */
	uint32_t likely; /* where a word begins there, it begins as one of the title does; perhaps */
};

#define IN(v, low, high)                                                                                               \
	_mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)((low) - 1))), _mm_cmplt_epi8(v, _mm_set1_epi8((char)((high) + 1))))

static inline struct text_words words_16(const uint8_t *p)
{
	__m128i v;
	memcpy(&v, p, sizeof v);
	__m128i small = _mm_or_si128(v, _mm_set1_epi8(0x20));
	__m128i word = _mm_or_si128(_mm_or_si128(IN(small, 'a', 'z'), IN(v, '0', '9')), v);
	return (struct text_words){ (uint32_t)_mm_movemask_epi8(word), (uint32_t)_mm_movemask_epi8(IN(v, 0xE3, 0xED)), 0 };
}
#undef IN

static inline struct text_words words_sse2(const struct title_words *t, const uint8_t *p, uint32_t all)
{
	struct text_words a = words_16(p), b = words_16(p + 16);
	(void)t;
	(void)all;
	return (struct text_words){ a.bits | b.bits << 16, a.wide | b.wide << 16, ~(uint32_t)0 };
}

#define NAME(x) x##_sse2
#define TARGET
#include "extract/learned/words_lanes.h"
#endif

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2,popcnt,bmi"))) static inline

AVX2 __m256i in_avx2(__m256i v, int low, int high)
{
	return _mm256_and_si256(_mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)(low - 1))),
				_mm256_cmpgt_epi8(_mm256_set1_epi8((char)(high + 1)), v));
}

/* As word_byte has them, but for wide characters. */
AVX2 __m256i word_bytes_avx2(__m256i v)
{
	__m256i upper = _mm256_and_si256(in_avx2(v, 'A', 'Z'), _mm256_set1_epi8(0x20));
	__m256i small = _mm256_or_si256(v, upper), word = _mm256_or_si256(in_avx2(small, 'a', 'z'), in_avx2(v, '0', '9'));
	return _mm256_blendv_epi8(_mm256_and_si256(small, word), v, v); /* a byte's top bit chooses */
}

/* Places of begin_of in all columns, and whether the filter has a bit there: a byte of it, and the bit of that. */
AVX2 uint32_t likely_avx2(uint64_t begins, __m256i first, __m256i second)
{
	const __m256i bit_of = _mm256_set1_epi64x((long long)0x8040201008040201U), seven = _mm256_set1_epi8(7);
	__m256i twice = _mm256_add_epi8(second, second), four = _mm256_add_epi8(twice, twice);
	__m256i eleven = _mm256_add_epi8(_mm256_add_epi8(four, four), _mm256_add_epi8(twice, second));
	__m256i place = _mm256_add_epi8(first, eleven);
	__m256i byte = _mm256_shuffle_epi8(_mm256_set1_epi64x((long long)begins),
					   _mm256_and_si256(_mm256_srli_epi16(place, 3), seven));
	__m256i bit = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(place, seven));
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(byte, bit), bit));
}

AVX2 struct text_words words_avx2(const struct title_words *t, const uint8_t *p, uint32_t all)
{
	__m256i v, w;
	memcpy(&v, p, sizeof v);
	memcpy(&w, p + 1, sizeof w);
	__m256i first = word_bytes_avx2(v);
	uint32_t none = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, _mm256_setzero_si256()));
	uint32_t likely = likely_avx2(t->begins, first, word_bytes_avx2(w));
	/* the byte behind the last of the text is none of it: that one is looked at by itself */
	return (struct text_words){ ~none, (uint32_t)_mm256_movemask_epi8(in_avx2(v, 0xE3, 0xED)), likely | ~(all >> 1) };
}

#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2,popcnt,bmi")))
#include "extract/learned/words_lanes.h"
#endif

#if defined(__SSE2__)
uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
		return match_avx2(t, text, words);
#endif
	return match_sse2(t, text, words);
}
#else
uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words)
{
	return match_any(t, text, words);
}
#endif
