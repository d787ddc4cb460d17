/* SPDX-License-Identifier: MIT */
/* SHA-1 as WARC digests want it: "sha1:" and base32 (RFC 4648, section 6), 32 characters without padding. */
#ifndef DANA_DIGEST_SHA1_H
#define DANA_DIGEST_SHA1_H

#include "base/slice.h"

enum { SHA1_BYTES = 20, SHA1_BASE32 = 32 };

/** Returns 0, DANA_ELIBRARY, or DANA_ENOMEM if libcrypto fails (only without memory or without the algorithm). */
int sha1(struct slice data, uint8_t digest[SHA1_BYTES]);
/** Writes the digest in base32, with a final NUL. */
void sha1_base32(const uint8_t digest[SHA1_BYTES], char out[SHA1_BASE32 + 1]);

#endif
