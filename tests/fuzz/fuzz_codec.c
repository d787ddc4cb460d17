/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the decoders. First byte: which format (the low half) and which output room (the high half); second:
 * how many of the following bytes are sizes of the pieces, and whether members are asked for whole; the rest is the
 * input. Oracle: the outcome of the pieces is the outcome of the whole, as far as its first 2 to 160 KiB, by the room;
 * and what steps decode without damage comes out of whole members, too.
 */
#include "config.h"

#include "support/codec_reader.h"

static const struct codec_limits limits = { .window = (size_t)1 << 20 };

static struct codec *open_kind(void *arg)
{
	/* A new name is added at the end, so that the seeds keep their formats. */
	static const char *const names[] = { "gzip", "gzip", "zstd", "deflate", "br" };
	enum { NAMES = sizeof(names) / sizeof(*names) };
	_Static_assert(NAMES <= 16, "a format has half a byte");
	return codec_named(names[*(const uint8_t *)arg % 16 % NAMES])->open(&limits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	static const size_t rooms[] = { 4096, 1, 13, 700 }, most[] = { 160 << 10, 2 << 10, 16 << 10, 64 << 10 };
	uint8_t kind = data[0];
	struct codec_reader reader = { .open = open_kind,
				       .arg = &kind,
				       .window = rooms[kind / 16 % 4],
				       .whole = data[1] >= 128,
				       .most = most[kind / 16 % 4] };
	const struct split_subject subject = { codec_reader_begin, codec_reader_piece, codec_reader_end, &reader };
	const struct slice rest = slice_of(data + 2, size - 2), sizes = slice_first(rest, data[1] % 16);
	const struct slice input = slice_skip(rest, sizes.len);
	split_check_sizes(&subject, input, sizes);
	struct buf steps = { 0 }, whole = { 0 };
	reader.whole = false;
	split_whole(&subject, input, &steps);
	if (steps.len && !memmem(steps.data, steps.len, "<damage", strlen("<damage"))) {
		reader.whole = true;
		split_whole(&subject, input, &whole);
		split_compare(&steps, &whole, "whole members, beside steps", 0);
	}
	buf_free(&steps);
	buf_free(&whole);
	return 0;
}
