/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/digest/crypto_library.h"

#define ROW(name) LIBRARY_ROW(crypto_library, name)

static struct crypto_library table;
static const struct library_function functions[] = { CRYPTO_FUNCTIONS(ROW) };
static struct library library = {
	.file = CRYPTO_SONAME, .title = "libcrypto", .package = "libssl3", LIBRARY_TABLE(functions, table)
};

const struct crypto_library *crypto_library(struct error *err)
{
	return library_load(&library, err) == DANA_OK ? &table : NULL;
}

const struct crypto_library *crypto_library_ready(struct error *err)
{
	const struct crypto_library *crypto = crypto_library(err);
	const uint64_t parts = OPENSSL_INIT_ADD_ALL_CIPHERS | OPENSSL_INIT_ADD_ALL_DIGESTS | OPENSSL_INIT_LOAD_CONFIG;
	/* The first call does not report that it has no context for algorithms. */
	if (!crypto || (crypto->OPENSSL_init_crypto(parts, NULL) == 1 && crypto->OSSL_LIB_CTX_get0_global_default()))
		return crypto;
	(void)error_no_memory(err);
	return NULL;
}
