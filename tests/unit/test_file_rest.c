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

static const struct file_look quiet = { true, 100, 1000 * SECOND, FILE_WRITER_NONE };

static struct file_time at(int64_t seconds)
{
	return (struct file_time){ seconds * SECOND, 1 + seconds * 1000 };
}

TEST(one_that_was_not_changed_for_long_is_finished_at_once)
{
	struct file_rest rest = { 0 };
	assert_true(file_rest_reached(&rest, &quiet, at(1000 + FILE_REST_SECONDS)));
}

TEST(a_change_begins_the_wait_anew)
{
	struct file_rest rest = { 0 };
	struct file_look look = quiet;
	assert_false(file_rest_reached(&rest, &look, at(1004)));
	look.modified = 1004 * SECOND;
	look.size++;
	assert_false(file_rest_reached(&rest, &look, at(1006)));
	assert_false(file_rest_reached(&rest, &look, at(1008)));
	assert_true(file_rest_reached(&rest, &look, at(1009)));
}

TEST(a_time_in_the_future_is_not_waited_for)
{
	struct file_rest rest = { 0 };
	struct file_look look = quiet;
	look.modified = 9000 * SECOND;
	assert_false(file_rest_reached(&rest, &look, at(1000)));
	assert_false(file_rest_reached(&rest, &look, at(1004)));
	look.size++;
	assert_false(file_rest_reached(&rest, &look, at(1005)));
	assert_false(file_rest_reached(&rest, &look, at(1009)));
	assert_true(file_rest_reached(&rest, &look, at(1010)));
}

TEST(an_open_one_is_not_finished_however_old)
{
	struct file_rest rest = { 0 };
	struct file_look look = quiet;
	look.writer = FILE_WRITER_THERE;
	assert_false(file_rest_reached(&rest, &look, at(5000)));
	assert_false(file_rest_reached(&rest, &look, at(9000)));
	look.writer = FILE_WRITER_UNKNOWN;
	look.modified = 9000 * SECOND;
	assert_false(file_rest_reached(&rest, &look, at(9000 + FILE_REST_SECONDS_UNKNOWN - 1)));
	assert_true(file_rest_reached(&rest, &look, at(9000 + FILE_REST_SECONDS_UNKNOWN)));
}

TEST(an_empty_one_is_not_finished)
{
	struct file_rest rest = { 0 };
	struct file_look look = quiet;
	look.size = 0;
	assert_false(file_rest_reached(&rest, &look, at(9000)));
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
