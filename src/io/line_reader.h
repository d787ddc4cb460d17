/* SPDX-License-Identifier: MIT */
/*
 * The lines of a list, an index or an output: a file, standard input, or an address; plain, gzip or zstd (all members).
 * Reads to the end on the thread of the caller, with a loop of its own.
 */
#ifndef DANA_IO_LINE_READER_H
#define DANA_IO_LINE_READER_H

#include "base/slice.h"
#include "base/status.h"

struct network;

struct line_input {
	const char *name;        /* a path, "-" or an address, with user and password if need be */
	const char *shown;       /* its name in messages of the network */
	struct network *network; /* NULL: addresses are not read */
	size_t line_most;        /* bytes of a line; a longer one is bad */
	bool with_ends;          /* lines keep their ends; the last one may have none */
};

enum { LINES_ENOUGH = 1 };

/** What becomes of the lines. */
struct line_taker {
	/**
	 * Takes a line, without its end unless the input says so. Returns 0; LINES_ENOUGH: no more are wanted; or a
	 * negative status, with a text in `err`, which ends the reading, too.
	 */
	int (*take)(void *arg, struct slice line, struct error *err);
	/** Gets why a line cannot be read, or all from here on, if compressed data is damaged or cut off. */
	void (*bad)(void *arg, const char *why);
	void *arg;
};

/**
 * Calls `take` or `bad` for each line. Returns 0; the negative status of `take`; or DANA_EIO or DANA_ENOMEM, with a
 * text in `err` that follows the name of the input.
 */
int line_reader_run(const struct line_input *input, const struct line_taker *taker, struct error *err);

#endif
