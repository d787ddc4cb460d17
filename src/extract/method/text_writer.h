/* SPDX-License-Identifier: MIT */
/*
 * The text of a page on its way out: character references are decoded, runs of white space collapse, blocks are
 * trimmed and joined by LF, empty ones vanish, invalid UTF-8 becomes U+FFFD. All methods write through it, so all
 * texts look alike.
 */
#ifndef DANA_METHOD_TEXT_WRITER_H
#define DANA_METHOD_TEXT_WRITER_H

#include "base/buf.h"

struct text_writer {
	struct buf out;
	size_t block_start; /* where the open block begins in out */
	size_t max;         /* bytes; 0 = no limit */
	bool truncated;     /* max was reached, or the caller left text out */
	bool full;          /* max was reached */
	bool repaired;      /* bytes that are no UTF-8 were replaced, and what follows them has moved */
	bool pending_space;
};

void text_writer_reset(struct text_writer *w, size_t max);
/**
 * White space that is kept, not collapsed: what a method writes for a blank and a tab. All white space of a page that
 * collapses must be ' ' then, so that none of it is taken for these.
 */
enum { TEXT_BLANK = '\f', TEXT_TAB = '\t' };

/**
 * Source text: character references are decoded, U+000A ends a block. Whole references only: a cut one stands for
 * itself.
 */
int text_writer_source(struct text_writer *w, struct slice text);
/** The same, and TEXT_BLANK and TEXT_TAB are white space that is kept unless it ends a block. */
int text_writer_kept(struct text_writer *w, struct slice text);
/** The same, but for U+000A, which is white space as any other: text as it stands in a page. */
int text_writer_wrapped(struct text_writer *w, struct slice text);
/** Text whose references are decoded already; else as text_writer_kept. */
int text_writer_plain(struct text_writer *w, struct slice text);
/** Ends the open block. */
int text_writer_break(struct text_writer *w);
/** Ends the text: no LF at its end. */
int text_writer_finish(struct text_writer *w);
void text_writer_free(struct text_writer *w);

#endif
