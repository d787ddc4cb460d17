/* SPDX-License-Identifier: MIT */
/* Where output bytes go, and checkpoints of them on the disk. */
#ifndef DANA_IO_OUTPUT_H
#define DANA_IO_OUTPUT_H

#include "archive/byte_sink.h"
#include "base/file.h"
#include "base/status.h"

/*
 * Where output bytes go: a byte_sink that puts them into a queue, which libuv's thread pool writes. The queue never
 * refuses bytes; its user looks at output_queued and stops reading input while it is too long. Threads: its
 * loop's. A failed write is latched: later writes return DANA_EIO.
 */

struct loop;
struct output;

enum { OUTPUT_SOFT_LIMIT = 8 << 20 };
/**
 * FILE: bytes go to FILE.part, which output_finish renames. Returns 0; DANA_ECONFIG when FILE or FILE.part is in
 * the way; DANA_EIO (also: another process is writing FILE.part), DANA_ENOMEM. The text in `err` names the file.
 * Devices and named pipes are written as they are; the reader of a pipe is waited for on the loop until *given_up.
 */
int output_open_file(struct output **out, struct loop *l, const char *path, enum output_way way, const bool *given_up,
		     struct error *err);
int output_open_stdout(struct output **out, struct loop *l, struct error *err);
struct byte_sink *output_sink(struct output *o);
/** After OUTPUT_RESUME: returns whether there was a FILE.part. *size: its bytes. */
bool output_kept(const struct output *o, uint64_t *size);
/** Before the first write: cuts what was kept to `size` bytes, after which writing resumes. */
int output_cut(struct output *o, uint64_t size, struct error *err);
/** Returns whether it is a FILE with a FILE.part, not standard output, a device or a pipe. */
bool output_is_file(const struct output *o);
size_t output_queued(const struct output *o);
/** Returns how many bytes were taken, with those that output_cut has left of an earlier run. */
uint64_t output_bytes(const struct output *o);
/** Nobody has to wait for a reader any more: one that takes nothing for half a second is taken to be gone. */
void output_hurry(struct output *o);
/** `moved` runs on the loop whenever the queue has become shorter, or a write has failed. */
void output_on_progress(struct output *o, void (*moved)(void *arg), void *arg);
/**
 * Returns whether the reader of standard output or of a pipe has gone; false for files. What is written from then on is
 * dropped without an error.
 */
bool output_reader_gone(const struct output *o);
/** After output_hurry: returns whether the reader has taken nothing, so that what waited was dropped. */
bool output_reader_stuck(const struct output *o);
/** Returns 0, or DANA_EIO with the text in `err` (may be NULL). */
int output_failed(const struct output *o, struct error *err);
enum output_end {
	OUTPUT_FINAL,   /* complete: fsync, rename to FILE, fsync of the folder */
	OUTPUT_PART,    /* stays FILE.part, with all bytes that were written */
	OUTPUT_DISCARD, /* FILE.part is removed */
};

/** Waits until the queue is empty, then ends the file. Once, before output_free. */
int output_finish(struct output *o, enum output_end end, struct error *err);
/** Without output_finish the file stays FILE.part and what waits is lost. */
void output_free(struct output *o);

/*
 * Checkpoints on the disk: what outputs have taken so far is made durable, and only then a small file is replaced that
 * records it. It is done in libuv's pool while the outputs are written; one at a time.
 * Threads: the loop's. Ownership: borrows the outputs, which must not be finished while one is under way.
 */

struct commit;
struct loop;

enum { COMMIT_OUTPUTS = 2 };
/** `path`: the file that is replaced (base/file.h). */
struct commit *commit_new(struct loop *l, const char *path, struct output *const outputs[COMMIT_OUTPUTS]);
/** Begins, when none is under way; copies `bytes`, the file's new content. */
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
/** Waits as well. */
void commit_free(struct commit *c);

#endif
