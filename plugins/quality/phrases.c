/* SPDX-License-Identifier: MIT */
/*
 * A table has three overlapping rows of four letters from each phrase, which start at adjacent letters. Only every
 * third place of the text is looked up: one of the three rows always starts at such a place.
 *
 * With AVX2, 32 places are looked up together instead, for the three letters of each phrase that are rarest: of each
 * letter, one table has the phrases with its low four bits, another those with its high ones (as the search "Teddy" of
 * Hyperscan does it).
 */
#include "plugins/quality/phrases.h"

#include <string.h>

#include "base/cpu.h"

#ifdef CPU_PATHS_AVX
#include <immintrin.h>
#endif

enum { GRAM = 4, STRIDE = 3, SLOT_BITS = 12, SLOTS = 1 << SLOT_BITS, PHRASE_MOST = 14 /* bytes */ };

/** `row`: where the first of its three rows begins; `part`: where its PHRASE_PART bytes are. Both are rare in texts. */
static const struct {
	const char *text;
	size_t row, part;
} phrase_rows[PHRASES] = {
	[PHRASE_LOREM] = { "lorem ipsum", 5, 7 },  [PHRASE_JAVASCRIPT] = { "javascript", 1, 2 },
	[PHRASE_TERMS] = { "terms of use", 0, 7 }, [PHRASE_PRIVACY] = { "privacy policy", 3, 3 },
	[PHRASE_COOKIE] = { "cookie", 0, 3 },
};

static uint32_t gram_at(const char *at)
{
	uint32_t gram;

	memcpy(&gram, at, GRAM);
	return gram | 0x20202020; /* lower case for ASCII letters; other bytes that this changes are compared later */
}

static size_t slot_of(uint32_t gram)
{
	return gram * UINT32_C(0x9e3779b1) >> (32 - SLOT_BITS);
}

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static void init_parts(struct phrases *t)
{
	for (size_t i = 0; i < PHRASES; i++)
		for (size_t k = 0; k < PHRASE_PART; k++) {
			const char c = phrase_rows[i].text[phrase_rows[i].part + k];
			const uint8_t bit = (uint8_t)(1U << i);
			t->low[k][c & 15] |= bit;
			t->high[k][c >> 4] |= bit;
			if (is_letter(c))
				t->high[k][(c ^ 0x20) >> 4] |= bit;
		}
}

void phrases_init(struct phrases *t)
{
	*t = (struct phrases){ 0 };
	init_parts(t);
	for (uint8_t i = 0; i < PHRASES; i++)
		for (size_t k = 0; k < STRIDE; k++) {
			size_t slot = slot_of(gram_at(phrase_rows[i].text + phrase_rows[i].row + k));
			while (t->slots[slot])
				slot = (slot + 1) % SLOTS;
			t->slots[slot] = (uint8_t)(1U + STRIDE * i + k);
		}
}

/** Returns whether the phrase, in any case, begins `before` bytes before `at`. */
static bool stands_at(const char *text, size_t len, size_t at, size_t before, const char *phrase)
{
	size_t n = strlen(phrase);

	if (before > at || at - before + n > len)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = text[at - before + i];
		if (c != phrase[i] && !(is_letter(phrase[i]) && (c | 0x20) == phrase[i] && c >= 'A'))
			return false;
	}
	return true;
}

/** Looks at the places from `at` on that a phrase which ends after them may have. */
static void find_plain(const struct phrases *t, const char *text, size_t len, size_t at, bool found[PHRASES])
{
	for (; at + GRAM <= len; at += STRIDE) {
		for (size_t slot = slot_of(gram_at(text + at)); t->slots[slot]; slot = (slot + 1) % SLOTS) {
			size_t phrase = (size_t)(t->slots[slot] - 1) / STRIDE,
			       k = (size_t)(t->slots[slot] - 1) % STRIDE;
			if (!found[phrase] &&
			    stands_at(text, len, at, phrase_rows[phrase].row + k, phrase_rows[phrase].text))
				found[phrase] = true;
		}
	}
}

#ifdef CPU_PATHS_AVX
enum { BLOCK = 32 };

/** Returns for each of 32 bytes the phrases that have it at place `k` of their part. */
CPU_TARGET_AVX2 static inline __m256i having_32(const struct phrases *t, size_t k, const char *at)
{
	const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
	const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)t->low[k]));
	const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)t->high[k]));
	const __m256i high_bits = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));

	/* A shuffle by a byte beyond ASCII gives 0. */
	return _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, high_bits));
}

CPU_TARGET_AVX2 static void find_avx2(const struct phrases *t, const char *text, size_t len, bool found[PHRASES])
{
	uint8_t phrases[BLOCK];
	size_t at = 0;

	for (; len - at >= BLOCK + PHRASE_PART; at += BLOCK) {
		const __m256i two = _mm256_and_si256(having_32(t, 0, text + at), having_32(t, 1, text + at + 1));
		const __m256i all = _mm256_and_si256(two, having_32(t, 2, text + at + 2));
		if (_mm256_testz_si256(all, all))
			continue;
		_mm256_storeu_si256((__m256i *)(void *)phrases, all);
		for (size_t i = 0; i < BLOCK; i++)
			for (size_t k = 0; k < PHRASES && phrases[i]; k++)
				found[k] |= phrases[i] >> k & 1 &&
					    stands_at(text, len, at + i, phrase_rows[k].part, phrase_rows[k].text);
	}
	find_plain(t, text, len, at < PHRASE_MOST ? 0 : at - PHRASE_MOST, found);
}
#endif

bool phrases_find(const struct phrases *t, const char *text, size_t len, bool found[PHRASES])
{
	bool any = false;

	memset(found, 0, PHRASES * sizeof(*found));
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		find_avx2(t, text, len, found);
	else
#endif
		find_plain(t, text, len, 0, found);
	for (size_t i = 0; i < PHRASES; i++)
		any |= found[i];
	return any;
}

const char *phrase_text(enum phrase phrase)
{
	return phrase_rows[phrase].text;
}
