/* SPDX-License-Identifier: MIT */
/*
 * Numbers of lines in code, known by counting: each line begins with an element that holds the next number and nothing
 * else. What its class is does not matter.
 *
 * Example: <pre><i>1</i>a<br><i>2</i>b</pre> has the lines "a" and "b"; "2" alone in one line of two is code.
 */
#ifndef DANA_EXTRACT_HTML_LINE_NUMBERS_H
#define DANA_EXTRACT_HTML_LINE_NUMBERS_H

#include "base/buf.h"
#include "extract/html/tag.h"

/** A number's place in the text, with the blanks around it in its element. */
struct line_number {
	uint32_t from, to;
};

/** Zeroed, no code is open. */
struct line_numbers {
	struct buf places; /* struct line_number each, in order */
	uint32_t next;     /* the number that comes next */
	uint32_t begun;    /* where the innermost open element begins in the text */
	uint8_t tag;       /* of it; 0: no such element is open */
	bool broken;       /* the numbers do not count up by one */
};

/** Begins code. */
void line_numbers_reset(struct line_numbers *n);
/** Begins an element at the end of the code so far. */
static inline void line_numbers_open(struct line_numbers *n, enum html_tag tag, size_t at)
{
	n->begun = (uint32_t)at;
	n->tag = (uint8_t)tag;
}

/** Ends an element; `line`: the open line of the code, which ends at place `at` of the text. */
int line_numbers_close(struct line_numbers *n, enum html_tag tag, struct slice line, size_t at);
static inline const struct line_number *line_numbers_places(const struct line_numbers *n, size_t *count)
{
	*count = n->broken ? 0 : n->places.len / sizeof(struct line_number);
	return (const struct line_number *)(const void *)n->places.data;
}

/** What was found in the lines of code read so far. All zeros before the first line. */
struct number_walk {
	size_t next; /* the first number after them */
	bool alone;  /* the last number is alone in its line, and nothing has followed */
	bool code;   /* something is beside numbers or between them */
};

/**
 * Returns whether each line of a part of the code, which begins at place `at`, has its number, or follows one that is
 * alone in its line.
 */
bool line_numbers_cover(const struct line_numbers *n, struct slice part, size_t at, struct number_walk *walk);
/**
 * Returns whether these are numbers of lines, after all parts of the code. Numbers without code begin with 1: others,
 * such as <b>990</b><br><b>991</b>, are the code.
 */
bool line_numbers_end(const struct line_numbers *n, const struct number_walk *walk);
/**
 * Returns whether text is a row of numbers that count up by one to the one before *first, which it sets to its first
 * number. *last: the last number of all rows, 0 before any.
 */
bool line_numbers_row(struct slice text, uint32_t *first, uint32_t *last);

#endif
