/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) as hexadecimal text: identifies contents in dana's own files. */
#ifndef DANA_DIGEST_SHA256_H
#define DANA_DIGEST_SHA256_H

#include "base/slice.h"

enum { SHA256_BYTES = 32, SHA256_TEXT = 2 * SHA256_BYTES };

/** Writes the digest of `data` in lower case, with a final NUL. */
void sha256_text(struct slice data, char out[SHA256_TEXT + 1]);

#endif
