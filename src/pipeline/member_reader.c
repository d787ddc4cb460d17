/* SPDX-License-Identifier: MIT */
/*
 * A codec that decodes a whole member at once (libdeflate) needs all of its input in one piece. It is tried with what
 * is there; when that is not enough, again with twice as much, so that a member is never tried more often than its
 * length doubles. What is too large or damaged is decoded by steps instead, from the member's start.
 */
#include "pipeline/member_reader.h"

#include <stdlib.h>

enum { WHOLE_JOIN = 64 << 10 }; /* least input that is joined to have a member whole */

int member_reader_init(struct member_reader *r)
{
	*r = (struct member_reader){ .out = malloc(STEP_BYTES) };
	return r->out ? DANA_OK : DANA_ENOMEM;
}

void member_reader_begin(struct member_reader *r, struct codec *codec)
{
	*r = (struct member_reader){ .codec = codec, .out = r->out, .by_steps = codec->ops->whole == NULL };
}

/* Input is joined from both sides of a chunk's border where the member goes over it. */
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

static int decode_step(struct member_reader *r, struct input_window *window, bool last, struct slice *bytes)
{
	struct slice unread = input_window_unread(window);
	struct codec_in in = { unread.data, unread.len, 0 };
	struct codec_out out = { r->out, STEP_BYTES, 0 };
	bool all = input_window_is_all(window, unread.len);
	int result = r->codec->ops->step(r->codec, &in, &out, last && all);

	input_window_advance(window, in.pos);
	*bytes = slice_of(out.data, out.pos);
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

int member_reader_read(struct member_reader *r, struct input_window *window, bool last, struct slice *bytes)
{
	*bytes = slice_of(NULL, 0);
	if (r->decoded)
		return pass_decoded(r, bytes);
	return r->by_steps ? decode_step(r, window, last, bytes) : decode_whole(r, window, last);
}

struct slice member_reader_whole(const struct member_reader *r)
{
	return r->decoded ? r->whole : slice_of(NULL, 0);
}

void member_reader_free(struct member_reader *r)
{
	free(r->out);
}
