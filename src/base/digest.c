/* SPDX-License-Identifier: MIT */
/* Digests, and bytes as text. */
#include "config.h"

#include "base/digest.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cpu.h"
#include "base/digest_maker.h"
#include "base/status.h"

/* Base64: four characters at a time while all are of the alphabet; white space and the end go one by one. */

enum { PADDING = 64, SPACE, WRONG = 0xff, NO_LETTER = 0xc0 };

struct alphabet {
	uint8_t value[256]; /* of a letter 0 to 63, else one of the above */
};

static struct alphabet alphabet(void)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct alphabet a;
	memset(a.value, WRONG, sizeof(a.value));
	for (uint8_t i = 0; i < 64; i++)
		a.value[(uint8_t)letters[i]] = i;
	a.value['='] = PADDING;
	a.value[' '] = a.value['\t'] = a.value['\n'] = a.value['\r'] = SPACE;
	return a;
}

/* Groups of four become three bytes each. Returns how many of them are all letters. */
static size_t decode_groups(const struct alphabet *a, struct slice text, uint8_t *out)
{
	size_t i = 0;
	for (const uint8_t *at = text.data; i < text.len / 4; i++, at += 4, out += 3) {
		const uint32_t v[4] = { a->value[at[0]], a->value[at[1]], a->value[at[2]], a->value[at[3]] };
		if ((v[0] | v[1] | v[2] | v[3]) & NO_LETTER)
			break;
		out[0] = (uint8_t)(v[0] << 2 | v[1] >> 4);
		out[1] = (uint8_t)(v[1] << 4 | v[2] >> 2);
		out[2] = (uint8_t)(v[2] << 6 | v[3]);
	}
	return i;
}

int base64_decode(struct slice text, struct buf *out)
{
	const struct alphabet a = alphabet();
	uint32_t bits = 0;
	unsigned n = 0, padding = 0; /* of the group under way */
	if (buf_reserve(out, text.len / 4 * 3 + 3) < 0)
		return DANA_ENOMEM;
	while (text.len) {
		const size_t groups = n ? 0 : decode_groups(&a, text, out->data + out->len);
		out->len += 3 * groups;
		text = slice_skip(text, 4 * groups);
		const uint8_t v = text.len ? a.value[text.data[0]] : SPACE;
		text = slice_skip(text, 1);
		if (v == SPACE)
			continue;
		padding += v == PADDING;
		if (v == WRONG || padding > 2 || (v != PADDING && padding))
			return DANA_EFORMAT;
		bits = bits << 6 | (v & 63);
		if (++n % 4 != 0)
			continue;
		const uint8_t bytes[3] = { (uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits };
		buf_append(out, bytes, 3 - padding);
		n = 0;
	}
	return n == 0 ? buf_status(out) : DANA_EFORMAT;
}

/* Writes DIGEST_HEX_LEN(n) + 1 bytes: lower case, with a final NUL. */
static void digest_hex(const uint8_t *digest, size_t n, char *out)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < n; i++) {
		*out++ = digits[digest[i] >> 4];
		*out++ = digits[digest[i] & 15];
	}
	*out = 0;
}

/* As many of the first bits as a character has become the next one; the last one is filled with zero bits. */
static void put_bits(const uint8_t *digest, size_t n, unsigned each, const char *letters, char *out)
{
	const unsigned mask = (1U << each) - 1;
	unsigned bits = 0, have = 0;
	for (size_t i = 0; i < n; i++) {
		bits = bits << 8 | digest[i];
		for (have += 8; have >= each; have -= each)
			*out++ = letters[bits >> (have - each) & mask];
	}
	if (have)
		*out++ = letters[bits << (each - have) & mask];
	*out = 0;
}

/* Writes DIGEST_BASE32_LEN(n) + 1 bytes: upper case, with a final NUL. */
static void digest_base32(const uint8_t *digest, size_t n, char *out)
{
	put_bits(digest, n, 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", out);
}

/* Writes DIGEST_BASE64_LEN(n) + 1 bytes, with a final NUL. */
static void digest_base64(const uint8_t *digest, size_t n, char *out)
{
	put_bits(digest, n, 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", out);
}

/*
 * SHA-256 is written here rather than called in libcrypto, because every run over archives notes which input it reads:
 * it would load five megabytes and make their tables, a third of the work of a small run, to hash the first 64 KiB of a
 * file.
 */

enum { BLOCK = 64, WORDS = 8, ROUNDS = 64, LENGTH_AT = BLOCK - 8 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
static const uint32_t round_constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/*
 * Round `i` of eight (step 3). The letters a to h of the standard move on by one in each round; here they stay where
 * they are, and their names move.
 */
BITS_INLINE void round_take(uint32_t s[WORDS], unsigned i, uint32_t word)
{
	const uint32_t a = s[-i & 7], b = s[(1 - i) & 7], c = s[(2 - i) & 7];
	const uint32_t e = s[(4 - i) & 7], f = s[(5 - i) & 7], g = s[(6 - i) & 7];
	uint32_t *d = &s[(3 - i) & 7], *h = &s[(7 - i) & 7];
	*h += (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + word;
	*d += *h;
	*h += (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

/* Eight rounds are written out, so that the compiler keeps the letters in registers. */
void sha256_block(uint32_t state[WORDS], const uint8_t *bytes)
{
	uint32_t s[WORDS], w[ROUNDS];
	memcpy(s, state, sizeof(s));
	/* the 64 words that a block becomes (section 6.2.2, step 1), with their constants added */
	for (unsigned t = 0; t < 16; t++, bytes += 4)
		w[t] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
	for (unsigned t = 16; t < ROUNDS; t++) {
		const uint32_t a = w[t - 15], b = w[t - 2];
		w[t] = w[t - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[t - 7] +
		       (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
	}
	for (unsigned t = 0; t < ROUNDS; t++)
		w[t] += round_constants[t];
	for (const uint32_t *word = w; word < w + ROUNDS; word += 8) {
		round_take(s, 0, word[0]);
		round_take(s, 1, word[1]);
		round_take(s, 2, word[2]);
		round_take(s, 3, word[3]);
		round_take(s, 4, word[4]);
		round_take(s, 5, word[5]);
		round_take(s, 6, word[6]);
		round_take(s, 7, word[7]);
	}
	for (unsigned i = 0; i < WORDS; i++)
		state[i] += s[i];
}

static void put_big_endian(uint8_t *to, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint8_t)(value >> 8 * (n - 1 - i));
}

void sha256_text(struct slice data, char out[SHA256_TEXT + 1])
{
	uint32_t state[WORDS] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
				  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	uint8_t last[2 * BLOCK] = { 0 }, digest[SHA256_BYTES];
	const uint64_t bits = (uint64_t)data.len * 8;
	for (; data.len >= BLOCK; data = slice_skip(data, BLOCK))
		sha256_block(state, data.data);
	if (data.len)
		memcpy(last, data.data, data.len);
	last[data.len] = 0x80;
	const size_t length_at = data.len < LENGTH_AT ? LENGTH_AT : BLOCK + LENGTH_AT;
	put_big_endian(last + length_at, bits, sizeof(bits));
	for (size_t at = 0; at < length_at; at += BLOCK)
		sha256_block(state, last + at);
	for (size_t i = 0; i < WORDS; i++)
		put_big_endian(digest + i * 4, state[i], 4);
	digest_hex(digest, SHA256_BYTES, out);
}

void sha1_base32(const uint8_t digest[SHA1_BYTES], char out[SHA1_BASE32 + 1])
{
	digest_base32(digest, SHA1_BYTES, out);
}

int uuid5(const uint8_t space[16], struct slice name, char out[UUID_TEXT + 1])
{
	struct buf all = { 0 };
	uint8_t digest[SHA1_BYTES];
	char hex[DIGEST_HEX_LEN(16) + 1];
	buf_append(&all, space, 16);
	int status = buf_append(&all, name.data, name.len);
	if (status == DANA_OK)
		status = sha1(buf_slice(&all), digest);
	buf_free(&all);
	if (status < 0)
		return status;
	digest[6] = (uint8_t)((digest[6] & 0x0f) | 0x50); /* version 5 */
	digest[8] = (uint8_t)((digest[8] & 0x3f) | 0x80); /* variant of RFC 4122 */
	digest_hex(digest, 16, hex);
	(void)snprintf(out, UUID_TEXT + 1, "%.8s-%.4s-%.4s-%.4s-%s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
	return DANA_OK;
}

int uuid_of_name(struct slice name, char out[UUID_TEXT + 1])
{
	/*
	 * The version 5 UUID of the name "dana" in the DNS namespace. It must never change: the ids of all outputs
	 * depend on it.
	 */
	static const uint8_t space[16] = { 0x7d, 0x4f, 0x88, 0x14, 0xe3, 0xf2, 0x59, 0x32,
					   0xb6, 0x9b, 0x70, 0x9b, 0xf2, 0x47, 0x81, 0x46 };
	return uuid5(space, name, out);
}

/*
 * A digest is written in the form that the head uses and compared as text. Example: "sha1:" and 32 characters is
 * base32, 40 would be hexadecimal, 27 base64; the forms of each algorithm differ in length.
 */

enum { TEXT_MAX = DIGEST_HEX_LEN(DIGEST_MOST) };

struct block_digest {
	struct digest_maker *maker, *early; /* early: of the first `length` bytes, if the block is longer */
	bool given;                         /* the head has a digest */
	const void *algorithm;              /* NULL: nothing to check */
	struct slice expected;              /* without the algorithm's name */
	uint64_t length, seen;
};

struct block_digest *block_digest_new(struct error *err)
{
	struct digest_maker *maker = digest_maker_new(err);
	struct block_digest *d = maker ? calloc(1, sizeof(*d)) : NULL;
	if (d) {
		d->maker = maker;
		d->early = digest_maker_new(err);
		if (d->early)
			return d;
	} else {
		digest_maker_free(maker);
	}
	(void)error_no_memory(err); /* unless the library is missing */
	block_digest_free(d);
	return NULL;
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
	d->expected = slice_trim(slice_skip(field, name_len + 1));
	while (d->expected.len && d->expected.data[d->expected.len - 1] == '=') /* padding */
		d->expected.len--;
	d->algorithm = digest_algorithm(d->maker, slice_trim(slice_first(field, name_len)));
	const int status = d->algorithm ? digest_maker_begin(d->maker, d->algorithm) : DANA_OK;
	if (status != DANA_OK)
		d->algorithm = NULL;
	return status < 0 ? status : DANA_OK;
}

static int update(struct block_digest *d, struct slice bytes)
{
	d->seen += bytes.len;
	return bytes.len ? digest_maker_take(d->maker, bytes) : DANA_OK;
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
	if (status == DANA_OK && more.len && d->seen == d->length)
		status = digest_maker_copy(d->early, d->maker);
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
static int compare(const struct block_digest *d, struct digest_maker *maker)
{
	uint8_t digest[DIGEST_MOST];
	size_t n = 0;
	char text[TEXT_MAX + 1];
	const int status = digest_maker_end(maker, digest, &n);
	if (status < 0)
		return status;
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
	int result = compare(d, d->maker);
	if (result == BLOCK_DIGEST_BAD && d->seen > d->length)
		result = compare(d, d->early);
	return result;
}

void block_digest_free(struct block_digest *d)
{
	if (!d)
		return;
	digest_maker_free(d->maker);
	digest_maker_free(d->early);
	free(d);
}
