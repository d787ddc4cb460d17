/* SPDX-License-Identifier: MIT */
/*
 * Files as sources: reading may begin anywhere, and two files are told apart.
 */
#include "config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/loop.h"
#include "io/source.h"
#include "support/unit.h"

enum { FILE_BYTES = 3000000 };

struct reader {
	struct source *source;
	struct buf got;
	bool done;
};

static void take_chunk(void *arg, struct slice bytes)
{
	struct reader *r = arg;
	assert_ok(buf_append(&r->got, bytes.data, bytes.len));
	source_next(r->source);
}

static void take_end(void *arg)
{
	((struct reader *)arg)->done = true;
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
	assert_ok(source_open(&r.source, l, name, offset, &events, &err));
	source_start(r.source);
	loop_run_until(l, &r.done);
	assert_true(slice_equal(buf_slice(&r.got), slice_skip(buf_slice(wanted), offset)));
	source_free(r.source);
	loop_free(l);
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
	char name[] = "test_file_source.XXXXXX";
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
	assert_ok(source_open(&s, l, name, offset, &events, &err));
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
	char name[] = "test_file_source.XXXXXX";
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
