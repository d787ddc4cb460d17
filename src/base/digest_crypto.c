/* SPDX-License-Identifier: MIT */
/* Digests by libcrypto, which knows all algorithms and is the fastest. digest_plain.c makes them where it is missing.
 */
#include "config.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/digest.h"
#include "base/digest_maker.h"
#include "base/library.h"
#include "base/status.h"

_Static_assert(DIGEST_MOST == EVP_MAX_MD_SIZE, "a digest of libcrypto fits");

/*
 * libcrypto, loaded when the first digest is made: it is large, and `dana extract` makes no digest. Nothing links to
 * it; functions are called as `crypto->EVP_DigestUpdate(...)`. Any thread may call this.
 */
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

#define ROW(name) LIBRARY_ROW(crypto_library, name)

static struct crypto_library table;

static const struct library_function functions[] = { CRYPTO_FUNCTIONS(ROW) };

static struct library library = {
	.file = CRYPTO_SONAME, .title = "libcrypto", .package = "libssl3", LIBRARY_TABLE(functions, table)
};

const char *digest_library_version(void)
{
	return library_load(&library, NULL) == DANA_OK ? table.OpenSSL_version(OPENSSL_VERSION) : NULL;
}

/*
 * libcrypto would initialize itself, but crash at the first digest if memory is exhausted. Later calls cost next to
 * nothing. After DANA_ENOMEM no digest can be made in this process.
 */
static const struct crypto_library *crypto_library_ready(struct error *err)
{
	const struct crypto_library *crypto = library_load(&library, err) == DANA_OK ? &table : NULL;
	const uint64_t parts = OPENSSL_INIT_ADD_ALL_CIPHERS | OPENSSL_INIT_ADD_ALL_DIGESTS | OPENSSL_INIT_LOAD_CONFIG;
	/* The first call does not report that it has no context for algorithms. */
	if (!crypto || (crypto->OPENSSL_init_crypto(parts, NULL) == 1 && crypto->OSSL_LIB_CTX_get0_global_default()))
		return crypto;
	(void)error_no_memory(err);
	return NULL;
}

int sha1(struct slice data, uint8_t digest[SHA1_BYTES])
{
	struct error err = { 0 };
	const struct crypto_library *crypto = crypto_library_ready(&err);
	if (!crypto)
		return (int)err.status;
	const void *bytes = data.len ? (const void *)data.data : "";
	return crypto->EVP_Digest(bytes, data.len, digest, NULL, crypto->EVP_sha1(), NULL) == 1 ? DANA_OK : DANA_ENOMEM;
}

struct digest_maker {
	const struct crypto_library *crypto;
	EVP_MD_CTX *context;
};

struct digest_maker *digest_maker_new(struct error *err)
{
	const struct crypto_library *crypto = crypto_library_ready(err);
	struct digest_maker *m = crypto ? calloc(1, sizeof(*m)) : NULL;
	if (m) {
		m->crypto = crypto;
		m->context = crypto->EVP_MD_CTX_new();
		if (m->context)
			return m;
	}
	(void)error_no_memory(err); /* unless the library is missing */
	digest_maker_free(m);
	return NULL;
}

const void *digest_algorithm(const struct digest_maker *m, struct slice name)
{
	enum { NAME_MAX_LEN = 40 };
	const struct crypto_library *crypto = m->crypto;
	char text[NAME_MAX_LEN + 1] = "";
	const struct {
		const char *name;
		const EVP_MD *(*get)(void);
	} rows[] = { { "sha1", crypto->EVP_sha1 },
		     { "sha-1", crypto->EVP_sha1 },
		     { "sha256", crypto->EVP_sha256 },
		     { "sha-256", crypto->EVP_sha256 },
		     { "md5", crypto->EVP_md5 } };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (slice_is(name, rows[i].name))
			return rows[i].get();
	}
	if (name.len == 0 || name.len > NAME_MAX_LEN || memchr(name.data, 0, name.len))
		return NULL;
	memcpy(text, name.data, name.len);
	return crypto->EVP_get_digestbyname(text);
}

int digest_maker_begin(struct digest_maker *m, const void *algorithm)
{
	const struct crypto_library *crypto = m->crypto;
	if (crypto->EVP_DigestInit_ex(m->context, algorithm, NULL) == 1)
		return DANA_OK;
	/* an algorithm that this system does not allow (on some, md5) cannot be made; these two are available
	 * everywhere */
	const bool memory = algorithm == crypto->EVP_sha1() || algorithm == crypto->EVP_sha256() ||
			    crypto->EVP_DigestInit_ex(m->context, crypto->EVP_sha256(), NULL) != 1;
	return memory ? DANA_ENOMEM : DIGEST_REFUSED;
}

int digest_maker_take(struct digest_maker *m, struct slice bytes)
{
	return m->crypto->EVP_DigestUpdate(m->context, bytes.data, bytes.len) == 1 ? DANA_OK : DANA_ENOMEM;
}

int digest_maker_copy(struct digest_maker *to, const struct digest_maker *from)
{
	return from->crypto->EVP_MD_CTX_copy_ex(to->context, from->context) == 1 ? DANA_OK : DANA_ENOMEM;
}

int digest_maker_end(struct digest_maker *m, uint8_t digest[DIGEST_MOST], size_t *n)
{
	unsigned len = 0;
	if (m->crypto->EVP_DigestFinal_ex(m->context, digest, &len) != 1)
		return DANA_ENOMEM;
	*n = len;
	return DANA_OK;
}

void digest_maker_free(struct digest_maker *m)
{
	if (!m)
		return;
	m->crypto->EVP_MD_CTX_free(m->context);
	free(m);
}
