/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints on the disk: what outputs have taken so far is made durable, and only then a small file is replaced that
 * says so. It is done in libuv's pool while the outputs go on; one at a time.
 * Threads: that of the loop. Ownership: borrows the outputs, which must not be finished while one is under way.
 */
#ifndef DANA_IO_COMMIT_H
#define DANA_IO_COMMIT_H

#include "io/output.h"

struct commit;
struct loop;

enum { COMMIT_OUTPUTS = 2 };

/** `path`: the file that is replaced (base/file/durable.h). Returns NULL if memory is exhausted. */
struct commit *commit_new(struct loop *l, const char *path, struct output *const outputs[COMMIT_OUTPUTS]);
/** Begins, when none is under way; copies `bytes`, the file's new content. Returns 0 or DANA_ENOMEM. */
int commit_begin(struct commit *c, struct slice bytes);
bool commit_under_way(const struct commit *c);
/** To be called when an output has moved (output_on_progress). */
void commit_look(struct commit *c);
/** Waits for the one under way, on the loop. */
void commit_wait(struct commit *c);
/**
 * Returns 0, or DANA_EIO with the text in `err` (may be NULL): one has failed, and all that come after it are dropped.
 */
int commit_failed(const struct commit *c, struct error *err);
/** Waits as well. NULL allowed. */
void commit_free(struct commit *c);

#endif
