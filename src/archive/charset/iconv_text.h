/* SPDX-License-Identifier: MIT */
/*
 * Text in a charset that the web does not have, by iconv. Bytes that iconv refuses become U+FFFD; how many at a time
 * depends on the bytes alone. One owner, one thread.
 */
#ifndef DANA_CHARSET_ICONV_TEXT_H
#define DANA_CHARSET_ICONV_TEXT_H

#include <iconv.h>

#include "archive/charset/labels.h"
#include "archive/charset/output.h"

enum {
	ICONV_HELD_MAX = 32, /* more than any character or escape sequence */
};

/** A zeroed one is valid. */
struct iconv_text {
	iconv_t cd; /* valid if is_open */
	bool is_open;
	bool doubles; /* CHARSET_ICONV_DOUBLE */
	size_t n_held;
	uint8_t held[ICONV_HELD_MAX]; /* a character that was cut at the end of the last piece */
};

/** Prepares for a text in this charset. Returns 0, or as iconv_utf8_open. */
int iconv_text_begin(struct iconv_text *t, const struct charset *charset);
/** Decodes a piece of the text. Returns 0, or the status of out->next if that is not 0. */
int iconv_text_write(struct iconv_text *t, struct slice bytes, struct output *out);
/** Ends the text. Returns the same. */
int iconv_text_finish(struct iconv_text *t, struct output *out);
void iconv_text_free(struct iconv_text *t);

#endif
