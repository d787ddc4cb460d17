/* SPDX-License-Identifier: MIT */
/* Files as sources: what preadv2 answers when it shall not wait changes nothing of what arrives. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "io/loop.h"
#include "io/source.h"

enum { FILE_BYTES = 3000000 };

/* Bit i: the i-th of each eight calls answers 0, wherever the file ends. */
enum { CALLS = 8 };
static unsigned spurious_ends, calls;

#ifdef RWF_NOWAIT
/* In the place of the system's. */
ssize_t preadv2(int fd, const struct iovec *iov, int count, off_t offset, int flags)
{
	(void)count, (void)flags;
	if (spurious_ends >> calls++ % CALLS & 1)
		return 0;
	return pread(fd, iov->iov_base, iov->iov_len, offset);
}
#endif

struct reader {
	struct source *source;
	struct buf got;
	bool done;
};

static void take_chunk(void *arg, struct slice bytes)
{
	struct reader *r = arg;
	assert_int_equal(buf_append(&r->got, bytes.data, bytes.len), 0);
	source_next(r->source);
}

static void take_end(void *arg)
{
	((struct reader *)arg)->done = true;
}

static void take_failure(void *arg, int error)
{
	(void)arg;
	fail_msg("reading failed: %d", error);
}

static void check_read(const char *name, const struct buf *wanted)
{
	struct reader r = { 0 };
	const struct source_events events = { take_chunk, take_end, take_failure, &r };
	struct error err = { 0 };
	struct loop *l = loop_new(&err);
	assert_non_null(l);
	assert_int_equal(source_open(&r.source, l, name, &events, &err), 0);
	source_start(r.source);
	loop_run_until(l, &r.done);
	assert_true(slice_equal(buf_slice(&r.got), buf_slice(wanted)));
	source_free(r.source);
	loop_free(l);
	buf_free(&r.got);
}

static void an_end_that_is_none_cuts_nothing(void **state)
{
	(void)state;
	char name[] = "test_file_source.XXXXXX";
	struct buf wanted = { 0 };
	int fd = mkstemp(name);
	assert_true(fd >= 0);
	for (uint32_t i = 0; wanted.len < FILE_BYTES; i++)
		assert_int_equal(buf_printf(&wanted, "%u,", i), 0);
	assert_int_equal(write(fd, wanted.data, wanted.len), wanted.len);
	close(fd);
	for (spurious_ends = 0; spurious_ends < 1U << CALLS; spurious_ends += 17)
		check_read(name, &wanted);
	buf_free(&wanted);
	assert_int_equal(unlink(name), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_that_is_none_cuts_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
