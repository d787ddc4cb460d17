/* SPDX-License-Identifier: MIT */
/* Pipes as sources: everything arrives in order, and a big pipe is read in batches, a usual one at once. */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "io/loop.h"
#include "io/source.h"
#include "support/unit.h"

struct reader {
	struct source *source;
	struct buf last, all;
	bool came, ended;
};

static void take_chunk(void *arg, struct slice bytes)
{
	struct reader *r = arg;
	buf_clear(&r->last);
	assert_ok(buf_append(&r->last, bytes.data, bytes.len));
	assert_ok(buf_append(&r->all, bytes.data, bytes.len));
	r->came = true;
}

static void take_end(void *arg)
{
	struct reader *r = arg;
	r->came = r->ended = true;
}

static void take_failure(void *arg, const char *why)
{
	(void)arg;
	fail_msg("reading failed: %s", why);
}

static void put(int pipe, const char *text)
{
	assert_int_equal(write(pipe, text, strlen(text)), (ssize_t)strlen(text));
}

/* The next chunk. `more` is written when the loop has had the time to hand out what was there before. */
static void next(struct reader *r, struct loop *l, int pipe, const char *more)
{
	r->came = false;
	source_next(r->source);
	for (unsigned i = 0; i < 3 && !r->came; i++)
		(void)uv_run(loop_uv(l), UV_RUN_NOWAIT);
	if (more)
		put(pipe, more);
	loop_run_until(l, &r->came);
}

/* How often, of twenty times, what is written later comes together with what was there before. */
static unsigned count_batches(int bytes)
{
	struct reader r = { 0 };
	const struct source_events events = { NULL, take_chunk, take_end, take_failure, &r };
	struct error err = { 0 };
	struct loop *l = loop_new_alone(&err);
	char name[32];
	int ends[2];
	unsigned together = 0;
	assert_non_null(l);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	if (fcntl(ends[1], F_SETPIPE_SZ, bytes) < bytes)
		skip();
	(void)snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
	assert_ok(source_open(&r.source, l, name, 0, &events, &err));
	assert_int_equal(close(ends[0]), 0);
	put(ends[1], "a");
	source_start(r.source);
	loop_run_until(l, &r.came);
	for (unsigned i = 0; i < 20; i++) {
		put(ends[1], "b");
		next(&r, l, ends[1], "c");
		together += r.last.len == 2;
		if (r.last.len == 1)
			next(&r, l, ends[1], NULL);
	}
	assert_int_equal(close(ends[1]), 0);
	next(&r, l, -1, NULL);
	assert_true(r.ended);
	assert_int_equal(r.all.len, 41);
	for (size_t i = 0; i < r.all.len; i++)
		assert_int_equal(r.all.data[i], i == 0 ? 'a' : i % 2 ? 'b' : 'c');
	source_free(r.source);
	loop_free(l);
	buf_free(&r.last);
	buf_free(&r.all);
	return together;
}

TEST(test_big_pipe)
{
	assert_true(count_batches(1 << 20) > 0);
}

TEST(test_usual_pipe)
{
	assert_int_equal(count_batches(4096), 0);
}
