/* SPDX-License-Identifier: MIT */
/*
 * Units are collected until a member is full, then compressed at once. Where a member ends depends on the lengths of
 * units only, never on time or threads, so equal units give equal bytes. Example: units of 700 KiB, 600 KiB and 10 KiB
 * make two members: the first two, which pass 1 MiB together, and the last.
 *
 * Output that is not compressed goes the same way in blocks of 64 KiB, so that small documents do not cost a call
 * each.
 */
#include "archive/sink/encoder.h"

#include <stdlib.h>

#include "base/buf.h"

struct encoder {
	struct encoder_codec *codec;
	const struct encoder_ops *format;
	struct byte_sink *out;
	bool member_per_unit;
	bool stored;     /* no compression: units go through in blocks of about 64 KiB */
	struct buf open; /* units of the open member */
	struct buf packed;
	uint64_t bytes_out, members;
};

enum {
	STORED_BYTES = 64 << 10, /* of a block that is not compressed */
	KEPT_BYTES = 4 << 20,    /* memory of a buffer that is kept after a large member */
};

struct encoder *encoder_new(const struct encoder_ops *format, int level, bool member_per_unit, struct byte_sink *out)
{
	struct encoder *e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->format = format;
	e->out = out;
	e->stored = *format->suffix == 0;
	e->member_per_unit = member_per_unit && !e->stored;
	e->codec = format->open(level);
	if (e->codec)
		return e;
	free(e);
	return NULL;
}

static int write_out(struct encoder *e, struct slice bytes)
{
	if (bytes.len == 0)
		return DANA_OK;
	e->bytes_out += bytes.len;
	return byte_sink_write(e->out, bytes);
}

static int write_member(struct encoder *e, struct slice unit)
{
	if (e->stored)
		return write_out(e, unit);
	buf_clear(&e->packed);
	int status = e->format->unit(e->codec, unit, &e->packed);
	if (status == DANA_OK)
		status = write_out(e, buf_slice(&e->packed));
	buf_shrink(&e->packed, KEPT_BYTES);
	return status;
}

static int close_member(struct encoder *e)
{
	int status = write_member(e, buf_slice(&e->open));
	buf_clear(&e->open);
	buf_shrink(&e->open, KEPT_BYTES);
	e->members++;
	return status;
}

bool encoder_at_boundary(const struct encoder *e)
{
	return e->open.len == 0;
}

int encoder_settle(struct encoder *e)
{
	return e->stored && e->open.len ? close_member(e) : DANA_OK;
}

uint64_t encoder_members(const struct encoder *e)
{
	return e->stored || e->member_per_unit ? UINT64_MAX : e->members;
}

void encoder_go_on(struct encoder *e, uint64_t bytes)
{
	e->bytes_out = bytes;
}

int encoder_unit(struct encoder *e, struct slice unit)
{
	size_t enough = e->stored ? (size_t)STORED_BYTES : (size_t)ENCODER_MEMBER_BYTES;
	if (e->member_per_unit)
		return write_member(e, unit);
	int status = buf_append(&e->open, unit.data, unit.len);
	return status == DANA_OK && e->open.len >= enough ? close_member(e) : status;
}

/* An empty compressed output gets one empty member, so that it is a valid file; an empty plain output stays empty. */
int encoder_finish(struct encoder *e)
{
	return e->open.len || (e->bytes_out == 0 && !e->stored) ? close_member(e) : DANA_OK;
}

void encoder_free(struct encoder *e)
{
	if (!e)
		return;
	e->format->close(e->codec);
	buf_free(&e->open);
	buf_free(&e->packed);
	free(e);
}
