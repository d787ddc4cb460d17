/* SPDX-License-Identifier: MIT */
/* When a request is made again: the clock is a number, so an hour passes at once. */
#include "io/reply.h"
#include "support/unit.h"

enum { HOUR = 3600000 };

static const uint32_t whole = UINT32_MAX; /* nearly all of a wait */

TEST(waits_double_up_to_a_minute)
{
	static const uint64_t most[] = { 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000 };
	struct retry r = retry_begin(HOUR);
	uint64_t wait, now = 0;
	for (size_t i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
		assert_true(retry_failed(&r, FAULT_BUSY, now, 0, whole, &wait));
		assert_in_range(wait, most[i] - 1, most[i]);
		now += wait;
	}
}

/* A fault after which the request is made again after `wait`; GONE: it is not. */
enum { GONE = -1 };

static void again(struct retry *r, enum fault_kind kind, uint64_t now, uint64_t asked, uint32_t random, int64_t wanted)
{
	uint64_t wait;
	if (!retry_failed(r, kind, now, asked, random, &wait))
		assert_int_equal(wanted, GONE);
	else
		assert_int_equal(wait, wanted);
}

TEST(all_of_a_wait_is_random_but_the_first)
{
	struct retry r = retry_begin(HOUR);
	again(&r, FAULT_LINK, 0, 0, 0, 1000);
	again(&r, FAULT_LINK, 1000, 0, 0, 0);
	again(&r, FAULT_LINK, 2000, 0, 1U << 31, 2000);
}

TEST(bytes_begin_anew)
{
	struct retry r = retry_begin(HOUR);
	for (unsigned i = 0; i < 6; i++)
		again(&r, FAULT_LINK, i, 0, 0, i ? 0 : 1000);
	retry_progress(&r, 10);
	again(&r, FAULT_LINK, 20, 0, 0, 1000);
}

TEST(the_server_may_ask_for_more_time)
{
	struct retry r = retry_begin(HOUR);
	again(&r, FAULT_BUSY, 0, 120000, 0, 120000);
	/* Less than our own wait changes nothing. */
	again(&r, FAULT_BUSY, 120000, 1, 1U << 31, 1000);
	/* More than is left of the budget is not waited for. */
	again(&r, FAULT_BUSY, 122000, HOUR, 0, GONE);
}

TEST(the_budget_is_of_all_faults_together)
{
	struct retry r = retry_begin(10000);
	again(&r, FAULT_LINK, 0, 0, 0, 1000);
	retry_progress(&r, 6000);
	retry_progress(&r, 50000); /* time in which bytes come is not lost */
	retry_waits(&r, 100000);
	again(&r, FAULT_LINK, 100000, 0, 0, 1000);
	again(&r, FAULT_LINK, 103500, 0, whole, 500); /* what is left */
	again(&r, FAULT_LINK, 104000, 0, 0, GONE);
}

TEST(waiting_for_a_turn_counts)
{
	struct retry r = retry_begin(10000);
	retry_waits(&r, 1000);
	assert_int_equal(retry_left(&r, 4000), 7000);
	again(&r, FAULT_LINK, 4000, 0, 0, 1000);
	retry_waits(&r, 5000); /* it has waited since 1000 */
	assert_int_equal(retry_left(&r, 6000), 5000);
	retry_progress(&r, 7000);
	assert_int_equal(retry_left(&r, 7000), 4000);
	/* A fault after a silence: its time is lost from the last byte on. */
	assert_int_equal(retry_left(&r, 9000), 2000);
	again(&r, FAULT_LINK, 11000, 0, 0, GONE);
	assert_int_equal(retry_left(&r, 99000), 0);
}

/* A request that takes its time and is answered has lost nothing. */
TEST(an_answer_that_is_slow_costs_nothing)
{
	struct retry r = retry_begin(10000);
	for (uint64_t now = 0; now < 100000; now += 5000) {
		retry_waits(&r, now);
		retry_progress(&r, now + 4000);
	}
	assert_int_equal(retry_left(&r, 99000), 10000);
}

TEST(no_budget_is_no_second_try)
{
	struct retry r = retry_begin(0);
	again(&r, FAULT_BUSY, 5, 0, 0, GONE);
}

TEST(some_faults_do_not_get_better)
{
	static const struct {
		enum fault_kind kind;
		unsigned tries;
	} rows[] = { { FAULT_FINAL, 1 },   { FAULT_FORBIDDEN, 2 }, { FAULT_CHANGED, 2 },
		     { FAULT_ASTRAY, 2 },  { FAULT_DISTRUST, 1 },  { FAULT_WRONG, 5 },
		     { FAULT_NO_HOST, 5 }, { FAULT_BUSY, 50 },     { FAULT_LINK, 50 } };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct retry r = retry_begin(HOUR);
		uint64_t wait;
		unsigned n = 1;
		while (n < 50 && retry_failed(&r, rows[i].kind, 0, 0, 0, &wait))
			n++;
		assert_int_equal(n, rows[i].tries);
	}
}

TEST(kinds_are_counted_apart)
{
	struct retry r = retry_begin(HOUR);
	uint64_t wait;
	assert_true(retry_failed(&r, FAULT_FORBIDDEN, 0, 0, 0, &wait));
	assert_true(retry_failed(&r, FAULT_BUSY, 0, 0, 0, &wait));
	assert_true(retry_failed(&r, FAULT_CHANGED, 0, 0, 0, &wait));
	assert_false(retry_failed(&r, FAULT_FORBIDDEN, 0, 0, 0, &wait));
	r = retry_begin(HOUR);
	assert_true(retry_failed(&r, FAULT_FORBIDDEN, 0, 0, 0, &wait));
	retry_progress(&r, 1);
	assert_true(retry_failed(&r, FAULT_FORBIDDEN, 2, 0, 0, &wait));
}
