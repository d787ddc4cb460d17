/* SPDX-License-Identifier: MIT */
/*
 * Classes of characters for the split of a text into words: tables of the first 65,536 characters and of single bytes,
 * made once.
 */
#ifndef DANA_QUALITY_CLASSES_H
#define DANA_QUALITY_CLASSES_H

#include <stddef.h>
#include <stdint.h>

/** Classes that can be part of a word that is delimited by spaces come first. */
enum char_class {
	CLASS_LETTER,     /* a letter that is not upper case */
	CLASS_UPPER,      /* a letter with a lower-case form */
	CLASS_OTHER,      /* numbers, control characters */
	CLASS_COMBINING,  /* a mark that combines */
	CLASS_MARK,       /* punctuation and symbols */
	CLASS_SPACE,      /* Unicode's white space */
	CLASS_UNSPACED,   /* a letter of a script that is written without spaces between words */
	CLASS_UNSPACED_2, /* a character of such a script that is not a letter */
	CLASS_LONG        /* a byte that begins or continues a character of several */
};

enum { CLASSES_LISTED = 0x10000 };

struct classes {
	uint8_t of_byte[256];
	uint8_t of_char[CLASSES_LISTED];
};

/** Fills the tables; after that, any number of threads may read them. */
void classes_init(struct classes *t);
/** Returns the class of any character; slower than the tables. */
enum char_class class_of(int32_t c);

/** Decodes a character of well-formed UTF-8. Returns its length in bytes. */
static inline size_t next_char(const char *at, int32_t *c)
{
	const uint8_t *b = (const uint8_t *)at;

	if (b[0] < 0x80) {
		*c = b[0];
		return 1;
	}
	if (b[0] < 0xe0) {
		*c = (b[0] & 0x1f) << 6 | (b[1] & 0x3f);
		return 2;
	}
	if (b[0] < 0xf0) {
		*c = (b[0] & 0x0f) << 12 | (b[1] & 0x3f) << 6 | (b[2] & 0x3f);
		return 3;
	}
	*c = (b[0] & 0x07) << 18 | (b[1] & 0x3f) << 12 | (b[2] & 0x3f) << 6 | (b[3] & 0x3f);
	return 4;
}

#endif
