/* SPDX-License-Identifier: MIT */
/*
 * The plain C path of the byte classes, which defines what the vector paths return; those for SSE2 (every x86-64),
 * AVX2, AVX-512 and NEON; and the choice among them. A vector is compared with each wanted byte, and one bit of each
 * lane is gathered.
 *
 * Example: the 16 bytes "<p>Hello, world!" compared with '<' give 0xFF in lane 0 and 0 elsewhere, hence the mask 1. The
 * bytes 0x80 and above need no comparison on x86: their top bit, which "movemask" gathers, is set already.
 */
#include "extract/html/byte_masks.h"

#include "base/ascii.h"
#include "base/cpu.h"

typedef void block_fn(const uint8_t *p, struct byte_mask *m);

static inline __attribute__((always_inline)) void each_block(const uint8_t *data, size_t len, struct byte_mask *masks,
							     block_fn *block)
{
	for (; len >= 64; data += 64, len -= 64)
		block(data, masks++);
	if (len) {
		uint8_t tail[64] = { 0 }; /* NUL is in no class */
		memcpy(tail, data, len);
		block(tail, masks);
	}
}

static void block_plain(const uint8_t *p, struct byte_mask *m)
{
	*m = (struct byte_mask){ 0 };
	for (size_t i = 0; i < 64; i++) {
		uint64_t bit = (uint64_t)1 << i;
		uint8_t c = p[i];
		m->lt |= c == '<' ? bit : 0;
		m->gt |= c == '>' ? bit : 0;
		m->quote |= c == '"' ? bit : 0;
		m->apos |= c == '\'' ? bit : 0;
		m->equals |= c == '=' ? bit : 0;
		m->space |= ascii_is_space(c) ? bit : 0;
		m->high |= c >= 0x80 ? bit : 0;
		m->cont |= c >= 0x80 && c < 0xC0 ? bit : 0;
	}
}

void byte_masks_plain(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	each_block(data, len, masks, block_plain);
}

#ifdef CPU_PATHS_SSE2
#ifdef CPU_PATHS_AVX
#include <immintrin.h>
#else
#include "base/sse2.h"
#endif

static inline void block_sse2(const uint8_t *p, struct byte_mask *m)
{
	*m = (struct byte_mask){ 0 };
	for (unsigned i = 0; i < 64; i += 16) {
		__m128i v;
		memcpy(&v, p + i, sizeof(v));
#define EQUALS(byte) _mm_cmpeq_epi8(v, _mm_set1_epi8(byte))
#define BITS(lanes) ((uint64_t)(uint32_t)_mm_movemask_epi8(lanes) << i)
		/* VT (11) is not white space in HTML */
		const __m128i line = _mm_or_si128(EQUALS('\n'), EQUALS('\r')),
			      feed = _mm_or_si128(EQUALS('\t'), EQUALS('\f'));
		m->lt |= BITS(EQUALS('<'));
		m->gt |= BITS(EQUALS('>'));
		m->quote |= BITS(EQUALS('"'));
		m->apos |= BITS(EQUALS('\''));
		m->equals |= BITS(EQUALS('='));
		m->space |= BITS(_mm_or_si128(EQUALS(' '), _mm_or_si128(line, feed)));
		m->high |= BITS(v);
		m->cont |= BITS(_mm_cmplt_epi8(v, _mm_set1_epi8(-64)));
#undef EQUALS
#undef BITS
	}
}

static void masks_sse2(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	each_block(data, len, masks, block_sse2);
}
#endif

#ifdef CPU_PATHS_AVX
/*
 * White space with one table look-up by the low nibble (4 bits) of each byte. The table holds, for each nibble, the
 * white space byte that ends in it, or, if no white space does, a byte with another low nibble; so a byte is white
 * space exactly when the look-up returns the byte itself.
 *
 * Example: tab is 0x09, entry 9 is 9; 'i' is 0x69, and entry 9 differs from it. The instruction returns 0 for bytes of
 * 0x80 and above.
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

CPU_TARGET_AVX2 static inline void block_avx2(const uint8_t *p, struct byte_mask *m)
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

CPU_TARGET_AVX2 static void masks_avx2(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	each_block(data, len, masks, block_avx2);
}

CPU_TARGET_AVX512 static inline void block_avx512(const uint8_t *p, struct byte_mask *m)
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

CPU_TARGET_AVX512 static void masks_avx512(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	each_block(data, len, masks, block_avx512);
}
#endif

#ifdef CPU_PATHS_NEON
#include <arm_neon.h>

/*
 * Returns one bit for each of the 64 bytes, which are 0xFF or 0. NEON has no instruction for it: each byte is ANDed
 * with the weights 1, 2, 4, ... 128; adding neighbours three times then turns 8 bytes into one. Example: 0xFF 0 0xFF 0
 * 0 0 0 0 becomes 1 0 4 0 0 0 0 0, and the sum 5 = 0b101 has bits 0 and 2 set.
 */
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

static inline void block_neon(const uint8_t *p, struct byte_mask *m)
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

static void masks_neon(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	each_block(data, len, masks, block_neon);
}
#endif

byte_masks_fn byte_masks_path(void)
{
	switch (cpu_level()) {
#ifdef CPU_PATHS_AVX
	case CPU_AVX512:
		return masks_avx512;
	case CPU_AVX2:
		return masks_avx2;
#endif
#ifdef CPU_PATHS_SSE2
	case CPU_SSE2:
		return masks_sse2;
#endif
#ifdef CPU_PATHS_NEON
	case CPU_NEON:
		return masks_neon;
#endif
	default:
		return byte_masks_plain;
	}
}
