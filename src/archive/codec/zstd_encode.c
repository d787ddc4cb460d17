/* SPDX-License-Identifier: MIT */
/*
 * One zstd frame for each unit. Content size and checksum are written, so that a reader can allocate once and detect
 * damage. Two documents become two frames, each of which can be decoded alone.
 */
#include <stdlib.h>
#include <zstd.h>

#include "archive/codec/codecs.h"
#include "base/buf.h"

/* Levels above 19 need windows that decoders refuse by default. */
enum { LEVEL_MIN = 1, LEVEL_MAX = 19, LEVEL_DEFAULT = 3 };

struct encoder_codec {
	ZSTD_CCtx *context;
};

static void zstd_close(struct encoder_codec *e)
{
	if (e)
		(void)ZSTD_freeCCtx(e->context);
	free(e);
}

static struct encoder_codec *zstd_open(int level)
{
	if (level < LEVEL_MIN || level > LEVEL_MAX)
		return NULL;
	struct encoder_codec *e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->context = ZSTD_createCCtx();
	if (!e->context || ZSTD_isError(ZSTD_CCtx_setParameter(e->context, ZSTD_c_compressionLevel, level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(e->context, ZSTD_c_checksumFlag, 1))) {
		zstd_close(e);
		return NULL;
	}
	return e;
}

static int zstd_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	int status = buf_reserve(out, ZSTD_compressBound(unit.len));
	if (status < 0)
		return status;
	size_t n = ZSTD_compress2(e->context, out->data + out->len, out->cap - out->len, unit.data, unit.len);
	if (ZSTD_isError(n))
		return DANA_ENOMEM;
	out->len += n;
	return 0;
}

const struct encoder_ops encoder_zstd = {
	.name = CODEC_ZSTD_NAME,
	.suffix = CODEC_ZSTD_SUFFIX,
	.level_min = LEVEL_MIN,
	.level_max = LEVEL_MAX,
	.level_default = LEVEL_DEFAULT,
	.open = zstd_open,
	.unit = zstd_unit,
	.close = zstd_close,
};
