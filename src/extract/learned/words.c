#include "extract/learned/words.h"

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

/* Words are found by masks, and hashed only where they begin as one of the title does. Wide characters are left to match_any. */
uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words)
{
	const uint8_t *end = text.data + text.len;
	uint32_t matched = 0, before = 0, hash;
	*words = 0;
	for (size_t at = 0; at < text.len; at += 32) {
		const uint8_t *p = text.data + at;
		uint32_t wide[2], all = text.len - at < 32 ? ((uint32_t)1 << (text.len - at)) - 1 : ~(uint32_t)0;
		uint32_t bits = word_bits(p, &wide[0]) | word_bits(p + 16, &wide[1]) << 16;
		if ((wide[0] | wide[1] << 16) & all)
			return match_any(t, text, words);
		bits &= all;
		uint32_t begins = bits & ~(bits << 1 | before);
		before = bits >> 31;
		for (; begins; begins &= begins - 1) {
			const uint8_t *word = p + __builtin_ctz(begins);
			++*words;
			if (!(t->begins >> begin_of(word, end) & 1))
				continue;
			struct slice rest = slice_of(word, (size_t)(end - word));
			matched += words_next(&rest, &hash) && is_in_title(t, hash);
		}
	}
	return matched;
}
#else
uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words)
{
	return match_any(t, text, words);
}
#endif
