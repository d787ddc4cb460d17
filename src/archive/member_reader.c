/* SPDX-License-Identifier: MIT */
/*
 * A codec that decodes a whole member at once (libdeflate) needs all of its input in one piece. It is tried with the
 * available input, and if that is not enough, again with twice as much, so that a member is tried only a logarithmic
 * number of times. A member that is too large or damaged is decoded by steps instead, from its start.
 *
 * Steps first gather their output: a member of at most MEMBER_KNOWN bytes is passed on only when its end is verified,
 * so that it is known to be good, whichever way it was decoded. If a member is longer or damaged, the gathered bytes
 * are passed on; the rest of a longer one follows step by step.
 */
#include "archive/member_reader.h"

#include <stdlib.h>

enum {
	WHOLE_JOIN = 64 << 10,                     /* least input that is joined to decode a member at once */
	GATHERED_MOST = MEMBER_KNOWN + STEP_BYTES, /* one step more shows that the member is longer */
	GROWTH = 4,
	ROOM_KEPT = 1 << 20, /* for the next member */
};

int member_reader_init(struct member_reader *r)
{
	*r = (struct member_reader){ .out = malloc(STEP_BYTES), .room = STEP_BYTES };
	return r->out ? DANA_OK : DANA_ENOMEM;
}

void member_reader_begin(struct member_reader *r, struct codec *codec)
{
	uint8_t *less = r->room > ROOM_KEPT ? realloc(r->out, STEP_BYTES) : NULL;

	if (less) {
		r->out = less;
		r->room = STEP_BYTES;
	}
	*r = (struct member_reader){ .codec = codec,
				     .out = r->out,
				     .room = r->room,
				     .by_steps = codec->ops->whole == NULL,
				     .gathers = true };
}

/* Decodes the member at once. If it crosses the border of a chunk, input from both sides is joined. */
static int decode_whole(struct member_reader *r, struct input_window *window, bool last)
{
	size_t want = r->tried < WHOLE_JOIN / 2 ? WHOLE_JOIN : r->tried * 2;

	if (input_window_join(window, want) < 0)
		return DANA_ENOMEM;
	struct slice bytes = input_window_unread(window);
	struct codec_in in = { bytes.data, bytes.len, 0 };
	bool all = input_window_is_all(window, bytes.len);

	if (all && !last && bytes.len < r->tried * 2)
		return MEMBER_STARVED;
	r->tried = bytes.len;
	switch (r->codec->ops->whole(r->codec, &in, last && all, &r->whole)) {
	case CODEC_MEMBER_END:
		input_window_advance(window, in.pos);
		r->decoded = true;
		return 0;
	case CODEC_MORE_INPUT:
		return all ? MEMBER_STARVED : 0;
	default:
		r->by_steps = true;
		return 0;
	}
}

static int pass_decoded(struct member_reader *r, struct slice *bytes)
{
	*bytes = slice_first(slice_skip(r->whole, r->passed), STEP_BYTES);
	r->passed += bytes->len;
	return r->passed < r->whole.len ? 0 : MEMBER_END;
}

/* Decodes at most STEP_BYTES after the gathered bytes. Returns as member_reader_read. */
static int step(struct member_reader *r, struct input_window *window, bool last)
{
	struct slice unread = input_window_unread(window);
	struct codec_in in = { unread.data, unread.len, 0 };
	struct codec_out out = { r->out + r->gathered, STEP_BYTES, 0 };
	bool all = input_window_is_all(window, unread.len);
	int result = r->codec->ops->step(r->codec, &in, &out, last && all);

	input_window_advance(window, in.pos);
	r->gathered += out.pos;
	switch (result) {
	case CODEC_MEMBER_END:
		return MEMBER_END;
	case CODEC_SKIPPED:
	case CODEC_END:
		return MEMBER_NONE;
	case CODEC_MORE_OUTPUT:
		return 0;
	case CODEC_MORE_INPUT:
		return input_window_is_all(window, 0) && out.pos < out.len ? MEMBER_STARVED : 0;
	default:
		return result;
	}
}

/* Makes room for one more step. Returns false if memory is exhausted. */
static bool grow(struct member_reader *r)
{
	if (r->room - r->gathered >= STEP_BYTES)
		return true;
	size_t room = r->room * GROWTH < GATHERED_MOST + STEP_BYTES ? r->room * GROWTH : GATHERED_MOST + STEP_BYTES;
	uint8_t *out = realloc(r->out, room);

	if (!out)
		return false;
	r->out = out;
	r->room = room;
	return true;
}

static int gather(struct member_reader *r, struct input_window *window, bool last)
{
	if (!grow(r))
		return DANA_ENOMEM;
	int result = step(r, window, last);

	if (result == MEMBER_END && r->gathered <= MEMBER_KNOWN) {
		r->decoded = true;
		r->whole = slice_of(r->out, r->gathered);
		return 0;
	}
	const bool goes_on = result == 0 || result == MEMBER_STARVED;

	if (goes_on && r->gathered <= MEMBER_KNOWN)
		return result;
	r->gathers = false; /* too long, or damaged */
	r->result = goes_on ? 0 : result;
	return 0;
}

/* Passes the gathered bytes, then returns the result that ended the gathering. */
static int pass_gathered(struct member_reader *r, struct slice *bytes)
{
	*bytes = slice_first(slice_of(r->out + r->passed, r->gathered - r->passed), STEP_BYTES);
	r->passed += bytes->len;
	if (r->passed < r->gathered)
		return 0;
	r->passed = r->gathered = 0;
	return r->result;
}

static int stream(struct member_reader *r, struct input_window *window, bool last, struct slice *bytes)
{
	int result = step(r, window, last);

	*bytes = slice_of(r->out, r->gathered);
	r->gathered = 0;
	return result;
}

int member_reader_read(struct member_reader *r, struct input_window *window, bool last, struct slice *bytes)
{
	*bytes = slice_of(NULL, 0);
	if (r->decoded)
		return pass_decoded(r, bytes);
	if (!r->by_steps)
		return decode_whole(r, window, last);
	if (r->gathers)
		return gather(r, window, last);
	if (r->gathered || r->result)
		return pass_gathered(r, bytes);
	return stream(r, window, last, bytes);
}

struct slice member_reader_whole(const struct member_reader *r)
{
	return r->decoded ? r->whole : slice_of(NULL, 0);
}

void member_reader_free(struct member_reader *r)
{
	free(r->out);
}
