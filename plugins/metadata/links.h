/* SPDX-License-Identifier: MIT */
/* The links of a page, as JSON: absolute addresses (RFC 3986, section 5.2), their text and rel. */
#ifndef DANA_METADATA_LINKS_H
#define DANA_METADATA_LINKS_H

#include "base/buf.h"
#include "base/slice.h"

enum { LINKS_MOST = 1000, LINK_BYTES = 2048 };

struct links {
	struct slice base; /* address of the page */
	struct buf json;   /* array of objects, without its end */
	struct buf address, text;
	size_t n;
};

void links_begin(struct links *l, struct slice base);
/** Collects the links of a page, without those within the page and those of schemes other than http and https. */
void links_read(struct links *l, struct slice html);
/** Ends the array and returns it, borrowed until the next links_begin(). */
struct slice links_end(struct links *l);

/** Appends the address that `reference` resolves to on the page `base`. */
void address_resolve(struct buf *out, struct slice base, struct slice reference);

#endif
