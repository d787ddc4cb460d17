/* SPDX-License-Identifier: MIT */
/*
 * Values of metadata: dates as pages write them, in the form of ISO 8601 (RFC 3339); addresses made absolute; and the
 * list of a page's links.
 */
#ifndef DANA_PLUGINS_METADATA_VALUES_H
#define DANA_PLUGINS_METADATA_VALUES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

enum { DATE_BYTES = 40 };

/**
 * Reads the first date in a short text: 2024-05-31, 2024-05-31T10:00:00+02:00, 2024/5/31, 31.5.2024, 31/5/2024, 31 May
 * 2024, May 31, 2024, 2024年5月31日, with names of months in 14 languages. Returns the length of "2024-05-31" or of
 * that with its time, terminated in `out`; 0 if there is no date from 1990 to 2099. `month_first`: 5/6/2024 is in May.
 */
size_t date_read(struct slice text, bool month_first, char out[DATE_BYTES]);

/** Returns the length of `form`, in which 0 matches any digit, if the text begins with it; else 0. */
size_t date_form(struct slice text, const char *form);

/** Writes "2024-05-31", terminated; returns its length. */
size_t date_write(int year, int month, int day, char out[DATE_BYTES]);

/* The links of a page, as JSON: absolute addresses (RFC 3986, section 5.2), their text and rel. */

enum { LINKS_MOST = 1000, LINK_BYTES = 2048 };

struct links {
	struct slice base; /* address of the page */
	struct buf json;   /* array of objects, without its end */
	struct buf address, text;
	size_t n;
};

void links_begin(struct links *l, struct slice base);

/** Collects the links of a page, without links within the page and schemes other than http and https. */
void links_read(struct links *l, struct slice html);

/** Ends the array and returns it, borrowed until the next links_begin(). */
struct slice links_end(struct links *l);

/** Appends the address that `reference` resolves to on the page `base`. */
void address_resolve(struct buf *out, struct slice base, struct slice reference);

#endif
