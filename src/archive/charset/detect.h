/* SPDX-License-Identifier: MIT */
/*
 * Decides the charset of a page by its first bytes: byte order mark, <meta>, the bytes themselves, uchardet.
 * Owns uchardet's object and keeps it. One owner, one thread.
 */
#ifndef DANA_CHARSET_DETECT_H
#define DANA_CHARSET_DETECT_H

#include "archive/charset/labels.h"

enum {
	DETECT_WINDOW = 16 << 10, /* bytes of the page that are looked at: always as many, or the whole page */
	DETECT_LATE = 4 << 10,    /* when these are all ASCII: bytes that are looked at from the first other one on */
};

struct uchardet;

struct detector {
	const struct charset *said; /* by <meta> or XML declaration of the page under way; NULL: nothing */
	struct uchardet *uchardet;  /* NULL: not asked yet */
};

/** The charset of a byte order mark at the front, or NULL. `*len`: its length. `*cut`: more bytes could make one. */
const struct charset *detect_mark(struct slice first, size_t *len, bool *cut);

/**
 * Sets *out to the charset of a page without mark and label. `first`: its first DETECT_WINDOW bytes, or all when
 * `whole`. NULL: they are all ASCII, so it does not matter yet: ask detect_late when others come. 0 or DANA_ENOMEM.
 */
int detect_page(struct detector *d, struct slice first, bool whole, const struct charset **out);
/** `late`: DETECT_LATE bytes from the first that is not ASCII, or all that come when `whole`. Never NULL. */
const struct charset *detect_late(const struct detector *d, struct slice late, bool whole);
void detector_free(struct detector *d);

#endif
