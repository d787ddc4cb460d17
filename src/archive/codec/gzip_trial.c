/* SPDX-License-Identifier: MIT */
/*
 * The trial reads at most CODEC_LOOKAHEAD bytes, TRIAL_BODY of them deflate data: enough to decode the first bytes of a
 * record. If these do not decide, the place does not count as a member, whatever follows.
 *
 * If a member may begin with any bytes, it counts if these bytes decode without a fault; if the data ends within them,
 * its checksum must follow.
 */
#include "archive/codec/gzip_trial.h"

#include "archive/codec/gzip_header.h"
#include "archive/codec/record_start.h"
#include "base/little_endian.h"

enum {
	/* Bytes of deflate data. The header of a dynamic block takes about 320 at most (RFC 1951, section 3.2.7). */
	TRIAL_BODY = 1024,
	TRIAL_DECODED = 2048, /* most decoded bytes: TRIAL_BODY bytes may expand to a MiB */
	CHECKSUM_BYTES = 4,
};

/*
 * Judges a member that may begin with any bytes by the `result` of the inflater. `whole`: no more input will be read.
 * If the output is full, a fault does not count: whether zlib met one after it depends on how much input there was.
 */
static int judge_decoding(int result, const struct codec_in *in, const struct codec_out *out, bool whole)
{
	if (out->pos == out->len)
		return 1;
	if (result < 0)
		return 0;
	/* All input is taken, or the data has ended and its checksum follows. */
	if (result == INFLATE_MORE_INPUT || in->len - in->pos < CHECKSUM_BYTES)
		return whole ? 1 : -1;
	return little_endian_32(in->data + in->pos) == inflate_zlib.crc(0, out->data, out->pos);
}

int gzip_trial(struct inflater *zlib, struct slice from, enum resync_start start, bool last)
{
	const bool all = last || from.len >= CODEC_LOOKAHEAD;
	struct codec_in in = { from.data, from.len < CODEC_LOOKAHEAD ? from.len : CODEC_LOOKAHEAD, 0 };
	struct gzip_header header;

	gzip_header_begin(&header);
	int result = gzip_header_parse(&header, &in);

	if (result < 0)
		return 0;
	if (result == CODEC_MORE_INPUT)
		return all ? 0 : -1;
	const bool whole = all || in.len - in.pos >= TRIAL_BODY;

	if (in.len - in.pos > TRIAL_BODY)
		in.len = in.pos + TRIAL_BODY;
	uint8_t decoded[TRIAL_DECODED];
	struct codec_out out = { decoded, start == RESYNC_ANYWHERE ? TRIAL_DECODED : RECORD_START_BYTES, 0 };

	inflate_zlib.reset(zlib);
	result = inflate_zlib.run(zlib, &in, &out, false);
	int verdict = record_start(slice_first(slice_of(decoded, out.pos), RECORD_START_BYTES));

	if (verdict == 1)
		return 1;
	if (start == RESYNC_ANYWHERE)
		return judge_decoding(result, &in, &out, whole);
	return verdict == 0 || result != INFLATE_MORE_INPUT || whole ? 0 : -1;
}
