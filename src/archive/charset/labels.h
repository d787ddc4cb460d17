/* SPDX-License-Identifier: MIT */
/*
 * The encodings of the web and all their labels (WHATWG Encoding standard, section 4.2), with iconv's names for them.
 * Static data: any thread.
 */
#ifndef DANA_CHARSET_LABELS_H
#define DANA_CHARSET_LABELS_H

#include "base/slice.h"

enum charset_kind {
	CHARSET_UTF8,
	CHARSET_SINGLE, /* one byte a character, the lower half is ASCII */
	CHARSET_DOUBLE, /* bytes below 0x80 are ASCII unless they follow a lead byte */
	CHARSET_UTF16,
	CHARSET_STATEFUL,    /* escape sequences */
	CHARSET_REPLACEMENT, /* never decoded: one U+FFFD replaces the whole text */
};

enum {
	CHARSET_COUNT = 40,            /* encodings of the web */
	CHARSET_NAMED = CHARSET_COUNT, /* number of a charset that only iconv has (archive/charset/iconv_name.h) */
	CHARSET_SLOTS,
};

enum { LABEL_MAX = 24 }; /* longest label, with the NUL */

struct charset {
	const char *name;  /* of the standard, in lower case */
	const char *iconv; /* NULL: decoded without iconv */
	enum charset_kind kind;
	int number; /* below CHARSET_SLOTS */
};

/** Returns label number `index`, in any order; NULL after the last. */
const char *charset_label_at(size_t index);
/** Returns the charset of a label, in any case, with white space around it allowed; NULL if it is unknown. */
const struct charset *charset_find(struct slice label);
const struct charset *charset_utf8(void);
const struct charset *charset_windows_1252(void);

#endif
