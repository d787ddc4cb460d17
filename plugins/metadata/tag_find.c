/* SPDX-License-Identifier: MIT */
/*
 * Pages have thousands of tags, and few of them matter. So 64 bytes are compared at a time, and not only with '<': the
 * next three bytes must fit one of the names. A branch for each "<" would cost more, as it is hard to predict.
 */
#include "config.h"

#include "plugins/metadata/tag_find.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "base/cpu.h"

#ifdef CPU_PATHS_SSE2
#include <immintrin.h>
#endif

/** Returns whether a tag of interest may begin with these two bytes. */
static inline bool may_begin(uint8_t first, uint8_t second)
{
	enum { ME = 1, LI = 2, TI = 4, HT = 8, ST = 16, DASH = 32 };
	static const uint8_t firsts[256] = { ['m'] = ME, ['M'] = ME, ['l'] = LI, ['L'] = LI, ['t'] = TI,  ['T'] = TI,
					     ['h'] = HT, ['H'] = HT, ['s'] = ST, ['S'] = ST, ['!'] = DASH };
	static const uint8_t seconds[256] = {
		['e'] = ME,      ['E'] = ME, ['i'] = LI | TI, ['I'] = LI | TI, ['t'] = HT | ST,
		['T'] = HT | ST, ['1'] = HT, ['c'] = ST,      ['C'] = ST,      ['-'] = DASH,
	};
	return firsts[first] & seconds[second];
}

/** Returns whether a tag of interest may begin at this '<'; three bytes follow it. */
static inline bool is_of_interest(const uint8_t *lt)
{
	/* There are many <li>. */
	return may_begin(lt[1], lt[2]) && ((lt[1] | 0x20) != 'l' || (lt[3] | 0x20) == 'n');
}

static const uint8_t *find_plain(const uint8_t *at, const uint8_t *end)
{
	while (at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
		if (end - at < 4 || is_of_interest(at))
			return at;
		at++;
	}
	return end;
}

#ifdef CPU_PATHS_SSE2
enum { BLOCK = 64, AFTER = 3 };

/** Returns a bit for each byte of a block at which a tag of interest may begin. AFTER bytes follow the block. */
typedef uint64_t block_bits(const uint8_t *at);

BITS_INLINE const uint8_t *find_in_blocks(const uint8_t *at, const uint8_t *end, block_bits *bits_of)
{
	for (; end - at >= BLOCK + AFTER; at += BLOCK)
		for (uint64_t bits = bits_of(at); bits; bits &= bits - 1)
			if (is_of_interest(at + bits_lowest(bits)))
				return at + bits_lowest(bits);
	return find_plain(at, end);
}

BITS_INLINE uint64_t less_thans_of_16(const uint8_t *at)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);

	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('<')));
}

BITS_INLINE uint64_t bits_sse2(const uint8_t *at)
{
	return less_thans_of_16(at) | less_thans_of_16(at + 16) << 16 | less_thans_of_16(at + 32) << 32 |
	       less_thans_of_16(at + 48) << 48;
}

static const uint8_t *find_sse2(const uint8_t *at, const uint8_t *end)
{
	return find_in_blocks(at, end, bits_sse2);
}
#endif

#ifdef CPU_PATHS_AVX
/*
 * The allowed first, second and third bytes, each at the index of its low nibble (4 bits): the look-up of a byte finds
 * an equal byte only if the byte is allowed. Bytes are compared in lower case. A third byte '-' becomes 'm'; the third
 * byte of h1 may be anything.
 */
#define NIBBLES(...) _mm_setr_epi8(__VA_ARGS__)
#define FIRST NIBBLES(0, '!', 0, 's', 't', 0, 0, 0, 'h', 0, 0, 0, 'l', 'm', 0, 0)
#define SECOND NIBBLES(0, '1', 0, 'c', 't', 'e', 0, 0, 0, 'i', 0, 0, 0, '-', 0, 0)
#define THIRD NIBBLES(0, 0, 'r', 0, 't', 0, 0, 0, 0, 'y', 0, 0, 0, 'm', 'n', 0)
enum { SMALL = 0x20, SMALL_OR_DASH = 0x60 };

CPU_TARGET_AVX2 static inline __m256i small_32(const uint8_t *at, char bits)
{
	return _mm256_or_si256(_mm256_loadu_si256((const __m256i *)(const void *)at), _mm256_set1_epi8(bits));
}

CPU_TARGET_AVX2 static inline __m256i among_32(__m256i bytes, __m128i set)
{
	return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(set), bytes), bytes);
}

CPU_TARGET_AVX2 static inline uint32_t bits_of_32(const uint8_t *at)
{
	const __m256i second = small_32(at + 2, SMALL);
	const __m256i less_than = _mm256_cmpeq_epi8(small_32(at, 0), _mm256_set1_epi8('<'));
	const __m256i begins = _mm256_and_si256(among_32(small_32(at + 1, SMALL), FIRST), among_32(second, SECOND));
	const __m256i goes_on = _mm256_or_si256(among_32(small_32(at + 3, SMALL_OR_DASH), THIRD),
						_mm256_cmpeq_epi8(second, _mm256_set1_epi8('1')));

	return (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(less_than, _mm256_and_si256(begins, goes_on)));
}

CPU_TARGET_AVX2 static inline uint64_t bits_avx2(const uint8_t *at)
{
	return bits_of_32(at) | (uint64_t)bits_of_32(at + 32) << 32;
}

CPU_TARGET_AVX2 static const uint8_t *find_avx2(const uint8_t *at, const uint8_t *end)
{
	return find_in_blocks(at, end, bits_avx2);
}

CPU_TARGET_AVX512 static inline __m512i small_64(const uint8_t *at, char bits)
{
	return _mm512_or_si512(_mm512_loadu_si512(at), _mm512_set1_epi8(bits));
}

CPU_TARGET_AVX512 static inline uint64_t among_64(uint64_t where, __m512i bytes, __m128i set)
{
	return _mm512_mask_cmpeq_epi8_mask(where, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(set), bytes), bytes);
}

CPU_TARGET_AVX512 static inline uint64_t bits_avx512(const uint8_t *at)
{
	const __m512i second = small_64(at + 2, SMALL);
	uint64_t bits = _mm512_cmpeq_epi8_mask(small_64(at, 0), _mm512_set1_epi8('<'));

	bits = among_64(among_64(bits, small_64(at + 1, SMALL), FIRST), second, SECOND);
	return among_64(bits, small_64(at + 3, SMALL_OR_DASH), THIRD) |
	       _mm512_mask_cmpeq_epi8_mask(bits, second, _mm512_set1_epi8('1'));
}

CPU_TARGET_AVX512 static const uint8_t *find_avx512(const uint8_t *at, const uint8_t *end)
{
	return find_in_blocks(at, end, bits_avx512);
}
#endif

const uint8_t *tag_find(const uint8_t *at, const uint8_t *end)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX512)
		return find_avx512(at, end);
	if (cpu_level() >= CPU_AVX2)
		return find_avx2(at, end);
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return find_sse2(at, end);
#endif
	return find_plain(at, end);
}
