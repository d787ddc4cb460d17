/* SPDX-License-Identifier: MIT */
/* Charsets with one byte a character, by an index of the upper half. One owner, one thread. */
#ifndef DANA_CHARSET_SINGLE_BYTE_H
#define DANA_CHARSET_SINGLE_BYTE_H

#include "archive/charset/indexes.h"
#include "archive/charset/output.h"

/** The UTF-8 of each character of the upper half. */
struct single_byte {
	uint8_t len[INDEX_SINGLE_SIZE]; /* 0: no character */
	uint8_t utf8[INDEX_SINGLE_SIZE][3];
};

/** Prepares for a text with these characters of bytes from 0x80 on; 0: not a character. */
void single_byte_begin(struct single_byte *s, const uint16_t upper[INDEX_SINGLE_SIZE]);
/** Decodes a piece of the text. Returns 0, or the status of out->next if that is not 0. */
int single_byte_write(const struct single_byte *s, struct slice bytes, struct output *out);

#endif
