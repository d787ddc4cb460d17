/* SPDX-License-Identifier: MIT */
/* The window over an input: what a reader sees does not depend on how the input is cut, also where it goes back. */
#include "archive/member.h"
#include "base/status.h"
#include "support/split_feed.h"
#include "support/unit.h"

enum { INPUT_BYTES = 600, UNIT_MAX = 40, UNITS_KEPT = 3 };

/*
 * Reads units of lengths that their offsets choose, and where the offset says so goes back to the start of the third
 * last one, once; so that what it reads, and what it keeps, follows from the input alone.
 */
struct reader {
	struct input_window window;
	struct slice input;
	uint64_t starts[UNITS_KEPT];
	uint64_t came_back; /* to read on after here is not to go back again */
	struct buf seen;
};

static size_t unit_length(uint64_t offset)
{
	return (size_t)(offset * 7 + offset / 5) % UNIT_MAX + 1;
}

static void reader_begin(void *arg)
{
	struct reader *r = arg;
	r->window = (struct input_window){ 0 };
	memset(r->starts, 0, sizeof(r->starts));
	r->came_back = 0;
	buf_clear(&r->seen);
}

/* All that is at hand, and no other bytes than those of the input. */
static void check_unread(const struct reader *r)
{
	struct slice unread = input_window_unread(&r->window);
	assert_true(r->window.offset + unread.len <= r->input.len);
	assert_true(slice_equal(unread, slice_of(r->input.data + r->window.offset, unread.len)));
}

static bool read_unit(struct reader *r, bool last)
{
	size_t want = unit_length(r->window.offset);
	assert_ok(input_window_join(&r->window, want));
	check_unread(r);
	struct slice unit = slice_first(input_window_unread(&r->window), want);
	if (unit.len < want) {
		assert_true(input_window_is_all(&r->window, unit.len));
		if (!last || unit.len == 0)
			return false;
	}
	assert_ok(buf_printf(&r->seen, "%zu@%u ", unit.len, (unsigned)r->window.offset));
	assert_ok(buf_append(&r->seen, unit.data, unit.len));
	memmove(r->starts, r->starts + 1, sizeof(r->starts) - sizeof(*r->starts));
	r->starts[UNITS_KEPT - 1] = r->window.offset;
	input_window_advance(&r->window, unit.len);
	if (r->window.offset % 5 == 0 && r->window.offset > r->came_back) {
		r->came_back = r->window.offset;
		input_window_go_back(&r->window, r->starts[0]);
	}
	return true;
}

static void reader_piece(void *arg, struct slice bytes)
{
	struct reader *r = arg;
	input_window_push(&r->window, bytes);
	while (read_unit(r, false))
		;
	uint64_t from = r->starts[0] < r->window.offset ? r->starts[0] : r->window.offset;
	assert_ok(input_window_keep(&r->window, from));
	check_unread(r);
	assert_int_equal(input_window_bytes_from(&r->window, from), r->window.held.len);
	assert_true(slice_equal(buf_slice(&r->window.held), slice_of(r->input.data + from, r->window.held.len)));
}

static void reader_end(void *arg, struct buf *outcome)
{
	struct reader *r = arg;
	while (read_unit(r, true))
		;
	assert_int_equal(r->window.furthest, r->input.len);
	assert_ok(buf_append(outcome, r->seen.data, r->seen.len));
	input_window_free(&r->window);
}

TEST(a_reader_does_not_see_where_chunks_begin)
{
	uint8_t bytes[INPUT_BYTES];
	uint32_t random = 88172645U;
	struct reader r = { .input = slice_of(bytes, sizeof(bytes)) };
	struct split_subject subject = { reader_begin, reader_piece, reader_end, &r };
	AUTO_BUF outcome = { 0 };
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)split_random(&random);
	split_check(&subject, r.input, &outcome);
	assert_true(outcome.len > sizeof(bytes)); /* it went back */
	buf_free(&r.seen);
}

static void push(struct input_window *w, const char *text)
{
	input_window_push(w, slice_from_text(text));
}

static void assert_unread(const struct input_window *w, const char *text)
{
	assert_true(slice_equal(input_window_unread(w), slice_from_text(text)));
}

TEST(what_is_joined_lies_in_held_and_chunk)
{
	struct input_window w = { 0 };
	push(&w, "abc");
	input_window_advance(&w, 1);
	assert_ok(input_window_keep(&w, 1));
	push(&w, "defgh");
	assert_unread(&w, "bc");
	assert_ok(input_window_join(&w, 2));
	assert_unread(&w, "bc"); /* as much as was asked for, and no copy of the rest */
	assert_ok(input_window_join(&w, 4));
	assert_unread(&w, "bcde");
	assert_false(input_window_is_all(&w, 4));
	assert_true(input_window_is_all(&w, 7));
	input_window_advance(&w, 2); /* after the border: the chunk has them, and more */
	assert_unread(&w, "defgh");
	input_window_go_back(&w, 2);
	assert_unread(&w, "cde");
	assert_ok(input_window_keep(&w, 2));
	assert_unread(&w, "cdefgh"); /* none of them twice */
	assert_ok(input_window_join(&w, 100));
	assert_unread(&w, "cdefgh");
	input_window_free(&w);
}

TEST(what_lies_before_is_forgotten)
{
	struct input_window w = { 0 };
	push(&w, "abcdef");
	input_window_advance(&w, 4);
	assert_ok(input_window_keep(&w, 2));
	assert_int_equal(w.held.len, 4);
	push(&w, "gh");
	assert_ok(input_window_keep(&w, 3));
	assert_int_equal(w.held.len, 5);
	assert_unread(&w, "efgh");
	push(&w, "ijk");
	input_window_advance(&w, 6);
	assert_unread(&w, "k");
	assert_ok(input_window_keep(&w, 10));
	assert_unread(&w, "k");
	assert_int_equal(w.held.len, 1);
	input_window_free(&w);
}

TEST(a_seek_leaves_nothing_but_how_far_it_came)
{
	struct input_window w = { 0 };
	push(&w, "abcdef");
	input_window_advance(&w, 6);
	assert_ok(input_window_keep(&w, 1));
	input_window_seek(&w, 3);
	assert_unread(&w, "");
	assert_int_equal(input_window_bytes_from(&w, 3), 0);
	push(&w, "def");
	assert_unread(&w, "def");
	input_window_advance(&w, 2);
	assert_int_equal(w.furthest, 6);
	assert_ok(input_window_keep(&w, w.offset));
	push(&w, "gh");
	input_window_advance(&w, 2);
	assert_int_equal(w.furthest, 7);
	input_window_free(&w);
}
