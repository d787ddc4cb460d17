/* SPDX-License-Identifier: MIT */
/*
 * Charsets with one byte a character, by a table of the upper half. Tables are made once, from iconv, and kept. Bytes
 * 0x80 to 0x9F of a windows charset that iconv does not define become the control character of the same number (WHATWG
 * Encoding, section 9). One owner, one thread.
 */
#ifndef DANA_CHARSET_SINGLE_BYTE_H
#define DANA_CHARSET_SINGLE_BYTE_H

#include "archive/charset/labels.h"
#include "archive/charset/output.h"

struct single_byte_table {
	uint8_t len[128]; /* 0: no character */
	uint8_t utf8[128][3];
};

struct single_byte {
	const struct single_byte_table *table; /* in use */
	struct single_byte_table *kept[CHARSET_SLOTS];
};

/** Prepares for a text in this charset. Returns 0, DANA_ENOMEM, or as iconv_utf8_open. */
int single_byte_begin(struct single_byte *s, const struct charset *charset);
int single_byte_write(struct single_byte *s, struct slice bytes, struct output *out);
/** Frees what is kept for CHARSET_NAMED; to be called before that number means another charset. */
void single_byte_forget(struct single_byte *s);
void single_byte_free(struct single_byte *s);

#endif
