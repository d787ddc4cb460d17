/* SPDX-License-Identifier: MIT */
/* Work by several threads: the results of all items, in their order, with bounds on what waits. */
#include "config.h"

#include <uv.h>

#include "run/pages.h"
#include "support/unit.h"

enum { ITEMS = 500, RESULT_BYTES = 100, ITEMS_THAT_WAIT = 3, ABSENCE_NS = 50 * 1000 * 1000 };

/* What the work of a test shares with its owner. */
struct shared {
	uv_mutex_t lock;
	uv_cond_t changed;
	size_t begun, woken; /* guarded by the lock */
	unsigned busy[ORDERED_MOST];
	bool worker_twice; /* two calls with one worker at a time */
	struct ordered *ordered;
};

static void shared_free(struct shared *s)
{
	ordered_free(s->ordered);
	uv_cond_destroy(&s->changed);
	uv_mutex_destroy(&s->lock);
}

static void count(struct shared *s, size_t *counter)
{
	uv_mutex_lock(&s->lock);
	(*counter)++;
	uv_cond_broadcast(&s->changed);
	uv_mutex_unlock(&s->lock);
}

static void wait_for(struct shared *s, const size_t *counter, size_t least)
{
	uv_mutex_lock(&s->lock);
	while (*counter < least)
		uv_cond_wait(&s->changed, &s->lock);
	uv_mutex_unlock(&s->lock);
}

static void on_wake(void *arg)
{
	struct shared *s = arg;
	count(s, &s->woken);
}

static void make(struct shared *s, unsigned jobs, size_t n, size_t bytes_most,
		 int (*work)(void *arg, unsigned worker, size_t index, struct buf *out))
{
	struct error err = { 0 };
	*s = (struct shared){ .begun = 0 };
	assert_ok(uv_mutex_init(&s->lock));
	assert_ok(uv_cond_init(&s->changed));
	const struct ordered_config config = { .jobs = jobs,
					       .n = n,
					       .grows = n == 0,
					       .bytes_most = bytes_most,
					       .work = work,
					       .wake = on_wake,
					       .arg = s };
	s->ordered = ordered_new(&config, &err);
	assert_non_null(s->ordered);
}

/* Items of very different lengths, so that later ones are finished before earlier ones; every seventh fails. */
static int uneven_work(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct shared *s = arg;
	uv_mutex_lock(&s->lock);
	s->worker_twice |= s->busy[worker]++ > 0;
	uv_mutex_unlock(&s->lock);
	for (volatile size_t i = 0; i < (index * 7919) % 20000;)
		i = i + 1;
	int status = buf_printf(out, "item %zu", index);
	uv_mutex_lock(&s->lock);
	s->busy[worker]--;
	uv_mutex_unlock(&s->lock);
	return status < 0 ? status : index % 7 == 0 ? DANA_EFORMAT : DANA_OK;
}

static size_t woken(struct shared *s)
{
	uv_mutex_lock(&s->lock);
	size_t seen = s->woken;
	uv_mutex_unlock(&s->lock);
	return seen;
}

/* Waits for the next result. */
static struct slice take(struct shared *s, size_t seen, int *status)
{
	struct slice result;
	while (!ordered_next(s->ordered, &result, status))
		wait_for(s, &s->woken, ++seen);
	return result;
}

static void take_item(struct shared *s, size_t seen, size_t i)
{
	char expected[40];
	int status;
	const struct slice result = take(s, seen, &status);
	(void)snprintf(expected, sizeof(expected), "item %zu", i);
	assert_true(slice_equal(result, slice_from_text(expected)));
	assert_int_equal(status, i % 7 == 0 ? DANA_EFORMAT : DANA_OK);
}

static void take_all(struct shared *s, size_t n)
{
	struct slice result;
	int status;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(ordered_given(s->ordered), i);
		take_item(s, woken(s), i);
	}
	assert_false(ordered_next(s->ordered, &result, &status));
	assert_int_equal(ordered_given(s->ordered), n);
}

TEST(order_is_that_of_the_items_for_every_number_of_threads)
{
	static const unsigned jobs[] = { 0, 1, 2, 8 };
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		struct shared s;
		make(&s, jobs[i], ITEMS, SIZE_MAX, uneven_work);
		take_all(&s, ITEMS);
		assert_false(s.worker_twice);
		shared_free(&s);
		make(&s, jobs[i], 0, SIZE_MAX, uneven_work);
		take_all(&s, 0);
		shared_free(&s);
	}
}

static int large_work(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct shared *s = arg;
	(void)worker;
	(void)index;
	count(s, &s->begun);
	return buf_reserve(out, RESULT_BYTES) < 0 ? DANA_ENOMEM : (out->len = RESULT_BYTES, DANA_OK);
}

/* Waits a moment for what must not happen. */
static size_t begun_after_a_moment(struct shared *s, size_t unwanted)
{
	uv_mutex_lock(&s->lock);
	while (s->begun < unwanted && uv_cond_timedwait(&s->changed, &s->lock, ABSENCE_NS) == 0)
		;
	size_t begun = s->begun;
	uv_mutex_unlock(&s->lock);
	return begun;
}

TEST(no_item_is_begun_while_too_many_bytes_wait)
{
	struct shared s;
	struct slice result;
	int status;
	make(&s, 1, ITEMS, ITEMS_THAT_WAIT * RESULT_BYTES, large_work);
	wait_for(&s, &s.begun, ITEMS_THAT_WAIT);
	assert_int_equal(begun_after_a_moment(&s, ITEMS_THAT_WAIT + 1), ITEMS_THAT_WAIT);
	assert_true(ordered_next(s.ordered, &result, &status)); /* its bytes are still in use */
	assert_int_equal(begun_after_a_moment(&s, ITEMS_THAT_WAIT + 1), ITEMS_THAT_WAIT);
	assert_true(ordered_next(s.ordered, &result, &status)); /* the first one's are not */
	wait_for(&s, &s.begun, ITEMS_THAT_WAIT + 1);
	assert_int_equal(begun_after_a_moment(&s, ITEMS_THAT_WAIT + 2), ITEMS_THAT_WAIT + 1);
	shared_free(&s);
}

/* Each result alone is more than may wait: the item whose turn it is goes on all the same. */
TEST(what_may_wait_can_be_less_than_one_result)
{
	struct shared s;
	int status;
	make(&s, 4, ITEMS, 1, large_work);
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(take(&s, woken(&s), &status).len, RESULT_BYTES);
	shared_free(&s);
}

/* Items are told of one by one, as the lines of a pipe are; the threads wait for them. */
TEST(items_may_come_later)
{
	static const unsigned jobs[] = { 0, 1, 4 };
	for (size_t j = 0; j < sizeof(jobs) / sizeof(*jobs); j++) {
		struct shared s;
		struct slice result;
		int status;
		make(&s, jobs[j], 0, SIZE_MAX, uneven_work);
		for (size_t i = 0; i < ITEMS; i++) {
			assert_false(ordered_next(s.ordered, &result, &status));
			const size_t seen = woken(&s);
			ordered_add(s.ordered);
			take_item(&s, seen, i);
		}
		for (size_t i = 0; i < ITEMS; i++)
			ordered_add(s.ordered);
		shared_free(&s); /* with items that nobody takes */
	}
}

TEST(an_owner_that_gives_up_leaves_items_unbegun)
{
	struct shared s;
	make(&s, 2, 1000 * 1000, SIZE_MAX, large_work);
	wait_for(&s, &s.begun, 1);
	ordered_free(s.ordered);
	s.ordered = NULL;
	assert_true(s.begun < 1000 * 1000);
	ordered_free(NULL);
	shared_free(&s);
}
