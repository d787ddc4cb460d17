/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "digest/crypto_library.h"

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
