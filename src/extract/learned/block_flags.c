/* SPDX-License-Identifier: MIT */
/*
 * Flags of a block, and for each flag the distance to the last block that had it. The tracker adds one to each distance
 * at each block, up to FLAG_FAR, and sets it to 0 if the block has the flag.
 *
 * Example: if only the second of four blocks has a date, FLAG_DATE has the distances FLAG_FAR, 0, 1, 2 and the count is
 * 1 from then on.
 */
#include "extract/learned/block_flags.h"

#include <string.h>

#include "extract/learned/scale.h"

enum { BAD_TOKENS = 100, ALL_LINKS = 200 };

#define EACH_BYTE 0x0101010101010101U

void flag_tracker_reset(struct flag_tracker *s)
{
	memset(s->count, 0, sizeof(s->count));
	s->distances = EACH_BYTE * FLAG_FAR;
}

unsigned block_flags_of(const struct block *block, uint8_t tokens, uint8_t links)
{
	const struct counts *c = &block->counts;
	bool digit = c->units && (uint64_t)c->digits * 255 >= c->units; /* scale_share is not 0 */
	return (unsigned)c->stopped << FLAG_STOP | (unsigned)(tokens < BAD_TOKENS) << FLAG_BAD |
	       (unsigned)(links > ALL_LINKS) << FLAG_LINK | (unsigned)block->input_before << FLAG_INPUT |
	       (unsigned)block->has_date << FLAG_DATE | (unsigned)(c->exclaims != 0) << FLAG_EXCLAIM |
	       (unsigned)(block->tag == HTML_TAG_P) << FLAG_PARAGRAPH | (unsigned)digit << FLAG_DIGIT |
	       (unsigned)(links != 0 && links <= ALL_LINKS) << FLAG_LINKED;
}

/* Returns a word of bytes, 1 where that of `word` is not 0. */
static inline uint64_t not_zero(uint64_t word)
{
	const uint64_t low = EACH_BYTE * 0x7F;
	return (((word & low) + low) | word) >> 7 & EACH_BYTE;
}

void flag_tracker_add(struct flag_tracker *s, unsigned flags)
{
	/* bit k of the flags is moved to bit k of byte k */
	uint64_t located = (flags & 0xFF) * EACH_BYTE & 0x8040201008040201U;
	uint64_t further = s->distances + not_zero(s->distances ^ EACH_BYTE * FLAG_FAR);
	_Static_assert(FLAGS_LOCATED <= 8, "a byte for each");
	s->distances = further & ~(not_zero(located) * 0xFF);
	for (unsigned k = 0; k < FLAGS_COUNTED; k++)
		s->count[k] += flags >> (FLAG_DATE + k) & 1;
}
