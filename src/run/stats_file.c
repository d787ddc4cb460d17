/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/stats_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/durable.h"

static int fault(struct error *err, const char *path)
{
	return error_set(err, DANA_EIO, "--stats: %s: %s", path, system_text(errno));
}

/* Through a link only a device or a pipe, as /dev/stdout: somebody else may have put it there. */
static int open_unlinked(const char *path)
{
	struct stat st;
	int fd = durable_open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0 && errno == ELOOP && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return durable_open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
	return fd;
}

int filter_stats_open(FILE **file, const char *path, struct error *err)
{
	*file = NULL;
	if (!path)
		return DANA_OK;
	if (strcmp(path, "-") == 0) {
		*file = stderr;
		return DANA_OK;
	}
	int fd = open_unlinked(path);
	*file = fd < 0 ? NULL : fdopen(fd, "w");
	if (*file)
		return DANA_OK;
	(void)fault(err, path);
	if (fd >= 0)
		(void)close(fd);
	return DANA_EIO;
}

bool filter_stats_keep(FILE *file)
{
	struct stat st;
	if (!file || file == stderr || fstat(fileno(file), &st) < 0 || st.st_size == 0)
		return false;
	(void)fclose(file);
	return true;
}

int filter_stats_write(FILE *file, const char *path, const struct stats *stats, struct slice done, struct error *err)
{
	struct buf json = { 0 };
	if (!file)
		return DANA_OK;
	int status = stats_json(stats, done, &json);
	if (status < 0)
		return error_set(err, DANA_ENOMEM, "--stats: %s: %s", path, status_text(DANA_ENOMEM));
	/* Devices and pipes refuse to be cut, and need it not. */
	int error = file == stderr ? 0 : durable_cut(fileno(file), 0);
	if (error && error != EINVAL)
		errno = error;
	bool good = error == 0 || error == EINVAL;
	good = good && fwrite(json.data, 1, json.len, file) == json.len;
	good = (file == stderr ? fflush(file) : fclose(file)) == 0 && good;
	if (!good)
		(void)fault(err, path);
	buf_free(&json);
	return good ? DANA_OK : DANA_EIO;
}
