/* SPDX-License-Identifier: MIT */
/* SHA-1 as WARC digests want it: "sha1:" and base32 (RFC 4648, section 6), 32 characters without padding. */
#ifndef DANA_DIGEST_SHA1_H
#define DANA_DIGEST_SHA1_H

#include "base/slice.h"

enum { SHA1_BYTES = 20, SHA1_BASE32 = 32 };

/** 0, DANA_ELIBRARY, or DANA_ENOMEM when libcrypto cannot (it fails only for want of memory or of the algorithm). */
int sha1(struct slice data, uint8_t digest[SHA1_BYTES]);
/** The digest in base32, NUL ended. */
void sha1_base32(const uint8_t digest[SHA1_BYTES], char out[SHA1_BASE32 + 1]);

#endif
