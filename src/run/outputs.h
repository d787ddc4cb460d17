/* SPDX-License-Identifier: MIT */
/*
 * Where a job writes: its output, and beside a file the rejects when they are asked for. Both fill, fail and end as
 * one. Zeroed = closed. Threads: that of the loop.
 */
#ifndef DANA_RUN_OUTPUTS_H
#define DANA_RUN_OUTPUTS_H

#include "base/buf.h"
#include "io/output.h"

#define OUTPUTS_REJECTS_SUFFIX ".rejects.jsonl" /* of the rejects beside FILE */

struct outputs {
	struct output *documents;
	struct output *rejects; /* NULL: none */
};

/** Looks whether outputs_open would find the way free. Returns 0, DANA_ECONFIG or DANA_ENOMEM with a text. */
int outputs_check(const char *file, bool rejects, enum output_way way, struct error *err);
/**
 * Returns 0, or DANA_ECONFIG when to write the file `output` would write over the file `input` (- is standard input).
 */
int outputs_check_spare(const char *input, const char *output, struct error *err);
/** Returns 0, or DANA_ECONFIG when the regular file `output` exists and `force` is not set. */
int outputs_check_new(const char *output, bool force, struct error *err);
enum { OUTPUTS_NO_STATE = 1 };
/** Appends the content of FILE.state. Returns 0, OUTPUTS_NO_STATE, DANA_EIO or DANA_ENOMEM with the text in `err`. */
int outputs_read_state(const char *file, struct buf *state, struct error *err);
/** Returns 0, DANA_EIO or DANA_ENOMEM. A missing FILE.state is not an error. */
int outputs_remove_state(const char *file, struct error *err);
/**
 * As output_open_file, and returns as that. `file` NULL: standard output, without rejects. outputs_free in both cases.
 */
int outputs_open(struct outputs *o, struct loop *loop, const char *file, bool rejects, enum output_way way,
		 const bool *given_up, struct error *err);
void outputs_on_progress(struct outputs *o, void (*moved)(void *arg), void *arg);
/** As output_hurry. */
void outputs_hurry(struct outputs *o);
/** Returns whether more waits in either than should. */
bool outputs_full(const struct outputs *o);
/** Returns 0, or DANA_EIO with the text in `err` (may be NULL). */
int outputs_failed(const struct outputs *o, struct error *err);
/** As output_finish. Where the rejects fail, the output stays FILE.part. `err` begins zeroed. */
void outputs_finish(struct outputs *o, enum output_end end, struct error *err);
void outputs_free(struct outputs *o);

#endif
