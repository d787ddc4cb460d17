/* SPDX-License-Identifier: MIT */
/*
 * Charsets of the web with several bytes a character, decoded as the WHATWG Encoding standard says (sections 10 to 14)
 * by its indexes. Bytes that are not a character become one U+FFFD; an ASCII byte that follows a lead byte in vain is
 * read again, because it may be markup. One owner, one thread.
 */
#ifndef DANA_CHARSET_MULTI_BYTE_H
#define DANA_CHARSET_MULTI_BYTE_H

#include "archive/charset/output.h"

enum { MULTI_BYTE_MAX = 4 }; /* bytes of the longest character */

/** A zeroed one is ready for a text. */
struct multi_byte {
	size_t n_held;
	uint8_t held[MULTI_BYTE_MAX]; /* a character that was cut at the end of the last piece */
};

/** Decodes a piece of a text. Returns 0, or the status of out->next if that is not 0. */
typedef int multi_byte_write(struct multi_byte *m, struct slice bytes, struct output *out);

multi_byte_write big5_write;
multi_byte_write euc_jp_write;
multi_byte_write euc_kr_write;
multi_byte_write gb18030_write; /* gbk too */
multi_byte_write shift_jis_write;
multi_byte_write utf16be_write;
multi_byte_write utf16le_write;

/** Ends a text: a character that is cut at its end becomes U+FFFD. Returns the same. */
int multi_byte_finish(struct multi_byte *m, struct output *out);

#endif
