/*
 * The trial looks at no more than CODEC_LOOKAHEAD bytes, and of the deflate data at TRIAL_BODY: enough to put out the first
 * bytes of a record. When even these decide nothing, the place does not count as a member, whatever may follow.
 */
#include "codec/gzip_trial.h"

#include "codec/gzip_header.h"
#include "codec/record_start.h"

/* Bytes of deflate data. The header of a dynamic block takes about 320 at most (RFC 1951, section 3.2.7). */
enum { TRIAL_BODY = 1024 };

int gzip_trial(struct inflater *zlib, struct slice from, bool last)
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
	if (verdict >= 0)
		return verdict;
	return result == INFLATE_MORE_INPUT && !whole ? -1 : 0;
}
