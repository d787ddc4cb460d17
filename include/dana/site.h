/* SPDX-License-Identifier: MIT */
/*
 * Part of libdana-archive: tables of what the pages of a site have in common, the same files as of `dana site learn`
 * and `dana site merge`. The site of a page is the registrable domain of its address.
 *
 * One pass with the method "learned" learns of its pages:
 *
 * 	dana_site_learner_new(&learner, &options);
 * 	archive_options.site = dana_site_learner_site(learner);
 * 	... dana_archive_read until the end; dana_archive_free ...
 * 	dana_site_learner_finish(learner);
 * 	dana_site_learner_free(learner);
 *
 * Another one judges each page with what the others have: dana_site_table_open, and `site` of dana_archive_options.
 *
 * Units: bytes. Threads: a learner is used by one thread at a time, a table by any number. Files: the table, while it
 * is written with ".part" after its name, and nameless files beside it for what has no room in memory.
 */
#ifndef DANA_SITE_H
#define DANA_SITE_H

#include "archive.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dana_site_learner;

/** Zero-initialised means the defaults of `dana site learn`, but for `path`. */
struct dana_site_options {
	size_t struct_size;
	const char *path; /* of the table; borrowed for the call */
	uint64_t least;   /* lines on fewer pages are left out; 0: 2. Tables that are merged later need 1 */
	uint64_t size;    /* of the table, at most; the lines on the fewest pages are left out; 0: 1 GiB */
	uint64_t memory;  /* for counting, 8192 at least; 0: 256 MiB */
	int force;        /* a file that is there is overwritten */
	/** Buffer of error_size bytes for the reason, terminated, if no learner can be made. May be NULL. */
	char *error;
	size_t error_size;
};

/**
 * Makes a learner. Returns 0; DANA_BAD_OPTION (the file is there, `memory`), DANA_CANNOT_READ (it cannot be written),
 * DANA_OUT_OF_MEMORY, DANA_NO_LIBRARY or DANA_WRONG_ORDER.
 */
DANA_API int dana_site_learner_new(struct dana_site_learner **out, const struct dana_site_options *options);
/**
 * Returns what is to be `site` of dana_archive_options: a pass whose `method` is "learned" then teaches the learner of
 * each page that has an address; `more_methods` do not. Any number of archives, by any threads; pages that are read
 * after dana_site_learner_finish do not count. Borrowed from the learner.
 */
DANA_API const struct dana_site_table *dana_site_learner_site(const struct dana_site_learner *l);
/**
 * Writes the table, whose bytes do not depend on the order of the pages. Returns 0, or an error, also
 * one of the pass: DANA_CANNOT_READ (a file cannot be written), DANA_OUT_OF_MEMORY, DANA_LIMIT (sites alone need more
 * than `size`), DANA_WRONG_ORDER after the end.
 */
DANA_API int dana_site_learner_finish(struct dana_site_learner *l);
/** Returns the number of pages so far; 0 for NULL. */
DANA_API uint64_t dana_site_learner_pages(const struct dana_site_learner *l);
/** Returns a message for the error that ended the learner; "" if there was none, and for NULL. */
DANA_API const char *dana_site_learner_error(const struct dana_site_learner *l);
/** NULL allowed. A table that is not finished is removed. */
DANA_API void dana_site_learner_free(struct dana_site_learner *l);

/**
 * Adds up tables into one, at `path`, and leaves out lines on fewer than `least` pages. Returns 0, DANA_BAD_OPTION (it
 * is there without `force`; one counts something else), DANA_CANNOT_READ, DANA_OUT_OF_MEMORY or DANA_WRONG_ORDER, with
 * the reason in `error` as above.
 */
DANA_API int dana_site_merge(const char *const *tables, size_t n, const char *path, uint64_t least, int force,
			     char *error, size_t error_size);

/**
 * Reads a table into memory, which takes the bytes of the file, and verifies its checksums. Returns as dana_site_merge;
 * DANA_CANNOT_READ is also a file that is damaged or something else.
 */
DANA_API int dana_site_table_open(struct dana_site_table **out, const char *path, char *error, size_t error_size);
/** NULL allowed. No archive may use it any more. */
DANA_API void dana_site_table_free(struct dana_site_table *t);

#ifdef __cplusplus
}
#endif

#endif
