/* SPDX-License-Identifier: MIT */
#include "base/digest/digest_text.h"

void digest_hex(const uint8_t *digest, size_t n, char *out)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < n; i++) {
		*out++ = digits[digest[i] >> 4];
		*out++ = digits[digest[i] & 15];
	}
	*out = 0;
}

/* As many of the first bits as a character has become the next one; the last one is filled with zero bits. */
static void put_bits(const uint8_t *digest, size_t n, unsigned each, const char *letters, char *out)
{
	const unsigned mask = (1U << each) - 1;
	unsigned bits = 0, have = 0;
	for (size_t i = 0; i < n; i++) {
		bits = bits << 8 | digest[i];
		for (have += 8; have >= each; have -= each)
			*out++ = letters[bits >> (have - each) & mask];
	}
	if (have)
		*out++ = letters[bits << (each - have) & mask];
	*out = 0;
}

void digest_base32(const uint8_t *digest, size_t n, char *out)
{
	put_bits(digest, n, 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", out);
}

void digest_base64(const uint8_t *digest, size_t n, char *out)
{
	put_bits(digest, n, 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", out);
}
