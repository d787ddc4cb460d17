/* SPDX-License-Identifier: MIT */
/*
 * The lines of a list or an index: a file, standard input, or an address; plain, gzip or zstd (all members). Reads to
 * the end on the thread of the caller, with a loop of its own.
 */
#ifndef DANA_INDEX_LINE_READER_H
#define DANA_INDEX_LINE_READER_H

#include "base/slice.h"
#include "base/status.h"

struct network;

struct line_input {
	const char *name;        /* a path, "-" or an address, with user and password if need be */
	const char *shown;       /* its name in messages of the network */
	struct network *network; /* NULL: addresses are not read */
	size_t line_most;        /* bytes of a line; a longer one is bad */
};

/** What becomes of the lines. */
struct line_taker {
	/** A line, without its line end. A negative status, with a text in `err`, stops the reading. */
	int (*take)(void *arg, struct slice line, struct error *err);
	/** A line that cannot be read, and why; or all from here on, where compressed data is damaged or cut off. */
	void (*bad)(void *arg, const char *why);
	void *arg;
};

/**
 * Calls `take` or `bad` for each line. 0, the status of `take`, or one with a text in `err` that goes on after the name
 * of the input: DANA_EIO, DANA_ENOMEM.
 */
int line_reader_run(const struct line_input *input, const struct line_taker *taker, struct error *err);

#endif
