/* SPDX-License-Identifier: MIT */
/*
 * `--revisits resolve`: a table of the records of archives from a first pass over their heads, and what processors ask
 * of it: the record that a revisit refers to (WARC 1.1, sections 5.13 to 5.15, 6.7; the profiles of revisits), read at
 * its place. A record is found by its id, by address and date, or by payload digest, in this order; one that
 * contradicts the revisit does not count, and a revisit of a revisit is followed.
 *
 * Memory: the table has at most limits->revisits bytes, and half as much again while it grows; records that it has no
 * room for are not found, and counted. Threads: one adds archives; then the table does not change, and each processor
 * opens a reader of its own. Ownership: borrows limits, and the texts of places.
 */
#ifndef DANA_ARCHIVE_REVISIT_TABLE_H
#define DANA_ARCHIVE_REVISIT_TABLE_H

#include "archive/limits.h"
#include "archive/processor.h"

struct revisit_table;

/** A file that is not on this machine, as who adds an archive in it reads it. In place while the table is. */
struct revisit_remote {
	/** Reads up to n bytes at `offset`, fewer only where the file ends. Returns their number, or -1. Any thread. */
	int64_t (*read)(struct revisit_remote *self, uint64_t offset, void *to, size_t n);
};

/** An archive in a file. */
struct revisit_place {
	const char *name; /* of the archive, for resolved_from */
	const char *path;
	struct revisit_remote *remote; /* in place of the path; NULL: there is a path */
	uint64_t begin, size;          /* its bytes in the file */
};

/** Returns NULL when memory is exhausted. */
struct revisit_table *revisit_table_new(const struct limits *limits);
/** Reads the heads of an archive; one that cannot be read adds nothing. Returns 0 or DANA_ENOMEM. */
int revisit_table_add(struct revisit_table *t, const struct revisit_place *place);
/** Ends what reads heads, from any thread or a signal's: the table is not whole then. */
void revisit_table_stop(void *table);
bool revisit_table_stopped(const struct revisit_table *t);
/** Returns the number of records for which the table had no room. */
uint64_t revisit_table_left_out(const struct revisit_table *t);
const struct revisit_source *revisit_table_source(const struct revisit_table *t);
/** NULL is allowed. */
void revisit_table_free(struct revisit_table *t);

#endif
