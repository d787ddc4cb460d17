/* SPDX-License-Identifier: MIT */
/* Which replies are too slow: the clock is a number. */
#include "io/reply.h"
#include "support/unit.h"

/* When a reply ends that brings `bytes` every `apart` milliseconds, in an hour of it; 0: it does not. */
static uint64_t end_of(uint64_t bytes, uint64_t apart)
{
	struct patience p = patience_begin(PATIENCE_MS, 0);
	for (uint64_t now = apart; now < 3600000; now += apart) {
		if (patience_left(&p, now) == 0)
			return p.until;
		patience_bytes(&p, bytes, now);
	}
	return 0;
}

TEST(nothing_comes)
{
	struct patience p = patience_begin(3000, 500);
	assert_int_equal(patience_left(&p, 500), 3000);
	assert_int_equal(patience_left(&p, 3499), 1);
	assert_int_equal(patience_left(&p, 3500), 0);
	assert_int_equal(patience_left(&p, 9999), 0);
}

TEST(trickles_are_stalls)
{
	assert_in_range(end_of(1, 19000), 20000, 20100);
	assert_in_range(end_of(1, 1000), 20000, 20300);
	assert_in_range(end_of(99, 1000), 1000000, 2000000); /* it nearly keeps up */
	assert_int_equal(end_of(101, 1000), 0);
	assert_int_equal(end_of(2000, 19900), 0);
}

/* However much has come, what comes then is waited for no longer. */
TEST(there_is_never_more_than_at_the_beginning)
{
	struct patience p = patience_begin(PATIENCE_MS, 0);
	patience_bytes(&p, 1000000000, 100);
	assert_int_equal(patience_left(&p, 100), PATIENCE_MS);
	patience_bytes(&p, UINT64_MAX, 19000);
	assert_int_equal(patience_left(&p, 19000), PATIENCE_MS);
}
