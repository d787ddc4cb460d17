/* SPDX-License-Identifier: MIT */
/* The paths of the byte classes: for byte_masks.c, which picks one, and for the tests, which compare them. */
#ifndef DANA_HTML_BYTE_MASKS_PATHS_H
#define DANA_HTML_BYTE_MASKS_PATHS_H

#include "base/cpu.h"
#include "extract/html/byte_masks.h"

void byte_masks_plain(const uint8_t *data, size_t len, struct byte_mask *masks);
#ifdef CPU_PATHS_SSE2
void byte_masks_sse2(const uint8_t *data, size_t len, struct byte_mask *masks);
#endif
#ifdef CPU_PATHS_AVX
void byte_masks_avx2(const uint8_t *data, size_t len, struct byte_mask *masks);
void byte_masks_avx512(const uint8_t *data, size_t len, struct byte_mask *masks);
#endif
#ifdef CPU_PATHS_NEON
void byte_masks_neon(const uint8_t *data, size_t len, struct byte_mask *masks);
#endif

#endif
