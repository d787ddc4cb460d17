/* SPDX-License-Identifier: MIT */
/*
 * Checking of UTF-8, 64 bytes at a time: the look-up algorithm of J. Keiser and D. Lemire, "Validating UTF-8 in less
 * than one instruction per byte", Software: Practice and Experience 51 (2021), section 6. For each pair of neighbouring
 * bytes three nibbles (the high and low one of the first byte, the high one of the second) are looked up in tables of
 * possible errors; the pair has an error if all three tables name it.
 *
 * Example: C0 AF, an overlong '/'. C in the first table says "too short or overlong", 0 in the second "overlong" among
 * others, A in the third "a trail: overlong" among others. OVERLONG_2 is in all three, so the pair is an error.
 */
#include "base/utf8_wide.h"

#include "base/cpu.h"

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

#include "base/utf8.h"

/* Errors of a pair of bytes. */
enum {
	TOO_SHORT = 1 << 0, /* a lead without a trail */
	TOO_LONG = 1 << 1,  /* a trail after ASCII */
	OVERLONG_3 = 1 << 2,
	TOO_LARGE = 1 << 3,
	SURROGATE = 1 << 4,
	OVERLONG_2 = 1 << 5,
	TOO_LARGE_1000 = 1 << 6, /* F5 to FF with a second byte of 80 to 8F */
	OVERLONG_4 = 1 << 6,
	TWO_TRAILS = 1 << 7, /* correct as third or fourth byte of a character; `faults` checks that */
	ANY_LEAD = TOO_SHORT | TOO_LONG | TWO_TRAILS, /* errors that do not depend on the first byte's low nibble */
	LARGE = ANY_LEAD | TOO_LARGE | TOO_LARGE_1000,
};

#define NIBBLES(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define C(faults) ((char)(faults))

CPU_TARGET_AVX2 static inline __m256i nibble_high(__m256i v)
{
	return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
}

/* For each byte of `v`, the byte `n` places earlier; the first ones come from the end of `before`. */
#define BACK(v, before, n) _mm256_alignr_epi8((v), _mm256_permute2x128_si256((before), (v), 0x21), 16 - (n))

/* Non-zero at each byte that ends a wrong pair, and where a third or fourth byte is missing or superfluous. */
CPU_TARGET_AVX2 static inline __m256i faults(__m256i v, __m256i before)
{
	const __m256i first_high = NIBBLES(
		C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG),
		C(TWO_TRAILS), C(TWO_TRAILS), C(TWO_TRAILS), C(TWO_TRAILS), C(TOO_SHORT | OVERLONG_2), C(TOO_SHORT),
		C(TOO_SHORT | OVERLONG_3 | SURROGATE), C(TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4));
	const __m256i first_low =
		NIBBLES(C(ANY_LEAD | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), C(ANY_LEAD | OVERLONG_2), C(ANY_LEAD),
			C(ANY_LEAD), C(ANY_LEAD | TOO_LARGE), C(LARGE), C(LARGE), C(LARGE), C(LARGE), C(LARGE),
			C(LARGE), C(LARGE), C(LARGE), C(LARGE | SURROGATE), C(LARGE), C(LARGE));
	const int trail = TOO_LONG | OVERLONG_2 | TWO_TRAILS;
	const __m256i second_high =
		NIBBLES(C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT),
			C(TOO_SHORT), C(TOO_SHORT), C(trail | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
			C(trail | OVERLONG_3 | TOO_LARGE), C(trail | SURROGATE | TOO_LARGE),
			C(trail | SURROGATE | TOO_LARGE), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT));
	__m256i first = BACK(v, before, 1);
	__m256i pair = _mm256_and_si256(
		_mm256_and_si256(_mm256_shuffle_epi8(first_high, nibble_high(first)),
				 _mm256_shuffle_epi8(first_low, _mm256_and_si256(first, _mm256_set1_epi8(0x0F)))),
		_mm256_shuffle_epi8(second_high, nibble_high(v)));
	/*
	 * top bit set: a lead of 3 or 4 bytes is two places earlier, or a lead of 4 three places; exactly then
	 * TWO_TRAILS is right
	 */
	__m256i third = _mm256_subs_epu8(BACK(v, before, 2), _mm256_set1_epi8(0xE0 - 0x80));
	__m256i fourth = _mm256_subs_epu8(BACK(v, before, 3), _mm256_set1_epi8(0xF0 - 0x80));
	__m256i wanted = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
	return _mm256_xor_si256(wanted, pair);
}

/*
 * Returns the end of the last complete character in p[0..n), which is well-formed except perhaps for a cut character or
 * a bad lead at the end.
 */
static size_t cut_back(const uint8_t *p, size_t n)
{
	for (size_t back = 1; back <= 3 && back <= n; back++) {
		if ((p[n - back] & 0xC0) == 0x80)
			continue;
		size_t need = utf8_length(p[n - back]);
		return need == 0 || need > back ? n - back : n;
	}
	return n;
}

CPU_TARGET_AVX2 static size_t valid_avx2(struct slice s)
{
	__m256i before = _mm256_setzero_si256();
	size_t n = 0;
	for (; s.len - n >= 64; n += 64) {
		__m256i low, high;
		memcpy(&low, s.data + n, sizeof(low));
		memcpy(&high, s.data + n + 32, sizeof(high));
		/* check `before` as well: ASCII after a cut character is an error */
		if (_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(low, high), before))) {
			__m256i bad = _mm256_or_si256(faults(low, before), faults(high, low));
			if (!_mm256_testz_si256(bad, bad))
				break;
		}
		before = high;
	}
	return cut_back(s.data, n);
}

size_t utf8_valid_wide(struct slice s)
{
	return s.len >= 64 && cpu_level() >= CPU_AVX2 ? valid_avx2(s) : 0;
}
#else
size_t utf8_valid_wide(struct slice s)
{
	(void)s;
	return 0;
}
#endif
