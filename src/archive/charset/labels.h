/* SPDX-License-Identifier: MIT */
/*
 * The encodings of the web and all their labels (WHATWG Encoding standard, section 4.2), how each is decoded, and other
 * names that a user may give: those of iconv, Python or Windows ("cp949", "macroman", "cp437"). In pages only the
 * labels of the web count, as in browsers. Static data: any thread.
 */
#ifndef DANA_ARCHIVE_CHARSET_LABELS_H
#define DANA_ARCHIVE_CHARSET_LABELS_H

#include <iconv.h>

#include "archive/charset/indexes.h"
#include "base/slice.h"

enum charset_kind {
	CHARSET_UTF8,
	CHARSET_SINGLE, /* one byte a character, the lower half is ASCII */
	CHARSET_DOUBLE, /* bytes below 0x80 are ASCII unless they follow a lead byte */
	CHARSET_UTF16,
	CHARSET_STATEFUL,    /* escape sequences */
	CHARSET_REPLACEMENT, /* never decoded: one U+FFFD replaces the whole text */
	/* Not of the web: by iconv. */
	CHARSET_ICONV_DOUBLE, /* as CHARSET_DOUBLE */
	CHARSET_ICONV,        /* any other */
};

enum { LABEL_MAX = 24 }; /* longest label, with the NUL */

struct decoder;

/** Decodes a piece of a text, not empty (archive/charset/decode.h). */
typedef int charset_write(struct decoder *d, struct slice bytes);

charset_write big5_write, euc_jp_write, euc_kr_write, gb18030_write, iconv_write, iso_2022_jp_write, replacement_write;
charset_write shift_jis_write, single_byte_write, utf16be_write, utf16le_write, utf8_write;

struct charset {
	enum charset_kind kind;
	const uint16_t *upper; /* CHARSET_SINGLE: characters of the bytes from 0x80 on; 0: not a character */
	charset_write *write;
	/* Of the standard, in lower case; its other labels follow, each ended by NUL. Not of the web: a name of iconv.
	 */
	const char *name;
};

/** Returns the charset of a label, in any case, with white space around it allowed; NULL if it is unknown. */
const struct charset *charset_find(struct slice label);
/** Returns the label after `before` in the order of their bytes, the first after ""; NULL after the last. */
const char *charset_next_label(const char *before);
const struct charset *charset_utf8(void);
const struct charset *charset_windows_1252(void);

/** A charset that is not one of the web; `charset` points into this struct. One owner. */
struct iconv_name {
	char name[LABEL_MAX]; /* as given, in lower case */
	uint16_t upper[INDEX_SINGLE_SIZE];
	struct charset charset;
};

/**
 * Sets *out to the charset of that name: one of the web, or n->charset. Returns DANA_OK; DANA_ECONFIG if neither the
 * web nor iconv knows the name; else as charset_open_iconv.
 */
int iconv_name_find(struct iconv_name *n, struct slice name, const struct charset **out);
/**
 * Opens iconv to UTF-8. Returns DANA_OK; DANA_ECONFIG if iconv does not know the charset or its converter is not
 * installed; DANA_EFILES or DANA_ENOMEM if it could not look for it.
 */
int charset_open_iconv(iconv_t *cd, const char *charset);

#endif
