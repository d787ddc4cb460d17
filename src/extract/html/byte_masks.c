/* SPDX-License-Identifier: MIT */
/*
 * The plain C path of the byte classes, which defines what the vector paths return, and the choice among the paths.
 */
#include "extract/html/byte_masks.h"

#include "base/ascii.h"

static void masks_block_plain(const uint8_t *p, size_t n, struct byte_mask *m)
{
	*m = (struct byte_mask){ 0 };
	for (size_t i = 0; i < n; i++) {
		uint64_t bit = (uint64_t)1 << i;
		uint8_t c = p[i];
		if (c >= 0x80) {
			m->high |= bit;
			if (c < 0xC0)
				m->cont |= bit;
		} else if (c == '<') {
			m->lt |= bit;
		} else if (c == '>') {
			m->gt |= bit;
		} else if (c == '"') {
			m->quote |= bit;
		} else if (c == '\'') {
			m->apos |= bit;
		} else if (c == '=') {
			m->equals |= bit;
		} else if (ascii_is_space(c)) {
			m->space |= bit;
		}
	}
}

void byte_masks_plain(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	for (; len >= 64; data += 64, len -= 64)
		masks_block_plain(data, 64, masks++);
	if (len)
		masks_block_plain(data, len, masks);
}

byte_masks_fn byte_masks_path(void)
{
	switch (cpu_level()) {
#ifdef CPU_PATHS_AVX
	case CPU_AVX512:
		return byte_masks_avx512;
	case CPU_AVX2:
		return byte_masks_avx2;
#endif
#ifdef CPU_PATHS_SSE2
	case CPU_SSE2:
		return byte_masks_sse2;
#endif
#ifdef CPU_PATHS_NEON
	case CPU_NEON:
		return byte_masks_neon;
#endif
	default:
		return byte_masks_plain;
	}
}

/*
 * Byte classes with SSE2 (every x86-64), AVX2 and AVX-512. A vector is compared with each wanted byte; a "movemask"
 * instruction then takes the top bit of each lane. Example: the 16 bytes "<p>Hello, world!" compared with '<' give 0xFF
 * in lane 0 and 0 elsewhere, hence the mask 1. The bytes 0x80 and above need no comparison: their top bit is set
 * already.
 */

#ifdef CPU_PATHS_SSE2
#ifdef CPU_PATHS_AVX
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

struct masks16 {
	uint32_t lt, gt, quote, apos, equals, space, high, cont;
};

static inline uint32_t bits16(__m128i v)
{
	return (uint32_t)_mm_movemask_epi8(v);
}

static inline struct masks16 classify16(__m128i v)
{
	__m128i blank = _mm_cmpeq_epi8(v, _mm_set1_epi8(' '));
	/* tab, LF, FF and CR are 9, 10, 12 and 13; VT (11) is not white space in HTML */
	__m128i nine_ten = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(9)), _mm_cmpeq_epi8(v, _mm_set1_epi8(10)));
	__m128i feed = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(12)), _mm_cmpeq_epi8(v, _mm_set1_epi8(13)));
	__m128i ctl = _mm_or_si128(nine_ten, feed);
	return (struct masks16){
		.lt = bits16(_mm_cmpeq_epi8(v, _mm_set1_epi8('<'))),
		.gt = bits16(_mm_cmpeq_epi8(v, _mm_set1_epi8('>'))),
		.quote = bits16(_mm_cmpeq_epi8(v, _mm_set1_epi8('"'))),
		.apos = bits16(_mm_cmpeq_epi8(v, _mm_set1_epi8('\''))),
		.equals = bits16(_mm_cmpeq_epi8(v, _mm_set1_epi8('='))),
		.space = bits16(_mm_or_si128(blank, ctl)),
		.high = bits16(v),
		.cont = bits16(_mm_cmplt_epi8(v, _mm_set1_epi8(-64))),
	};
}

static void masks_block_sse2(const uint8_t *p, struct byte_mask *m)
{
	*m = (struct byte_mask){ 0 };
	for (unsigned i = 0; i < 64; i += 16) {
		__m128i v;
		memcpy(&v, p + i, sizeof(v));
		struct masks16 k = classify16(v);
		m->lt |= (uint64_t)k.lt << i;
		m->gt |= (uint64_t)k.gt << i;
		m->quote |= (uint64_t)k.quote << i;
		m->apos |= (uint64_t)k.apos << i;
		m->equals |= (uint64_t)k.equals << i;
		m->space |= (uint64_t)k.space << i;
		m->high |= (uint64_t)k.high << i;
		m->cont |= (uint64_t)k.cont << i;
	}
}

void byte_masks_sse2(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	for (; len >= 64; data += 64, len -= 64)
		masks_block_sse2(data, masks++);
	if (len) {
		uint8_t tail[64] = { 0 }; /* NUL is in no class */
		memcpy(tail, data, len);
		masks_block_sse2(tail, masks);
	}
}

#ifdef CPU_PATHS_AVX
/*
 * White space with one table look-up by the low nibble (4 bits) of each byte. The table holds, for each nibble, the
 * white space byte that ends in it, or, if no white space does, a byte with another low nibble; so a byte is white
 * space exactly when the look-up returns the byte itself. Example: tab is 0x09, entry 9 is 9; 'i' is 0x69, and entry 9
 * differs from it. The instruction returns 0 for bytes of 0x80 and above.
 */
CPU_TARGET_AVX2 static inline __m128i space_table(void)
{
	return _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 0, 12, 13, 0, 0);
}

/* Stores the two halves of a mask one by one, which saves the instructions that would join them. */
CPU_TARGET_AVX2 static inline void store64(uint64_t *to, __m256i low, __m256i high)
{
	uint32_t bits[2] = { (uint32_t)_mm256_movemask_epi8(low), (uint32_t)_mm256_movemask_epi8(high) };
	memcpy(to, &bits[0], sizeof(bits[0]));
	memcpy((uint8_t *)to + sizeof(bits[0]), &bits[1], sizeof(bits[1]));
}

CPU_TARGET_AVX2 static inline void store_equals(uint64_t *to, __m256i low, __m256i high, char byte)
{
	__m256i wanted = _mm256_set1_epi8(byte);
	store64(to, _mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted));
}

CPU_TARGET_AVX2 static inline void masks_block_avx2(const uint8_t *p, struct byte_mask *m)
{
	const __m256i spaces = _mm256_broadcastsi128_si256(space_table());
	const __m256i lead = _mm256_set1_epi8(-64);
	__m256i low, high;

	memcpy(&low, p, sizeof(low));
	memcpy(&high, p + 32, sizeof(high));

	store_equals(&m->lt, low, high, '<');
	store_equals(&m->gt, low, high, '>');
	store_equals(&m->quote, low, high, '"');
	store_equals(&m->apos, low, high, '\'');
	store_equals(&m->equals, low, high, '=');
	store64(&m->space, _mm256_cmpeq_epi8(_mm256_shuffle_epi8(spaces, low), low),
		_mm256_cmpeq_epi8(_mm256_shuffle_epi8(spaces, high), high));
	store64(&m->high, low, high);
	store64(&m->cont, _mm256_cmpgt_epi8(lead, low), _mm256_cmpgt_epi8(lead, high));
}

CPU_TARGET_AVX2 void byte_masks_avx2(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	for (; len >= 64; data += 64, len -= 64)
		masks_block_avx2(data, masks++);
	if (len) {
		uint8_t tail[64] = { 0 };
		memcpy(tail, data, len);
		masks_block_avx2(tail, masks);
	}
}

CPU_TARGET_AVX512 static inline void masks_block_avx512(const uint8_t *p, struct byte_mask *m)
{
	__m512i v;
	memcpy(&v, p, sizeof(v));
#define EQUALS(byte) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(byte))
	m->lt = EQUALS('<');
	m->gt = EQUALS('>');
	m->quote = EQUALS('"');
	m->apos = EQUALS('\'');
	m->equals = EQUALS('=');
#undef EQUALS
	m->space = _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(_mm512_broadcast_i32x4(space_table()), v), v);
	m->high = _mm512_movepi8_mask(v);
	m->cont = _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(-64));
}

CPU_TARGET_AVX512 void byte_masks_avx512(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	for (; len >= 64; data += 64, len -= 64)
		masks_block_avx512(data, masks++);
	if (len) {
		uint8_t tail[64] = { 0 };
		memcpy(tail, data, len);
		masks_block_avx512(tail, masks);
	}
}
#endif
#else
typedef int byte_masks_x86_is_empty;
#endif

/*
 * Byte classes with NEON (every AArch64). NEON has no instruction that gathers one bit of each byte. So a comparison,
 * which gives 0xFF or 0 for each byte, is ANDed with the weights 1, 2, 4, ... 128; adding neighbours three times then
 * turns 8 bytes into one. Example: 0xFF 0 0xFF 0 0 0 0 0 becomes 1 0 4 0 0 0 0 0, and the sum 5 = 0b101 has bits 0 and
 * 2 set.
 */

#ifdef CPU_PATHS_NEON
#include <arm_neon.h>

/* Returns one bit for each of the 64 bytes, which are 0xFF or 0. */
static inline uint64_t bits64(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
	static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
	uint8x16_t w = vld1q_u8(weights);
	uint8x16_t ab = vpaddq_u8(vandq_u8(a, w), vandq_u8(b, w));
	uint8x16_t cd = vpaddq_u8(vandq_u8(c, w), vandq_u8(d, w));
	uint8x16_t all = vpaddq_u8(ab, cd);
	return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

static inline uint64_t equals(const uint8x16_t v[4], uint8_t byte)
{
	uint8x16_t wanted = vdupq_n_u8(byte);
	return bits64(vceqq_u8(v[0], wanted), vceqq_u8(v[1], wanted), vceqq_u8(v[2], wanted), vceqq_u8(v[3], wanted));
}

static inline uint64_t at_least(const uint8x16_t v[4], uint8_t byte)
{
	uint8x16_t least = vdupq_n_u8(byte);
	return bits64(vcgeq_u8(v[0], least), vcgeq_u8(v[1], least), vcgeq_u8(v[2], least), vcgeq_u8(v[3], least));
}

static void masks_block_neon(const uint8_t *p, struct byte_mask *m)
{
	uint8x16_t v[4] = { vld1q_u8(p), vld1q_u8(p + 16), vld1q_u8(p + 32), vld1q_u8(p + 48) };
	m->lt = equals(v, '<');
	m->gt = equals(v, '>');
	m->quote = equals(v, '"');
	m->apos = equals(v, '\'');
	m->equals = equals(v, '=');
	m->space = equals(v, ' ') | equals(v, '\t') | equals(v, '\n') | equals(v, '\f') | equals(v, '\r');
	m->high = at_least(v, 0x80);
	m->cont = m->high & ~at_least(v, 0xC0);
}

void byte_masks_neon(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	for (; len >= 64; data += 64, len -= 64)
		masks_block_neon(data, masks++);
	if (len) {
		uint8_t tail[64] = { 0 };
		memcpy(tail, data, len);
		masks_block_neon(tail, masks);
	}
}
#else
typedef int byte_masks_neon_is_empty;
#endif
