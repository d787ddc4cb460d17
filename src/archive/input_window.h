/* SPDX-License-Identifier: MIT */
/*
 * The part of its input that a pump has in memory: the current chunk, and before it the bytes kept of earlier ones. It
 * is addressed by the offset in the source, so that a reader does not see where chunks begin; but `unread` is one
 * piece, and crosses such a border only as far as `join` has made it.
 *
 *     held:   [held_offset ............)
 *     chunk:              [chunk_offset ...................)
 *
 * `held` begins where the last `keep` asked, and reaches at least to the chunk, without a gap. After `join` has copied
 * the first bytes of the chunk to the end of `held`, both contain these. A zero-initialised window is at the start of
 * an input. Ownership: the chunk is borrowed until `keep` or `seek`. One thread at a time.
 */
#ifndef DANA_ARCHIVE_INPUT_WINDOW_H
#define DANA_ARCHIVE_INPUT_WINDOW_H

#include "base/buf.h"

struct input_window {
	uint64_t offset;   /* of the next byte to read */
	uint64_t furthest; /* greatest `offset` so far, so that bytes read again do not count twice */
	struct slice chunk;
	uint64_t chunk_offset;
	struct buf held;
	uint64_t held_offset;
};

/** Adds the next chunk of the source. The one before must have been released by `keep` or `seek`. */
void input_window_push(struct input_window *w, struct slice chunk);
/**
 * Returns the bytes from `offset` on, in one piece, from the chunk if possible; borrowed until the next call that
 * changes the window.
 */
struct slice input_window_unread(const struct input_window *w);
/** Makes `unread` at least `want` bytes long, if the chunk has so many. Returns 0 or DANA_ENOMEM. */
int input_window_join(struct input_window *w, size_t want);
/** Returns whether only `n` bytes are left before the end of the chunk. */
bool input_window_is_all(const struct input_window *w, size_t n);
void input_window_advance(struct input_window *w, size_t n);
/** Moves back to an offset that is still held or in the chunk. */
void input_window_go_back(struct input_window *w, uint64_t offset);
/** Returns the number of bytes in memory from an offset on that is still held or in the chunk. */
uint64_t input_window_bytes_from(const struct input_window *w, uint64_t offset);
/**
 * Releases the chunk: copies the bytes from `from` on, which must be in memory, and drops the others. Returns 0 or
 * DANA_ENOMEM.
 */
int input_window_keep(struct input_window *w, uint64_t from);
/** Drops all bytes: the next chunk comes from another place of the source. */
void input_window_seek(struct input_window *w, uint64_t offset);
void input_window_free(struct input_window *w);

#endif
