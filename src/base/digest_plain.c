/* SPDX-License-Identifier: MIT */
/*
 * Digests without libcrypto: SHA-1 (FIPS 180-4, section 6.1), SHA-256 (section 6.2) and MD5 (RFC 1321), which are the
 * digests that web archives have. Other algorithms are not known here. All three take blocks of 64 bytes, and end with
 * a bit, zeros, and the number of bits; they differ in what they do with a block, and in the order of bytes.
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/digest.h"
#include "base/digest_maker.h"

enum { BLOCK = 64, LENGTH_AT = BLOCK - 8, WORDS = 8 };

static uint32_t rotated(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static uint32_t highest_first(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t lowest_first(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void sha1_block(uint32_t state[WORDS], const uint8_t *bytes)
{
	enum { ROUNDS = 80 };
	uint32_t w[ROUNDS], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
	for (unsigned t = 0; t < 16; t++)
		w[t] = highest_first(bytes + 4 * t);
	for (unsigned t = 16; t < ROUNDS; t++)
		w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
	for (unsigned t = 0; t < ROUNDS; t++) {
		const uint32_t f = t < 20   ? ((b & c) | (~b & d)) + 0x5a827999
				   : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1
				   : t < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
					    : (b ^ c ^ d) + 0xca62c1d6;
		const uint32_t next = rotated(a, 5) + f + e + w[t];
		e = d;
		d = c;
		c = rotated(b, 30);
		b = a;
		a = next;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
}

/* The integer part of 2^32 times the sine of 1 to 64 (RFC 1321, section 3.4). */
static const uint32_t sines[BLOCK] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static void md5_block(uint32_t state[WORDS], const uint8_t *bytes)
{
	static const uint8_t turns[4][4] = { { 7, 12, 17, 22 },
					     { 5, 9, 14, 20 },
					     { 4, 11, 16, 23 },
					     { 6, 10, 15, 21 } };
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	for (unsigned t = 0; t < BLOCK; t++) {
		const uint32_t f = t < 16   ? (b & c) | (~b & d)
				   : t < 32 ? (d & b) | (~d & c)
				   : t < 48 ? b ^ c ^ d
					    : c ^ (b | ~d);
		const unsigned word = (t < 16 ? t : t < 32 ? 5 * t + 1 : t < 48 ? 3 * t + 5 : 7 * t) % 16;
		const uint32_t before = d;
		d = c;
		c = b;
		b += rotated(a + f + sines[t] + lowest_first(bytes + 4 * word), turns[t / 16][t % 4]);
		a = before;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

static const struct algorithm {
	const char *name, *other;
	void (*block)(uint32_t state[WORDS], const uint8_t *bytes);
	size_t bytes; /* of the digest */
	bool little;  /* bytes of numbers begin with the lowest */
	uint32_t first[WORDS];
} algorithms[] = {
	{ "sha1",
	  "sha-1",
	  sha1_block,
	  SHA1_BYTES,
	  false,
	  { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 } },
	{ "sha256",
	  "sha-256",
	  sha256_block,
	  SHA256_BYTES,
	  false,
	  { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } },
	{ "md5", "md5", md5_block, 16, true, { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 } },
};

struct digest_maker {
	const struct algorithm *algorithm;
	uint64_t seen; /* bytes */
	uint32_t state[WORDS];
	uint8_t rest[BLOCK]; /* what is not a whole block yet */
};

struct digest_maker *digest_maker_new(struct error *err)
{
	struct digest_maker *m = calloc(1, sizeof(*m));
	if (!m)
		(void)error_no_memory(err);
	return m;
}

const void *digest_algorithm(const struct digest_maker *m, struct slice name)
{
	(void)m;
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(*algorithms); i++) {
		if (slice_is(name, algorithms[i].name) || slice_is(name, algorithms[i].other))
			return &algorithms[i];
	}
	return NULL;
}

int digest_maker_begin(struct digest_maker *m, const void *algorithm)
{
	m->algorithm = algorithm;
	m->seen = 0;
	memcpy(m->state, m->algorithm->first, sizeof(m->state));
	return DANA_OK;
}

int digest_maker_take(struct digest_maker *m, struct slice bytes)
{
	size_t have = m->seen % BLOCK;
	m->seen += bytes.len;
	while (bytes.len >= BLOCK - have) {
		if (have)
			memcpy(m->rest + have, bytes.data, BLOCK - have);
		m->algorithm->block(m->state, have ? m->rest : bytes.data);
		bytes = slice_skip(bytes, BLOCK - have);
		have = 0;
	}
	if (bytes.len)
		memcpy(m->rest + have, bytes.data, bytes.len);
	return DANA_OK;
}

int digest_maker_copy(struct digest_maker *to, const struct digest_maker *from)
{
	*to = *from;
	return DANA_OK;
}

int digest_maker_end(struct digest_maker *m, uint8_t digest[DIGEST_MOST], size_t *n)
{
	const struct algorithm *of = m->algorithm;
	const uint64_t bits = m->seen * 8;
	const size_t have = m->seen % BLOCK, zeros = (have < LENGTH_AT ? LENGTH_AT : BLOCK + LENGTH_AT) - have;
	uint8_t end[BLOCK + 8] = { 0x80 };
	for (unsigned i = 0; i < 8; i++)
		end[zeros + i] = (uint8_t)(bits >> 8 * (of->little ? i : 7 - i));
	(void)digest_maker_take(m, slice_of(end, zeros + 8));
	for (unsigned i = 0; i < of->bytes; i++)
		digest[i] = (uint8_t)(m->state[i / 4] >> 8 * (of->little ? i % 4 : 3 - i % 4));
	*n = of->bytes;
	return DANA_OK;
}

void digest_maker_free(struct digest_maker *m)
{
	free(m);
}

int sha1(struct slice data, uint8_t digest[SHA1_BYTES])
{
	struct digest_maker m;
	uint8_t made[DIGEST_MOST];
	size_t n;
	(void)digest_maker_begin(&m, &algorithms[0]);
	(void)digest_maker_take(&m, data);
	(void)digest_maker_end(&m, made, &n);
	memcpy(digest, made, SHA1_BYTES);
	return DANA_OK;
}

const char *digest_library_version(void)
{
	return "not built in";
}
