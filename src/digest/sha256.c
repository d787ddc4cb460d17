/* SPDX-License-Identifier: MIT */
#include "digest/sha256.h"

#include <openssl/evp.h>

#include "base/status.h"

int sha256_text(struct slice data, char out[SHA256_TEXT + 1])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t digest[SHA256_BYTES];
	if (EVP_Digest(data.len ? (const void *)data.data : "", data.len, digest, NULL, EVP_sha256(), NULL) != 1)
		return DANA_ENOMEM;
	for (size_t i = 0; i < SHA256_BYTES; i++) {
		out[2 * i] = digits[digest[i] >> 4];
		out[2 * i + 1] = digits[digest[i] & 15];
	}
	out[SHA256_TEXT] = 0;
	return DANA_OK;
}
