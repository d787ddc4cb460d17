/* SPDX-License-Identifier: MIT */
/*
 * Sources: reading of a file may begin anywhere, and two files are told apart; from a pipe everything arrives in order,
 * and a big one is read in batches, a usual one at once.
 */
#include "config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "io/loop.h"
#include "io/source.h"
#include "support/unit.h"

enum { FILE_BYTES = 3000000 };

struct reader {
	struct source *source;
	struct buf last, got;
	bool by_chunks; /* the next one is wanted only by next() */
	bool came, ended;
};

static void take_chunk(void *arg, struct slice bytes)
{
	struct reader *r = arg;
	buf_clear(&r->last);
	assert_ok(buf_append(&r->last, bytes.data, bytes.len));
	assert_ok(buf_append(&r->got, bytes.data, bytes.len));
	r->came = r->by_chunks;
	if (!r->by_chunks)
		source_next(r->source);
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

static void check_read(const char *name, uint64_t offset, const struct buf *wanted)
{
	struct reader r = { 0 };
	const struct source_events events = { NULL, take_chunk, take_end, take_failure, &r };
	struct error err = { 0 };
	struct loop *l = loop_new(&err);
	assert_non_null(l);
	assert_ok(source_open(&r.source, l, name, NULL, offset, &events, &err));
	source_start(r.source);
	loop_run_until(l, &r.came);
	assert_true(slice_equal(buf_slice(&r.got), slice_skip(buf_slice(wanted), offset)));
	source_free(r.source);
	loop_free(l);
	buf_free(&r.last);
	buf_free(&r.got);
}

static void make_file(char *name, struct buf *content)
{
	int fd = mkstemp(name);
	assert_true(fd >= 0);
	for (uint32_t i = 0; content->len < FILE_BYTES; i++)
		assert_ok(buf_printf(content, "%u,", i));
	assert_int_equal(write(fd, content->data, content->len), content->len);
	close(fd);
}

TEST(reading_begins_anywhere)
{
	static const uint64_t offsets[] = { 0, 1, 4095, 1 << 20, FILE_BYTES - 1, FILE_BYTES };
	char name[] = "test_source.XXXXXX";
	AUTO_BUF wanted = { 0 };
	make_file(name, &wanted);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++)
		check_read(name, offsets[i], &wanted);
	assert_ok(unlink(name));
}

/* What a file is told apart by, as text; empty: it has none. */
static const char *identity(const char *name, uint64_t offset, struct buf *text)
{
	const struct source_events events = { NULL, take_chunk, take_end, take_failure, NULL };
	struct error err = { 0 };
	struct loop *l = loop_new(&err);
	struct source *s;
	assert_non_null(l);
	assert_ok(source_open(&s, l, name, NULL, offset, &events, &err));
	buf_clear(text);
	int status = source_identity(s, text);
	assert_true(status == 0 || status == DANA_ECONFIG);
	assert_ok(buf_append_byte(text, 0));
	source_free(s);
	loop_free(l);
	return (const char *)text->data;
}

static void change(const char *name, off_t offset, const char *text, bool same_time)
{
	struct stat st;
	int fd = open(name, O_WRONLY);
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	assert_int_equal(pwrite(fd, text, strlen(text), offset), strlen(text));
	const struct timespec times[2] = { st.st_atim, { st.st_mtim.tv_sec + !same_time, st.st_mtim.tv_nsec } };
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

TEST(files_are_told_apart)
{
	char name[] = "test_source.XXXXXX";
	AUTO_BUF content = { 0 }, first = { 0 }, again = { 0 };
	make_file(name, &content);
	assert_string_not_equal(identity(name, 0, &first), "");
	assert_string_equal(identity(name, 1 << 20, &again), first.data);
	change(name, 100, "!", true); /* in the first bytes */
	assert_string_not_equal(identity(name, 0, &again), first.data);
	change(name, 100, (const char[]){ (char)content.data[100], 0 }, true);
	assert_string_equal(identity(name, 0, &again), first.data);
	change(name, FILE_BYTES / 2, "!", false); /* only the time tells */
	assert_string_not_equal(identity(name, 0, &again), first.data);
	assert_string_equal(identity("/dev/null", 0, &again), "");
	assert_ok(unlink(name));
}

/* ---- pipes ---- */

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
	struct reader r = { .by_chunks = true };
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
	assert_ok(source_open(&r.source, l, name, NULL, 0, &events, &err));
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
	assert_int_equal(r.got.len, 41);
	for (size_t i = 0; i < r.got.len; i++)
		assert_int_equal(r.got.data[i], i == 0 ? 'a' : i % 2 ? 'b' : 'c');
	source_free(r.source);
	loop_free(l);
	buf_free(&r.last);
	buf_free(&r.got);
	return together;
}

TEST(big_pipes_are_read_in_batches)
{
	assert_int_equal(count_batches(4096), 0);
	assert_true(count_batches(1 << 20) > 0);
}
