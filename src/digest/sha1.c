/* SPDX-License-Identifier: MIT */
#include "digest/sha1.h"

#include <openssl/evp.h>

#include "base/status.h"

int sha1(struct slice data, uint8_t digest[SHA1_BYTES])
{
	return EVP_Digest(data.len ? (const void *)data.data : "", data.len, digest, NULL, EVP_sha1(), NULL) == 1
		       ? DANA_OK
		       : DANA_ENOMEM;
}

void sha1_base32(const uint8_t digest[SHA1_BYTES], char out[SHA1_BASE32 + 1])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	unsigned bits = 0, have = 0;
	size_t n = 0;
	for (size_t i = 0; i < SHA1_BYTES; i++) {
		bits = bits << 8 | digest[i];
		for (have += 8; have >= 5; have -= 5)
			out[n++] = letters[bits >> (have - 5) & 31];
	}
	out[n] = 0; /* 160 bits are 32 letters without a rest */
}
