/* SPDX-License-Identifier: MIT */
/* Files: locks between processes and within one, writes that signals interrupt, names. */
#define _XOPEN_SOURCE 700 /* mkdtemp, sigaction */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/scratch_file.h"
#include "support/unit.h"

static int lock(struct error *err)
{
	*err = (struct error){ 0 };
	return lock_open(path, 0600, "is in use", err);
}

static bool in_use(const struct error *err)
{
	return err->status == DANA_EIO && strstr(err->text, "/file: is in use") != NULL;
}

/* ---- locks ---- */

static bool is_kept_out(pid_t holder)
{
	struct error err;
	pid_t found = 0;
	return lock_look(path, &found) && found == holder && lock(&err) < 0 && in_use(&err);
}

static bool child_is_kept_out(void)
{
	int status = 0;
	const pid_t holder = getpid(), child = fork();
	if (child == 0)
		_exit(is_kept_out(holder) ? 0 : 1);
	return waitpid(child, &status, 0) == child && status == 0;
}

TEST(a_lock_keeps_other_processes_out)
{
	struct error err;
	pid_t holder;
	int fd = lock(&err);
	assert_true(fd >= 0);
	assert_true(child_is_kept_out());
	assert_int_equal(close(fd), 0);
	assert_false(lock_look(path, &holder));
	fd = lock(&err);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
}

TEST(a_lock_keeps_out_its_own_process)
{
	struct error err;
	int fd = lock(&err);
	assert_true(fd >= 0);
	assert_true(lock(&err) < 0);
	assert_true(in_use(&err));
	assert_int_equal(close(fd), 0);
}

/* A child that has inherited the descriptor does not hold the lock. */
TEST(a_lock_ends_with_its_process)
{
	struct error err;
	int ends[2];
	assert_ok(pipe(ends));
	const pid_t holder = fork();
	if (holder == 0) {
		char byte;
		(void)close(ends[1]);
		if (lock(&err) >= 0 && fork() == 0)
			(void)!read(ends[0], &byte, 1); /* until the test ends */
		_exit(err.status == DANA_OK ? 0 : 1);
	}
	int status = 1;
	(void)close(ends[0]);
	assert_int_equal(waitpid(holder, &status, 0), holder);
	assert_int_equal(status, 0);
	int fd = lock(&err);
	assert_true(fd >= 0);
	(void)close(fd);
	(void)close(ends[1]);
}

TEST(a_lock_of_another_file_is_none)
{
	pid_t holder;
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_ok(unlink(path));
	assert_int_equal(lock_take(fd, path, &holder), LOCK_MOVED);
	int other = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(other >= 0);
	assert_int_equal(lock_take(fd, path, &holder), LOCK_HELD); /* by the first call */
	assert_int_equal(close(fd), 0);
	assert_int_equal(lock_take(other, path, &holder), 0);
	assert_int_equal(close(other), 0);
}

TEST(only_regular_files_are_opened)
{
	struct error err;
	(void)unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(lock(&err), DANA_EIO);
	assert_non_null(strstr(err.text, "/file: is not a regular file"));
	assert_ok(unlink(path));
	assert_ok(symlink("file", path));
	assert_int_equal(lock(&err), DANA_EIO);
	assert_non_null(strstr(err.text, system_text(ELOOP)));
	assert_ok(unlink(path));
}

/* ---- signals ---- */

static void on_signal(int number)
{
	(void)number;
}

/* Reads slowly, so that the writer waits, and is interrupted; returns the status of the process. */
static int read_slowly(int fd, size_t expected)
{
	char bytes[512];
	size_t sum = 0;
	for (ssize_t n = 1; n > 0; sum += n > 0 ? (size_t)n : 0) {
		(void)poll(NULL, 0, 1);
		n = read(fd, bytes, sizeof(bytes));
	}
	return sum == expected ? 0 : 1;
}

TEST(signals_interrupt_no_write)
{
	static const uint8_t bytes[200000];
	const struct sigaction action = { .sa_handler = on_signal };
	const struct itimerval often = { { 0, 700 }, { 0, 700 } }, never = { 0 };
	int ends[2], status = 1;
	assert_ok(pipe(ends));
	const pid_t reader = fork();
	if (reader == 0) {
		(void)close(ends[1]);
		_exit(read_slowly(ends[0], sizeof(bytes)));
	}
	(void)close(ends[0]);
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	int error = durable_write(ends[1], slice_of(bytes, sizeof(bytes)));
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	(void)close(ends[1]);
	assert_int_equal(error, 0);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(status, 0);
}

/* ---- content ---- */

TEST(what_is_replaced_is_read)
{
	AUTO_BUF content = { 0 };
	uint8_t bytes[8];
	assert_int_equal(durable_read(path, &content), ENOENT);
	assert_int_equal(durable_replace(path, slice_from_text("before")), 0);
	assert_int_equal(durable_replace(path, slice_from_text("after")), 0);
	assert_int_equal(durable_read(path, &content), 0);
	assert_true(slice_equal(buf_slice(&content), slice_from_text("after")));
	int fd = durable_open(path, O_RDWR, 0);
	assert_int_equal(durable_write_at(fd, slice_from_text("noon"), 3), 0);
	assert_int_equal(durable_read_at(fd, bytes, sizeof(bytes), 1), 6); /* fewer: the file ends */
	assert_memory_equal(bytes, "ftnoon", 6);
	assert_int_equal(durable_cut(fd, 2), 0);
	buf_clear(&content);
	assert_int_equal(durable_read_rest(fd, &content), 0);
	assert_true(slice_equal(buf_slice(&content), slice_from_text("af")));
	assert_int_equal(close(fd), 0);
	assert_int_equal(durable_remove(path), 0);
	assert_int_equal(durable_remove(path), 0);
}

TEST(names_of_folders)
{
	static const char *const pairs[][2] = { { "file", "." },
						{ "/file", "/" },
						{ "a/b/file", "a/b" },
						{ "a/", "a" } };
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char *name = path_folder(pairs[i][0]);
		assert_string_equal(name, pairs[i][1]);
		free(name);
	}
	char *name = path_with("file", ".part");
	assert_string_equal(name, "file.part");
	free(name);
}

GROUP(make_folder, remove_folder)
