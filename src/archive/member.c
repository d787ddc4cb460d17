/* SPDX-License-Identifier: MIT */
/*
 * Holds the part of the input that the pump may read: what is kept of earlier chunks, and the current one.
 *
 * The pump reads from `held` until its offset reaches the chunk, then from the chunk itself, which is not copied.
 * Example: 10 bytes are unread at the end of a chunk (offsets 90 to 99) when the next chunk comes (100 to 199): they
 * are held; join(16) copies 6 more, so that 90 to 105 are one piece. The pump reads on, and from offset 100 on it is
 * in the chunk again.
 */
#include "archive/member.h"

#include <stdlib.h>

#include "archive/codec/codecs.h"
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

int input_window_put_back(struct input_window *w, uint64_t offset, struct slice bytes)
{
	struct buf held = { 0 };
	if (offset < w->held_offset) {
		buf_append(&held, bytes.data, (size_t)(w->held_offset - offset));
		if (buf_append(&held, w->held.data, w->held.len) < 0) {
			buf_free(&held);
			return DANA_ENOMEM;
		}
		buf_free(&w->held);
		w->held = held;
		w->held_offset = offset;
	}
	w->offset = offset;
	return DANA_OK;
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

/*
 * A codec that decodes a whole member at once (libdeflate) needs all of its input in one piece. It is tried with the
 * available input, and if that is not enough, again with twice as much, so that a member is tried only a logarithmic
 * number of times. A member that is too large or damaged is decoded by steps instead, from its start.
 *
 * Steps first gather their output: a member of at most MEMBER_KNOWN bytes is passed on only when its end is verified,
 * so that it is known to be good, whichever way it was decoded. If a member is longer or damaged, the gathered bytes
 * are passed on; the rest of a longer one follows step by step.
 */

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

int member_reader_read(struct member_reader *r, struct input_window *window, bool last, struct slice *bytes)
{
	*bytes = slice_of(NULL, 0);
	if (r->decoded) {
		*bytes = slice_first(slice_skip(r->whole, r->passed), STEP_BYTES);
		r->passed += bytes->len;
		return r->passed < r->whole.len ? 0 : MEMBER_END;
	}
	if (!r->by_steps)
		return decode_whole(r, window, last);
	if (r->gathers) {
		if (r->room - r->gathered < STEP_BYTES) {
			size_t most = GATHERED_MOST + STEP_BYTES,
			       room = r->room * GROWTH < most ? r->room * GROWTH : most;
			uint8_t *out = realloc(r->out, room);
			if (!out)
				return DANA_ENOMEM;
			r->out = out;
			r->room = room;
		}
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
	if (r->gathered || r->result) {
		/* passes the gathered bytes, then returns the result that ended the gathering */
		*bytes = slice_first(slice_of(r->out + r->passed, r->gathered - r->passed), STEP_BYTES);
		r->passed += bytes->len;
		if (r->passed < r->gathered)
			return 0;
		r->passed = r->gathered = 0;
		return r->result;
	}
	int result = step(r, window, last);
	*bytes = slice_of(r->out, r->gathered);
	r->gathered = 0;
	return result;
}

struct slice member_reader_whole(const struct member_reader *r)
{
	return r->decoded ? r->whole : slice_of(NULL, 0);
}

void member_reader_free(struct member_reader *r)
{
	free(r->out);
}

/*
 * Each codec looks for the first place where a member of its own could begin; the earliest place of all wins. Bytes
 * before it belong to no member. If a place needs more input to be certain, the search waits for it, even if another
 * codec is certain of a later place.
 *
 * A member that begins with a record counts at once. A member of a file that was cut into members anywhere begins with
 * any bytes; so does a compressed page inside an uncompressed archive with a damaged start. The bytes after it
 * distinguish them: after the page its record ends; after the member another one follows, or the file ends.
 */

enum {
	LOOK = 64 << 10,           /* bytes that are searched at once */
	VERIFY_INPUT = 1 << 20,    /* a longer member is not decoded to its end ... */
	VERIFY_DECODED = 4 << 20,  /* ... nor one that holds more */
	VERIFY_FREE = 16,          /* so many members are decoded to their end, ... */
	VERIFY_DISTANCE = 1 << 20, /* ... and one more for each so many bytes */
	AFTER = 16,                /* bytes after a member that show whether another one begins */
	OUT = 64 << 10,
};

int member_probes_open(struct member_probes *m, const struct codec_limits *limits)
{
	*m = (struct member_probes){ .out = malloc(OUT) };
	if (!m->out)
		return DANA_ENOMEM;
	for (size_t i = 0; i < MEMBER_PROBES_MAX && codec_containers[i]; i++) {
		m->of[i] = (struct member_probe){ .codec = codec_containers[i]->open(limits) };
		if (!m->of[i].codec)
			return DANA_ENOMEM;
	}
	return DANA_OK;
}

size_t member_probes_wants(const struct member_probes *m)
{
	size_t wants = LOOK;
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		if (m->of[i].verifying)
			wants = VERIFY_INPUT + AFTER;
	}
	return wants;
}

/* The parts of a search return one of these, 0 if a member is found, or DANA_ENOMEM. */
enum { WAITS = CODEC_MORE_INPUT, GOES_ON = CODEC_SKIPPED };

static int give_up(struct member_probe *one)
{
	one->verifying = one->ended = false;
	one->searched++;
	return GOES_ON;
}

/* Continues to decode. */
static int verify(const struct member_probes *m, struct member_probe *one, struct slice bytes, bool last)
{
	const struct slice rest = slice_skip(bytes, one->searched), member = slice_first(rest, VERIFY_INPUT);
	int result = one->ended ? CODEC_MEMBER_END : CODEC_MORE_OUTPUT;
	while (result == CODEC_MORE_OUTPUT && one->decoded <= VERIFY_DECODED) {
		struct codec_in in = { member.data, member.len, one->taken };
		struct codec_out out = { m->out, OUT, 0 };
		result = one->codec->ops->step(one->codec, &in, &out, last && member.len == rest.len);
		one->taken = in.pos;
		one->decoded += out.pos;
	}
	if (result == DANA_ENOMEM)
		return result;
	if (one->decoded > VERIFY_DECODED)
		return give_up(one);
	if (result == CODEC_MEMBER_END) {
		/* called at the end of a decoded member: checks whether another one begins there or the input ends */
		const struct slice after = slice_skip(bytes, one->searched + one->taken);
		const int bid = after.len ? one->codec->ops->bid(after) : -1;
		one->ended = true;
		if (bid < 0 && !last)
			return WAITS;
		if (bid <= 0 && after.len)
			return give_up(one);
		one->codec->ops->reset(one->codec);
		return 0;
	}
	return result == CODEC_MORE_INPUT && member.len < VERIFY_INPUT ? WAITS : give_up(one);
}

/* Continues a search where it has stopped: no codec searches a byte twice. */
static int search(const struct member_probes *m, struct member_probe *one, struct slice bytes, bool last)
{
	struct codec_in in = { bytes.data, bytes.len, one->searched < bytes.len ? one->searched : bytes.len };
	int result = one->seems ? 0 : one->codec->ops->resync(one->codec, &in, RESYNC_ANYWHERE, last);
	one->searched = in.pos;
	if (result == 0) {
		/* does the apparent member begin with a record? This trial is not counted */
		const struct slice first = slice_first(bytes, one->searched + CODEC_LOOKAHEAD);
		const struct codec_memory memory = one->codec->memory;
		in = (struct codec_in){ first.data, first.len, one->searched };
		result = one->codec->ops->resync(one->codec, &in, RESYNC_AT_RECORD, last && first.len == bytes.len);
		one->codec->memory = memory;
		if (in.pos != one->searched)
			result = GOES_ON;
		one->seems = result == WAITS;
	}
	if (result == GOES_ON && one->verified >= VERIFY_FREE + (m->passed + one->searched) / VERIFY_DISTANCE) {
		one->searched++;
	} else if (result == GOES_ON) {
		one->codec->ops->reset(one->codec);
		one->verifying = true;
		one->taken = one->decoded = 0;
		one->verified++;
	}
	return result;
}

int member_probes_look(struct member_probes *m, struct slice bytes, bool last, size_t *before, struct codec **found)
{
	*before = bytes.len;
	*found = NULL;
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		struct member_probe *one = &m->of[i];
		int result = one->found ? 0 : GOES_ON;
		while (result == GOES_ON)
			result = one->verifying ? verify(m, one, bytes, last) : search(m, one, bytes, last);
		one->found = result == 0;
		if (result < 0)
			return result;
		if (one->searched < *before)
			*before = one->searched;
	}
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		m->of[i].searched -= *before;
		if (m->of[i].found && m->of[i].searched == 0)
			*found = m->of[i].codec;
	}
	m->passed += *before;
	return DANA_OK;
}

int member_begins(struct slice bytes, bool last, const struct codec_ops *own, const struct codec_limits *limits,
		  struct codec **found)
{
	enum { PEEK = 8 }; /* bytes that show a container, and the length of a skippable frame */
	const struct slice first = slice_first(bytes, CODEC_LOOKAHEAD);
	bool need_more;
	const struct codec_ops *ops = codec_detect(first, &need_more);
	last &= first.len == bytes.len;
	*found = NULL;
	if ((!ops && !need_more) || (ops && ops == own))
		return DANA_OK;
	if (first.len < PEEK)
		return last ? DANA_OK : MEMBER_STARVED;
	struct codec *codec = ops->open(limits);
	if (!codec)
		return DANA_ENOMEM;
	bool begins, starved = false;
	const uint64_t skippable = zstd_skippable_length(first);
	if (skippable) {
		/* it holds no record to try: another frame must follow it, unless that is too far away */
		const struct slice next = slice_skip(first, skippable < first.len ? (size_t)skippable : first.len);
		const int bid = next.len ? ops->bid(next) : -1;
		begins = bid > 0 || skippable + PEEK >= CODEC_LOOKAHEAD;
		starved = bid < 0 && !begins;
	} else {
		struct codec_in in = { first.data, first.len, 0 };
		const int result = codec->ops->resync(codec, &in, RESYNC_AT_RECORD, last);
		codec->memory = (struct codec_memory){ 0 };
		begins = result == 0 && in.pos == 0;
		starved = result == CODEC_MORE_INPUT && in.pos == 0;
		if (result < 0) {
			codec->ops->close(codec);
			return result;
		}
	}
	if (begins)
		*found = codec;
	else
		codec->ops->close(codec);
	return starved && !last ? MEMBER_STARVED : DANA_OK;
}

void member_probes_close(struct member_probes *m, const struct codec *keep)
{
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		if (m->of[i].codec != keep)
			m->of[i].codec->ops->close(m->of[i].codec);
		m->of[i].codec = NULL;
	}
	free(m->out);
	m->out = NULL;
}
