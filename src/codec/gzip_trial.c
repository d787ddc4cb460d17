/* SPDX-License-Identifier: MIT */
/*
 * The trial looks at no more than CODEC_LOOKAHEAD bytes, and of the deflate data at TRIAL_BODY: enough to put out the
 * first bytes of a record. When even these decide nothing, the place does not count as a member, whatever may follow.
 *
 * Where a member may begin with any bytes, decoding itself is the proof: random bytes fail within a few tens (a wrong
 * header of a block, a distance that leads before the first byte), and data that ends within the trial has its
 * checksum after it.
 */
#include "codec/gzip_trial.h"

#include "codec/gzip_header.h"
#include "codec/record_start.h"

/* Bytes of deflate data. The header of a dynamic block takes about 320 at most (RFC 1951, section 3.2.7). */
enum { TRIAL_BODY = 1024 };
/* Decoded bytes without a fault that are enough, since TRIAL_BODY bytes may expand to a MiB. */
enum { TRIAL_DECODED = 16 << 10 };

/* Goes on after the `decoded` bytes and the inflater's `result` for them. `whole`: no more input is looked at. */
static int try_decoding(struct inflater *zlib, struct codec_in *in, struct slice decoded, int result, bool whole)
{
	uint8_t room[2048];
	uint32_t crc = inflate_zlib.crc(0, decoded.data, decoded.len);

	for (size_t total = decoded.len; result == INFLATE_MORE_OUTPUT && total < TRIAL_DECODED;) {
		struct codec_out out = { room, sizeof(room), 0 };

		result = inflate_zlib.run(zlib, in, &out, false);
		crc = inflate_zlib.crc(crc, room, out.pos);
		total += out.pos;
	}
	if (result == INFLATE_MORE_OUTPUT)
		return 1;
	if (result < 0)
		return 0;
	/* All input is taken, or the data ended: then its checksum follows. */
	if (result == INFLATE_MORE_INPUT || in->len - in->pos < 4)
		return whole ? 1 : -1;
	const uint8_t *p = in->data + in->pos;
	return (p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24) == crc;
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
	uint8_t decoded[RECORD_START_BYTES];
	struct codec_out out = { decoded, sizeof(decoded), 0 };
	inflate_zlib.reset(zlib);
	result = inflate_zlib.run(zlib, &in, &out, false);
	int verdict = record_start(slice_of(decoded, out.pos));

	if (verdict == 1)
		return 1;
	if (verdict == 0 && start == RESYNC_AT_RECORD)
		return 0;
	if (result == INFLATE_MORE_INPUT)
		return whole ? start == RESYNC_ANYWHERE : -1;
	if (start == RESYNC_AT_RECORD || result == DANA_EFORMAT)
		return 0;
	return try_decoding(zlib, &in, slice_of(decoded, out.pos), result, whole);
}
