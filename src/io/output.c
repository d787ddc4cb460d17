/* SPDX-License-Identifier: MIT */
/*
 * A file is written as FILE.part and gets its name at the end: fsync, rename, fsync of the folder. So a file of that
 * name is always complete, and a run that was stopped leaves only FILE.part. Standard output is written as it is.
 */
#include "config.h"

#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/loop.h"
#include "io/output_queue.h"

struct output {
	struct byte_sink sink;
	struct output_queue *queue;
	int fd;
	bool owns_fd;
	char *path, *part;  /* NULL: not a file of ours, nothing to rename */
	char *name;         /* for messages */
	bool forgives_pipe; /* a reader that goes away is no error */
	uint64_t bytes;
	void (*moved)(void *arg);
	void *moved_arg;
};

static int output_write(struct byte_sink *self, struct slice bytes)
{
	struct output *o = (struct output *)self;
	int status = output_queue_put(o->queue, bytes);
	if (status < 0)
		return status;
	o->bytes += bytes.len;
	return output_failed(o, NULL);
}

/* The end of the bytes is not the end of the file: output_finish decides what becomes of that. */
static int output_sink_finish(struct byte_sink *self)
{
	return output_failed((struct output *)self, NULL);
}

static const struct byte_sink_ops output_sink_ops = { .name = "output",
						      .write = output_write,
						      .finish = output_sink_finish };

static void on_moved(void *arg)
{
	struct output *o = arg;
	if (o->moved)
		o->moved(o->moved_arg);
}

enum {
	SHOWN = 800
}; /* bytes of a name in a message, so that what is wrong with it, which follows the name, is not cut off */

static int refuse(struct error *err, const char *name, const char *why)
{
	return error_set(err, DANA_EIO, "%.*s%s: %s", (int)SHOWN, name, strlen(name) > SHOWN ? "..." : "", why);
}

static int fault(struct error *err, const char *name, int error)
{
	return refuse(err, name, system_text(error));
}

static int output_new(struct output **out, struct loop *l, int fd, const char *name)
{
	struct output *o = calloc(1, sizeof(*o));
	if (!o)
		return DANA_ENOMEM;
	o->sink.ops = &output_sink_ops;
	o->fd = fd;
	o->name = strdup(name);
	o->queue = output_queue_new(l, fd, on_moved, o);
	if (!o->name || !o->queue) {
		output_free(o);
		return DANA_ENOMEM;
	}
	*out = o;
	return DANA_OK;
}

int output_open_stdout(struct output **out, struct loop *l, struct error *err)
{
	*out = NULL;
	if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return fault(err, "standard output", EBADF);
	int status = output_new(out, l, STDOUT_FILENO, "standard output");
	if (status < 0)
		return error_set(err, status, "%s", status_text(status));
	(*out)->forgives_pipe = true;
	return DANA_OK;
}

static char *part_name(const char *path)
{
	struct buf b = { 0 };
	if (buf_printf(&b, "%s.part", path) < 0 || buf_append_byte(&b, 0) < 0)
		buf_free(&b);
	return (char *)b.data;
}

static bool takes_bytes_as_they_come(const char *path, struct stat *st)
{
	return stat(path, st) == 0 && (S_ISCHR(st->st_mode) || S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode));
}

static int exists(struct error *err, const char *name)
{
	return error_set(err, DANA_ECONFIG, "%.*s exists; --force overwrites it", (int)SHOWN, name);
}

static int check(const char *path, const char *part, bool force, struct error *err)
{
	struct stat st;
	if (takes_bytes_as_they_come(path, &st))
		return DANA_OK;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return error_set(err, DANA_ECONFIG, "%.*s is a folder; --output-dir writes into one", (int)SHOWN, path);
	if (!force && lstat(path, &st) == 0)
		return exists(err, path);
	if (lstat(part, &st) == 0)
		return force ? DANA_OK : exists(err, part);
	return errno == ENOENT ? DANA_OK : fault(err, part, errno);
}

int output_check(const char *path, bool force, struct error *err)
{
	char *part = part_name(path);
	int status = part ? check(path, part, force, err) : error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	free(part);
	return status;
}

enum { READER_MS = 20 }; /* between two tries */

/* A named pipe that is to be opened, and nobody reads it yet. */
struct reader_wait {
	const char *path;
	const bool *given_up;
	int fd, error;
	bool over;
};

static void try_pipe(void *arg)
{
	struct reader_wait *w = arg;
	w->fd = open(w->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	w->error = errno;
	w->over = w->fd >= 0 || w->error != ENXIO || *w->given_up;
}

/* The reader is waited for in the loop, where a signal is heard; open() would be deaf to it. Writes may block again. */
static int open_pipe(struct loop *l, const char *path, const bool *given_up)
{
	struct reader_wait w = { .path = path, .given_up = given_up };
	try_pipe(&w);
	if (!w.over) {
		loop_on_tick(l, READER_MS, try_pipe, &w);
		loop_run_until(l, &w.over);
		loop_on_tick(l, 0, NULL, NULL);
	}
	if (w.fd >= 0)
		(void)fcntl(w.fd, F_SETFL, O_WRONLY);
	errno = w.error;
	return w.fd;
}

/* Devices and named pipes have no part. */
static int open_special(struct output **out, struct loop *l, const char *path, mode_t mode, const bool *given_up,
			struct error *err)
{
	int fd = S_ISFIFO(mode) ? open_pipe(l, path, given_up) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fault(err, path, errno);
	int status = output_new(out, l, fd, path);
	if (status < 0) {
		(void)close(fd);
		return error_set(err, status, "%s: %s", path, status_text(status));
	}
	(*out)->owns_fd = true;
	(*out)->forgives_pipe = true;
	return DANA_OK;
}

static int open_part(const char *path, const char *part, bool force, struct error *err)
{
	int status = check(path, part, force, err);
	if (status < 0)
		return status;
	if (force && unlink(part) < 0 && errno != ENOENT)
		return fault(err, part, errno);
	int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return refuse(err, path, "the folder does not exist; make it first");
	return errno == EEXIST ? exists(err, part) : fault(err, part, errno);
}

static int open_regular(struct output **out, struct loop *l, const char *path, char *part, bool force,
			struct error *err)
{
	int fd = open_part(path, part, force, err);
	if (fd < 0)
		return fd;
	int status = output_new(out, l, fd, part);
	if (status < 0) {
		(void)close(fd);
		(void)unlink(part);
		return error_set(err, status, "%s: %s", path, status_text(status));
	}
	(*out)->owns_fd = true;
	(*out)->path = strdup(path);
	(*out)->part = strdup(part);
	if ((*out)->path && (*out)->part)
		return DANA_OK;
	output_free(*out);
	*out = NULL;
	return error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
}

int output_open_file(struct output **out, struct loop *l, const char *path, bool force, const bool *given_up,
		     struct error *err)
{
	struct stat st;
	*out = NULL;
	if (takes_bytes_as_they_come(path, &st))
		return open_special(out, l, path, st.st_mode, given_up, err);
	char *part = part_name(path);
	if (!part)
		return error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
	int status = open_regular(out, l, path, part, force, err);
	free(part);
	return status;
}

struct byte_sink *output_sink(struct output *o)
{
	return &o->sink;
}

size_t output_queued(const struct output *o)
{
	return output_queue_waiting(o->queue);
}

uint64_t output_bytes(const struct output *o)
{
	return o->bytes;
}

void output_on_progress(struct output *o, void (*moved)(void *arg), void *arg)
{
	o->moved = moved;
	o->moved_arg = arg;
}

bool output_reader_gone(const struct output *o)
{
	return o->forgives_pipe && output_queue_error(o->queue) == EPIPE;
}

int output_failed(const struct output *o, struct error *err)
{
	int error = output_queue_error(o->queue);
	if (error == 0 || output_reader_gone(o))
		return DANA_OK;
	return fault(err, o->name, error);
}

/* The new name must survive a crash too: the folder is a file of its own. */
static int sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
	if (!folder) {
		errno = ENOMEM;
		return -1;
	}
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (fd < 0)
		return -1;
	int result = fsync(fd);
	if (result < 0 && (errno == EINVAL || errno == EROFS))
		result = 0; /* a file system that knows no fsync of folders */
	int error = errno;
	(void)close(fd);
	errno = error;
	return result;
}

static int finish_file(struct output *o, enum output_end end, struct error *err)
{
	if (end == OUTPUT_DISCARD)
		return unlink(o->part) == 0 ? DANA_OK : fault(err, o->part, errno);
	if (fsync(o->fd) < 0)
		return fault(err, o->part, errno);
	if (end == OUTPUT_PART)
		return DANA_OK;
	if (rename(o->part, o->path) < 0 || sync_folder(o->path) < 0)
		return fault(err, o->path, errno);
	return DANA_OK;
}

int output_finish(struct output *o, enum output_end end, struct error *err)
{
	if (end != OUTPUT_DISCARD)
		output_queue_drain(o->queue);
	int status = output_failed(o, err);
	if (o->part) {
		int ended = finish_file(o, status < 0 && end == OUTPUT_FINAL ? OUTPUT_PART : end, err);
		status = status < 0 ? status : ended;
	}
	/* Some file systems tell of a failed write only now. */
	if (o->owns_fd && close(o->fd) < 0 && status == DANA_OK)
		status = fault(err, o->name, errno);
	o->owns_fd = false;
	return status;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	output_queue_free(o->queue);
	if (o->owns_fd)
		(void)close(o->fd);
	free(o->name);
	free(o->path);
	free(o->part);
	free(o);
}
