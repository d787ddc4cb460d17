/* SPDX-License-Identifier: MIT */
/*
 * Lists with one entry per line, plain or gzip. A '#' at the beginning of a line or after white space starts a comment.
 */
#ifndef DANA_PLUGINS_URL_LIST_FILE_H
#define DANA_PLUGINS_URL_LIST_FILE_H

#include "base/slice.h"
#include "base/status.h"

enum { LIST_LINE_MOST = 64 << 10 };

/** The place of an entry, for messages. */
struct list_place {
	const char *file;
	unsigned long line;
};

/**
 * Calls `entry` for each line that is not empty, without white space at its ends. Stops if `entry` does not return 0,
 * and returns that; or DANA_EIO with a text if the file cannot be read, is damaged, or has a line of LIST_LINE_MOST
 * bytes.
 */
int list_file_read(const char *file,
		   int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		   void *arg, struct error *err);

#endif
