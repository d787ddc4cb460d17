/* SPDX-License-Identifier: MIT */
/*
 * Writes the text of a page: character references are decoded, runs of white space collapse, blocks are trimmed and
 * joined by LF, empty ones vanish, invalid UTF-8 becomes U+FFFD. All methods write through it, so all texts have the
 * same form.
 */
#ifndef DANA_METHOD_TEXT_WRITER_H
#define DANA_METHOD_TEXT_WRITER_H

#include "base/buf.h"

struct text_writer {
	struct buf out;
	size_t block_start; /* start of the open block in `out` */
	size_t begun;       /* where an empty block ended last: what follows there begins a block */
	size_t max;         /* bytes; 0 = no limit */
	bool truncated;     /* max was reached, or the caller left text out */
	bool full;          /* max was reached */
	bool repaired;      /* malformed UTF-8 was replaced, so later text has moved */
	bool pending_space;
};

void text_writer_reset(struct text_writer *w, size_t max);
/**
 * How a method writes a blank and a tab that must not collapse, and an empty line after the end of another one. All
 * white space that collapses must then be ' ', so that it is not taken for these.
 */
enum { TEXT_BLANK = '\f', TEXT_TAB = '\t', TEXT_EMPTY = '\r' };

/**
 * Source text: character references are decoded, U+000A ends a block. References must be complete: a cut one is literal
 * text.
 */
int text_writer_source(struct text_writer *w, struct slice text);
/**
 * The same, but TEXT_BLANK and TEXT_TAB are kept unless they end a block, and TEXT_EMPTY adds an empty line if the LF
 * before it ends a block that is not empty.
 */
int text_writer_kept(struct text_writer *w, struct slice text);
/** The same, but U+000A is white space like any other, as in a page. */
int text_writer_wrapped(struct text_writer *w, struct slice text);
/** Like text_writer_kept, for text whose references are already decoded. */
int text_writer_plain(struct text_writer *w, struct slice text);
/** Ends the open block. */
int text_writer_break(struct text_writer *w);
/** Adds an empty line after a line that has ended. */
int text_writer_empty_line(struct text_writer *w);
/** Ends the text, and removes the LF at its end. */
int text_writer_finish(struct text_writer *w);
void text_writer_free(struct text_writer *w);

#endif
