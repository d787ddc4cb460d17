/* SPDX-License-Identifier: MIT */
/* A container of one member: the four bytes "WRAP", then the archive as it is. */
#include <stdlib.h>

#include "archive/codec/codecs.h"
#include "base/ascii.h"

static const char magic[] = "WRAP";
enum { MAGIC = sizeof(magic) - 1 };

struct wrap {
	struct codec base;
	size_t seen; /* bytes of the magic */
	bool begun;  /* a member is under way */
};

static int wrap_bid(struct slice first)
{
	size_t len = first.len < MAGIC ? first.len : MAGIC;

	if (memcmp(first.data, magic, len) != 0)
		return 0;
	return len < MAGIC ? -1 : 8 * MAGIC;
}

static struct codec *wrap_open(const struct codec_limits *limits)
{
	struct wrap *w = calloc(1, sizeof(*w));

	(void)limits;
	if (!w)
		return NULL;
	w->base = (struct codec){ .ops = &codec_wrap, .fault = "" };
	return &w->base;
}

/* At the end of the input: of a member, or after it. */
static int wrap_end(struct wrap *w)
{
	if (!w->begun)
		return CODEC_END;
	w->begun = false;
	return w->seen < MAGIC ? codec_ends(&w->base, true, "the input ends inside the magic") : CODEC_MEMBER_END;
}

static int wrap_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct wrap *w = (struct wrap *)c;

	for (; w->seen < MAGIC && in->pos < in->len; w->seen++) {
		w->begun = true;
		if (in->data[in->pos++] != (uint8_t)magic[w->seen])
			return codec_fail(&w->base, DANA_EFORMAT, "the magic is wrong");
	}
	size_t some = in->len - in->pos < out->len - out->pos ? in->len - in->pos : out->len - out->pos;
	if (some)
		memcpy(out->data + out->pos, in->data + in->pos, some);
	in->pos += some;
	out->pos += some;
	if (in->pos < in->len)
		return CODEC_MORE_OUTPUT;
	return last ? wrap_end(w) : CODEC_MORE_INPUT;
}

/* There is one member only, so nothing can be found after damage. */
static int wrap_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	(void)c;
	(void)start;
	(void)last;
	in->pos = in->len;
	return CODEC_MORE_INPUT;
}

static void wrap_reset(struct codec *c)
{
	*(struct wrap *)c = (struct wrap){ .base = { .ops = &codec_wrap, .fault = "" } };
}

static void wrap_close(struct codec *c)
{
	free(c);
}

const struct codec_ops codec_wrap = {
	.name = "wrap",
	.suffix = ".wrap",
	.bid = wrap_bid,
	.open = wrap_open,
	.step = wrap_step,
	.resync = wrap_resync,
	.reset = wrap_reset,
	.close = wrap_close,
};
