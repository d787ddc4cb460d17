/* SPDX-License-Identifier: MIT */
/*
 * What a pump has at hand of its input: the chunk that is being read, and before it what the reader has kept of
 * earlier ones. Addressed by the offset in the source, so that a reader does not see where chunks begin; but `unread`
 * is one piece, and goes over such a border only as far as `join` has made it.
 *
 *     held:   [held_offset ............)
 *     chunk:              [chunk_offset ...................)
 *
 * `held` begins with what the last `keep` asked for, and reaches at least to the chunk: there is no gap. Where `join`
 * has copied the first bytes of the chunk to the end of `held`, both hold these. A zeroed window is at the start of an
 * input. Ownership: the chunk is borrowed until `keep` or `seek`. One thread at a time.
 */
#ifndef DANA_ARCHIVE_INPUT_WINDOW_H
#define DANA_ARCHIVE_INPUT_WINDOW_H

#include "base/buf.h"

struct input_window {
	uint64_t offset;   /* of the next byte to read */
	uint64_t furthest; /* that `offset` has come: what is read again does not count twice */
	struct slice chunk;
	uint64_t chunk_offset;
	struct buf held;
	uint64_t held_offset;
};

/** The next chunk of the source. The one before must be gone, by `keep` or `seek`. */
void input_window_push(struct input_window *w, struct slice chunk);
/**
 * Bytes from `offset` on, in one piece: from the chunk where possible. Borrowed until the next call that changes the
 * window.
 */
struct slice input_window_unread(const struct input_window *w);
/** Makes `unread` at least `want` bytes long, if there are so many before the end of the chunk. 0 or DANA_ENOMEM. */
int input_window_join(struct input_window *w, size_t want);
/** Are the next `n` bytes all that there is before the end of the chunk? */
bool input_window_is_all(const struct input_window *w, size_t n);
void input_window_advance(struct input_window *w, size_t n);
/** Goes back to an offset that is still held, or in the chunk. */
void input_window_go_back(struct input_window *w, uint64_t offset);
/** How many bytes there are at hand from an offset on that is still held, or in the chunk. */
uint64_t input_window_bytes_from(const struct input_window *w, uint64_t offset);
/** The chunk goes. Copies what there is from `from` on, which is at hand, and forgets the rest. 0 or DANA_ENOMEM. */
int input_window_keep(struct input_window *w, uint64_t from);
/** The next chunk comes from another place of the source: nothing at hand is of use. */
void input_window_seek(struct input_window *w, uint64_t offset);
void input_window_free(struct input_window *w);

#endif
