/* SPDX-License-Identifier: MIT */
/*
 * Writes the text of a page: character references are decoded, runs of white space collapse, blocks are trimmed and
 * joined by LF, cells of a row by tabs, empty ones vanish, invalid UTF-8 becomes U+FFFD. All methods write through it,
 * so all texts have the same form.
 */
#ifndef DANA_EXTRACT_TEXT_WRITER_H
#define DANA_EXTRACT_TEXT_WRITER_H

#include "base/buf.h"
#include "base/slice.h"
#include "extract/html/white_space.h"

/** White space that has not been written; the highest kind that came counts. */
enum pending_white {
	PENDING_NONE,
	PENDING_BLANK,
	PENDING_LINE, /* of the source: no blank between characters of scripts without blanks */
	PENDING_FIRM, /* U+00A0 */
};

struct text_writer {
	struct buf out;
	size_t block_start; /* start of the open block in `out` */
	size_t begun;       /* where an empty block ended last: what follows there begins a block */
	size_t max;         /* bytes; 0 = no limit */
	bool truncated;     /* max was reached, or the caller left text out */
	bool full;          /* max was reached */
	bool repaired;      /* malformed UTF-8 was replaced, so later text has moved */
	uint8_t pending;    /* enum pending_white */
	uint32_t tabs;      /* before the next character */
	bool joins;         /* they continue the line that ended last */
};

void text_writer_reset(struct text_writer *w, size_t max);

/**
 * How a method writes a blank and a tab that must not collapse, and an empty line after the end of another one. All
 * white space that collapses must then be ' ', so that it is not taken for these.
 */
enum { TEXT_BLANK = '\f', TEXT_TAB = '\t', TEXT_EMPTY = '\r' };
/** How a method writes white space that collapses where it is a line end of the source: no blank in some scripts. */
enum { TEXT_LINE = '\v' };
/** Returns TEXT_LINE or ' ' for white space that collapses, after a byte of a text; only letters of ASCII need blanks.
 */
static inline uint8_t text_collapsed(uint8_t white, uint8_t before)
{
	return before >= 0x80 && (white == '\n' || white == '\r') ? TEXT_LINE : ' ';
}

/** Source text: character references, which must be complete, are decoded; U+000A ends a block. */
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
/**
 * Writes tabs before the text that follows, where a block begins: between the cells of a table, if `joins`, in the
 * line that ended last. Returns where that text will begin.
 */
size_t text_writer_cell(struct text_writer *w, uint32_t tabs, bool joins);
/** Ends the open block. */
int text_writer_break(struct text_writer *w);
/** Adds an empty line after a line that has ended. */
int text_writer_empty_line(struct text_writer *w);
/** Ends the text, and removes the LF at its end. */
int text_writer_finish(struct text_writer *w);
void text_writer_free(struct text_writer *w);

/*
 * White space before a word where it does not collapse, in the form that text_writer_kept takes: the first line end, a
 * mark for each empty line, and what follows the last line end. Blanks at the end of a line are not written, so they
 * are not kept here. Example: "\r\n \n  " is LF, TEXT_EMPTY and two TEXT_BLANK.
 */
enum {
	HELD_SPACE_MOST = 512,                 /* bytes; longer indentations are cut */
	HELD_LINES_MOST = HELD_SPACE_MOST / 2, /* of them for line ends; later empty lines are left out */
};

/** Zeroed, it is empty. */
struct held_space {
	size_t len;
	bool line; /* a line ended since the last word, even if its mark was taken */
	bool cr;   /* the last character was CR */
	uint8_t bytes[HELD_SPACE_MOST];
};

/** Call it at each word and at each block. */
static inline void held_space_clear(struct held_space *k)
{
	k->len = 0;
	k->line = k->cr = false;
}

/** Returns what one character of white space that does not collapse is written as; CR and LF each end a line. */
static inline uint8_t held_space_mark(uint8_t c, enum white_space space)
{
	if (c == '\n' || c == '\r')
		return '\n';
	return space == WHITE_SPACE_LINES ? ' ' : c == '\t' ? TEXT_TAB : TEXT_BLANK;
}

/** Adds a character of white space, unless it collapses. CR LF ends one line. */
static inline void held_space_add(struct held_space *k, uint8_t c, enum white_space space)
{
	if (space == WHITE_SPACE_COLLAPSES)
		return;
	uint8_t mark = held_space_mark(c, space);
	const bool ends = mark == '\n', ended = c == '\n' && k->cr;
	k->cr = c == '\r';
	if (ended)
		return;
	while (ends && k->len && k->bytes[k->len - 1] != '\n' && k->bytes[k->len - 1] != TEXT_EMPTY)
		k->len--;
	if (ends && k->line)
		mark = TEXT_EMPTY;
	k->line |= ends;
	if (k->len < (ends ? HELD_LINES_MOST : space == WHITE_SPACE_KEPT ? HELD_SPACE_MOST : 1))
		k->bytes[k->len++] = mark;
}

/** Returns what was added since the last call; valid until the next held_space_add. */
static inline struct slice held_space_take(struct held_space *k)
{
	struct slice all = slice_of(k->bytes, k->len);
	k->len = 0;
	return all;
}

#endif
