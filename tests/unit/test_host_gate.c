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

/* A step, and what is expected of it. */
struct step {
	enum { STEP_ASK, STEP_LEAVE, STEP_REST, STEP_WANTED, STEP_ANSWER, STEP_WOKEN } what;
	unsigned user;
	uint64_t now;
	int64_t expected; /* of an answer: 1 where it opens the breaker */
	enum host_answer answer;
	unsigned times;
};

#define STEP(...) ((struct step){ __VA_ARGS__ })
#define ASK(user, now, expected) STEP(STEP_ASK, user, now, expected, 0, 1)
#define LEAVE(user) STEP(STEP_LEAVE, user, 0, 0, 0, 1)
#define REST(user) STEP(STEP_REST, user, 0, 0, 0, 1)
#define WANTED(user, expected) STEP(STEP_WANTED, user, 0, expected, 0, 1)
#define WOKEN(user, expected) STEP(STEP_WOKEN, user, 0, expected, 0, 1)
#define ANSWER(answer, now, times) STEP(STEP_ANSWER, 0, now, 0, answer, times)
#define OPENS(answer, now) STEP(STEP_ANSWER, 0, now, 1, answer, 1)

static int64_t take(struct fixture *f, const struct step *s)
{
	switch (s->what) {
	case STEP_ASK:
		return host_ask(f->host, &f->users[s->user], s->now);
	case STEP_LEAVE:
		host_leave(f->host, &f->users[s->user]);
		return 0;
	case STEP_REST:
		host_rest(f->host, &f->users[s->user]);
		return 0;
	case STEP_WANTED:
		return host_wanted(f->host, &f->users[s->user]);
	case STEP_ANSWER:
		return host_answered(f->host, s->answer, s->now);
	default:
		return f->woken[s->user];
	}
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

static void check(unsigned places, const struct step *steps, size_t n)
{
	struct fixture f;
	begin(&f, places);
	for (size_t i = 0; i < n; i++) {
		for (unsigned times = 0; times < steps[i].times; times++) {
			const int64_t got = take(&f, &steps[i]);
			if (got != steps[i].expected)
				fail_msg("step %zu: %lld", i, (long long)got);
		}
	}
	host_gate_free(f.gate);
}

#define CHECK(places, ...) \
	check(places, (const struct step[]){ __VA_ARGS__ }, \
	      sizeof((struct step[]){ __VA_ARGS__ }) / sizeof(struct step))

TEST(hosts_have_names)
{
	struct fixture f;
	begin(&f, 1);
	assert_ptr_equal(host_gate_find(f.gate, slice_from_text("http://a")), f.host);
	assert_ptr_not_equal(host_gate_find(f.gate, slice_from_text("https://a")), f.host);
	host_gate_free(f.gate);
}

/* It is kept for the user that was woken, also from the one that had it; who no longer wants it is passed over. */
TEST(the_first_of_the_queue_gets_the_place)
{
	CHECK(1, ASK(0, 0, 0), ASK(1, 0, HOST_QUEUED), ASK(2, 0, HOST_QUEUED), LEAVE(0), WOKEN(1, 1), WOKEN(2, 0),
	      ASK(0, 1, HOST_QUEUED), ASK(1, 1, 0), LEAVE(2), LEAVE(1), WOKEN(2, 0), WOKEN(0, 1), LEAVE(0),
	      ASK(2, 2, 0));
}

/* The same user takes it again; while it is busy nobody is woken. */
TEST(an_idle_place_is_called_in)
{
	CHECK(1, ASK(0, 0, 0), REST(0), WOKEN(0, 0), WANTED(0, false), ASK(0, 1, 0), ASK(1, 1, HOST_QUEUED),
	      WOKEN(0, 0), REST(0), WOKEN(0, 1), WANTED(0, true), LEAVE(0), WOKEN(1, 1), ASK(1, 2, 0));
}

TEST(as_many_places_as_told)
{
	CHECK(2, ASK(0, 0, 0), ASK(1, 0, 0), ASK(2, 0, HOST_QUEUED));
}

/* Others would wait for ever if it did: it reads what they wait for. The times between attempts hold for it, too. */
TEST(who_asks_beside_the_others_takes_no_place)
{
	struct fixture f;
	begin(&f, 1);
	f.users[1].beside = true;
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(host_ask(f.host, &f.users[0], 0), 0);
		assert_int_equal(host_ask(f.host, &f.users[1], 0), 0);
		host_rest(f.host, &f.users[1]);
		assert_int_equal(host_ask(f.host, &f.users[2], 0), HOST_QUEUED);
		host_leave(f.host, &f.users[1]);
		assert_int_equal(f.woken[2], 0);
		host_leave(f.host, &f.users[2]);
		host_leave(f.host, &f.users[0]);
	}
	(void)host_answered(f.host, HOST_ERROR, 0);
	assert_int_equal(host_ask(f.host, &f.users[1], 400), 600);
	host_gate_free(f.gate);
}

/* It counts from the failure: the request may have left later than it was allowed. */
TEST(one_attempt_a_second_while_it_fails)
{
	CHECK(4, ASK(0, 5000, 0), ASK(1, 5000, 0), ANSWER(HOST_ERROR, 5000, 1), LEAVE(0), ASK(0, 5400, 600),
	      ASK(0, 6000, 0), ASK(2, 6000, 1000), ANSWER(HOST_GOOD, 6000, 1), ASK(2, 6001, 0),
	      ANSWER(HOST_BROKE, 6001, 1), LEAVE(2), ASK(2, 6002, 999), ASK(2, 7001, 0), ANSWER(HOST_ERROR, 7300, 1),
	      LEAVE(2), ASK(2, 8002, 298));
}

/* Who was woken and finds that it is too early does not keep the place from those after it. */
TEST(waiting_for_time_holds_no_place)
{
	CHECK(1, ASK(0, 0, 0), ASK(1, 0, HOST_QUEUED), ANSWER(HOST_ERROR, 0, 1), LEAVE(0), ASK(1, 200, 800),
	      ASK(2, 1000, 0), ASK(1, 1000, HOST_QUEUED));
}

/* Faults of connections that had been good do not count. One good answer closes it, and forgets what was before. */
TEST(the_breaker_opens_at_more_than_half)
{
	CHECK(1, ASK(0, 0, 0), ANSWER(HOST_GOOD, 0, 10), ANSWER(HOST_ERROR, 0, 10), ANSWER(HOST_BROKE, 0, 30),
	      OPENS(HOST_ERROR, 0), LEAVE(0), ASK(0, 1000, HOST_BREAK_MS - 1000), ASK(0, HOST_BREAK_MS, 0),
	      ANSWER(HOST_ERROR, HOST_BREAK_MS, 1), LEAVE(0), ASK(0, 2 * HOST_BREAK_MS, 0), ANSWER(HOST_GOOD, 0, 1),
	      LEAVE(0), ASK(0, 2 * HOST_BREAK_MS, 0), ANSWER(HOST_ERROR, 0, 10), OPENS(HOST_ERROR, 2 * HOST_BREAK_MS));
}

/* Of the last 20 still 10. */
TEST(old_answers_do_not_count)
{
	CHECK(1, ANSWER(HOST_ERROR, 0, 10), ANSWER(HOST_GOOD, 0, 10), ANSWER(HOST_ERROR, 0, 10),
	      ANSWER(HOST_GOOD, 0, 1));
}

/* One attempt of a user, to which the host gives that answer. Returns what host_ask does. */
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
