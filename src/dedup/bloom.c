/* SPDX-License-Identifier: MIT */
/* The bits of a key come from two numbers made of it (Kirsch and Mitzenmacher 2006): first + i * second. */
#include "dedup/bloom.h"

#include <math.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/status.h"

int bloom_make(struct bloom *b, size_t bytes)
{
	size_t words = bytes / sizeof(*b->words) + 1;

	*b = (struct bloom){ .words = calloc(words, sizeof(*b->words)), .bits = (uint64_t)words * 64 };
	return b->words ? DANA_OK : DANA_ENOMEM;
}

void bloom_free(struct bloom *b)
{
	free(b->words);
	*b = (struct bloom){ 0 };
}

/* Returns a number that is independent of the key's own bits: splitmix64's last step. */
static uint64_t second_of(uint64_t key)
{
	key = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	key = (key ^ key >> 27) * UINT64_C(0x94D049BB133111EB);
	return (key ^ key >> 31) | 1;
}

bool bloom_put(struct bloom *b, uint64_t key)
{
	uint64_t second = second_of(key), added = 0;

	for (unsigned i = 0; i < BLOOM_HASHES; i++, key += second) {
		uint64_t bit = bits_high_product(key, b->bits);
		uint64_t mask = (uint64_t)1 << bit % 64;
		added += !(b->words[bit / 64] & mask);
		b->words[bit / 64] |= mask;
	}
	b->set += added;
	return added == 0;
}

double bloom_rate(const struct bloom *b)
{
	return b->bits ? pow((double)b->set / (double)b->bits, BLOOM_HASHES) : 0;
}

double bloom_bytes(double n, double rate)
{
	/* rate = (1 - e^(-hashes n / bits))^hashes */
	return -(double)BLOOM_HASHES * n / log(1 - pow(rate, 1.0 / BLOOM_HASHES)) / 8;
}
