/* SPDX-License-Identifier: MIT */
/* Relative references to addresses (RFC 3986, section 5), for the links that are written. */
#ifndef DANA_STRUCTURE_URL_H
#define DANA_STRUCTURE_URL_H

#include "base/buf.h"

/**
 * Appends `reference` made absolute by `base`, or as it stands if `base` is empty or not absolute. Returns 0 or
 * DANA_ENOMEM. Example: base "https://h/a/b.html" and "../c?d" give "https://h/c?d".
 */
int url_append(struct buf *out, struct slice base, struct slice reference);
/** Returns whether a reference leads to a page, a file or a mailbox: not into the page itself, to a script or to data.
 */
bool url_leads_elsewhere(struct slice reference);

#endif
