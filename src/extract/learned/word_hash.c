/* SPDX-License-Identifier: MIT */
/*
 * Words of a text: runs of ASCII letters, digits and bytes above ASCII, without regard to case; each character of Han,
 * Kana or Hangul is a word.
 */
#include "extract/learned/word_hash.h"

#include "base/hash.h"
#include "extract/learned/word_byte.h"

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
