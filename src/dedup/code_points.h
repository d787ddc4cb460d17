/* SPDX-License-Identifier: MIT */
/*
 * Properties of a code point for normalisation, as one number in an array: its kind, its lower-case form, and whether
 * it can change next to other characters. The array is filled from utf8proc's tables, 256 code points at a time, when
 * one of them is first looked up. Threads: each has its own object.
 */
#ifndef DANA_DEDUP_CODE_POINTS_H
#define DANA_DEDUP_CODE_POINTS_H

#include <stdbool.h>
#include <stdint.h>

enum character_kind {
	CHARACTER_WORD = 1, /* part of a word: letters, digits, marks, symbols */
	CHARACTER_SPACE,
	CHARACTER_PUNCTUATION, /* Unicode's general category P */
	CHARACTER_ALONE,       /* a word by itself: character_stands_alone() */
	CHARACTER_INVISIBLE,
};

enum {
	CODE_POINT_SMALL =
		0x1FFFFF, /* bits of the lower-case form, by Unicode's simple mapping; else the character itself */
	CODE_POINT_KIND_SHIFT = 24, /* above: enum character_kind */
	/*
	 * The character may change or join the one before it when a text is put into NFC. All others stay as they are
	 * before one that stays.
	 */
	CODE_POINT_JOINS = 1 << 23,
};

struct code_points;

/** Returns NULL if memory is exhausted. */
struct code_points *code_points_new(void);
/** NULL allowed. */
void code_points_free(struct code_points *p);

/** Fills the block of 256 that `c` is in. */
void code_points_fill(struct code_points *p, uint32_t c);

struct code_points {
	uint32_t of[0x110000]; /* 0: not filled yet; untouched memory costs nothing */
};

/** Returns the properties of `c`, which is at most 0x10FFFF. */
static inline uint32_t code_points_get(struct code_points *p, uint32_t c)
{
	if (!p->of[c])
		code_points_fill(p, c);
	return p->of[c];
}

static inline enum character_kind code_point_kind(uint32_t properties)
{
	return (enum character_kind)(properties >> CODE_POINT_KIND_SHIFT);
}

#endif
