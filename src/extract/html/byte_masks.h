/* SPDX-License-Identifier: MIT */
/*
 * Byte classes, 64 bytes at a time: for each class a word of 64 bits, whose bit k is set if byte k belongs to the
 * class. All later stages look at these words instead of at bytes, so that one instruction decides about 64 bytes.
 *
 * Example: for the block "a<b>=" (bit 0 is the first byte) lt = 0b00010, gt = 0b01000, equals = 0b10000. The first '<'
 * is at __builtin_ctzll(lt) = 1.
 *
 * The paths for AVX-512, AVX2, SSE2, NEON and plain C give equal results; base/cpu.h decides which one is used.
 */
#ifndef DANA_EXTRACT_HTML_BYTE_MASKS_H
#define DANA_EXTRACT_HTML_BYTE_MASKS_H

#include "base/cpu.h"
#include "base/slice.h"

/** Bit k of a mask belongs to byte k of the block. */
struct byte_mask {
	uint64_t lt;     /* '<' */
	uint64_t gt;     /* '>' */
	uint64_t quote;  /* '"' */
	uint64_t apos;   /* '\'' */
	uint64_t equals; /* '=' */
	uint64_t space;  /* space, tab, LF, FF, CR */
	uint64_t high;   /* 0x80 and above */
	uint64_t cont;   /* 0x80 to 0xBF: not the first byte of a character */
};

/** Fills (len + 63) / 64 masks; bits beyond the last byte are 0. Reads nothing after data + len. */
typedef void (*byte_masks_fn)(const uint8_t *data, size_t len, struct byte_mask *masks);
/** Returns the path for the instructions that base/cpu.h allows. */
byte_masks_fn byte_masks_path(void);
/** The path of plain C, for tests. */
void byte_masks_plain(const uint8_t *data, size_t len, struct byte_mask *masks);

/** Sets bit numbers `from` (inclusive) to `to` (exclusive), both at most 64. */
static inline uint64_t mask_range(size_t from, size_t to)
{
	uint64_t below = to >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << to) - 1;
	return from >= 64 ? 0 : below & ~(((uint64_t)1 << from) - 1);
}

#endif
