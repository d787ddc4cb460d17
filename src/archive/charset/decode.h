/* SPDX-License-Identifier: MIT */
/*
 * A text of one charset, in pieces, to well-formed UTF-8. Bytes that are not a character become one U+FFFD each time,
 * as the WHATWG Encoding standard has it; an ASCII byte that follows a lead byte in vain is read again, because it may
 * be markup. Where the pieces end never matters. Example: decoder_begin(d, charset_utf8()), decoder_write() for each
 * piece, decoder_finish(), decoder_flush(). One owner, one thread.
 */
#ifndef DANA_ARCHIVE_CHARSET_DECODE_H
#define DANA_ARCHIVE_CHARSET_DECODE_H

#include <iconv.h>

#include "archive/byte_sink.h"
#include "archive/charset/labels.h"

enum {
	OUTPUT_ROOM = 16 << 10, /* bytes gathered at most */
	OUTPUT_LONG = 256,      /* a stretch of this length is worth a call of its own */
	DECODER_HELD = 32,      /* more than any character or escape sequence */
};

/** Sets of characters of iso-2022-jp; the last three are inside a character or a sequence. */
enum jis_state {
	JIS_ASCII,
	JIS_ROMAN,    /* ASCII but for two characters */
	JIS_KATAKANA, /* half width */
	JIS_LEAD,     /* two bytes a character */
	JIS_TRAIL,    /* after the first of them */
	JIS_ESCAPE,   /* after ESC */
	JIS_SEQUENCE, /* after ESC and '$' or '(' */
};

/** Zeroed but for `next` it is ready. Functions return 0, or the status of `next` if that is not 0. */
struct decoder {
	struct byte_sink *next;
	size_t bad; /* characters that replace bytes */
	const struct charset *charset;
	size_t n_held;
	uint8_t held[DECODER_HELD]; /* a character that was cut at the end of the last piece */
	struct {
		enum jis_state state, set; /* set: the one to which the last sequence switched */
		uint8_t lead;              /* of JIS_TRAIL and JIS_SEQUENCE */
		bool idle;                 /* nothing came since the last sequence: another one at once is a fault */
	} jis;
	struct {
		const uint16_t *of;             /* the characters of bytes from 0x80 on, as UTF-8; NULL: of none yet */
		uint8_t len[INDEX_SINGLE_SIZE]; /* 0: no character */
		uint8_t utf8[INDEX_SINGLE_SIZE][3];
	} upper;
	iconv_t cd; /* valid if cd_is_open */
	bool cd_is_open;
	size_t len;
	uint8_t out[OUTPUT_ROOM];
};

/** Prepares for a text in this charset. Returns as charset_open_iconv, which charsets that are not of the web need. */
int decoder_begin(struct decoder *d, const struct charset *charset);
int decoder_write(struct decoder *d, struct slice bytes);
/** Ends the text: a character that is still cut becomes U+FFFD. */
int decoder_finish(struct decoder *d);
/** Passes on what is gathered. Long stretches are passed on as they are, short ones gathered. */
int decoder_flush(struct decoder *d);
/** Writes UTF-8 of the text that is decoded already. */
int decoder_put(struct decoder *d, struct slice utf8);
void decoder_free(struct decoder *d);
/** Returns whether these bytes begin a character of UTF-8 that is cut off at their end. */
bool utf8_is_cut(struct slice s);

#endif
