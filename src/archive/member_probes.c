/* SPDX-License-Identifier: MIT */
/*
 * Each codec looks for the first place where a member of its own could begin; the earliest place of all wins. Bytes
 * before it belong to no member. If a place needs more input to be certain, the search waits for it, even if another
 * codec is certain of a later place.
 *
 * A member that begins with a record counts at once. A member of a file that was cut into members anywhere begins with
 * any bytes; so does a compressed page inside an uncompressed archive with a damaged start. The bytes after it
 * distinguish them: after the page its record ends; after the member another one follows, or the file ends.
 */
#include "archive/member_probes.h"

#include <stdlib.h>

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

/* Called at the end of a decoded member: checks whether another one begins there or the input ends. */
static int look_after(struct member_probe *one, struct slice bytes, bool last)
{
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
	if (result == CODEC_MEMBER_END)
		return look_after(one, bytes, last);
	return result == CODEC_MORE_INPUT && member.len < VERIFY_INPUT ? WAITS : give_up(one);
}

/* Checks whether the apparent member at the place of the search begins with a record. This trial is not counted. */
static int begins_record(const struct member_probe *one, struct slice bytes, bool last)
{
	const struct codec_ops *ops = one->codec->ops;
	const struct slice first = slice_first(bytes, one->searched + CODEC_LOOKAHEAD);
	struct codec_in in = { first.data, first.len, one->searched };
	const struct codec_memory memory = ops->memory(one->codec);
	const int result = ops->resync(one->codec, &in, RESYNC_AT_RECORD, last && first.len == bytes.len);

	ops->remember(one->codec, memory);
	return in.pos != one->searched ? GOES_ON : result;
}

static void begin_to_verify(const struct member_probes *m, struct member_probe *one)
{
	if (one->verified >= VERIFY_FREE + (m->passed + one->searched) / VERIFY_DISTANCE) {
		one->searched++;
		return;
	}
	one->codec->ops->reset(one->codec);
	one->verifying = true;
	one->taken = one->decoded = 0;
	one->verified++;
}

/* Continues a search where it has stopped: no codec searches a byte twice. */
static int search(const struct member_probes *m, struct member_probe *one, struct slice bytes, bool last)
{
	struct codec_in in = { bytes.data, bytes.len, one->searched < bytes.len ? one->searched : bytes.len };
	int result = one->seems ? 0 : one->codec->ops->resync(one->codec, &in, RESYNC_ANYWHERE, last);

	one->searched = in.pos;
	if (result == 0) {
		result = begins_record(one, bytes, last);
		one->seems = result == WAITS;
	}
	if (result == GOES_ON)
		begin_to_verify(m, one);
	return result;
}

static int look(const struct member_probes *m, struct member_probe *one, struct slice bytes, bool last)
{
	int result = one->found ? 0 : GOES_ON;

	while (result == GOES_ON)
		result = one->verifying ? verify(m, one, bytes, last) : search(m, one, bytes, last);
	one->found = result == 0;
	return result;
}

int member_probes_look(struct member_probes *m, struct slice bytes, bool last, size_t *before, struct codec **found)
{
	*before = bytes.len;
	*found = NULL;
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		struct member_probe *one = &m->of[i];
		const int status = look(m, one, bytes, last);

		if (status < 0)
			return status;
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
