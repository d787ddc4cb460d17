/* SPDX-License-Identifier: MIT */
/* When a file that others write is taken to be finished: the clocks are numbers, so a minute passes at once. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/watch.h"
#include "support/unit.h"

#define SECOND INT64_C(1000000000)

/* A look at a second: what is seen of the file, and whether it is taken to be finished. */
struct step {
	int64_t now;
	uint64_t size;
	int64_t modified;
	int writer;
	bool finished;
};

/* Cases begin with a step at a time that is not after the one before it. */
TEST(a_file_is_finished_when_it_has_rested)
{
	enum { NONE = FILE_WRITER_NONE, THERE = FILE_WRITER_THERE, UNKNOWN = FILE_WRITER_UNKNOWN };
	static const struct step steps[] = {
		/* not changed for long */
		{ 1000 + FILE_REST_SECONDS, 100, 1000, NONE, true },
		/* a change begins the wait anew */
		{ 1004, 100, 1000, NONE, false },
		{ 1006, 101, 1004, NONE, false },
		{ 1008, 101, 1004, NONE, false },
		{ 1009, 101, 1004, NONE, true },
		/* a time in the future is not waited for */
		{ 1000, 100, 9000, NONE, false },
		{ 1004, 100, 9000, NONE, false },
		{ 1005, 101, 9000, NONE, false },
		{ 1009, 101, 9000, NONE, false },
		{ 1010, 101, 9000, NONE, true },
		/* open, however old */
		{ 5000, 100, 1000, THERE, false },
		{ 9000, 100, 1000, THERE, false },
		{ 9000 + FILE_REST_SECONDS_UNKNOWN - 1, 100, 9000, UNKNOWN, false },
		{ 9000 + FILE_REST_SECONDS_UNKNOWN, 100, 9000, UNKNOWN, true },
		/* empty */
		{ 9000, 0, 1000, NONE, false },
	};
	struct file_rest rest;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct step *s = &steps[i];
		const struct file_look look = { true, s->size, s->modified * SECOND, (enum file_writer)s->writer };
		if (i == 0 || s->now <= s[-1].now)
			rest = (struct file_rest){ 0 };
		if (file_rest_reached(&rest, &look, (struct file_time){ s->now * SECOND, 1 + s->now * 1000 }) !=
		    s->finished)
			fail_msg("step %zu", i);
	}
}

TEST(a_look_sees_who_has_the_file_open)
{
	char name[] = "file_rest.XXXXXX";
	struct file_look look;
	int fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abc", 3), 3);
	assert_int_equal(file_look(name, &look), 0);
	assert_true(look.regular);
	assert_int_equal(look.size, 3);
	assert_int_not_equal(look.writer, FILE_WRITER_NONE);
	const bool leases = look.writer == FILE_WRITER_THERE;
	(void)close(fd);
	assert_int_equal(file_look(name, &look), 0);
	assert_int_equal(look.writer, leases ? FILE_WRITER_NONE : FILE_WRITER_UNKNOWN);
	fd = open(name, O_RDONLY); /* a reader counts for nothing */
	assert_int_equal(file_look(name, &look), 0);
	assert_int_equal(look.writer, leases ? FILE_WRITER_NONE : FILE_WRITER_UNKNOWN);
	(void)close(fd);
	assert_ok(unlink(name));
	assert_int_equal(file_look(name, &look), ENOENT);
	assert_int_equal(file_look(".", &look), 0);
	assert_false(look.regular);
}
