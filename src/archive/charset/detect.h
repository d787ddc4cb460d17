/* SPDX-License-Identifier: MIT */
/*
 * Decides the charset of a page by its first bytes: byte order mark, the server's label, <meta>, the bytes themselves,
 * uchardet. Bytes that contradict what is said win.
 * Owns uchardet's object and keeps it. One owner, one thread.
 */
#ifndef DANA_ARCHIVE_CHARSET_DETECT_H
#define DANA_ARCHIVE_CHARSET_DETECT_H

#include "archive/charset/decode.h"
#include "base/buf.h"

enum {
	DETECT_WINDOW = 16 << 10, /* bytes of the page that are examined: always as many, or the whole page */
	DETECT_LATE = 4 << 10,    /* if these are all ASCII: bytes that are examined from the first other one on */
};

struct uchardet;

/* The bytes looked at last, decoded by a charset of pairs of bytes. */
struct pairs_text {
	struct byte_sink sink;
	const struct charset *charset; /* NULL: not decoded, or not kept */
	struct buf text;
	size_t faults;
	size_t n_held; /* of a character that is cut at their end */
	uint8_t held[DECODER_HELD];
};

struct detector {
	/* Of the current page; each may be NULL. */
	const struct charset *label; /* of the server */
	const struct charset *said;  /* that, or if there is none what <meta> or the XML declaration names */
	bool contradicted;           /* by the bytes: what is said */
	bool text;                   /* the page is text without markup */
	size_t valid;                /* so many of the bytes looked at last are known to be well-formed UTF-8 */
	struct pairs_text pairs;     /* of these bytes, if `said` is such a charset */
	struct uchardet *uchardet;   /* NULL: not used yet */
};

/**
 * Returns the charset of a byte order mark at the front, or NULL. *len: its length. *cut: more bytes could complete
 * one.
 */
const struct charset *detect_mark(struct slice first, size_t *len, bool *cut);
/**
 * Sets *out to the charset of a page without mark. `label`: as the server names it, or NULL. `first`: its first
 * DETECT_WINDOW bytes, or all if `whole`. *out is NULL if they are all ASCII, so that the charset does not matter yet:
 * call detect_late when other bytes come. May set d->contradicted.
 */
int detect_page(struct detector *d, const struct charset *label, struct slice first, bool whole,
		const struct charset **out);
/**
 * Sets *out to the charset, never NULL. `first`: as for detect_page, if detect_wants_first. `late`: DETECT_LATE bytes
 * from the first that is not ASCII, or all of them if `whole`. May set d->contradicted.
 */
int detect_late(struct detector *d, struct slice first, struct slice late, bool whole, const struct charset **out);

/** After detect_page: returns whether detect_late needs the first bytes again. */
static inline bool detect_wants_first(const struct detector *d)
{
	return d->label && (d->label->kind == CHARSET_UTF8 || d->label->kind == CHARSET_DOUBLE);
}

void detector_free(struct detector *d);

/*
 * Finds the charset that a page names in its own bytes (HTML standard, section 13.2.3.2, "prescan a byte stream"). No
 * state.
 */

/**
 * Returns the charset named by <meta>, else by the XML declaration; NULL if neither names a known one. Linear in the
 * length.
 */
const struct charset *prescan_page(struct slice page);
/**
 * Returns the value of "charset=..." in a text like a media type ("extracting a character encoding from a meta
 * element").
 */
struct slice prescan_charset_parameter(struct slice text);

#endif
