/* SPDX-License-Identifier: MIT */
/*
 * The pump reads from `held` until its offset reaches the chunk, then from the chunk itself, which is not copied.
 * Example: 10 bytes are unread at the end of a chunk (offsets 90 to 99) when the next chunk comes (100 to 199): they
 * are held; join(16) copies 6 more, so that 90 to 105 are one piece. The pump reads on, and from offset 100 on it is
 * in the chunk again.
 */
#include "archive/input_window.h"

#include "base/status.h"

enum { HELD_KEPT = 1 << 20 }; /* memory that is kept when nothing is held */

void input_window_push(struct input_window *w, struct slice chunk)
{
	w->chunk = chunk;
}

struct slice input_window_unread(const struct input_window *w)
{
	if (w->offset >= w->chunk_offset)
		return slice_skip(w->chunk, (size_t)(w->offset - w->chunk_offset));
	return slice_skip(buf_slice(&w->held), (size_t)(w->offset - w->held_offset));
}

int input_window_join(struct input_window *w, size_t want)
{
	size_t have = input_window_unread(w).len;

	if (w->offset >= w->chunk_offset || have >= want)
		return DANA_OK;
	uint64_t held_end = w->held_offset + w->held.len;
	struct slice more = slice_first(slice_skip(w->chunk, (size_t)(held_end - w->chunk_offset)), want - have);

	return buf_append(&w->held, more.data, more.len);
}

uint64_t input_window_bytes_from(const struct input_window *w, uint64_t offset)
{
	return w->chunk_offset + w->chunk.len - offset;
}

bool input_window_is_all(const struct input_window *w, size_t n)
{
	return input_window_bytes_from(w, w->offset) == n;
}

void input_window_advance(struct input_window *w, size_t n)
{
	w->offset += n;
	if (w->offset > w->furthest)
		w->furthest = w->offset;
}

void input_window_go_back(struct input_window *w, uint64_t offset)
{
	w->offset = offset;
}

int input_window_keep(struct input_window *w, uint64_t from)
{
	struct slice rest = w->chunk;

	w->held.len =
		(size_t)(w->chunk_offset - w->held_offset); /* without the bytes of the chunk that `join` has copied */
	if (from >= w->chunk_offset) {
		rest = slice_skip(rest, (size_t)(from - w->chunk_offset));
		buf_shrink(&w->held, HELD_KEPT);
		w->held_offset = from;
	} else if (from > w->held_offset) {
		buf_consume(&w->held, (size_t)(from - w->held_offset));
		w->held_offset = from;
	}
	w->chunk_offset += w->chunk.len;
	w->chunk = slice_of(NULL, 0);
	return buf_append(&w->held, rest.data, rest.len);
}

void input_window_seek(struct input_window *w, uint64_t offset)
{
	w->offset = w->chunk_offset = w->held_offset = offset;
	w->chunk = slice_of(NULL, 0);
	buf_clear(&w->held);
}

void input_window_free(struct input_window *w)
{
	buf_free(&w->held);
}
