/* SPDX-License-Identifier: MIT */
/*
 * libcrypto, loaded when the first digest is made: it is large, and `dana extract` makes no digest. Nothing links to
 * it; functions are called as `crypto->EVP_DigestUpdate(...)`. Any thread may call this.
 */
#ifndef DANA_BASE_CRYPTO_LIBRARY_H
#define DANA_BASE_CRYPTO_LIBRARY_H

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/library.h"
#include "base/status.h"

/** The functions of libcrypto that dana uses. */
/* clang-format off */
#define CRYPTO_FUNCTIONS(X) \
	X(EVP_Digest) X(EVP_DigestFinal_ex) X(EVP_DigestInit_ex) \
	X(EVP_DigestUpdate) X(EVP_MD_CTX_copy_ex) X(EVP_MD_CTX_free) \
	X(EVP_MD_CTX_new) X(EVP_get_digestbyname) X(EVP_md5) X(EVP_sha1) X(EVP_sha256) \
	X(OPENSSL_init_crypto) X(OSSL_LIB_CTX_get0_global_default) X(OpenSSL_version)
/* clang-format on */

struct crypto_library {
	CRYPTO_FUNCTIONS(LIBRARY_MEMBER)
};

/**
 * Loads it at the first call. Returns NULL on failure, with DANA_ELIBRARY (missing or too old) or DANA_ENOMEM in `err`,
 * which may be NULL.
 */
const struct crypto_library *crypto_library(struct error *err);
/**
 * The same, and initializes libcrypto; call it before making digests. libcrypto would initialize itself, but crash at
 * the first digest if memory is exhausted. Later calls cost next to nothing. `err` must not be NULL. After DANA_ENOMEM
 * no digest can be made in this process.
 */
const struct crypto_library *crypto_library_ready(struct error *err);

#endif
