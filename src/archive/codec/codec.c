/* SPDX-License-Identifier: MIT */
/*
 * The tables of formats. A container is recognised by bids: each format says how many bits of the first bytes identify
 * it, and the highest bid wins. Example: 28 b5 2f fd gives 32 from zstd and 0 from gzip; 1f alone gives -1 from gzip,
 * which asks for more bytes.
 */
#include "config.h"

#include "archive/codec/codec.h"

#include "archive/codec/codecs.h"
#include "base/ascii.h"

const struct codec_ops *const codec_containers[] = { &codec_gzip, &codec_zstd, NULL };

const struct codec_ops *codec_for_coding(struct slice name)
{
	static const struct {
		const char *name;
		const struct codec_ops *ops;
	} codings[] = {
		{ "gzip", &codec_gzip }, { "x-gzip", &codec_gzip }, { "deflate", &codec_deflate },
#ifdef HAVE_BROTLI
		{ "br", &codec_brotli },
#endif
		{ "zstd", &codec_zstd },
	};
	for (size_t i = 0; i < sizeof(codings) / sizeof(codings[0]); i++) {
		if (slice_is(name, codings[i].name))
			return codings[i].ops;
	}
	return NULL;
}

const struct codec_ops *codec_detect(struct slice first, bool *need_more)
{
	const struct codec_ops *best = NULL;
	int most = 0;
	*need_more = false;
	for (size_t i = 0; codec_containers[i]; i++) {
		int bits = codec_containers[i]->bid(first);
		if (bits < 0)
			*need_more = true;
		if (bits > most) {
			most = bits;
			best = codec_containers[i];
		}
	}
	return best;
}

#define ENCODER_ROW(name) &encoder_##name,
const struct encoder_ops *const encoder_table[] = { ENCODERS(ENCODER_ROW) NULL };

const struct encoder_ops *encoder_find(struct slice name)
{
	for (size_t i = 0; encoder_table[i]; i++) {
		if (slice_is(name, encoder_table[i]->name))
			return encoder_table[i];
	}
	return NULL;
}
