/* SPDX-License-Identifier: MIT */
/* Base64 (RFC 4648, section 4) to bytes; white space between its characters is passed over, padding is needed. */
#ifndef DANA_BASE_ENCODINGS_H
#define DANA_BASE_ENCODINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

/** Appends the bytes. 0, DANA_EFORMAT or DANA_ENOMEM. */
int base64_decode(struct slice text, struct buf *out);

/* Digests as text: hexadecimal, base32 and base64 without padding (RFC 4648, sections 4 and 6). */

/** Number of characters for `n` bytes, without the NUL. */
#define DIGEST_HEX_LEN(n) (2 * (n))

#define DIGEST_BASE32_LEN(n) ((8 * (n) + 4) / 5)

#define DIGEST_BASE64_LEN(n) ((8 * (n) + 5) / 6)

/** Writes DIGEST_HEX_LEN(n) + 1 bytes: lower case, with a final NUL. */
void digest_hex(const uint8_t *digest, size_t n, char *out);
/** Writes DIGEST_BASE32_LEN(n) + 1 bytes: upper case, with a final NUL. */
void digest_base32(const uint8_t *digest, size_t n, char *out);
/** Writes DIGEST_BASE64_LEN(n) + 1 bytes, with a final NUL. */
void digest_base64(const uint8_t *digest, size_t n, char *out);

#endif
