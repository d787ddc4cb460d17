/* SPDX-License-Identifier: MIT */
/*
 * `--revisits resolve`: a table of the records of all inputs from a first pass over their heads, and what processors
 * ask of it: the record that a revisit refers to (WARC 1.1, sections 5.13 to 5.15, 6.7; the profiles of revisits), read
 * at its place. A record is found by its id, by address and date, or by payload digest, in this order; one that
 * contradicts the revisit does not count, and a revisit of a revisit is followed.
 *
 * Memory: the table has at most limits.revisits bytes, and half as much again while it grows; records that it has no
 * room for are not found, and told. Threads: the table does not change after it is made; each processor opens a reader
 * of its own. Ownership: borrows inputs and settings.
 */
#ifndef DANA_RUN_REVISITS_H
#define DANA_RUN_REVISITS_H

#include "base/status.h"

struct inputs;
struct revisit_source;
struct revisit_table;
struct run_settings;

/** Returns 0, or DANA_ECONFIG for inputs that are not read twice as they are. */
int revisits_check(const struct run_settings *s, const struct inputs *in, struct error *err);
/**
 * Reads the heads of all inputs, on this thread. An input that cannot be read is left out, as the run reports it. A
 * signal ends the pass: then the table is not whole. Returns 0 or DANA_ENOMEM.
 */
int revisits_learn(struct revisit_table **out, const struct run_settings *s, const struct inputs *in,
		   struct error *err);
const struct revisit_source *revisit_table_source(const struct revisit_table *t);
/** NULL is allowed. */
void revisit_table_free(struct revisit_table *t);

#endif
