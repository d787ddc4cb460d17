/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) as hexadecimal text: what tells two contents apart in files of our own. */
#ifndef DANA_DIGEST_SHA256_H
#define DANA_DIGEST_SHA256_H

#include "base/slice.h"

enum { SHA256_BYTES = 32, SHA256_TEXT = 2 * SHA256_BYTES };

/** The digest of `data` in lower case, NUL ended. 0, or a status as sha1. */
int sha256_text(struct slice data, char out[SHA256_TEXT + 1]);

#endif
