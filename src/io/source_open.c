/* SPDX-License-Identifier: MIT */
/* Chooses between the two kinds of sources: pipes, terminals and sockets are streams, all else is read as a file. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/file/durable.h"
#include "io/source.h"

static int adopt(struct source **out, struct loop *l, int fd, bool seekable, uint64_t offset,
		 const struct source_events *events)
{
	switch (uv_guess_handle(fd)) {
	case UV_NAMED_PIPE:
	case UV_TTY:
	case UV_TCP:
		return offset ? DANA_EIO : stream_source_open(out, l, fd, events);
	default:
		return file_source_open(out, l, fd, seekable, offset, events);
	}
}

/* Why `input` could not be opened. */
static const char *open_fault(const char *input, int error)
{
	if (error == ENOENT && strstr(input, "://"))
		return "this address cannot be read here: fetch it, and give the file, or - for standard input";
	return system_text(error);
}

/*
 * A named pipe is not waited for here, until somebody writes to it, but in the loop, where a signal is heard. A folder
 * could be opened, but not be read.
 */
static int open_input(const char *path)
{
	struct stat st;
	mode_t mode = stat(path, &st) == 0 ? st.st_mode : 0;
	if (S_ISDIR(mode)) {
		errno = EISDIR;
		return -1;
	}
	return durable_open(path, O_RDONLY | O_CLOEXEC | (S_ISFIFO(mode) ? O_NONBLOCK : 0), 0);
}

int source_open(struct source **out, struct loop *l, const char *input, uint64_t offset,
		const struct source_events *events, struct error *err)
{
	bool is_stdin = strcmp(input, "-") == 0;
	int fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open_input(input);
	if (fd < 0)
		return error_set(err, DANA_EIO, "%s", open_fault(input, errno));
	/*
	 * Standard input is never sought in, even when it is a file: `dana - <FILE` and `cat FILE | dana -` are the
	 * same.
	 */
	int status = adopt(out, l, fd, !is_stdin, offset, events);
	if (status < 0) {
		(void)close(fd);
		return error_set(err, status, "%s",
				 status == DANA_EIO && offset ? "it can only be read from its beginning"
							      : status_text(status));
	}
	return DANA_OK;
}

bool source_is_there(const char *input)
{
	struct stat st;
	return stat(input, &st) == 0 && !S_ISDIR(st.st_mode) && access(input, R_OK) == 0;
}

bool source_can_begin_anywhere(const char *input)
{
	struct stat st;
	return strcmp(input, "-") != 0 && (stat(input, &st) < 0 || S_ISREG(st.st_mode));
}
