/* SPDX-License-Identifier: MIT */
/*
 * The map uses open addressing. The upper bits of the key times a secret odd number select the first slot
 * (Dietzfelbinger's multiply-shift hashing); the slots after it follow. At most three quarters are in use. The bits of
 * a key in the Bloom filter come from two numbers made of it (Kirsch and Mitzenmacher 2006): first + i * second.
 */
#include "config.h"

#include "dedup/counts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "base/status.h"
#include "base/system.h"

enum { FIRST_BITS = 8 };

/* 0 marks a free slot, so 0 is replaced by another number; that a hash equals either by chance can be neglected. */
static uint64_t key_of(uint64_t key)
{
	return key ? key : UINT64_C(0x9E3779B97F4A7C15);
}

static size_t slot_count(unsigned bits)
{
	return (size_t)1 << bits;
}

static size_t keys_most(unsigned bits)
{
	return slot_count(bits) / 4 * 3;
}

/* Returns the bytes in use while a table of 2^bits slots replaces one of half the size. */
static size_t bytes_to_grow(unsigned bits)
{
	return slot_count(bits) * sizeof(struct hash_map_slot) / 2 * (bits > FIRST_BITS ? 3 : 2);
}

static unsigned bits_for(size_t keys)
{
	unsigned bits = FIRST_BITS;
	while (bits < 48 && keys_most(bits) < keys)
		bits++;
	return bits;
}

size_t hash_map_room(size_t bytes)
{
	unsigned bits = FIRST_BITS;
	while (bits < 48 && bytes_to_grow(bits + 1) <= bytes)
		bits++;
	return bytes < bytes_to_grow(FIRST_BITS) ? 0 : keys_most(bits);
}

size_t hash_map_bytes(size_t keys)
{
	return slot_count(bits_for(keys)) * sizeof(struct hash_map_slot);
}

size_t hash_map_growing_bytes(size_t keys)
{
	return bytes_to_grow(bits_for(keys));
}

static struct hash_map_slot *find(const struct hash_map *m, uint64_t key)
{
	size_t mask = slot_count(m->bits) - 1;
	size_t at = (size_t)(key * m->secret >> (64 - m->bits));
	while (m->slots[at].key && m->slots[at].key != key)
		at = (at + 1) & mask;
	return &m->slots[at];
}

static int grow(struct hash_map *m)
{
	struct hash_map larger = *m;
	larger.bits = m->slots ? m->bits + 1 : FIRST_BITS;
	if (!m->slots) {
		larger.secret = (uint64_t)(uintptr_t)m * UINT64_C(0x9E3779B97F4A7C15);
		(void)system_random(&larger.secret, sizeof(larger.secret));
		larger.secret |= 1;
	}
	if (bytes_to_grow(larger.bits) > m->most_bytes)
		return DANA_ELIMIT;
	larger.slots = calloc(slot_count(larger.bits), sizeof(*larger.slots));
	if (!larger.slots)
		return DANA_ENOMEM;
	for (size_t i = 0; m->slots && i < slot_count(m->bits); i++) {
		if (m->slots[i].key)
			*find(&larger, m->slots[i].key) = m->slots[i];
	}
	free(m->slots);
	*m = larger;
	return DANA_OK;
}

int hash_map_put(struct hash_map *m, uint64_t key, uint64_t **value)
{
	struct hash_map_slot *slot = m->slots ? find(m, key_of(key)) : NULL;
	if (!slot || (!slot->key && m->n == keys_most(m->bits))) {
		int status = grow(m);
		if (status < 0)
			return status;
		slot = find(m, key_of(key));
	}
	*value = &slot->value;
	if (slot->key)
		return 1;
	slot->key = key_of(key);
	m->n++;
	return 0;
}

const uint64_t *hash_map_get(const struct hash_map *m, uint64_t key)
{
	struct hash_map_slot *slot = m->slots ? find(m, key_of(key)) : NULL;
	return slot && slot->key ? &slot->value : NULL;
}

void hash_map_free(struct hash_map *m)
{
	free(m->slots);
	*m = (struct hash_map){ .most_bytes = m->most_bytes };
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

void numbers_sort(uint64_t *numbers, size_t n)
{
	if (n)
		qsort(numbers, n, sizeof(*numbers), by_number);
}

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

bool bloom_put(struct bloom *b, uint64_t key)
{
	/* a number that is independent of the key's own bits: splitmix64's last step */
	uint64_t second = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9), added = 0;
	second = (second ^ second >> 27) * UINT64_C(0x94D049BB133111EB);
	second = (second ^ second >> 31) | 1;
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

int sketch_make(struct sketch *s, size_t bytes)
{
	uint64_t width = bytes / (SKETCH_ROWS * sizeof(*s->counters)) + 1;
	*s = (struct sketch){ .width = width };
	s->counters = calloc((size_t)width, SKETCH_ROWS * sizeof(*s->counters));
	return s->counters ? DANA_OK : DANA_ENOMEM;
}

void sketch_free(struct sketch *s)
{
	free(s->counters);
	*s = (struct sketch){ 0 };
}

uint32_t sketch_add(struct sketch *s, uint64_t key)
{
	uint32_t *counters[SKETCH_ROWS], count = UINT32_MAX;
	for (unsigned row = 0; row < SKETCH_ROWS; row++) {
		uint64_t mixed = (key + row * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
		mixed = (mixed ^ mixed >> 29) * UINT64_C(0x94D049BB133111EB);
		counters[row] = &s->counters[row * s->width + bits_high_product(mixed, s->width)];
		count = *counters[row] < count ? *counters[row] : count;
	}
	if (count < UINT32_MAX)
		count++;
	for (unsigned row = 0; row < SKETCH_ROWS; row++) {
		if (*counters[row] < count)
			*counters[row] = count;
	}
	s->sum++;
	return count;
}

double sketch_error(const struct sketch *s)
{
	return s->width ? exp(1) / (double)s->width * (double)s->sum : 0;
}
