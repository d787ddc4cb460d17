#include "extract/learned/word_runs.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "extract/learned/word_byte.h"

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
