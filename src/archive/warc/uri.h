/* SPDX-License-Identifier: MIT */
/* Percent-encoding of what may not stand in a URI (RFC 3986, section 2). */
#ifndef DANA_WARC_URI_H
#define DANA_WARC_URI_H

#include "base/buf.h"

/**
 * Appends `uri`. Percent-encoded are bytes that are no URI character, '%' without two hex digits after it, brackets
 * outside the authority, and each '#' but the first. 0 or DANA_ENOMEM.
 */
int warc_uri_append(struct buf *out, struct slice uri);

#endif
