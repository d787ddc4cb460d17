/* SPDX-License-Identifier: MIT */
/*
 * Charsets with several bytes a character, by iconv. Descriptors are opened once and kept. What iconv refuses becomes
 * U+FFFD; how many bytes that takes is decided by the bytes alone. One owner, one thread.
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
	iconv_t kept[CHARSET_SLOTS]; /* where is_open */
	bool is_open[CHARSET_SLOTS];
	size_t ascii_tail; /* ASCII bytes at the end of what was decoded, as far as it matters */
	size_t n_held;
	uint8_t held[MULTI_HELD_MAX]; /* a character that was cut at the end of the last piece */
};

/** 0, or what iconv_utf8_open returns. */
int multi_byte_begin(struct multi_byte *m, const struct charset *charset);
int multi_byte_write(struct multi_byte *m, struct slice bytes, struct output *out);
int multi_byte_finish(struct multi_byte *m, struct output *out);
/** What is kept for CHARSET_NAMED, before that number means another charset. */
void multi_byte_forget(struct multi_byte *m);
void multi_byte_free(struct multi_byte *m);

#endif
