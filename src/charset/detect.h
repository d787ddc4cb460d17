/*
 * Decides the charset of a page by its first bytes: byte order mark, <meta>, the bytes themselves, uchardet.
 * Owns uchardet's object and keeps it. One owner, one thread.
 */
#ifndef DANA_CHARSET_DETECT_H
#define DANA_CHARSET_DETECT_H

#include "charset/labels.h"

enum {
	DETECT_WINDOW = 16 << 10, /* bytes of the page that are looked at: always as many, or the whole page */
};

struct detector {
	void *uchardet;
};

/** The charset of a byte order mark at the front, or NULL. `*len`: its length. `*cut`: more bytes could make one. */
const struct charset *detect_mark(struct slice first, size_t *len, bool *cut);

/**
 * The charset of a page without mark and label. `first`: its first DETECT_WINDOW bytes, or all when `whole`. NULL: they
 * are all ASCII and say nothing, so it does not matter yet.
 */
const struct charset *detect_page(struct detector *d, struct slice first, bool whole);
void detector_free(struct detector *d);

#endif
