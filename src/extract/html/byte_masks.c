/* SPDX-License-Identifier: MIT */
/* The plain C path of the byte classes, which defines what the vector paths return, and the choice among the paths. */
#include "extract/html/byte_masks.h"

#include "base/ascii.h"
#include "extract/html/byte_masks_paths.h"

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
