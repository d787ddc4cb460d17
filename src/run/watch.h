/* SPDX-License-Identifier: MIT */
/* The archives of a folder that is watched (--watch). */
#ifndef DANA_RUN_WATCH_H
#define DANA_RUN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "run/names.h"
#include "run/settings.h"

/*
 * Is a file finished, which another program may still be writing? Nothing shows it for certain: it is when nobody has
 * it open for writing and it has not changed for a while. Any thread.
 */

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
/**
 * Returns whether the file is finished now: by its own time, or, if that lies in the future, by how long looks have
 * seen it unchanged. An empty file is never finished.
 */
bool file_rest_reached(struct file_rest *rest, const struct file_look *look, struct file_time now);

/* The archives of a folder that is watched, by name, and what is known of each. Threads: its owner sees to that. */

enum watch_state {
	WATCH_NEW,  /* not finished, or not looked at yet */
	WATCH_BUSY, /* it waits for a pipeline, or is in one */
	WATCH_OVER, /* its output is there, or its pipeline has failed */
	WATCH_LEFT, /* left alone: no file, or its output is another one's */
};

struct watch_file {
	char *input;  /* its path */
	size_t name;  /* where its name begins in that */
	char *output; /* for the owner of the list to set, from malloc */
	enum watch_state state;
	struct file_rest rest;
	struct file_look taken;  /* what it was like when it was found finished */
	struct watch_file *next; /* in the queue of those that are WATCH_BUSY */
};

/** Sorted by name. Zeroed before use. */
struct watch_list {
	struct watch_file **files;
	size_t n;
};

/**
 * Appends the names of the folder's archives: those that end in .warc or .arc, or so before .gz or .zst, and do not
 * begin with a dot; sorted.
 */
int watch_list_read(struct name_list *names, const char *folder, struct error *err);

/*
 * The archives of --watch DIR, as they are finished: a thread looks into the folder, and pipelines take what it has
 * found. Threads: any may take, and stop.
 */

struct watch;

/** Returns 0; DANA_ECONFIG: INPUTs besides, or no system that can watch. Before anything is made. */
int watch_check(const struct run_settings *s, struct error *err);
/**
 * After the folder of outputs was made. Returns 0; DANA_ECONFIG: what is written there would be taken as an input;
 * DANA_EIO: the folder cannot be read; DANA_ENOMEM.
 */
int watch_open(struct watch **out, const struct run_settings *s, struct error *err);
/** Begins to look. It starts threads: once, after run_enter_sandbox and signals_start. */
int watch_start(struct watch *w, struct error *err);
/** Waits for the next finished archive, and returns it; NULL if no more are to be taken. Belongs to the watch. */
struct watch_file *watch_next(struct watch *w);
/** What watch_next gave has been done. */
void watch_over(struct watch *w, struct watch_file *file);
/** No more are taken. `watch` is the watch. */
void watch_stop(void *watch);
/**
 * Ends the thread. Once, when no pipeline takes any more. *done_before: archives whose outputs were there. Returns
 * false if a fault was reported.
 */
bool watch_end(struct watch *w, size_t *done_before);
void watch_free(struct watch *w);

#endif
