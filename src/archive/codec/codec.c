/* SPDX-License-Identifier: MIT */
/*
 * The tables of formats. A container is recognised by bids: each format returns how many bits of the first bytes
 * identify it, and the highest bid wins. Example: 28 b5 2f fd gives 32 from zstd and 0 from gzip; 1f alone gives -1
 * from gzip, which asks for more bytes.
 */
#include "archive/codec/codec.h"

#include "archive/codec/codecs.h"
#include "base/ascii.h"
#include "base/buf.h"

/* The encoder "none": a unit is appended as it is. */

struct encoder_codec {
	int level;
};

static struct encoder_codec *identity_open(int level)
{
	static struct encoder_codec only;
	return level == 0 ? &only : NULL;
}

static int identity_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	(void)e;
	return buf_append(out, unit.data, unit.len);
}

static void identity_close(struct encoder_codec *e)
{
	(void)e;
}

const struct encoder_ops encoder_none = {
	.name = "none",
	.suffix = "",
	.open = identity_open,
	.unit = identity_unit,
	.close = identity_close,
};

/*
 * Compares bytes with the beginnings of records, and distinguishes "no" from "not yet": "WARC/1.0" and "dns:" are a
 * start (1), "WAR" and "ht" may become one (-1), "<html>" does not (0).
 */

/* Returns 1 if `s` begins with `text`, 0 if not, -1 if it may with more bytes. */
static int begins(struct slice s, const char *text)
{
	size_t n = strlen(text), have = s.len < n ? s.len : n;
	if (have && memcmp(s.data, text, have) != 0)
		return 0;
	return have == n ? 1 : -1;
}

/* An ARC record's line begins with a URL (RFC 3986, section 3.1: letter, then letters, digits, plus, minus, dot). */
static int begins_with_url(struct slice s)
{
	enum { LONGEST_SCHEME = 24 };
	size_t i = 0;
	while (i < s.len && i < LONGEST_SCHEME &&
	       (ascii_is_alpha(s.data[i]) || (i && (ascii_is_digit(s.data[i]) || memchr("+-.", s.data[i], 3)))))
		i++;
	if (i == s.len)
		return -1;
	return i ? begins(slice_skip(s, i), "://") : 0;
}

int record_start(struct slice decoded)
{
	/* Some writers put the line ends that close a record into the next member. */
	size_t breaks = 0;
	while (breaks < decoded.len && breaks < 8 && (decoded.data[breaks] == '\r' || decoded.data[breaks] == '\n'))
		breaks++;
	struct slice s = slice_skip(decoded, breaks);
	static const char *const starts[] = { "WARC/", "filedesc:", "dns:" };
	int result = begins_with_url(s);
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		int one = begins(s, starts[i]);
		if (one == 1 || result == 1)
			return 1;
		if (one == -1)
			result = -1;
	}
	return result;
}

const struct codec_ops *const codec_containers[] = { &codec_gzip, &codec_zstd, NULL };

const struct codec_ops *const codec_codings[] = { &codec_gzip, &codec_zstd, &codec_deflate, &codec_brotli, NULL };

const struct codec_ops *codec_for_coding(struct slice name)
{
	static const struct {
		const char *name;
		const struct codec_ops *ops;
	} codings[] = {
		{ "gzip", &codec_gzip }, { "x-gzip", &codec_gzip }, { "deflate", &codec_deflate },
		{ "br", &codec_brotli }, { "zstd", &codec_zstd },
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
