/* SPDX-License-Identifier: MIT */
#include "digest/sha1.h"

#include <openssl/evp.h>

#include "base/status.h"
#include "digest/digest_text.h"

int sha1(struct slice data, uint8_t digest[SHA1_BYTES])
{
	return EVP_Digest(data.len ? (const void *)data.data : "", data.len, digest, NULL, EVP_sha1(), NULL) == 1
		       ? DANA_OK
		       : DANA_ENOMEM;
}

void sha1_base32(const uint8_t digest[SHA1_BYTES], char out[SHA1_BASE32 + 1])
{
	digest_base32(digest, SHA1_BYTES, out);
}
