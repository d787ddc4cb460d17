/* SPDX-License-Identifier: MIT */
/* What a character is to the split of a text into words: a table of the first 65,536 characters, made once. */
#ifndef DANA_QUALITY_CLASSES_H
#define DANA_QUALITY_CLASSES_H

#include <stddef.h>
#include <stdint.h>

enum char_class {
	CLASS_SPACE,     /* Unicode's white space */
	CLASS_MARK,      /* punctuation and symbols */
	CLASS_LETTER,    /* that is not upper case */
	CLASS_UPPER,     /* a letter with a lower-case form */
	CLASS_OTHER,     /* numbers, marks that combine, control characters */
	CLASS_COMBINING, /* a mark that combines */
	CLASS_UNSPACED   /* of a script that is written without spaces between words */
};

enum { CLASSES_LISTED = 0x10000 };

/** Fills the table; then any number of threads may read it. */
void classes_init(uint8_t classes[CLASSES_LISTED]);
enum char_class class_of(int32_t c);

/** Decodes a character of well-formed UTF-8; returns its bytes. */
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
