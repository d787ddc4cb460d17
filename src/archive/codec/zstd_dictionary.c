/* SPDX-License-Identifier: MIT */
/*
 * The content of a dictionary frame begins with 37 a4 30 ec if it is the dictionary itself, and with 28 b5 2f fd if it
 * is a zstd frame that holds the dictionary, which is decoded first, up to the window limit. Anything else is not a
 * dictionary.
 */
#include "archive/codec/zstd_dictionary.h"

#include <zstd_errors.h>

#include "base/buf.h"
#include "base/little_endian.h"

enum { DECODE_STEP = 1 << 16 };

static bool begins(struct slice s, uint32_t magic)
{
	return s.len >= sizeof(magic) && little_endian_32(s.data) == magic;
}

void zstd_limit_window(ZSTD_DCtx *context, size_t window)
{
	const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
	int log = bounds.lowerBound;
	while (log < bounds.upperBound && (size_t)1 << log < window)
		log++;
	(void)ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, log);
}

static int fail(const char **fault, int status, const char *text)
{
	*fault = text;
	return status;
}

/* Decodes `content`, which must be one frame. */
static int unpack(ZSTD_DCtx *context, struct slice content, size_t limit, struct buf *to, const char **fault)
{
	ZSTD_inBuffer in = { content.data, content.len, 0 };
	for (;;) {
		if (buf_reserve(to, DECODE_STEP) < 0)
			return fail(fault, DANA_ENOMEM, "out of memory");
		ZSTD_outBuffer out = { to->data + to->len, DECODE_STEP, 0 };
		const size_t taken = in.pos;
		size_t result = ZSTD_decompressStream(context, &out, &in);
		to->len += out.pos;
		if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
			return fail(fault, DANA_ENOMEM, "out of memory");
		if (to->len > limit)
			return fail(fault, DANA_ECONFIG, "zstd dictionary is larger than the window limit");
		if (ZSTD_isError(result) || (result && in.pos == taken && out.pos == 0))
			return fail(fault, DANA_ECONFIG, "zstd dictionary is damaged");
		if (result == 0)
			return in.pos == in.size ? 0 : fail(fault, DANA_ECONFIG, "zstd dictionary is damaged");
	}
}

static int load(ZSTD_DCtx *context, struct slice dictionary, unsigned *id, const char **fault)
{
	const unsigned its_id = begins(dictionary, ZSTD_MAGIC_DICTIONARY)
					? ZSTD_getDictID_fromDict(dictionary.data, dictionary.len)
					: 0;
	if (its_id == 0)
		return fail(fault, DANA_ECONFIG, "the zstd dictionary frame does not contain a dictionary");
	size_t result = ZSTD_DCtx_loadDictionary(context, dictionary.data, dictionary.len);
	if (ZSTD_isError(result))
		return fail(fault, DANA_ECONFIG, "zstd dictionary is damaged");
	*id = its_id;
	return 0;
}

int zstd_dictionary_load(ZSTD_DCtx *context, struct slice content, size_t limit, unsigned *id, const char **fault)
{
	(void)ZSTD_DCtx_reset(context, ZSTD_reset_session_and_parameters);
	zstd_limit_window(context, limit);
	if (!begins(content, ZSTD_MAGICNUMBER))
		return load(context, content, id, fault);
	struct buf unpacked = { 0 };
	int status = unpack(context, content, limit, &unpacked, fault);
	(void)ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
	if (status == 0)
		status = load(context, buf_slice(&unpacked), id, fault);
	buf_free(&unpacked);
	return status;
}
