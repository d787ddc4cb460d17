/* SPDX-License-Identifier: MIT */
/*
 * The encodings of the web and all their labels (WHATWG Encoding standard, section 4.2), and how each is decoded.
 * Static data: any thread.
 */
#ifndef DANA_CHARSET_LABELS_H
#define DANA_CHARSET_LABELS_H

#include "archive/charset/multi_byte.h"
#include "base/slice.h"

enum charset_kind {
	CHARSET_UTF8,
	CHARSET_SINGLE, /* one byte a character, the lower half is ASCII */
	CHARSET_DOUBLE, /* bytes below 0x80 are ASCII unless they follow a lead byte */
	CHARSET_UTF16,
	CHARSET_STATEFUL,    /* escape sequences */
	CHARSET_REPLACEMENT, /* never decoded: one U+FFFD replaces the whole text */
	/* Not of the web (archive/charset/iconv_name.h): by iconv. */
	CHARSET_ICONV_DOUBLE, /* as CHARSET_DOUBLE */
	CHARSET_ICONV,        /* any other */
};

enum { CHARSET_COUNT = 40 }; /* encodings of the web */

enum { LABEL_MAX = 24 }; /* longest label, with the NUL */

struct charset {
	const char *name; /* of the standard, in lower case; of those that are not of the web, a name of iconv */
	enum charset_kind kind;
	const uint16_t *upper;   /* CHARSET_SINGLE: characters of the bytes from 0x80 on; 0: not a character */
	multi_byte_write *write; /* CHARSET_DOUBLE, CHARSET_UTF16 */
};

/** Returns label number `index`, in any order; NULL after the last. */
const char *charset_label_at(size_t index);
/** Returns the charset of a label, in any case, with white space around it allowed; NULL if it is unknown. */
const struct charset *charset_find(struct slice label);
const struct charset *charset_utf8(void);
const struct charset *charset_windows_1252(void);

#endif
