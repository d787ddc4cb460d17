/* SPDX-License-Identifier: MIT */
/* The archives of a folder that is watched, by name, and what is known of each. Threads: its owner sees to that. */
#ifndef DANA_RUN_INPUTS_WATCH_LIST_H
#define DANA_RUN_INPUTS_WATCH_LIST_H

#include "io/file_rest.h"
#include "run/inputs/name_list.h"

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
 * begin with a dot; sorted. Returns 0, DANA_EIO or DANA_ENOMEM.
 */
int watch_list_read(struct name_list *names, const char *folder, struct error *err);
/**
 * Makes the list that of these names: new ones are WATCH_NEW, without an output, and those that have gone are
 * forgotten, unless they are WATCH_BUSY. Returns 0 or DANA_ENOMEM.
 */
int watch_list_update(struct watch_list *list, const struct name_list *names, const char *folder, struct error *err);
/**
 * Returns another file with the same output, which is WATCH_BUSY or WATCH_OVER; NULL if no such file is there. `i`:
 * place of the file.
 */
const struct watch_file *watch_list_rival(const struct watch_list *list, size_t i);
void watch_list_free(struct watch_list *list);

#endif
