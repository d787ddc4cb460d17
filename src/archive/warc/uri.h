/* SPDX-License-Identifier: MIT */
/* Percent-encoding of characters that are not allowed in a URI (RFC 3986, section 2). */
#ifndef DANA_WARC_URI_H
#define DANA_WARC_URI_H

#include "base/buf.h"

/**
 * Appends `uri`. Percent-encodes bytes that are not URI characters, '%' without two hex digits after it, brackets
 * outside the authority, and each '#' but the first. Returns 0 or DANA_ENOMEM.
 */
int warc_uri_append(struct buf *out, struct slice uri);

#endif
