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

void title_words_set(struct title_words *t, struct slice title)
{
	t->n = 0;
	t->filter = 0;
	while (t->n < TITLE_WORDS && words_next(&title, &t->hash[t->n]))
		t->filter |= (uint64_t)1 << (t->hash[t->n++] & 63);
}

uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words)
{
	uint32_t matched = 0, hash;
	*words = 0;
	while (words_next(&text, &hash)) {
		++*words;
		if (!(t->filter >> (hash & 63) & 1))
			continue;
		for (uint32_t i = 0; i < t->n; i++) {
			if (t->hash[i] == hash) {
				matched++;
				break;
			}
		}
	}
	return matched;
}
