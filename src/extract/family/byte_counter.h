/* SPDX-License-Identifier: MIT */
/*
 * Counts the bytes of runs into segments and keeps their text, for the byte scans: bytes above 127, or for R2L
 * those of right-to-left scripts, against the others. White space in a row is the caller's matter.
 */
#ifndef DANA_FAMILY_BYTE_COUNTER_H
#define DANA_FAMILY_BYTE_COUNTER_H

#include "extract/family/segmenter.h"
#include "extract/html/run_scan.h"
#include "extract/method/held_space.h"

struct byte_counter {
	struct segmenter segments;
	bool only_r2l;        /* R2L: count and keep right-to-left characters only */
	bool block_pending;   /* a block tag was seen since the last text */
	bool kept;            /* the text under way belongs to the output */
	uint8_t character[4]; /* R2L: the character under way */
	uint8_t held;
	struct held_space white; /* before the next word; not for R2L */
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
/** One blank, or the white space that is held, of which the first character counts. */
int byte_counter_blank(struct byte_counter *b);
/** Writes what is held of white space; it does not count. */
int byte_counter_white(struct byte_counter *b);

#endif
