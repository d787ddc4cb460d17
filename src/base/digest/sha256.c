/* SPDX-License-Identifier: MIT */
#include "base/digest/sha256.h"

#include "base/digest/crypto_library.h"
#include "base/digest/digest_text.h"
#include "base/status.h"

int sha256_text(struct slice data, char out[SHA256_TEXT + 1])
{
	uint8_t digest[SHA256_BYTES];
	struct error err = { 0 };
	const struct crypto_library *crypto = crypto_library_ready(&err);
	if (!crypto)
		return (int)err.status;
	const void *bytes = data.len ? (const void *)data.data : "";
	if (crypto->EVP_Digest(bytes, data.len, digest, NULL, crypto->EVP_sha256(), NULL) != 1)
		return DANA_ENOMEM;
	digest_hex(digest, SHA256_BYTES, out);
	return DANA_OK;
}
