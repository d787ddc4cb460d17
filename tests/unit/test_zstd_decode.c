/* SPDX-License-Identifier: MIT */
#define ZDICT_STATIC_LINKING_ONLY
#include <zdict.h>
#include <zstd.h>

#include "support/codec_outcome.h"
#include "support/unit.h"

static const char record[] = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";

enum { LEVEL = 3, DICTIONARY_SKIPPABLE = 0x5d };

struct frame_parts {
	struct slice dictionary;
	bool checksum, no_size;
	int window_log;
};

static void append_frame(struct buf *to, struct slice data, const struct frame_parts *parts)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	assert_non_null(c);
	ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, parts->checksum);
	ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, !parts->no_size);
	if (parts->window_log)
		ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, parts->window_log);
	if (parts->dictionary.len)
		ZSTD_CCtx_loadDictionary(c, parts->dictionary.data, parts->dictionary.len);
	assert_ok(buf_reserve(to, ZSTD_compressBound(data.len)));
	size_t n = ZSTD_compress2(c, to->data + to->len, to->cap - to->len, data.data, data.len);
	assert_false(ZSTD_isError(n));
	to->len += n;
	ZSTD_freeCCtx(c);
}

#define FRAME(to, data, ...) append_frame(to, data, &(struct frame_parts){ __VA_ARGS__ })

static void append_plain_frame(struct buf *to, const char *text)
{
	FRAME(to, slice_from_text(text), .checksum = true);
}

static void append_skippable(struct buf *to, unsigned kind, struct slice content)
{
	append_le(to, 0x184d2a00U | kind, 4);
	append_le(to, (uint32_t)content.len, 4);
	buf_append(to, content.data, content.len);
}

/* A small dictionary with a given id. */
static struct buf make_dictionary(unsigned id)
{
	struct buf samples = { 0 }, dictionary = { 0 };
	size_t sizes[200];
	for (size_t i = 0; i < 200; i++) {
		size_t begin = samples.len;
		buf_printf(&samples, "%s number %zu of %zu stones in the river", record, i * 7, i % 13);
		sizes[i] = samples.len - begin;
	}
	assert_ok(buf_reserve(&dictionary, 1024));
	const ZDICT_params_t params = { .dictID = id };
	size_t n = ZDICT_finalizeDictionary(dictionary.data, 1024, samples.data, 600, samples.data, sizes, 200, params);
	assert_false(ZDICT_isError(n));
	dictionary.len = n;
	buf_free(&samples);
	return dictionary;
}

/* An input is made, and with it what is expected of it. */
static struct buf in, want;

/* Appends to what is expected; `format` may have a number, which is how long the input is. */
static void wants(const char *format)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	assert_ok(buf_printf(&want, format, in.len));
#pragma GCC diagnostic pop
}

/* The input has that outcome; both are empty afterwards. */
static void check(void)
{
	assert_ok(buf_append_byte(&want, 0));
	expect_outcome("zstd", &in, (const char *)want.data);
	buf_free(&want);
	buf_free(&in);
}

TEST(zstd_reads_frames)
{
	append_plain_frame(&in, "one");
	wants("one\n<member %zu>\n");
	FRAME(&in, slice_from_text(""), 0);
	wants("\n<member %zu>\n");
	FRAME(&in, slice_from_text("three"), .no_size = true, .window_log = 10);
	wants("three\n<member %zu>\n");
	check();
}

TEST(zstd_decodes_large_frames)
{
	AUTO_BUF text = { 0 };
	append_text(&text, 150000, 3);
	FRAME(&in, buf_slice(&text), .checksum = true, .window_log = 14);
	expect_member("zstd", &text, &in);
	uint32_t random = 9;
	for (size_t i = 0; i < text.len; i++)
		text.data[i] = (uint8_t)split_random(&random);
	buf_clear(&in);
	FRAME(&in, buf_slice(&text), .no_size = true);
	expect_member("zstd", &text, &in);
}

TEST(zstd_passes_skippable_frames)
{
	buf_clear(&in);
	append_skippable(&in, 0x50, slice_from_text("any bytes"));
	wants("\n<skipped %zu>\n");
	append_plain_frame(&in, "one");
	wants("one\n<member %zu>\n");
	append_skippable(&in, 0x5f, slice_from_text(""));
	wants("\n<skipped %zu>\n");
	check();
}

/* The dictionary plain, then itself as a frame. */
TEST(zstd_takes_dictionaries)
{
	AUTO_BUF dictionary = make_dictionary(4711), packed = { 0 };
	FRAME(&packed, buf_slice(&dictionary), .checksum = true);
	for (int i = 0; i < 2; i++) {
		append_skippable(&in, DICTIONARY_SKIPPABLE, buf_slice(i ? &packed : &dictionary));
		wants("\n<skipped %zu>\n");
		FRAME(&in, slice_from_text("number 14 of 3"), .dictionary = buf_slice(&dictionary));
		wants("number 14 of 3\n<member %zu>\n");
		append_plain_frame(&in, "two");
		wants("two\n<member %zu>\n");
		check();
	}
}

TEST(zstd_names_the_missing_dictionary)
{
	AUTO_BUF dictionary = make_dictionary(4711), other = make_dictionary(99);
	FRAME(&in, slice_from_text(record), .dictionary = buf_slice(&dictionary));
	wants("\n<damage -5 zstd frame needs dictionary 4711, and no dictionary is loaded>\n<from 0>\n");
	check();
	append_skippable(&in, DICTIONARY_SKIPPABLE, buf_slice(&other));
	wants("\n<skipped %zu>\n\n<damage -5 zstd frame needs dictionary 4711, and 99 is loaded>\n");
	wants("<from %zu>\n");
	FRAME(&in, slice_from_text(record), .dictionary = buf_slice(&dictionary));
	check();
}

TEST(zstd_refuses_bad_dictionaries)
{
	AUTO_BUF dictionary = make_dictionary(4711), bomb = { 0 }, zeros = { 0 };
	append_skippable(&in, DICTIONARY_SKIPPABLE, slice_of(dictionary.data, dictionary.len));
	in.len -= 3;
	expect_outcome("zstd", &in, "\n<damage -5 input ends inside the zstd dictionary>\n<from 0>\n");
	in.data[7] = 0xff; /* claims 4 GiB */
	expect_outcome("zstd", &in, "\n<damage -5 zstd dictionary is larger than the window limit>\n<from 0>\n");
	buf_clear(&in);
	append_skippable(&in, DICTIONARY_SKIPPABLE, slice_from_text("no dictionary"));
	expect_outcome("zstd", &in,
		       "\n<damage -5 the zstd dictionary frame does not contain a dictionary>\n<from 0>\n");
	assert_ok(buf_reserve(&zeros, (size_t)2 << 20));
	zeros.len = (size_t)2 << 20;
	memset(zeros.data, 0, zeros.len);
	FRAME(&bomb, buf_slice(&zeros), .window_log = 12);
	buf_clear(&in);
	append_skippable(&in, DICTIONARY_SKIPPABLE, buf_slice(&bomb));
	expect_outcome("zstd", &in, "\n<damage -5 zstd dictionary is larger than the window limit>\n<from 0>\n");
	bomb.len -= 2;
	buf_clear(&in);
	append_skippable(&in, DICTIONARY_SKIPPABLE, slice_of(bomb.data, 20));
	expect_outcome("zstd", &in, "\n<damage -5 zstd dictionary is damaged>\n<from 0>\n");
}

TEST(zstd_keeps_its_limits)
{
	buf_clear(&in);
	append_le(&in, 0xfd2fb528, 4);
	append_le(&in, 0x58, 2); /* window of 2 MiB */
	buf_append(&in, "\x58\x01\x00\x00", 4);
	in.data[4] = 0;
	in.data[5] = 0x58;
	expect_outcome("zstd", &in, "\n<damage -4 zstd window is larger than the limit>\n<from 0>\n");
	/* Single segment with a content of 2^60 bytes, then the same size and a small window. */
	buf_clear(&in);
	buf_append(&in, "\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x10\x01\0\0", 16);
	expect_outcome("zstd", &in, "\n<damage -4 zstd window is larger than the limit>\n<from 0>\n");
	buf_clear(&in);
	buf_append(&in, "\x28\xb5\x2f\xfd\xc0\0\0\0\0\0\0\0\0\x10\x09\0\0a", 18);
	expect_outcome("zstd", &in, "\n<damage -3 zstd data damaged>\n<from 0>\n");
}

enum { BLOCK_RAW = 0, BLOCK_RLE = 1, MIB = 1 << 20, BLOCK_MOST = 128 << 10 };

/* A header of `len` bytes, then blocks: `n` of 128 KiB of one byte each, and a last one with `tail`. */
static void make_frame(struct buf *to, const char *header, size_t len, size_t n, const char *tail)
{
	buf_clear(to);
	buf_append(to, header, len);
	for (size_t i = 0; i < n; i++) {
		append_le(to, BLOCK_MOST << 3 | BLOCK_RLE << 1, 3);
		buf_append_byte(to, 'x');
	}
	append_le(to, (uint32_t)strlen(tail) << 3 | BLOCK_RAW << 1 | 1, 3);
	buf_append_text(to, tail);
}

/* The limit of the tests is 1 MiB: a window, or a single segment's content, of just that size is read. */
TEST(zstd_reads_a_window_of_the_limit)
{
	static const char too_large[] = "\n<damage -4 zstd window is larger than the limit>\n<from 0>\n";
	AUTO_BUF text = { 0 };
	make_frame(&in, "\x28\xb5\x2f\xfd\0\x50", 6, 0, "abc");
	wants("abc\n<member %zu>\n");
	check();
	make_frame(&in, "\x28\xb5\x2f\xfd\0\x51", 6, 0, "abc"); /* the next larger one that a header can tell */
	expect_outcome("zstd", &in, too_large);
	assert_ok(buf_reserve(&text, MIB));
	memset(text.data, 'x', MIB);
	text.len = MIB;
	make_frame(&in, "\x28\xb5\x2f\xfd\xa0\0\0\x10\0", 9, MIB / BLOCK_MOST, "");
	expect_member("zstd", &text, &in);
	make_frame(&in, "\x28\xb5\x2f\xfd\xa0\x01\0\x10\0", 9, MIB / BLOCK_MOST, "y");
	expect_outcome("zstd", &in, too_large);
}

/* After damage, too: a frame with a window of the limit is found, a frame with a larger one is not. */
TEST(zstd_finds_a_window_of_the_limit)
{
	AUTO_BUF frame = { 0 };
	for (char window = 0x50; window <= 0x51; window++) {
		const char header[] = { '\x28', '\xb5', '\x2f', '\xfd', 0, window };
		make_frame(&frame, header, sizeof(header), 0, record);
		buf_clear(&in);
		buf_append(&in, "\x28\xb5\x2f\xfd\x20\x05\xff\xff\xff", 9);
		buf_append(&in, frame.data, frame.len);
		wants("\n<damage -3 zstd data damaged>\n<from 0>\n");
		if (window == 0x50) {
			buf_printf(&want, "\n<found 9>\n%s", record);
			wants("\n<member %zu>\n");
		}
		check();
	}
}

/* A dictionary frame of the limit is taken, be it plain or packed; here it holds nothing of use. */
TEST(zstd_takes_dictionaries_of_the_limit)
{
	static const char *const verdicts[] = { "the zstd dictionary frame does not contain a dictionary",
						"zstd dictionary is larger than the window limit" };
	AUTO_BUF zeros = { 0 }, packed = { 0 };
	assert_ok(buf_reserve(&zeros, MIB + 1));
	memset(zeros.data, 0, MIB + 1);
	for (size_t more = 0; more < 2; more++) {
		AUTO_BUF expected = { 0 };
		buf_printf(&expected, "\n<damage -5 %s>\n<from 0>\n", verdicts[more]);
		zeros.len = MIB + more;
		buf_clear(&packed);
		FRAME(&packed, buf_slice(&zeros), .window_log = 12);
		buf_clear(&in);
		append_skippable(&in, DICTIONARY_SKIPPABLE, buf_slice(&packed));
		AUTO_BUF got = outcome_of("zstd", buf_slice(&in)), plain = { 0 };
		split_compare(&expected, &got, "packed", more);
		buf_clear(&in);
		append_skippable(&in, DICTIONARY_SKIPPABLE, buf_slice(&zeros));
		const struct codec_ops *ops = codec_named("zstd");
		struct codec_reader reader = { .open = open_ops, .arg = &ops, .window = 300 };
		codec_reader_begin(&reader);
		codec_reader_piece(&reader, buf_slice(&in));
		codec_reader_end(&reader, &plain);
		split_compare(&expected, &plain, "plain", more);
	}
}

TEST(zstd_reports_damage)
{
	buf_clear(&in);
	append_plain_frame(&in, "some text");
	in.data[in.len - 1] ^= 1;
	expect_outcome("zstd", &in, "some text\n<damage -3 checksum of a zstd frame is wrong>\n<from 0>\n");
	in.len -= 2;
	expect_outcome("zstd", &in, "some text\n<damage -3 input ends inside a zstd frame, cut>\n<from 0>\n");
	in.len = 5;
	expect_outcome("zstd", &in, "\n<damage -3 input ends inside a zstd frame header, cut>\n<from 0>\n");
	in.data[4] |= 8;
	expect_outcome("zstd", &in, "\n<damage -3 reserved bit in a zstd frame header>\n<from 0>\n");
	buf_clear(&in);
	append_skippable(&in, 0x51, slice_from_text("any bytes"));
	in.len -= 2;
	expect_outcome("zstd", &in, "\n<damage -3 input ends inside a skippable zstd frame, cut>\n<from 0>\n");
}

/* Of a raw block that is longer than the content that the header tells, nothing comes out, however it is cut. */
TEST(zstd_refuses_raw_blocks_beyond_the_content)
{
	buf_clear(&in);
	/* window of 240 KiB, content of 132 bytes; blocks, none the last: empty, 2 bytes, 132 bytes */
	static const char head[] = "\x28\xb5\x2f\xfd\x84\x3f\x84\0\0\0", blocks[] = "\0\0\0\x10\0\0ab\x20\x04\0";
	buf_append(&in, head, sizeof(head) - 1);
	buf_append(&in, blocks, sizeof(blocks) - 1);
	append_text(&in, 200, 7);
	expect_outcome("zstd", &in, "ab\n<damage -3 zstd data damaged>\n<from 0>\n");
}

/* A header that tells `content` bytes, with a window of 256 KiB. */
static void append_head(struct buf *to, uint32_t content)
{
	buf_append(to, "\x28\xb5\x2f\xfd\x80\x40", 6);
	append_le(to, content, 4);
}

/*
 * Of any block that is longer than the rest of the content, too, whatever was decoded before: the library sees that
 * only while its buffer is no larger than the content.
 */
TEST(zstd_refuses_blocks_beyond_the_content)
{
	enum { LEN = 900, HEAD = 6 };
	static const uint32_t told[] = { 0, 1, 10, LEN - 300, LEN - 1, LEN };
	AUTO_BUF text = { 0 }, packed = { 0 }, before = { 0 };
	append_text(&text, LEN, 7);
	text.len = LEN;
	FRAME(&packed, buf_slice(&text), .no_size = true);
	assert_int_equal(packed.data[HEAD] & 7, 5); /* one block, compressed: */
	packed.data[HEAD] ^= 1;                     /* the last is an empty one after it */
	buf_append(&packed, "\1\0\0", 3);
	buf_append(&before,
		   "\x28\xb5\x2f\xfd\0\x40\x31\0\0"
		   "before",
		   15); /* the same window, no content size */
	for (size_t i = 0; i < 4 * sizeof(told) / sizeof(*told) + 12; i++) {
		const bool used = i % 2;
		const bool one_byte = i >= 4 * sizeof(told) / sizeof(*told); /* five times */
		const bool raw = !one_byte && i / 2 % 2;                     /* a raw block of 3 bytes comes before */
		const uint32_t content = one_byte ? (uint32_t)(i / 2 % 6) : told[i / 4];
		buf_clear(&in);
		if (used) {
			buf_append(&in, before.data, before.len);
			wants("before\n<member %zu>\n");
		}
		const size_t from = in.len;
		append_head(&in, content + 3 * raw);
		if (raw)
			buf_append(&in, "\x18\0\0abc", 6);
		if (one_byte)
			buf_append(&in, "\x2a\0\0x\1\0\0", 7);
		else
			buf_append(&in, packed.data + HEAD, packed.len - HEAD);
		wants(raw ? "abc" : "");
		if (content == (one_byte ? 5 : LEN))
			buf_printf(&want, "%.*s\n<member %zu>\n", one_byte ? 5 : LEN,
				   one_byte ? "xxxxx" : (const char *)text.data, in.len);
		else
			buf_printf(&want, "\n<damage -3 zstd data damaged>\n<from %zu>\n", from);
		check();
	}
}

TEST(zstd_finds_the_next_record)
{
	buf_append(&in, "\x28\xb5\x2f\xfd\x20\x05\xff\xff\xff", 9);
	wants("\n<damage -3 zstd data damaged>\n<from 0>\n");
	append_plain_frame(&in, "no record");
	wants("\n<found %zu>\n");
	append_plain_frame(&in, record);
	buf_append_text(&want, record);
	wants("\n<member %zu>\n");
	check();
}

static int free_input(void **state)
{
	(void)state;
	buf_free(&in);
	return 0;
}

GROUP(NULL, free_input)
