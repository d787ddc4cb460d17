/* SPDX-License-Identifier: MIT */
/* bits_after: the way by PDEP, the one without it in a function with bit instructions, and plain C find the same bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bits.h"
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

static void after_every_rank(void **state)
{
	(void)state;
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

UNIT(test_bits)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(after_every_rank) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
