/* SPDX-License-Identifier: MIT */
/* Who begins a FILE.part has it locked before the first byte. */
#include "config.h"

#include "base/file/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/durable.h"
#include "base/file/lock.h"
#include "base/file/path.h"

enum {
	SHOWN = 800
}; /* bytes of a name in a message, so that what is wrong with it, which follows the name, is not cut off */

static int refuse(struct error *err, enum dana_status status, const char *name, const char *why)
{
	return error_set(err, status, "%.*s%s: %s", (int)SHOWN, name, strlen(name) > SHOWN ? "..." : "", why);
}

int part_file_fault(struct error *err, const char *name, int error)
{
	return refuse(err, DANA_EIO, name, system_text(error));
}

bool part_file_special(const char *path, mode_t *mode)
{
	struct stat st;
	if (stat(path, &st) < 0 || !(S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return false;
	*mode = st.st_mode;
	return true;
}

/* ---- the lock ---- */

static int held(struct error *err, const char *part, pid_t holder)
{
	if (holder > 0)
		return error_set(err, DANA_EIO, "%.*s is being written by process %ld; wait until it has ended",
				 (int)SHOWN, part, (long)holder);
	return refuse(err, DANA_EIO, part, "another process is writing it; wait until it has ended");
}

static int take_lock(int fd, const char *part, struct error *err)
{
	pid_t holder;
	int error = lock_take(fd, part, &holder);
	if (error == LOCK_HELD || error == LOCK_MOVED)
		return held(err, part, holder);
	return error ? part_file_fault(err, part, error) : DANA_OK;
}

/* ---- before ---- */

/* In the way: what to do about it depends on whether it can be resumed. */
static int exists(struct error *err, const char *path, const char *name)
{
	char *state = path_with(path, OUTPUT_STATE_SUFFIX);
	const bool resumable = state && access(state, F_OK) == 0;
	free(state);
	return error_set(err, DANA_ECONFIG, "%.*s exists; %s", (int)SHOWN, name,
			 resumable ? "--resume goes on with it, --force starts anew" : "--force overwrites it");
}

static int check(const char *path, const char *part, enum output_way way, struct error *err)
{
	struct stat st;
	mode_t mode;
	pid_t holder;
	if (part_file_special(path, &mode))
		return way == OUTPUT_RESUME ? refuse(err, DANA_ECONFIG, path, "a device or pipe cannot be resumed")
					    : DANA_OK;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return error_set(err, DANA_ECONFIG, "%.*s is a folder; --output-dir writes into one", (int)SHOWN, path);
	if (lock_look(part, &holder))
		return held(err, part, holder);
	if (way == OUTPUT_NEW && lstat(path, &st) == 0)
		return exists(err, path, path);
	if (lstat(part, &st) == 0)
		return way == OUTPUT_NEW ? exists(err, path, part) : DANA_OK;
	return errno == ENOENT ? DANA_OK : part_file_fault(err, part, errno);
}

int part_file_check(const char *path, enum output_way way, struct error *err)
{
	char *part = path_with(path, OUTPUT_PART_SUFFIX);
	int status = part ? check(path, part, way, err) : error_no_memory(err);
	free(part);
	return status;
}

bool part_file_is_final(const char *path)
{
	struct stat st;
	char part[PATH_MAX]; /* memory may be exhausted, and what is final must not seem to be anything else */
	int n = snprintf(part, sizeof(part), "%s%s", path, OUTPUT_PART_SUFFIX);
	return n > 0 && (size_t)n < sizeof(part) && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       lstat(part, &st) < 0 && errno == ENOENT;
}

/* ---- opening ---- */

/* What an earlier run has noted of FILE. */
static int remove_state(const char *path, struct error *err)
{
	char *state = path_with(path, OUTPUT_STATE_SUFFIX);
	if (!state)
		return error_no_memory(err);
	int error = durable_remove(state);
	int status = error ? part_file_fault(err, state, error) : DANA_OK;
	free(state);
	return status;
}

/* FILE.part goes before FILE.state: a state without a part says nothing, a part without a state has to be refused. */
static int remove_old(const char *path, const char *part, struct error *err)
{
	if (unlink(part) < 0 && errno != ENOENT)
		return part_file_fault(err, part, errno);
	return remove_state(path, err);
}

static int open_new(const char *path, const char *part, struct error *err)
{
	int fd = durable_open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return refuse(err, DANA_EIO, path, "the folder does not exist; make it first");
	return errno == EEXIST ? exists(err, path, part) : part_file_fault(err, part, errno);
}

static int open_any(const char *path, const char *part, enum output_way way, bool *kept, struct error *err)
{
	int fd = way == OUTPUT_RESUME ? durable_open(part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0) : -1;
	*kept = fd >= 0;
	if (*kept)
		return fd;
	if (way == OUTPUT_RESUME && errno != ENOENT)
		return part_file_fault(err, part, errno);
	int status = way == OUTPUT_FORCE ? remove_old(path, part, err) : DANA_OK;
	return status < 0 ? status : open_new(path, part, err);
}

int part_file_open(const char *path, const char *part, enum output_way way, bool *kept, struct error *err)
{
	int status = check(path, part, way, err);
	int fd = status < 0 ? status : open_any(path, part, way, kept, err);
	if (fd < 0)
		return fd;
	status = take_lock(fd, part, err);
	if (status == DANA_OK && !*kept)
		status = remove_state(path, err);
	if (status == DANA_OK)
		return fd;
	(void)close(fd);
	return status;
}
