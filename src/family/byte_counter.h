/* SPDX-License-Identifier: MIT */
/*
 * Counts the bytes of runs into segments and keeps their text, for the byte scans: bytes above 127, or for R2L
 * those of right-to-left scripts, against the others. White space in a row is the caller's matter.
 */
#ifndef DANA_FAMILY_BYTE_COUNTER_H
#define DANA_FAMILY_BYTE_COUNTER_H

#include "family/segmenter.h"
#include "html/run_scan.h"

struct byte_counter {
	struct segmenter segments;
	bool only_r2l;        /* R2L: count and keep right-to-left characters only */
	bool block_pending;   /* a block tag was seen since the last text */
	bool kept;            /* the text under way belongs to the output */
	uint8_t character[4]; /* R2L: the character under way */
	uint8_t held;
};

/** Forgets the character under way: an ASCII byte came instead of the rest of it. */
static inline void byte_counter_break(struct byte_counter *b)
{
	b->held = sizeof(b->character);
}
/* Each: 0 or DANA_ENOMEM. */
/** Bytes i..to of a run, without two white space bytes in a row. */
int byte_counter_bytes(struct byte_counter *b, const struct html_run *run, size_t i, size_t to);
/** The same of text: line breaks must not look like the end of a block. */
int byte_counter_text(struct byte_counter *b, const struct html_run *run, size_t i, size_t to);
/** One blank. */
int byte_counter_blank(struct byte_counter *b);

#endif
