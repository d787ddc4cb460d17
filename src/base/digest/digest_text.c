/* SPDX-License-Identifier: MIT */
/* Each four or five bits become a character; base32 fills the last one with zero bits. */
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

void digest_base32(const uint8_t *digest, size_t n, char *out)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	unsigned bits = 0, have = 0;
	for (size_t i = 0; i < n; i++) {
		bits = bits << 8 | digest[i];
		for (have += 8; have >= 5; have -= 5)
			*out++ = letters[bits >> (have - 5) & 31];
	}
	if (have)
		*out++ = letters[bits << (5 - have) & 31];
	*out = 0;
}
