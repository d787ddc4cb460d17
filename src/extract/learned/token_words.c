/* SPDX-License-Identifier: MIT */
/*
 * Hashes words of attribute values while reading them: each word as a whole, and its parts between dividers, digits,
 * and small and capital letters. No text is copied and no list of words is kept, only 2^16 weights.
 *
 * Example: "postList12" gives the word "postlist0" and the parts "post" and "list".
 */
#include "extract/learned/token_words.h"

#include "base/ascii.h"
#include "base/cpu.h"
#include "base/hash.h"

#ifdef CPU_PATHS_SSE2
#include <emmintrin.h>
#endif

/* Limits for one value: a page with a million classes costs no more than a page with twelve. */
enum {
	WORDS_OF_VALUE = 12,
	LONGEST_WORD = 60,
	SHORTEST_PART = 3,
	LONGEST_PART = 19,
	ADDRESS_BYTES = 40,
	ADDRESS_READ = 48
};

/* Start values of hashes: of a word's part, and of a word in an address. */
#define PART_START (HASH_FNV32_START ^ 0x5555U)
#define ADDRESS_START 0x2545F491U

static int32_t add_token(const struct token_sink *sink, uint32_t h)
{
	h ^= h >> 15;
	h *= 0x85ebca6bU;
	h ^= h >> 13;
	h &= TOKEN_COUNT - 1;
	if (sink->seen)
		sink->seen(sink->arg, h);
	return sink->weights[h];
}

/* The hashes of the current word: as a whole, and of its open part. */
struct word_hash {
	uint32_t whole, part;
	const uint8_t *part_first;
	int32_t score;
};

static void end_part(const struct token_sink *sink, struct word_hash *h, const uint8_t *end)
{
	if (end - h->part_first >= SHORTEST_PART && end - h->part_first <= LONGEST_PART)
		h->score += add_token(sink, h->part);
	h->part = PART_START;
}

/*
 * Takes a digit, divider or capital at p. A run of digits counts as one 0; digits, dividers, and capitals after small
 * letters, end a part.
 */
static void add_special(const struct token_sink *sink, struct word_hash *h, const uint8_t *p, uint8_t before)
{
	uint8_t c = *p, lower = ascii_lower(c);
	bool digit = ascii_is_digit(c), capital = c != lower;
	if (!digit || !ascii_is_digit(before))
		h->whole = hash_fnv32_byte(digit ? '0' : lower, h->whole);
	if (!capital || (before >= 'a' && before <= 'z')) {
		end_part(sink, h, p);
		h->part_first = p + !capital;
	}
	if (capital)
		h->part = hash_fnv32_byte(lower, h->part);
}

enum word_byte { BYTE_PLAIN, BYTE_SPECIAL, BYTE_ENDS };
static const uint8_t word_bytes[256] = {
	[0 ... ' '] = BYTE_ENDS, ['0' ... '9'] = BYTE_SPECIAL, ['A' ... 'Z'] = BYTE_SPECIAL,
	['-'] = BYTE_SPECIAL,    ['_'] = BYTE_SPECIAL,         [':'] = BYTE_SPECIAL,
};

/* Takes the next word from `rest`; returns false at the end. Bytes beyond LONGEST_WORD are skipped. */
static bool add_word(const struct token_sink *sink, uint32_t kind, struct slice *rest, int32_t *score)
{
	const uint8_t *p = rest->data, *end = p + rest->len;
	while (p < end && *p <= ' ')
		p++;
	if (p == end)
		return false;
	struct word_hash h = { HASH_FNV32_START ^ (kind * 977U), PART_START, p, 0 };
	const uint8_t *first = p, *stop = end - p > LONGEST_WORD ? p + LONGEST_WORD : end;
	for (; p < stop && word_bytes[*p] != BYTE_ENDS; p++) {
		if (word_bytes[*p] == BYTE_SPECIAL) {
			add_special(sink, &h, p, p > first ? p[-1] : 0);
			continue;
		}
		h.whole = hash_fnv32_byte(*p, h.whole);
		h.part = hash_fnv32_byte(*p, h.part);
	}
	end_part(sink, &h, p);
	*score += h.score + add_token(sink, h.whole);
	while (p<end && * p> ' ')
		p++;
	*rest = slice_of(p, (size_t)(end - p));
	return true;
}

int32_t token_words_of_value(const struct token_sink *sink, uint32_t kind, struct slice value)
{
	int32_t score = 0;
	for (int i = 0; i < WORDS_OF_VALUE && add_word(sink, kind, &value, &score); i++)
		;
	return score;
}

uint32_t token_words_first(struct slice value)
{
	uint32_t h = HASH_FNV32_START;
	const uint8_t *p = value.data, *end = p + value.len;
	while (p < end && *p <= ' ')
		p++;
	const uint8_t *first = p, *stop = end - p > LONGEST_WORD ? p + LONGEST_WORD : end;
	for (; p<stop && * p> ' '; p++) {
		if (!ascii_is_digit(*p))
			h = hash_fnv32_byte(*p, h);
	}
	return p > first ? h : 0;
}

#ifdef CPU_PATHS_SSE2
static inline uint64_t letter_bits_sse2(const uint8_t bytes[static ADDRESS_READ])
{
	uint64_t bits = 0;
	for (unsigned i = 0; i < ADDRESS_READ; i += 16) {
		__m128i v;
		memcpy(&v, bytes + i, sizeof(v));
		v = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8('a' - 1)), _mm_cmplt_epi8(v, _mm_set1_epi8('z' + 1)));
		bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << i;
	}
	return bits;
}
#endif

/* Returns one bit for each byte that is a small letter; bits after ADDRESS_BYTES may also be set. */
static inline uint64_t letter_bits(const uint8_t bytes[static ADDRESS_READ])
{
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return letter_bits_sse2(bytes);
#endif
	uint64_t bits = 0;
	for (unsigned i = 0; i < ADDRESS_BYTES; i++)
		bits |= (uint64_t)((uint8_t)(bytes[i] - 'a') < 26) << i;
	return bits;
}

/*
 * Returns the hash of `len` letters, at least three; eight bytes can be read. The end of most words is selected without
 * a branch.
 */
static inline uint32_t hash_letters(uint32_t h, const uint8_t *p, unsigned len)
{
	for (unsigned k = 0; k < SHORTEST_PART; k++)
		h = hash_fnv32_byte(p[k], h);
	for (unsigned k = SHORTEST_PART; k < 8; k++) {
		uint32_t longer = hash_fnv32_byte(p[k], h);
		h ^= (h ^ longer) & (0U - (k < len));
	}
	for (unsigned k = 8; k < len; k++)
		h = hash_fnv32_byte(p[k], h);
	return h;
}

int32_t token_words_of_address(const struct token_sink *sink, struct slice address, const uint8_t *limit)
{
	const uint8_t *p = address.data, *end = p + address.len;
	if (address.len > 8 && (p[4] == ':' || p[5] == ':') && (p[0] | 0x20) == 'h') {
		const uint8_t *path = memchr(p + 8, '/', address.len - 8);
		p = path ? path : end;
	}
	size_t most = end - p > ADDRESS_BYTES ? ADDRESS_BYTES : (size_t)(end - p);
	uint8_t copy[ADDRESS_READ];
	const uint8_t *bytes = p;
	if (limit - p < ADDRESS_READ) {
		memset(copy, 0, sizeof(copy));
		bytes = memcpy(copy, p, most);
	}
	int32_t score = 0;
	for (uint64_t bits = letter_bits(bytes) & (((uint64_t)1 << most) - 1); bits;) {
		unsigned first = (unsigned)__builtin_ctzll(bits), len = (unsigned)__builtin_ctzll(~(bits >> first));
		bits &= bits + (bits & (0U - bits)); /* without its lowest run */
		if (len < SHORTEST_PART || len > LONGEST_PART)
			continue;
		uint8_t before = first ? bytes[first - 1] : 0;
		uint32_t start = ADDRESS_START ^ (before == '#' || before == '?' ? before : 0U);
		score += add_token(sink, hash_letters(start, bytes + first, len));
	}
	return score;
}
