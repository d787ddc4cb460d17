/* SPDX-License-Identifier: MIT */
/*
 * Boolean properties of blocks. The distance to the nearest block with a flag, and the number of earlier ones, show
 * where on its page a block is: after an article come blocks with dates, form fields and names of sections.
 */
#ifndef DANA_LEARNED_BLOCK_FLAGS_H
#define DANA_LEARNED_BLOCK_FLAGS_H

#include "extract/learned/blocks.h"

enum block_flag {
	FLAG_STOP,      /* ends with a full stop, question or exclamation mark */
	FLAG_BAD,       /* the attribute tokens of its elements have a low score */
	FLAG_LINK,      /* nearly all of its text is in links */
	FLAG_INPUT,     /* <input> or <button> between the block before and this one */
	FLAG_DATE,      /* contains a time or a date in digits (dates.h) */
	FLAG_EXCLAIM,   /* contains an exclamation mark */
	FLAG_PARAGRAPH, /* is in a <p> */
	FLAG_DIGIT,     /* digits are at least 1/255 of its units */
	FLAG_LINKED,    /* some of its text is in links, but not nearly all */
	FLAGS,
	FLAGS_LOCATED = FLAG_DATE + 1,     /* flags below this have a distance */
	FLAGS_COUNTED = FLAGS - FLAG_DATE, /* flags from FLAG_DATE on are counted */
	FLAG_FAR = 250,                    /* the largest distance; also: no such block */
};

/** Follows the flags of a page's blocks, from the first block on or from the last one backwards. */
struct flag_tracker {
	uint32_t count[FLAGS_COUNTED]; /* from FLAG_DATE on */
	uint64_t distances;            /* blocks since the last one with the flag: byte k, from the lowest, of flag k */
};

void flag_tracker_reset(struct flag_tracker *s);
/** Returns the blocks since the last one with `flag`, which is below FLAGS_LOCATED. */
static inline uint8_t flag_tracker_distance(const struct flag_tracker *s, unsigned flag)
{
	return (uint8_t)(s->distances >> 8 * flag);
}
/** Returns the number of blocks so far with `flag`, which is FLAG_DATE or a later one. */
static inline uint32_t flag_tracker_count(const struct flag_tracker *s, enum block_flag flag)
{
	return s->count[flag - FLAG_DATE];
}
/**
 * Returns a word whose bit k is set if the block has flag k. `tokens` and `links` are the block's features of these
 * names.
 */
unsigned block_flags_of(const struct block *block, uint8_t tokens, uint8_t links);
/** Takes the next block; the distances of its flags become 0. */
void flag_tracker_add(struct flag_tracker *s, unsigned flags);

#endif
