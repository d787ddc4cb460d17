/* SPDX-License-Identifier: MIT */
/*
 * Written here rather than called in libcrypto, because every run over archives notes which input it reads: it would
 * load five megabytes and make their tables, a third of the work of a small run, to hash the first 64 KiB of a file.
 */
#include "base/digest/sha256.h"

#include "base/digest/digest_text.h"

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

static uint32_t big_endian(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Section 6.2.2. The 64 words are made 16 at a time in their own place. */
static void block(uint32_t state[WORDS], const uint8_t *bytes)
{
	uint32_t s[WORDS], w[16];
	memcpy(s, state, sizeof(s));
	for (unsigned t = 0; t < ROUNDS; t++) {
		uint32_t *word = &w[t & 15];
		if (t < 16) {
			*word = big_endian(bytes + (size_t)t * 4);
		} else {
			const uint32_t a = w[(t + 1) & 15], b = w[(t + 14) & 15];
			*word += (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[(t + 9) & 15] +
				 (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
		}
		const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		const uint32_t t1 = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + choice +
				    round_constants[t] + *word;
		const uint32_t t2 = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + majority;
		memmove(s + 1, s, sizeof(s) - sizeof(s[0]));
		s[0] = t1 + t2;
		s[4] += t1;
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
		block(state, data.data);
	if (data.len)
		memcpy(last, data.data, data.len);
	last[data.len] = 0x80;
	const size_t length_at = data.len < LENGTH_AT ? LENGTH_AT : BLOCK + LENGTH_AT;
	put_big_endian(last + length_at, bits, sizeof(bits));
	for (size_t at = 0; at < length_at; at += BLOCK)
		block(state, last + at);
	for (size_t i = 0; i < WORDS; i++)
		put_big_endian(digest + i * 4, state[i], 4);
	digest_hex(digest, SHA256_BYTES, out);
}
