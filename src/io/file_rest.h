/* SPDX-License-Identifier: MIT */
/*
 * Is a file finished, which another program may still be writing? Nothing says so for certain: it is when nobody has
 * it open for writing and it has not changed for a while. Any thread.
 */
#ifndef DANA_IO_FILE_REST_H
#define DANA_IO_FILE_REST_H

#include <stdbool.h>
#include <stdint.h>

/** Seconds without a change; the long one where the system does not say whether a program has the file open. */
enum { FILE_REST_SECONDS = 5, FILE_REST_SECONDS_UNKNOWN = 60 };

enum file_writer {
	FILE_WRITER_NONE,
	FILE_WRITER_THERE,
	FILE_WRITER_UNKNOWN, /* the file belongs to another user, or its file system has no leases */
};

struct file_look {
	bool regular;     /* or a link to such a file; otherwise nothing else is known */
	uint64_t size;    /* bytes */
	int64_t modified; /* nanoseconds since 1970 */
	enum file_writer writer;
};

/** What was seen so far; zeroed before the first look. */
struct file_rest {
	uint64_t size;
	int64_t modified;
	int64_t since; /* milliseconds of the steady clock; 0: not seen yet */
};

/** Nanoseconds since 1970, and milliseconds of a clock that is never set. */
struct file_time {
	int64_t wall, steady;
};

/** Returns 0 or an errno number. */
int file_look(const char *path, struct file_look *look);
struct file_time file_time_now(void);
/**
 * Returns whether the file is finished now: by its own time, or, if that lies in the future, by how long looks have
 * seen it unchanged. An empty file is never finished.
 */
bool file_rest_reached(struct file_rest *rest, const struct file_look *look, struct file_time now);

#endif
