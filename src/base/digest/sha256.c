/* SPDX-License-Identifier: MIT */
/*
 * Written here rather than called in libcrypto, because every run over archives notes which input it reads: it would
 * load five megabytes and make their tables, a third of the work of a small run, to hash the first 64 KiB of a file.
 */
#include "base/digest/sha256.h"

#include "base/bits.h"
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

/* The 64 words that a block becomes (section 6.2.2, step 1), with their constants added. */
static void words_make(uint32_t w[ROUNDS], const uint8_t *bytes)
{
	for (unsigned t = 0; t < 16; t++)
		w[t] = big_endian(bytes + (size_t)t * 4);
	for (unsigned t = 16; t < ROUNDS; t++) {
		const uint32_t a = w[t - 15], b = w[t - 2];
		w[t] = w[t - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[t - 7] +
		       (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
	}
	for (unsigned t = 0; t < ROUNDS; t++)
		w[t] += round_constants[t];
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
static void block(uint32_t state[WORDS], const uint8_t *bytes)
{
	uint32_t s[WORDS], w[ROUNDS];
	memcpy(s, state, sizeof(s));
	words_make(w, bytes);
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
