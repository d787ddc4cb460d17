/* SPDX-License-Identifier: MIT */
/*
 * iso-2022-jp (WHATWG Encoding, section 12.2): escape sequences switch between ASCII, JIS X 0201 and JIS X 0208. One
 * owner, one thread.
 */
#ifndef DANA_CHARSET_ISO_2022_JP_H
#define DANA_CHARSET_ISO_2022_JP_H

#include "archive/charset/output.h"

/** Sets of characters; JIS_TRAIL, JIS_ESCAPE and JIS_SEQUENCE are places inside a character or a sequence. */
enum jis_state {
	JIS_ASCII,
	JIS_ROMAN,    /* ASCII but for two characters */
	JIS_KATAKANA, /* half width */
	JIS_LEAD,     /* two bytes a character */
	JIS_TRAIL,    /* after the first of them */
	JIS_ESCAPE,   /* after ESC */
	JIS_SEQUENCE, /* after ESC and '$' or '(' */
};

/** A zeroed one is ready for a text. */
struct iso_2022_jp {
	enum jis_state state, set; /* set: the one to which the last sequence switched */
	uint8_t lead;              /* of JIS_TRAIL and JIS_SEQUENCE */
	bool idle;                 /* nothing stood since the last sequence: another one at once is a fault */
};

/** Decodes a piece of a text. Returns 0, or the status of out->next if that is not 0. */
int iso_2022_jp_write(struct iso_2022_jp *d, struct slice bytes, struct output *out);
/** Ends a text. Returns the same. */
int iso_2022_jp_finish(struct iso_2022_jp *d, struct output *out);

#endif
