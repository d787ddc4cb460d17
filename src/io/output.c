/* SPDX-License-Identifier: MIT */
/*
 * A file is written as FILE.part and gets its name at the end: fsync, rename, fsync of the folder. So a file of that
 * name is always complete, and a run that was stopped leaves only FILE.part. Standard output is written as it is.
 */
#include "config.h"

#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/durable.h"
#include "base/file/part_file.h"
#include "base/file/path.h"
#include "io/loop.h"
#include "io/output_private.h"
#include "io/output_queue.h"

struct output {
	struct byte_sink sink;
	struct output_queue *queue;
	int fd;
	bool owns_fd;
	char *path, *part;  /* NULL: not a file of ours, nothing to rename */
	char *name;         /* for messages */
	bool forgives_pipe; /* a reader that goes away is not an error */
	bool kept;          /* FILE.part is that of an earlier run */
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
		return part_file_fault(err, "standard output", EBADF);
	int status = output_new(out, l, STDOUT_FILENO, "standard output");
	if (status < 0)
		return error_set(err, status, "%s", status_text(status));
	(*out)->forgives_pipe = true;
	return DANA_OK;
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
		return part_file_fault(err, path, errno);
	int status = output_new(out, l, fd, path);
	if (status < 0) {
		(void)close(fd);
		return error_set(err, status, "%s: %s", path, status_text(status));
	}
	(*out)->owns_fd = true;
	(*out)->forgives_pipe = true;
	return DANA_OK;
}

static int open_regular(struct output **out, struct loop *l, const char *path, char *part, enum output_way way,
			struct error *err)
{
	bool kept;
	int fd = part_file_open(path, part, way, &kept, err);
	if (fd < 0)
		return fd;
	int status = output_new(out, l, fd, part);
	if (status < 0) {
		(void)close(fd);
		return error_set(err, status, "%s: %s", path, status_text(status));
	}
	(*out)->owns_fd = true;
	(*out)->kept = kept;
	(*out)->path = strdup(path);
	(*out)->part = strdup(part);
	if ((*out)->path && (*out)->part)
		return DANA_OK;
	output_free(*out);
	*out = NULL;
	return error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
}

int output_open_file(struct output **out, struct loop *l, const char *path, enum output_way way, const bool *given_up,
		     struct error *err)
{
	mode_t mode;
	*out = NULL;
	if (way != OUTPUT_RESUME && part_file_special(path, &mode))
		return open_special(out, l, path, mode, given_up, err);
	char *part = path_with(path, OUTPUT_PART_SUFFIX);
	if (!part)
		return error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
	int status = open_regular(out, l, path, part, way, err);
	free(part);
	return status;
}

struct byte_sink *output_sink(struct output *o)
{
	return &o->sink;
}

int output_fd(const struct output *o)
{
	return o->fd;
}

const char *output_name(const struct output *o)
{
	return o->name;
}

uint64_t output_written(const struct output *o)
{
	return o->bytes - output_queued(o);
}

bool output_is_file(const struct output *o)
{
	return o->part != NULL;
}

bool output_kept(const struct output *o, uint64_t *size)
{
	struct stat st;
	*size = o->kept && fstat(o->fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	return o->kept;
}

int output_cut(struct output *o, uint64_t size, struct error *err)
{
	int error = durable_cut(o->fd, (off_t)size);
	if (error == 0 && lseek(o->fd, (off_t)size, SEEK_SET) < 0)
		error = errno;
	if (error)
		return part_file_fault(err, o->part, error);
	o->bytes = size;
	return DANA_OK;
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

void output_hurry(struct output *o)
{
	output_queue_hurry(o->queue);
}

bool output_reader_gone(const struct output *o)
{
	return o->forgives_pipe && (output_queue_error(o->queue) == EPIPE || output_reader_stuck(o));
}

bool output_reader_stuck(const struct output *o)
{
	return o->forgives_pipe && output_queue_error(o->queue) == ETIMEDOUT;
}

int output_failed(const struct output *o, struct error *err)
{
	int error = output_queue_error(o->queue);
	if (error == 0 || output_reader_gone(o))
		return DANA_OK;
	return part_file_fault(err, o->name, error);
}

static int finish_file(struct output *o, enum output_end end, struct error *err)
{
	if (end == OUTPUT_DISCARD)
		return unlink(o->part) == 0 ? DANA_OK : part_file_fault(err, o->part, errno);
	int error = durable_sync(o->fd);
	if (error)
		return part_file_fault(err, o->part, error);
	if (end == OUTPUT_PART)
		return DANA_OK;
	error = durable_rename(o->part, o->path);
	return error ? part_file_fault(err, o->path, error) : DANA_OK;
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
	/* Some file systems report a failed write only now. */
	if (o->owns_fd && close(o->fd) < 0 && status == DANA_OK)
		status = part_file_fault(err, o->name, errno);
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
