/* SPDX-License-Identifier: MIT */
/* The encoder "none": a unit is appended as it is. */
#include "archive/codec/codecs.h"
#include "base/buf.h"

struct encoder_codec {
	int level;
};

static struct encoder_codec *identity_open(int level)
{
	static struct encoder_codec only;
	return level == 0 ? &only : NULL;
}

static int identity_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	(void)e;
	return buf_append(out, unit.data, unit.len);
}

static void identity_close(struct encoder_codec *e)
{
	(void)e;
}

const struct encoder_ops encoder_none = {
	.name = "none",
	.suffix = "",
	.open = identity_open,
	.unit = identity_unit,
	.close = identity_close,
};
