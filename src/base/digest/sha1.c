/* SPDX-License-Identifier: MIT */
#include "base/digest/sha1.h"

#include "base/digest/crypto_library.h"
#include "base/digest/digest_text.h"
#include "base/status.h"

int sha1(struct slice data, uint8_t digest[SHA1_BYTES])
{
	struct error err = { 0 };
	const struct crypto_library *crypto = crypto_library_ready(&err);
	if (!crypto)
		return (int)err.status;
	const void *bytes = data.len ? (const void *)data.data : "";
	return crypto->EVP_Digest(bytes, data.len, digest, NULL, crypto->EVP_sha1(), NULL) == 1 ? DANA_OK : DANA_ENOMEM;
}

void sha1_base32(const uint8_t digest[SHA1_BYTES], char out[SHA1_BASE32 + 1])
{
	digest_base32(digest, SHA1_BYTES, out);
}
