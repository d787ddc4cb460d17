/* SPDX-License-Identifier: MIT */
/*
 * Byte classes with NEON (every AArch64). NEON has no instruction that gathers one bit of each byte. So a comparison,
 * which gives 0xFF or 0 for each byte, is ANDed with the weights 1, 2, 4, ... 128; adding neighbours three times then
 * turns 8 bytes into one. Example: 0xFF 0 0xFF 0 0 0 0 0 becomes 1 0 4 0 0 0 0 0, and the sum 5 = 0b101 has bits 0 and
 * 2 set.
 */
#include "extract/html/byte_masks_paths.h"

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
