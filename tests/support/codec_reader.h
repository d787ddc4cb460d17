/* SPDX-License-Identifier: MIT */
/*
 * Reads with a codec the way a pump does: members one after another, after damage the next good one. Writes down all
 * that must not depend on the split: the decoded bytes, where members begin and end, and the faults.
 */
#ifndef DANA_TESTS_SUPPORT_CODEC_READER_H
#define DANA_TESTS_SUPPORT_CODEC_READER_H

#include "archive/codec/codec.h"
#include "support/split_feed.h"

/* A coding of HTTP or a container of files; NULL: there is none of this name. */
static inline const struct codec_ops *codec_named(const char *name)
{
	const struct codec_ops *ops = codec_for_coding(slice_from_text(name));
	for (size_t i = 0; !ops && codec_containers[i]; i++) {
		if (strcmp(codec_containers[i]->name, name) == 0)
			ops = codec_containers[i];
	}
	return ops;
}

struct codec_reader {
	struct codec *(*open)(void *arg);
	void *arg;
	size_t window; /* output room for each step */
	bool whole;    /* members are asked for whole first */
	size_t most;   /* bytes of outcome that are enough; 0: all */
	bool by_steps; /* the member under way cannot be had whole */
	size_t tried;  /* so much of it was not enough; beyond the first bytes asked again with twice as much */
	struct codec *codec;
	uint8_t *room;   /* of `window` bytes */
	uint8_t *input;  /* from the start of a member on, in a block of its exact size that each piece makes anew */
	size_t len;      /* of the input block */
	size_t start;    /* in it: the member under way begins */
	size_t pos;      /* in it: what the codec took */
	size_t input_at; /* offset of input[0] */
	bool hunting;    /* damage was met, the next member is looked for */
	struct buf outcome;
};

static inline void codec_reader_note(struct codec_reader *r, const char *what)
{
	must(buf_printf(&r->outcome, "\n<%s %zu>\n", what, r->input_at + r->pos) >= 0);
}

/* A member begins where the codec stands. */
static inline void codec_reader_mark(struct codec_reader *r)
{
	r->start = r->pos;
	r->by_steps = false;
	r->tried = 0;
}

static inline struct codec_in codec_reader_unread(const struct codec_reader *r)
{
	return (struct codec_in){ r->len > r->pos ? r->input + r->pos : NULL, r->len - r->pos, 0 };
}

/* True when the next member is found. */
static inline bool codec_reader_hunt(struct codec_reader *r, bool last)
{
	struct codec_in in = codec_reader_unread(r);
	int answer = r->codec->ops->resync(r->codec, &in, RESYNC_AT_RECORD, last);
	must_be(answer == 0 || answer == CODEC_MORE_INPUT, "answer of resync");
	must_be(answer == 0 || in.len - in.pos < (last ? 1 : CODEC_LOOKAHEAD), "too much left unread by resync");
	r->pos += in.pos;
	codec_reader_mark(r);
	if (answer == 0)
		codec_reader_note(r, "found");
	r->hunting = answer != 0;
	return answer == 0;
}

static inline void codec_reader_fault(struct codec_reader *r, int answer)
{
	r->pos = r->start;
	must(buf_printf(&r->outcome, "\n<damage %d %s%s>", answer, r->codec->fault, r->codec->cut ? ", cut" : "") >= 0);
	codec_reader_note(r, "from");
	must_be(r->len > r->start, "damage without input");
	r->pos++;
	codec_reader_mark(r);
	r->hunting = true;
}

/* One step; false when more input is needed or all is over. */
static inline bool codec_reader_step(struct codec_reader *r, bool last)
{
	struct codec_in in = codec_reader_unread(r);
	struct codec_out out = { r->room, r->window, 0 };
	int answer = r->codec->ops->step(r->codec, &in, &out, last);
	must(buf_append(&r->outcome, out.data, out.pos) >= 0);
	must_be(answer != CODEC_MORE_INPUT || (in.pos == in.len && !last), "input left, or no end with `last`");
	must_be(answer != CODEC_MORE_OUTPUT || out.pos == out.len, "output room left");
	must_be(answer != CODEC_END || (in.pos == in.len && last), "end before the end");
	r->pos += in.pos;
	if (answer < 0) {
		codec_reader_fault(r, answer);
	} else if (answer == CODEC_MEMBER_END || answer == CODEC_SKIPPED) {
		codec_reader_note(r, answer == CODEC_SKIPPED ? "skipped" : "member");
		codec_reader_mark(r);
	}
	return answer != CODEC_MORE_INPUT && answer != CODEC_END;
}

/* The next member at once; false when it is not, or not yet, to be had. */
static inline bool codec_reader_whole(struct codec_reader *r, bool last)
{
	enum { EACH_BYTE = 1000 };
	const size_t have = r->len - r->start;
	if (!last && have > EACH_BYTE && have < r->tried * 2)
		return false;
	struct codec_in in = codec_reader_unread(r);
	struct slice decoded;
	r->tried = in.len;
	int answer = r->codec->ops->whole(r->codec, &in, last, &decoded);
	must_be(answer == CODEC_MEMBER_END || in.pos == 0, "input taken in vain");
	must_be(answer != CODEC_MORE_INPUT || !last, "more input wanted after the last");
	r->pos += in.pos;
	r->by_steps = answer == CODEC_MORE_OUTPUT;
	if (answer != CODEC_MEMBER_END)
		return r->by_steps;
	must(buf_append(&r->outcome, decoded.data, decoded.len) >= 0);
	codec_reader_note(r, "member");
	codec_reader_mark(r);
	return true;
}

static inline void codec_reader_run(struct codec_reader *r, bool last)
{
	for (bool more = true; more && !(r->most && r->outcome.len >= r->most);) {
		if (r->hunting)
			more = codec_reader_hunt(r, last);
		else if (r->whole && r->codec->ops->whole && !r->by_steps)
			more = codec_reader_whole(r, last);
		else
			more = codec_reader_step(r, last);
	}
}

static inline void codec_reader_begin(void *arg)
{
	struct codec_reader *r = arg;
	r->codec = r->open(r->arg);
	r->room = malloc(r->window);
	must(r->codec && r->room);
	r->input = NULL;
	r->len = r->start = r->pos = r->input_at = r->tried = 0;
	r->hunting = r->by_steps = false;
	buf_clear(&r->outcome);
}

static inline void codec_reader_piece(void *arg, struct slice bytes)
{
	struct codec_reader *r = arg;
	const size_t kept = r->len - r->start;
	uint8_t *input = malloc(kept + bytes.len);
	must(input != NULL);
	if (kept)
		memcpy(input, r->input + r->start, kept);
	memcpy(input + kept, bytes.data, bytes.len);
	free(r->input);
	r->input = input;
	r->len = kept + bytes.len;
	r->input_at += r->start;
	r->pos -= r->start;
	r->start = 0;
	codec_reader_run(r, false);
}

static inline void codec_reader_end(void *arg, struct buf *outcome)
{
	struct codec_reader *r = arg;
	codec_reader_run(r, true);
	r->codec->ops->close(r->codec);
	if (r->most && r->outcome.len > r->most)
		r->outcome.len = r->most;
	must(buf_append(outcome, r->outcome.data, r->outcome.len) >= 0);
	free(r->input);
	free(r->room);
	buf_free(&r->outcome);
}

#endif
