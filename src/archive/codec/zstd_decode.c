/* SPDX-License-Identifier: MIT */
/*
 * zstd frames (RFC 8878), one after another, and the dictionary of the IIPC's "Zstandard compression of WARC files": a
 * skippable frame 0x184D2A5D that holds a dictionary, plain or itself one zstd frame.
 *
 * The header is read by zstd_header.c before the library sees the frame. So a window above the limit or a dictionary
 * that is not loaded is refused before any memory is taken. Example: of the frames "[dictionary 7][frame that needs
 * 7][frame that needs 9]" the first gives CODEC_SKIPPED, the second is decoded, the third is DANA_ECONFIG.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "archive/codec/codecs.h"
#include "archive/codec/trial_budget.h"
#include "archive/codec/zstd_dictionary.h"
#include "archive/codec/zstd_frame.h"
#include "archive/codec/zstd_trial.h"
#include "base/buf.h"

enum zstd_state {
	STATE_START,  /* between frames */
	STATE_HEADER, /* the header is collected */
	STATE_BODY,
	STATE_SKIP,       /* inside a skippable frame */
	STATE_DICTIONARY, /* the dictionary frame is collected */
	STATE_FAILED,
};

struct zstd {
	struct codec codec;
	enum zstd_state state;
	ZSTD_DCtx *context;      /* made on first use */
	struct zstd_needs needs; /* window limit and the loaded dictionary */
	struct zstd_header header;
	uint64_t left;         /* of a skippable frame */
	struct buf dictionary; /* being collected */
	struct zstd_frame frame;
	struct buf spare;           /* of `frame`, and of trials */
	struct codec_memory budget; /* of resync */
	bool cut;
	char fault[96];
};

static int fail(struct zstd *z, int status, const char *fault)
{
	z->state = STATE_FAILED;
	(void)snprintf(z->fault, sizeof(z->fault), "%s", fault);
	return status;
}

static int fail_cut(struct zstd *z, const char *fault)
{
	z->cut = true;
	return fail(z, DANA_EFORMAT, fault);
}

static int fail_by_zstd(struct zstd *z, size_t result)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		return fail(z, DANA_ENOMEM, "out of memory");
	case ZSTD_error_checksum_wrong:
		return fail(z, DANA_EFORMAT, "checksum of a zstd frame is wrong");
	default:
		return fail(z, DANA_EFORMAT, "zstd data damaged");
	}
}

static bool has_context(struct zstd *z)
{
	if (!z->context) {
		z->context = ZSTD_createDCtx();
		if (z->context)
			zstd_limit_window(z->context, z->needs.window);
	}
	return z->context;
}

static int start(struct zstd *z, const struct codec_in *in, bool last)
{
	if (in->pos == in->len)
		return last ? CODEC_END : CODEC_MORE_INPUT;
	zstd_header_begin(&z->header);
	z->state = STATE_HEADER;
	return 0;
}

static int begin_skippable(struct zstd *z)
{
	z->left = z->header.skip;
	if (!z->header.dictionary) {
		z->state = STATE_SKIP;
		return 0;
	}
	if (z->left > z->needs.window)
		return fail(z, DANA_ECONFIG, "zstd dictionary is larger than the window limit");
	buf_clear(&z->dictionary);
	z->state = STATE_DICTIONARY;
	return 0;
}

static int begin_frame(struct zstd *z)
{
	const struct zstd_header *h = &z->header;
	if (h->window > z->needs.window)
		return fail(z, DANA_ELIMIT, "zstd window is larger than the limit");
	if (h->dictionary_id && h->dictionary_id != z->needs.dictionary_id) {
		z->state = STATE_FAILED;
		if (z->needs.dictionary_id)
			(void)snprintf(z->fault, sizeof(z->fault), "zstd frame needs dictionary %u, and %u is loaded",
				       (unsigned)h->dictionary_id, z->needs.dictionary_id);
		else
			(void)snprintf(z->fault, sizeof(z->fault),
				       "zstd frame needs dictionary %u, and no dictionary is loaded",
				       (unsigned)h->dictionary_id);
		return DANA_ECONFIG;
	}
	if (!has_context(z))
		return fail(z, DANA_ENOMEM, "out of memory");
	size_t result = zstd_frame_begin(&z->frame, z->context, h, z->needs.dictionary_id != 0, &z->spare);
	if (ZSTD_isError(result))
		return fail_by_zstd(z, result);
	z->state = STATE_BODY;
	return 0;
}

static int read_header(struct zstd *z, struct codec_in *in, bool last)
{
	int status = zstd_header_parse(&z->header, in);
	if (status < 0)
		return fail(z, status, z->header.fault);
	if (status == CODEC_MORE_INPUT)
		return last ? fail_cut(z, "input ends inside a zstd frame header") : CODEC_MORE_INPUT;
	return z->header.skippable ? begin_skippable(z) : begin_frame(z);
}

static int read_body(struct zstd *z, struct codec_in *in, struct codec_out *out, bool last)
{
	size_t result = 0;
	int status = zstd_frame_step(&z->frame, in, out, &result);
	if (status < 0)
		return fail_by_zstd(z, result);
	if (status == CODEC_MORE_INPUT && last)
		return fail_cut(z, "input ends inside a zstd frame");
	if (status == CODEC_MEMBER_END)
		z->state = STATE_START;
	return status;
}

static int skip(struct zstd *z, struct codec_in *in, bool last)
{
	size_t n = in->len - in->pos;
	if (n > z->left)
		n = (size_t)z->left;
	in->pos += n;
	z->left -= n;
	if (z->left)
		return last ? fail_cut(z, "input ends inside a skippable zstd frame") : CODEC_MORE_INPUT;
	z->state = STATE_START;
	return CODEC_SKIPPED;
}

static int read_dictionary(struct zstd *z, struct codec_in *in, bool last)
{
	size_t n = in->len - in->pos;
	if (n > z->left)
		n = (size_t)z->left;
	if (n && buf_append(&z->dictionary, in->data + in->pos, n) < 0)
		return fail(z, DANA_ENOMEM, "out of memory");
	in->pos += n;
	z->left -= n;
	if (z->left)
		return last ? fail(z, DANA_ECONFIG, "input ends inside the zstd dictionary") : CODEC_MORE_INPUT;
	const char *fault;
	if (!has_context(z))
		return fail(z, DANA_ENOMEM, "out of memory");
	z->needs.dictionary_id = 0;
	int status = zstd_dictionary_load(z->context, buf_slice(&z->dictionary), z->needs.window,
					  &z->needs.dictionary_id, &fault);
	buf_free(&z->dictionary);
	if (status < 0)
		return fail(z, status, fault);
	z->state = STATE_START;
	return CODEC_SKIPPED;
}

static int zstd_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct zstd *z = (struct zstd *)c;
	int status = 0;
	while (status == 0) {
		switch (z->state) {
		case STATE_START:
			status = start(z, in, last);
			break;
		case STATE_HEADER:
			status = read_header(z, in, last);
			break;
		case STATE_BODY:
			status = read_body(z, in, out, last);
			break;
		case STATE_SKIP:
			status = skip(z, in, last);
			break;
		case STATE_DICTIONARY:
			status = read_dictionary(z, in, last);
			break;
		case STATE_FAILED:
			status = DANA_ESTATE;
			break;
		}
	}
	return status;
}

static void zstd_reset(struct codec *c)
{
	struct zstd *z = (struct zstd *)c;
	z->state = STATE_START;
	z->fault[0] = 0;
	z->cut = false;
}

/* Searches from in->pos on; in->pos is where a frame is found, or where the search needs more input. */
static int find_frame(struct zstd *z, struct codec_in *in, enum resync_start start, bool last)
{
	const size_t begin = in->pos;

	for (; in->pos < in->len; in->pos++) {
		struct slice from = slice_of(in->data + in->pos, in->len - in->pos);

		if (!zstd_magic_begins(*from.data) || !zstd_magic_part(from) ||
		    !trial_allowed(&z->budget, in->pos - begin))
			continue;
		if (!has_context(z))
			return DANA_ENOMEM;
		int verdict = zstd_trial(z->context, &z->needs, from, start, last, &z->spare);

		if (verdict < 0)
			return CODEC_MORE_INPUT;
		z->budget.tried++;
		if (verdict > 0)
			return 0;
	}
	return CODEC_MORE_INPUT;
}

static int zstd_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	struct zstd *z = (struct zstd *)c;
	const size_t from = in->pos;
	int result = find_frame(z, in, start, last);

	z->budget.passed += in->pos - from;
	if (result == 0)
		zstd_reset(c);
	return result;
}

static bool zstd_has_checksum(const struct codec *c)
{
	return ((const struct zstd *)c)->header.checksum;
}

static struct codec_memory zstd_memory(const struct codec *c)
{
	return ((const struct zstd *)c)->budget;
}

static void zstd_remember(struct codec *c, struct codec_memory memory)
{
	((struct zstd *)c)->budget = memory;
}

static const char *zstd_fault(const struct codec *c)
{
	return ((const struct zstd *)c)->fault;
}

static bool zstd_cut(const struct codec *c)
{
	return ((const struct zstd *)c)->cut;
}

static bool zstd_was_dictionary(const struct codec *c)
{
	const struct zstd *z = (const struct zstd *)c;
	return z->header.skippable && z->header.dictionary;
}

static void zstd_close(struct codec *c)
{
	struct zstd *z = (struct zstd *)c;
	if (!z)
		return;
	(void)ZSTD_freeDCtx(z->context);
	buf_free(&z->dictionary);
	buf_free(&z->spare);
	free(z);
}

static struct codec *zstd_open(const struct codec_limits *limits)
{
	struct zstd *z = calloc(1, sizeof(*z));
	if (!z)
		return NULL;
	z->codec.ops = &codec_zstd;
	z->needs.window = limits->window;
	return &z->codec;
}

const struct codec_ops codec_zstd = {
	.name = CODEC_ZSTD_NAME,
	.suffix = CODEC_ZSTD_SUFFIX,
	.bid = zstd_bid,
	.open = zstd_open,
	.step = zstd_step,
	.resync = zstd_resync,
	.fault = zstd_fault,
	.cut = zstd_cut,
	.was_dictionary = zstd_was_dictionary,
	.has_checksum = zstd_has_checksum,
	.memory = zstd_memory,
	.remember = zstd_remember,
	.reset = zstd_reset,
	.close = zstd_close,
};
