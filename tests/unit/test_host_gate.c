/* SPDX-License-Identifier: MIT */
/* What all users of a host may do together: places, the queue, one attempt a second, the breaker. */
#include "config.h"

#include "io/transfer.h"
#include "support/unit.h"

enum { USERS = 3 };

struct fixture {
	struct host_gate *gate;
	struct host *host;
	struct host_user users[USERS];
	unsigned woken[USERS];
};

static void wake(void *arg)
{
	++*(unsigned *)arg;
}

static void begin(struct fixture *f, unsigned places)
{
	*f = (struct fixture){ .gate = host_gate_new(places) };
	assert_non_null(f->gate);
	f->host = host_gate_find(f->gate, slice_from_text("http://a"));
	assert_non_null(f->host);
	for (unsigned i = 0; i < USERS; i++)
		f->users[i] = (struct host_user){ .wake = wake, .arg = &f->woken[i] };
}

TEST(hosts_have_names)
{
	struct fixture f;
	begin(&f, 1);
	assert_ptr_equal(host_gate_find(f.gate, slice_from_text("http://a")), f.host);
	assert_ptr_not_equal(host_gate_find(f.gate, slice_from_text("https://a")), f.host);
	host_gate_free(f.gate);
}

TEST(the_first_of_the_queue_gets_the_place)
{
	struct fixture f;
	begin(&f, 1);
	assert_int_equal(host_ask(f.host, &f.users[0], 0), 0);
	assert_int_equal(host_ask(f.host, &f.users[1], 0), HOST_QUEUED);
	assert_int_equal(host_ask(f.host, &f.users[2], 0), HOST_QUEUED);
	host_leave(f.host, &f.users[0]);
	assert_int_equal(f.woken[1], 1);
	assert_int_equal(f.woken[2], 0);
	/* It is kept for the one that was woken, also from the one that had it. */
	assert_int_equal(host_ask(f.host, &f.users[0], 1), HOST_QUEUED);
	assert_int_equal(host_ask(f.host, &f.users[1], 1), 0);
	/* Who no longer wants it is passed over. */
	host_leave(f.host, &f.users[2]);
	host_leave(f.host, &f.users[1]);
	assert_int_equal(f.woken[2], 0);
	assert_int_equal(f.woken[0], 1);
	host_leave(f.host, &f.users[0]);
	assert_int_equal(host_ask(f.host, &f.users[2], 2), 0);
	host_gate_free(f.gate);
}

TEST(an_idle_place_is_called_in)
{
	struct fixture f;
	begin(&f, 1);
	assert_int_equal(host_ask(f.host, &f.users[0], 0), 0);
	host_rest(f.host, &f.users[0]);
	assert_int_equal(f.woken[0], 0);
	assert_false(host_wanted(f.host, &f.users[0]));
	/* The same user goes on with it. */
	assert_int_equal(host_ask(f.host, &f.users[0], 1), 0);
	assert_int_equal(host_ask(f.host, &f.users[1], 1), HOST_QUEUED);
	assert_int_equal(f.woken[0], 0); /* it is busy */
	host_rest(f.host, &f.users[0]);
	assert_int_equal(f.woken[0], 1);
	assert_true(host_wanted(f.host, &f.users[0]));
	host_leave(f.host, &f.users[0]);
	assert_int_equal(f.woken[1], 1);
	assert_int_equal(host_ask(f.host, &f.users[1], 2), 0);
	host_gate_free(f.gate);
}

TEST(as_many_places_as_told)
{
	struct fixture f;
	begin(&f, 2);
	assert_int_equal(host_ask(f.host, &f.users[0], 0), 0);
	assert_int_equal(host_ask(f.host, &f.users[1], 0), 0);
	assert_int_equal(host_ask(f.host, &f.users[2], 0), HOST_QUEUED);
	host_gate_free(f.gate);
}

TEST(one_attempt_a_second_while_it_fails)
{
	struct fixture f;
	begin(&f, 4);
	assert_int_equal(host_ask(f.host, &f.users[0], 5000), 0);
	assert_int_equal(host_ask(f.host, &f.users[1], 5000), 0); /* it is well still */
	assert_false(host_answered(f.host, HOST_ERROR, 5000));
	host_leave(f.host, &f.users[0]);
	assert_int_equal(host_ask(f.host, &f.users[0], 5400), 600);
	assert_int_equal(host_ask(f.host, &f.users[0], 6000), 0);
	assert_int_equal(host_ask(f.host, &f.users[2], 6000), 1000);
	(void)host_answered(f.host, HOST_GOOD, 6000);
	assert_int_equal(host_ask(f.host, &f.users[2], 6001), 0);
	(void)host_answered(f.host, HOST_BROKE, 6001);
	host_leave(f.host, &f.users[2]);
	assert_int_equal(host_ask(f.host, &f.users[2], 6002), 999);
	/* It counts from the failure: the request may have left later than it was allowed. */
	assert_int_equal(host_ask(f.host, &f.users[2], 7001), 0);
	(void)host_answered(f.host, HOST_ERROR, 7300);
	host_leave(f.host, &f.users[2]);
	assert_int_equal(host_ask(f.host, &f.users[2], 8002), 298);
	host_gate_free(f.gate);
}

/* Who was woken and finds that it is too early does not keep the place from those after it. */
TEST(waiting_for_time_holds_no_place)
{
	struct fixture f;
	begin(&f, 1);
	assert_int_equal(host_ask(f.host, &f.users[0], 0), 0);
	assert_int_equal(host_ask(f.host, &f.users[1], 0), HOST_QUEUED);
	(void)host_answered(f.host, HOST_ERROR, 0);
	host_leave(f.host, &f.users[0]);
	assert_int_equal(host_ask(f.host, &f.users[1], 200), 800);
	assert_int_equal(host_ask(f.host, &f.users[2], 1000), 0);
	assert_int_equal(host_ask(f.host, &f.users[1], 1000), HOST_QUEUED);
	host_gate_free(f.gate);
}

static void answer(struct fixture *f, enum host_answer with, unsigned times)
{
	while (times-- > 0)
		assert_false(host_answered(f->host, with, 0));
}

TEST(the_breaker_opens_at_more_than_half)
{
	struct fixture f;
	begin(&f, 1);
	assert_int_equal(host_ask(f.host, &f.users[0], 0), 0);
	answer(&f, HOST_GOOD, 10);
	answer(&f, HOST_ERROR, 10);
	answer(&f, HOST_BROKE, 30); /* they had been good */
	assert_true(host_answered(f.host, HOST_ERROR, 0));
	host_leave(f.host, &f.users[0]);
	assert_int_equal(host_ask(f.host, &f.users[0], 1000), HOST_BREAK_MS - 1000);
	assert_int_equal(host_ask(f.host, &f.users[0], HOST_BREAK_MS), 0);
	assert_false(host_answered(f.host, HOST_ERROR, HOST_BREAK_MS)); /* it is open already */
	host_leave(f.host, &f.users[0]);
	assert_int_equal(host_ask(f.host, &f.users[0], 2 * HOST_BREAK_MS), 0);
	/* One good answer closes it, and what was before is forgotten. */
	answer(&f, HOST_GOOD, 1);
	host_leave(f.host, &f.users[0]);
	assert_int_equal(host_ask(f.host, &f.users[0], 2 * HOST_BREAK_MS), 0);
	answer(&f, HOST_ERROR, 10);
	assert_true(host_answered(f.host, HOST_ERROR, 2 * HOST_BREAK_MS));
	host_gate_free(f.gate);
}

TEST(old_answers_do_not_count)
{
	struct fixture f;
	begin(&f, 1);
	answer(&f, HOST_ERROR, 10);
	answer(&f, HOST_GOOD, 10);
	answer(&f, HOST_ERROR, 10); /* of the last 20 still 10 */
	answer(&f, HOST_GOOD, 1);
	host_gate_free(f.gate);
}

/* One attempt of a user; the host gives that answer. What host_ask says. */
static int64_t attempt(struct fixture *f, enum host_answer answer, uint64_t now)
{
	int64_t asked = host_ask(f->host, &f->users[0], now);
	if (asked == 0) {
		(void)host_answered(f->host, answer, now);
		host_leave(f->host, &f->users[0]);
	}
	return asked;
}

TEST(a_host_of_which_inputs_are_given_up_is_let_alone)
{
	struct fixture f;
	begin(&f, 1);
	assert_false(host_is_well(f.host));
	host_give_up(f.host, 0, 0); /* nobody has asked it yet */
	assert_int_equal(host_given_up(f.host), 0);
	assert_int_equal(attempt(&f, HOST_ERROR, 0), 0);
	assert_int_equal(host_wait(f.host, 400), 600);
	host_give_up(f.host, 5000, 4999);
	assert_int_equal(host_given_up(f.host), 0);
	for (uint64_t now = 5000; now <= 7000; now += 1000) {
		assert_int_equal(attempt(&f, HOST_ERROR, now), 0);
		host_give_up(f.host, 5000, now);
	}
	assert_int_equal(host_given_up(f.host), 3);
	assert_int_equal(attempt(&f, HOST_ERROR, 7001), HOST_DEAD);
	/* One in a while may see whether it is back. */
	assert_int_equal(attempt(&f, HOST_ERROR, 7000 + HOST_BREAK_MS), 0);
	assert_int_equal(attempt(&f, HOST_GOOD, 8001 + HOST_BREAK_MS), HOST_DEAD);
	assert_int_equal(attempt(&f, HOST_GOOD, 7000 + 2 * HOST_BREAK_MS), 0);
	assert_int_equal(host_given_up(f.host), 0);
	assert_true(host_is_well(f.host));
	assert_int_equal(attempt(&f, HOST_GOOD, 7001 + 2 * HOST_BREAK_MS), 0);
	host_gate_free(f.gate);
}
