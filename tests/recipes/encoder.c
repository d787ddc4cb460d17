/* SPDX-License-Identifier: MIT */
/* An encoder that puts a line before each unit. */
#include "archive/codec/codecs.h"
#include "base/buf.h"

struct encoder_codec {
	int level;
};

static struct encoder_codec *lined_open(int level)
{
	static struct encoder_codec only; /* nothing is kept from unit to unit */

	return level == 0 ? &only : NULL;
}

static int lined_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	int status = buf_append_text(out, "unit\n");

	(void)e;
	return status < 0 ? status : buf_append(out, unit.data, unit.len);
}

static void lined_close(struct encoder_codec *e)
{
	(void)e;
}

const struct encoder_ops encoder_lined = {
	.name = "lined",
	.suffix = ".lined",
	.open = lined_open,
	.unit = lined_unit,
	.close = lined_close,
};
