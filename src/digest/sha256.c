/* SPDX-License-Identifier: MIT */
#include "digest/sha256.h"

#include <openssl/evp.h>

#include "base/status.h"
#include "digest/digest_text.h"

int sha256_text(struct slice data, char out[SHA256_TEXT + 1])
{
	uint8_t digest[SHA256_BYTES];
	if (EVP_Digest(data.len ? (const void *)data.data : "", data.len, digest, NULL, EVP_sha256(), NULL) != 1)
		return DANA_ENOMEM;
	digest_hex(digest, SHA256_BYTES, out);
	return DANA_OK;
}
