/* SPDX-License-Identifier: MIT */
/*
 * Charsets with several bytes a character, by iconv. Descriptors are opened once and kept. Bytes that iconv refuses
 * become U+FFFD; how many at a time depends on the bytes alone. One owner, one thread.
 */
#ifndef DANA_CHARSET_MULTI_BYTE_H
#define DANA_CHARSET_MULTI_BYTE_H

#include <iconv.h>

#include "archive/charset/labels.h"
#include "archive/charset/output.h"

enum {
	MULTI_HELD_MAX = 32, /* more than any character or escape sequence */
};

struct multi_byte {
	const struct charset *charset;
	iconv_t cd;                  /* in use */
	iconv_t kept[CHARSET_SLOTS]; /* valid where is_open */
	bool is_open[CHARSET_SLOTS];
	size_t ascii_tail; /* ASCII bytes at the end of the decoded bytes, as far as it matters */
	size_t n_held;
	uint8_t held[MULTI_HELD_MAX]; /* a character that was cut at the end of the last piece */
};

/** Prepares for a text in this charset. Returns 0, or as iconv_utf8_open. */
int multi_byte_begin(struct multi_byte *m, const struct charset *charset);
int multi_byte_write(struct multi_byte *m, struct slice bytes, struct output *out);
int multi_byte_finish(struct multi_byte *m, struct output *out);
/** Frees what is kept for CHARSET_NAMED; to be called before that number means another charset. */
void multi_byte_forget(struct multi_byte *m);
void multi_byte_free(struct multi_byte *m);

#endif
