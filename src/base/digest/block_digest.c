/* SPDX-License-Identifier: MIT */
/*
 * libcrypto computes the digest, which is written in the form that the head uses and compared as text. Example: "sha1:"
 * and 32 characters is base32, 40 would be hexadecimal, 27 base64; the forms of each algorithm differ in length.
 */
#include "base/digest/block_digest.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/digest/crypto_library.h"
#include "base/digest/digest_text.h"
#include "base/status.h"

enum { TEXT_MAX = DIGEST_HEX_LEN(EVP_MAX_MD_SIZE), NAME_MAX_LEN = 40 };

struct block_digest {
	const struct crypto_library *crypto;
	EVP_MD_CTX *context, *early; /* early: of the first `length` bytes, if the block is longer */
	bool given;                  /* the head has a digest */
	const EVP_MD *algorithm;     /* NULL: nothing to check */
	struct slice expected;       /* without the algorithm's name */
	uint64_t length, seen;
};

struct block_digest *block_digest_new(struct error *err)
{
	const struct crypto_library *crypto = crypto_library_ready(err);
	struct block_digest *d = crypto ? calloc(1, sizeof(*d)) : NULL;
	if (d) {
		d->crypto = crypto;
		d->context = crypto->EVP_MD_CTX_new();
		d->early = crypto->EVP_MD_CTX_new();
		if (d->context && d->early)
			return d;
	}
	(void)error_no_memory(err); /* unless the library is missing */
	block_digest_free(d);
	return NULL;
}

/* Returns NULL if libcrypto does not know the algorithm, by any of its names and in any case. */
static const EVP_MD *find_algorithm(const struct crypto_library *crypto, struct slice name)
{
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

static struct slice without_padding(struct slice text)
{
	while (text.len && text.data[text.len - 1] == '=')
		text.len--;
	return text;
}

/* An algorithm that this system does not allow (on some, md5) cannot be checked; these two are available everywhere. */
static int algorithm_failed(struct block_digest *d)
{
	bool memory = d->algorithm == d->crypto->EVP_sha1() || d->algorithm == d->crypto->EVP_sha256() ||
		      d->crypto->EVP_DigestInit_ex(d->context, d->crypto->EVP_sha256(), NULL) != 1;
	d->algorithm = NULL;
	return memory ? DANA_ENOMEM : DANA_OK;
}

int block_digest_begin(struct block_digest *d, struct slice field, uint64_t length)
{
	const uint8_t *colon = field.len ? memchr(field.data, ':', field.len) : NULL;
	size_t name_len = colon ? (size_t)(colon - field.data) : 0;
	d->given = field.len > 0;
	d->algorithm = NULL;
	d->length = length;
	d->seen = 0;
	if (!colon)
		return DANA_OK;
	d->expected = without_padding(slice_trim(slice_skip(field, name_len + 1)));
	d->algorithm = find_algorithm(d->crypto, slice_trim(slice_first(field, name_len)));
	if (!d->algorithm || d->crypto->EVP_DigestInit_ex(d->context, d->algorithm, NULL) == 1)
		return DANA_OK;
	return algorithm_failed(d);
}

static int update(struct block_digest *d, struct slice bytes)
{
	d->seen += bytes.len;
	return bytes.len == 0 || d->crypto->EVP_DigestUpdate(d->context, bytes.data, bytes.len) == 1 ? DANA_OK
												     : DANA_ENOMEM;
}

int block_digest_write(struct block_digest *d, struct slice bytes)
{
	if (!d->algorithm) {
		d->seen += bytes.len;
		return DANA_OK;
	}
	uint64_t room = d->seen < d->length ? d->length - d->seen : 0;
	struct slice first = slice_first(bytes, room < bytes.len ? (size_t)room : bytes.len);
	struct slice more = slice_skip(bytes, first.len);
	int status = update(d, first);
	if (status == DANA_OK && more.len && d->seen == d->length &&
	    d->crypto->EVP_MD_CTX_copy_ex(d->early, d->context) != 1)
		status = DANA_ENOMEM;
	return status < 0 ? status : update(d, more);
}

/* Base64 and base64url differ in two characters, and unlike the others in the case of letters. */
static bool is_base64(struct slice expected, const char *text)
{
	for (size_t i = 0; i < expected.len; i++) {
		const uint8_t c = expected.data[i];
		if ((c == '-' ? '+' : c == '_' ? '/' : c) != (uint8_t)text[i])
			return false;
	}
	return true;
}

/* Returns an enum block_digest_result or DANA_ENOMEM. */
static int compare(const struct block_digest *d, EVP_MD_CTX *context)
{
	uint8_t digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;
	char text[TEXT_MAX + 1];
	if (d->crypto->EVP_DigestFinal_ex(context, digest, &n) != 1)
		return DANA_ENOMEM;
	if (d->expected.len == DIGEST_BASE64_LEN(n)) {
		digest_base64(digest, n, text);
		return is_base64(d->expected, text) ? BLOCK_DIGEST_GOOD : BLOCK_DIGEST_BAD;
	}
	if (d->expected.len == DIGEST_HEX_LEN(n))
		digest_hex(digest, n, text);
	else if (d->expected.len == DIGEST_BASE32_LEN(n))
		digest_base32(digest, n, text);
	else
		return BLOCK_DIGEST_UNKNOWN;
	return slice_is(d->expected, text) ? BLOCK_DIGEST_GOOD : BLOCK_DIGEST_BAD;
}

int block_digest_end(struct block_digest *d, bool whole)
{
	if (!d->given || (d->seen < d->length && !whole))
		return BLOCK_DIGEST_NONE;
	if (!d->algorithm)
		return BLOCK_DIGEST_UNKNOWN;
	int result = compare(d, d->context);
	if (result == BLOCK_DIGEST_BAD && d->seen > d->length)
		result = compare(d, d->early);
	return result;
}

void block_digest_free(struct block_digest *d)
{
	if (!d)
		return;
	d->crypto->EVP_MD_CTX_free(d->context);
	d->crypto->EVP_MD_CTX_free(d->early);
	free(d);
}
