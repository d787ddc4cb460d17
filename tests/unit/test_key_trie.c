/* SPDX-License-Identifier: MIT */
/* Numbers of keys: against a plain search, and the bound on their steps when the keys are chosen to be bad. */
#include "base/hash.h"
#include "support/unit.h"

/* The key whose mixed bits are these: the constant's inverse, by Newton's iteration. */
static uint32_t key_of(uint32_t mixed)
{
	uint32_t inverse = 1;
	for (int i = 0; i < 6; i++)
		inverse *= 2 - 0x9E3779B1U * inverse;
	return mixed * inverse;
}

TEST(test_numbers)
{
	enum { KEYS = 2000 };
	struct key_trie t = { 0 };
	static uint32_t key[KEYS], number[KEYS];
	uint32_t random = 7, keys = 0;
	assert_int_equal(key_trie_reset(&t, KEYS), 0);
	for (uint32_t i = 0; i < KEYS; i++) {
		random = random * 1664525U + 1013904223U;
		key[i] = random >> 22;
		number[i] = key_trie_number(&t, key[i]);
		uint32_t first = 0;
		while (key[first] != key[i])
			first++;
		assert_int_equal(number[i], first < i ? number[first] : keys);
		keys += first == i;
	}
	assert_int_equal(t.n, keys);
	key_trie_free(&t);
}

/* Keys that choose one root, in the worst order, and the longest way that there is. */
TEST(test_bound)
{
	struct key_trie t = { 0 };
	assert_int_equal(key_trie_reset(&t, 100), 0);
	assert_int_equal(t.bits, 8);
	for (unsigned bit = 24; bit-- > 0;)
		assert_int_equal(key_trie_number(&t, key_of((uint32_t)1 << bit)), 23 - bit);
	uint64_t before = t.steps;
	assert_int_equal(key_trie_number(&t, key_of(0)), 24);
	assert_in_range(t.steps - before, 1, KEY_TRIE_STEPS);

	enum { KEYS = 60000 };
	assert_int_equal(key_trie_reset(&t, KEYS), 0);
	for (uint32_t i = 0; i < KEYS; i++)
		assert_int_equal(key_trie_number(&t, key_of(i << 7 | i >> 9)), i);
	assert_true(t.steps <= (uint64_t)KEY_TRIE_STEPS * KEYS);
	for (uint32_t i = 0; i < KEYS; i++)
		assert_int_equal(key_trie_number(&t, key_of(i << 7 | i >> 9)), i);
	key_trie_free(&t);
}
