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

void flag_tracker_reset(struct flag_tracker *s)
{
	memset(s->count, 0, sizeof(s->count));
	memset(s->distance, FLAG_FAR, sizeof(s->distance));
}

unsigned block_flags_of(const struct block *block, uint8_t tokens, uint8_t links)
{
	const bool has[FLAGS] = {
		[FLAG_STOP] = block->counts.stopped,
		[FLAG_BAD] = (tokens < BAD_TOKENS),
		[FLAG_LINK] = (links > ALL_LINKS),
		[FLAG_INPUT] = block->input_before,
		[FLAG_DATE] = block->has_date,
		[FLAG_EXCLAIM] = block->counts.exclaims != 0,
		[FLAG_PARAGRAPH] = block->tag == HTML_TAG_P,
		[FLAG_DIGIT] = scale_share(block->counts.digits, block->counts.units) != 0,
		[FLAG_LINKED] = links != 0 && links <= ALL_LINKS,
	};
	unsigned flags = 0;
	for (unsigned k = 0; k < FLAGS; k++)
		flags |= (unsigned)has[k] << k;
	return flags;
}

void flag_tracker_add(struct flag_tracker *s, unsigned flags)
{
	for (unsigned k = 0; k < FLAGS_LOCATED; k++) {
		uint8_t further = (uint8_t)(s->distance[k] + (s->distance[k] < FLAG_FAR));
		s->distance[k] = flags >> k & 1 ? 0 : further;
	}
	unsigned counted = flags >> FLAG_DATE;
	for (unsigned k = 0; counted; k++, counted >>= 1)
		s->count[k] += counted & 1;
}
