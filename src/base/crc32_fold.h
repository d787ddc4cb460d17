/* SPDX-License-Identifier: MIT */
/* The CRC-32 of gzip (RFC 1952, section 8) with vectors of carry-less products. */
#ifndef DANA_BASE_CRC32_FOLD_H
#define DANA_BASE_CRC32_FOLD_H

#include "base/slice.h"

enum { CRC32_LEFT = 16 };

/**
 * Folds the beginning of `s` into 16 bytes. The CRC of that beginning, continued from `crc`, is the CRC of `left`,
 * continued from UINT32_MAX (in zlib's sense: there it means a register of zeros). Returns the length of the beginning:
 * the caller continues with the rest. Returns 0, and leaves `left` as it is, if `s` is short, or if the processor lacks
 * the instructions or has wider ones, which ISA-L uses.
 */
size_t crc32_fold(struct slice s, uint32_t crc, uint8_t left[CRC32_LEFT]);

#endif
