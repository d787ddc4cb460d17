#include "extract/learned/words.h"

#ifdef __x86_64__
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/hash.h"

/* Han, Kana, Hangul: lead bytes E3 to ED. A character is a word. */
static bool is_wide_lead(uint8_t c)
{
	return c >= 0xE3 && c <= 0xED;
}

/* What a byte counts in a word, ASCII capitals as small letters; 0 = ends a word, as do the lead bytes above. */
#define SAME4(x) [x] = (x), [(x) + 1] = (x) + 1, [(x) + 2] = (x) + 2, [(x) + 3] = (x) + 3
#define SAME16(x) SAME4(x), SAME4((x) + 4), SAME4((x) + 8), SAME4((x) + 12)
#define LOWER4(x) [x] = (x) | 32, [(x) + 1] = ((x) + 1) | 32, [(x) + 2] = ((x) + 2) | 32, [(x) + 3] = ((x) + 3) | 32
static const uint8_t word_byte[256] = {
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

static inline unsigned run_begin(const uint8_t *p, const uint8_t *end)
{
	return (word_byte[p[0]] + (p + 1 < end ? word_byte[p[1]] * 11U : 0)) & 255;
}

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
		unsigned begin = run_begin(first, end);
		r->begins[begin >> 6] |= (uint64_t)1 << (begin & 63);
		if (++words < 3)
			continue;
		uint32_t bit = hash_run(word[0], word[1], word[2]);
		r->set[bit >> 6] |= (uint64_t)1 << (bit & 63);
		r->n++;
	}
}

/* Words that came one after the other and begin as words of the set do. */
struct run_search {
	const struct word_runs *runs;
	const uint8_t *end;
	const uint8_t *place[2]; /* of the last two */
	uint32_t hash[2];        /* theirs, from the third on */
	uint32_t row, words, found;
};

static uint32_t hash_word(const uint8_t *p, const uint8_t *end)
{
	struct slice rest = slice_of(p, (size_t)(end - p));
	uint32_t hash = 0;
	(void)words_next(&rest, &hash);
	return hash;
}

static void search_row(struct run_search *s, const uint8_t *p)
{
	if (s->row == 3) {
		s->hash[0] = hash_word(s->place[0], s->end);
		s->hash[1] = hash_word(s->place[1], s->end);
	}
	uint32_t hash = hash_word(p, s->end), bit = hash_run(s->hash[0], s->hash[1], hash);
	s->found += (uint32_t)(s->runs->set[bit >> 6] >> (bit & 63) & 1);
	s->hash[0] = s->hash[1];
	s->hash[1] = hash;
}

static inline void search_word(struct run_search *s, const uint8_t *p)
{
	unsigned begin = run_begin(p, s->end);
	s->words++;
	s->row = s->runs->begins[begin >> 6] >> (begin & 63) & 1 ? s->row + 1 : 0;
	if (s->row >= 3)
		search_row(s, p);
	s->place[0] = s->place[1];
	s->place[1] = p;
}

static void search_any(struct run_search *s, const uint8_t *p)
{
	while (s->words < RUN_WORDS) {
		while (p < s->end && !word_byte[*p] && !is_wide_lead(*p))
			p++;
		if (p == s->end)
			return;
		search_word(s, p);
		if (is_wide_lead(*p)) {
			p = s->end - p > 3 ? p + 3 : s->end;
			continue;
		}
		while (p < s->end && word_byte[*p])
			p++;
	}
}

#if defined(__SSE2__)
#include <emmintrin.h>

/* Bits of 16 bytes that belong to words, and of those that begin wide characters. */
static inline uint32_t word_bits(const uint8_t *p, uint32_t *wide)
{
	__m128i v;
	memcpy(&v, p, sizeof v);
	__m128i small = _mm_or_si128(v, _mm_set1_epi8(0x20));
#define IN(v, low, high)                                                                                               \
	_mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)((low) - 1))), _mm_cmplt_epi8(v, _mm_set1_epi8((char)((high) + 1))))
	*wide = (uint32_t)_mm_movemask_epi8(IN(v, 0xE3, 0xED));
	return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(IN(small, 'a', 'z'), IN(v, '0', '9')), v));
#undef IN
}

/* False where wide characters stand: they are left to search_any. */
static bool search_plain(struct run_search *s, struct slice text)
{
	uint32_t before = 0;
	for (size_t at = 0; at < text.len && s->words < RUN_WORDS; at += 32) {
		const uint8_t *p = text.data + at;
		uint32_t wide[2], all = text.len - at < 32 ? ((uint32_t)1 << (text.len - at)) - 1 : ~(uint32_t)0;
		uint32_t bits = word_bits(p, &wide[0]) | word_bits(p + 16, &wide[1]) << 16;
		if ((wide[0] | wide[1] << 16) & all)
			return false;
		bits &= all;
		uint32_t begins = bits & ~(bits << 1 | before);
		before = bits >> 31;
		for (; begins && s->words < RUN_WORDS; begins &= begins - 1)
			search_word(s, p + __builtin_ctz(begins));
	}
	return true;
}
#else
static bool search_plain(struct run_search *s, struct slice text)
{
	(void)s;
	(void)text;
	return false;
}
#endif

uint32_t word_runs_match(const struct word_runs *r, struct slice text, uint32_t *runs)
{
	struct run_search s = { .runs = r, .end = text.data + text.len };
	if (!search_plain(&s, text)) {
		s = (struct run_search){ .runs = r, .end = text.data + text.len };
		search_any(&s, text.data);
	}
	*runs = s.words > 2 ? s.words - 2 : 0;
	return s.found;
}
