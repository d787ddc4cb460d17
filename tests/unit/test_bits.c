/* SPDX-License-Identifier: MIT */
/* bits_after: the way by PDEP, the one without it in a function with bit instructions, and plain C find the same bits.
 */
#include "base/cpu.h"
#include "support/unit.h"

static uint64_t plain(uint64_t x, unsigned rank)
{
	return bits_after(x, rank, false);
}

BITS_FAST static uint64_t counted(uint64_t x, unsigned rank)
{
	return bits_after(x, rank, false);
}

BITS_FAST static uint64_t deposited(uint64_t x, unsigned rank)
{
	return bits_after(x, rank, true);
}

/* Removes the lowest set bit, again and again. */
static uint64_t expected(uint64_t x, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++)
		x &= x - 1;
	return x;
}

TEST(after_every_rank)
{
	uint64_t x = 0x9E3779B97F4A7C15U;
	for (unsigned round = 0; round < 2000; round++) {
		x = x * 6364136223846793005U + 1442695040888963407U;
		const uint64_t bits = round == 0 ? UINT64_MAX : round % 3 == 0 ? x & x << 17 : x;
		for (unsigned rank = 0; rank < bits_count(bits); rank++) {
			const uint64_t wanted = expected(bits, rank);
			assert_true(plain(bits, rank) == wanted);
			if (bits_fast()) {
				assert_true(counted(bits, rank) == wanted);
				assert_true(deposited(bits, rank) == wanted);
			}
		}
	}
}

/* What numbers of 128 bits give, and what halves give, which machines without them use. */
TEST(high_products)
{
	static const struct {
		uint64_t a, b, high;
	} known[] = {
		{ 0, UINT64_MAX, 0 },
		{ UINT64_MAX, UINT64_MAX, UINT64_MAX - 1 },
		{ UINT64_C(1) << 63, 2, 1 },
		{ UINT32_MAX, UINT32_MAX, 0 },
		{ UINT64_C(0xFFFFFFFF00000001), UINT64_C(0x00000001FFFFFFFF), UINT64_C(0x1FFFFFFFD) },
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_true(bits_high_product_of_halves(known[i].a, known[i].b) == known[i].high);
		assert_true(bits_high_product(known[i].b, known[i].a) == known[i].high);
	}
	uint64_t a = 1, b = 3;
	for (unsigned round = 0; round < 100000; round++) {
		a = a * 6364136223846793005U + 1442695040888963407U;
		b = (b ^ b >> 29) * 0x94D049BB133111EBU + round;
		assert_true(bits_high_product_of_halves(a, b) == bits_high_product(a, b));
	}
}
