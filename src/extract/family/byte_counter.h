/* SPDX-License-Identifier: MIT */
/*
 * Counts the bytes of runs into segments and keeps their text, for the byte scans: bytes above 127, or for R2L those of
 * right-to-left scripts, against the others. The caller collapses white space.
 */
#ifndef DANA_FAMILY_BYTE_COUNTER_H
#define DANA_FAMILY_BYTE_COUNTER_H

#include "extract/family/segmenter.h"
#include "extract/html/tokenizer.h"
#include "extract/text_writer.h"

struct byte_counter {
	struct segmenter segments;
	bool only_r2l;        /* R2L: count and keep right-to-left characters only */
	bool block_pending;   /* a block tag was seen since the last text */
	bool kept;            /* the current text belongs to the output */
	uint8_t character[4]; /* R2L: the incomplete character */
	uint8_t held;
	struct held_space white; /* before the next word; not for R2L */
};

/** Drops an incomplete character: an ASCII byte came instead of the rest of it. */
static inline void byte_counter_break(struct byte_counter *b)
{
	b->held = sizeof(b->character);
}
/* Each returns 0 or DANA_ENOMEM. */
/** Counts bytes i..to of a run, without two white space bytes in a row. */
int byte_counter_bytes(struct byte_counter *b, const struct html_run *run, size_t i, size_t to);
/** The same for text: line breaks must not look like the end of a block. */
int byte_counter_text(struct byte_counter *b, const struct html_run *run, size_t i, size_t to);
/** Counts a reference of a text that is kept. */
int byte_counter_reference(struct byte_counter *b, struct slice source, const struct reference *reference);
/** Counts one blank, or the first character of the held white space. */
int byte_counter_blank(struct byte_counter *b);
/** Writes the held white space, without counting it. */
int byte_counter_white(struct byte_counter *b);

#endif
