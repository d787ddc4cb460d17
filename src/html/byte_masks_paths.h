/* The variants of the byte classes; only byte_masks.c and the tests look in here. */
#ifndef DANA_HTML_BYTE_MASKS_PATHS_H
#define DANA_HTML_BYTE_MASKS_PATHS_H

#include "html/byte_masks.h"

void byte_masks_plain(const uint8_t *data, size_t len, struct byte_mask *masks);
#if defined(__x86_64__) || (defined(__i386__) && defined(__SSE2__))
void byte_masks_sse2(const uint8_t *data, size_t len, struct byte_mask *masks);
void byte_masks_avx512(const uint8_t *data, size_t len, struct byte_mask *masks);
void byte_masks_avx2(const uint8_t *data, size_t len, struct byte_mask *masks);
#endif
#if defined(__aarch64__)
void byte_masks_neon(const uint8_t *data, size_t len, struct byte_mask *masks);
#endif

#endif
