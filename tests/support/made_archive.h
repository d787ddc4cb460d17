/* SPDX-License-Identifier: MIT */
/* Archives of every kind that are made up, and random changes of them. */
#ifndef DANA_TESTS_SUPPORT_MADE_ARCHIVE_H
#define DANA_TESTS_SUPPORT_MADE_ARCHIVE_H

#include <zdict.h>
#include <zstd.h>

#include "archive/codec/codec.h"
#include "base/buf.h"
#include "support/split_feed.h"
#include "support/unit.h"

/*
 * A record of an archive; every fifth one is a warcinfo, their lengths and dates differ much, and some dates cannot be
 * read.
 */
static inline void made_record(struct buf *out, unsigned number, bool arc)
{
	AUTO_BUF block = { 0 };
	for (unsigned i = 0; i < number % 7 * 50; i++)
		buf_printf(&block, "%u stones in river %u, ", i * number, i % 13);
	if (arc)
		buf_printf(out, "http://a.example/%u 192.0.2.1 20240501100000 text/html %zu\n", number, block.len);
	else
		buf_printf(
			out,
			"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%u>\r\nWARC-Date: 2024-%02u-01T10:00:00Z\r\n"
			"Content-Length: %zu\r\n\r\n",
			number % 5 ? "response" : "warcinfo", number, number % 11 ? 1 + number % 12 : 99, block.len);
	buf_append(out, block.data, block.len);
	buf_append_text(out, arc ? "\n" : "\r\n\r\n");
	assert_int_equal(buf_status(out), 0);
}

static inline void made_member(struct buf *out, const char *format, struct slice content)
{
	const struct encoder_ops *ops = encoder_find(slice_from_text(format));
	struct encoder_codec *encoder = ops->open(ops->level_default);
	assert_non_null(encoder);
	assert_int_equal(ops->unit(encoder, content, out), 0);
	ops->close(encoder);
}

/* `cut`: bytes of each member; 0: a record each. */
static inline void made_archive(struct buf *out, unsigned records, const char *format, size_t cut, bool arc)
{
	AUTO_BUF all = { 0 };
	size_t begin = 0;
	buf_clear(out);
	for (unsigned i = 0; i < records; i++) {
		made_record(&all, i, arc);
		while (all.len > begin && (cut == 0 || all.len - begin >= cut || i + 1 == records)) {
			struct slice content = slice_skip(buf_slice(&all), begin);
			content = cut ? slice_first(content, cut) : content;
			made_member(out, format, content);
			begin += content.len;
		}
	}
}

/* Files of different kinds, one after the other: WARC or ARC ("arc "), and compressed as the second word has it. */
static inline void made_joined(struct buf *out, unsigned records, const char *const *kinds, size_t n)
{
	static const char filedesc[] = "filedesc://a.arc 192.0.2.1 20240501100000 text/plain 4\n1 1 \n";
	AUTO_BUF record = { 0 };
	buf_clear(out);
	for (size_t k = 0; k < n; k++) {
		const bool arc = memcmp(kinds[k], "arc ", 4) == 0;
		for (unsigned i = 0; i < records; i++) {
			buf_clear(&record);
			if (arc && i == 0)
				assert_ok(buf_append_text(&record, filedesc));
			made_record(&record, (unsigned)k * records + i, arc);
			made_member(out, kinds[k] + (arc ? 4 : 5), buf_slice(&record));
		}
	}
}

/* Changes a few bytes: other bits, bytes cut out, put in, or zeroed. */
static inline void made_change(struct buf *b, uint32_t *random)
{
	for (uint32_t n = 1 + split_random(random) % 3; n; n--) {
		size_t at = split_random(random) % b->len, len = 1 + split_random(random) % 40;
		len = at + len > b->len ? b->len - at : len;
		switch (split_random(random) % 3) {
		case 0:
			b->data[at] ^= (uint8_t)(1U << split_random(random) % 8);
			break;
		case 1:
			memmove(b->data + at, b->data + at + len, b->len - at - len);
			b->len -= b->len > len ? len : 0;
			break;
		default:
			memset(b->data + at, 0, len);
		}
	}
}

/* Appends the dictionary frame of IIPC's "Zstandard compression of WARC files", of which *dictionary is the content. */
static inline void made_dictionary(struct buf *out, unsigned id, struct buf *dictionary)
{
	static const uint8_t magic[] = { 0x5d, 0x2a, 0x4d, 0x18 };
	AUTO_BUF samples = { 0 };
	enum { SAMPLES = 200 };
	size_t sizes[SAMPLES];
	for (unsigned i = 0; i < SAMPLES; i++) {
		size_t begin = samples.len;
		made_record(&samples, i + id, false);
		sizes[i] = samples.len - begin;
	}
	buf_clear(dictionary);
	assert_ok(buf_reserve(dictionary, 2048));
	const ZDICT_params_t params = { .dictID = id };
	size_t n = ZDICT_finalizeDictionary(dictionary->data, 2048, samples.data, 1000, samples.data, sizes, SAMPLES,
					    params);
	assert_false(ZDICT_isError(n));
	dictionary->len = n;
	buf_append(out, magic, sizeof(magic));
	for (unsigned i = 0; i < 4; i++)
		buf_append_byte(out, (uint8_t)(n >> 8 * i));
	assert_ok(buf_append(out, dictionary->data, n));
}

static inline void made_frame(struct buf *out, struct slice content, const struct buf *dictionary)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	assert_non_null(c);
	ZSTD_CCtx_loadDictionary(c, dictionary->data, dictionary->len);
	assert_ok(buf_reserve(out, ZSTD_compressBound(content.len)));
	size_t n = ZSTD_compress2(c, out->data + out->len, out->cap - out->len, content.data, content.len);
	assert_false(ZSTD_isError(n));
	out->len += n;
	ZSTD_freeCCtx(c);
}

/* Two archives one after the other, each with a dictionary of its own, a record in each frame. */
static inline void made_dictionaries(struct buf *out, unsigned records)
{
	AUTO_BUF dictionary = { 0 }, record = { 0 };
	buf_clear(out);
	for (unsigned i = 0; i < records; i++) {
		if (i % (records / 2) == 0)
			made_dictionary(out, 40000 + i, &dictionary);
		buf_clear(&record);
		made_record(&record, i, false);
		made_frame(out, buf_slice(&record), &dictionary);
	}
}

#endif
