/* SPDX-License-Identifier: MIT */
/*
 * Files on servers, read at places by threads that wait for the bytes.
 *
 * Threads: any may read; one reads while the others wait. Ownership: a reader borrows the network and the files.
 */
#ifndef DANA_IO_REMOTE_FILE_H
#define DANA_IO_REMOTE_FILE_H

#include "io/reply.h"

struct error;
struct network;
struct remote_reader;

/** Zeroed but for the texts. */
struct remote_file {
	const char *address, *shown; /* the address in messages */
	struct identity identity;    /* what replies have said of it */
	bool no_ranges;              /* the server has sent all of it where a part was asked for */
};

/** Returns NULL with a text in `err` on failure. */
struct remote_reader *remote_reader_new(struct network *n, struct error *err);
/**
 * Reads up to n bytes from `from` on, fewer only where the file ends. Returns their number, or -1 with a text in `err`:
 * all that may be tried was tried, the file is another by now, or remote_reader_stop was called.
 */
int64_t remote_read(struct remote_reader *r, struct remote_file *file, uint64_t from, void *to, size_t n,
		    struct error *err);
/** From any thread: what is read now and later fails. */
void remote_reader_stop(void *reader);
/** NULL is allowed. */
void remote_reader_free(struct remote_reader *r);

#endif
