/* SPDX-License-Identifier: MIT */
/*
 * Byte classes with SSE2 (every x86-64), AVX2 and AVX-512. A vector is compared with each wanted byte; a "movemask"
 * instruction then takes the top bit of each lane. Example: the 16 bytes "<p>Hello, world!" compared with '<' give 0xFF
 * in lane 0 and 0 elsewhere, hence the mask 1. The bytes 0x80 and above need no comparison: their top bit is set
 * already.
 */
#include "extract/html/byte_masks_paths.h"

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
