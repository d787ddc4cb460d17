/* SPDX-License-Identifier: MIT */
#include <zstd.h>

#include "archive/codec/codecs.h"
#include "support/codec_outcome.h"
#include "support/deflated.h"
#include "support/unit.h"

static void expect_container(const char *name, bool more, const char *bytes, size_t len)
{
	bool need_more;
	const struct codec_ops *ops = codec_detect(slice_of(bytes, len), &need_more);
	assert_int_equal(need_more, more);
	assert_string_equal(ops ? ops->name : "none", name);
}

TEST(containers_are_detected)
{
	expect_container("none", true, "", 0);
	expect_container("none", true, "\x1f\x8b", 2);
	expect_container("gzip", false, "\x1f\x8b\x08\x00", 4);
	expect_container("none", false, "\x1f\x8b\x07\x00", 4);
	expect_container("none", false, "WARC/1.0\r\n", 10);
	expect_container("none", true, "\x28\xb5\x2f", 3);
	expect_container("zstd", false, "\x28\xb5\x2f\xfd", 4);
	expect_container("none", false, "\x28\xb5\x2f\xfe", 4);
	expect_container("none", false, "(plain text", 11);
	expect_container("zstd", false, "\x5d\x2a\x4d\x18\x00", 5);
	/* of a skippable frame, what follows it does not count: how much of that is there must not matter */
	for (size_t len = 4; len <= 17; len++)
		expect_container("zstd", false, "\x53\x2a\x4d\x18\x01\0\0\0aWARC/1.0", len);
}

TEST(record_starts_are_told_apart)
{
	static const char *const yes[] = { "WARC/1.0", "\r\n\r\nWARC/1.1", "filedesc://a.arc", "dns:a.example 1.2.3.4",
					   "https://a.example/" };
	static const char *const perhaps[] = { "WAR", "", "\r\n", "http:" };
	static const char *const no[] = { "<html>", "http:a", "://a", "abcdefghijklmnopqrstuvwxyz://",
					  "\n\n\n\n\n\n\n\n\nWARC/1.0" };
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(record_start(slice_from_text(yes[i])), 1);
		assert_int_equal(record_start(slice_from_text(perhaps[i % 4])), -1);
		assert_int_equal(record_start(slice_from_text(no[i])), 0);
	}
}

/* A verdict of yes or no about the first bytes is the verdict about all of them. */
TEST(record_starts_stay_what_they_are_with_more_bytes)
{
	static const char *const texts[] = { "\r\n\r\nWARC/1.1",
					     "filedesc://a.arc",
					     "dns:a.example",
					     "https://a.example/",
					     "abcdefghijklmnopqrstuvwx://",
					     "abcdefghijklmnopqrstuvwxy://" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct slice all = slice_from_text(texts[i]);
		for (size_t len = 0; len < all.len; len++) {
			const int verdict = record_start(slice_first(all, len));
			assert_true(verdict == -1 || verdict == record_start(all));
		}
	}
}

TEST(codings_are_found_by_name)
{
	assert_ptr_equal(codec_for_coding(slice_from_text("GZip")), codec_for_coding(slice_from_text("x-gzip")));
	assert_string_equal(codec_for_coding(slice_from_text("zstd"))->name, "zstd");
	assert_string_equal(codec_for_coding(slice_from_text("deflate"))->name, "deflate");
	assert_null(codec_for_coding(slice_from_text("compress")));
	assert_null(codec_for_coding(slice_from_text("")));
}

TEST(deflate_is_zlib_or_raw)
{
	AUTO_BUF text = { 0 }, in = { 0 };
	append_text(&text, 5000, 8);
	append_deflated(&in, buf_slice(&text), 6, DEFLATED_RAW);
	expect_member("deflate", &text, &in);
	buf_clear(&in);
	append_deflated(&in, buf_slice(&text), 6, DEFLATED_ZLIB);
	expect_member("deflate", &text, &in);
	in.data[2] = 0xff;
	expect_outcome("deflate", &in, "\n<damage -3 deflate data damaged>\n<from 0>\n");
	in.len = 1;
	expect_outcome("deflate", &in, "\n<damage -3 input ends inside deflate data, cut>\n<from 0>\n");
	in.len = 0;
	expect_outcome("deflate", &in, "");
}

TEST(brotli_is_decoded)
{
	/* An empty stream, and an uncompressed block between a header and an end (RFC 7932, section 9.2). */
	AUTO_BUF in = { 0 };
	buf_append(&in, "\x06", 1);
	expect_outcome("br", &in, "\n<member 1>\n");
	buf_clear(&in);
	buf_append(&in, "\x0b\x02\x80hello\x03", 9);
	expect_outcome("br", &in, "hello\n<member 9>\n");
	in.len--;
	expect_outcome("br", &in, "hello\n<damage -3 input ends inside brotli data, cut>\n<from 0>\n");
	in.data[0] = 0x11;
	expect_outcome("br", &in, "\n<damage -3 brotli data damaged>\n<from 0>\n");
	in.len = 0;
	expect_outcome("br", &in, "");
}

static struct buf encode(const struct encoder_ops *ops, int level, const struct buf *text)
{
	struct buf out = { 0 };
	struct encoder_codec *e = ops->open(level);
	assert_non_null(e);
	assert_int_equal(ops->unit(e, slice_of(text->data, text->len / 3), &out), 0);
	const size_t first = out.len;
	assert_int_equal(ops->unit(e, slice_of(NULL, 0), &out), 0);
	assert_int_equal(ops->unit(e, slice_skip(buf_slice(text), text->len / 3), &out), 0);
	AUTO_BUF again = { 0 };
	assert_int_equal(ops->unit(e, slice_of(text->data, text->len / 3), &again), 0);
	assert_int_equal(again.len, first);
	assert_memory_equal(again.data, out.data, first);
	ops->close(e);
	return out;
}

/* All that was decoded, without the reader's notes; `members` counts them. */
static struct buf decode(const char *coding, const struct buf *in, size_t *members)
{
	struct buf text = { 0 };
	const struct codec_ops *ops = codec_named(coding);
	if (!ops)
		fail_msg("no decoder is named %s", coding);
	struct codec *c = ops->open(&codec_test_limits);
	struct codec_in from = { in->data, in->len, 0 };
	int answer;
	*members = 0;
	do {
		assert_ok(buf_reserve(&text, 1 << 16));
		struct codec_out out = { text.data, text.cap, text.len };
		answer = c->ops->step(c, &from, &out, true);
		text.len = out.pos;
		*members += answer == CODEC_MEMBER_END;
		assert_true(answer > 0);
	} while (answer != CODEC_END);
	c->ops->close(c);
	return text;
}

TEST(encoders_make_what_decoders_read)
{
	AUTO_BUF text = { 0 };
	append_text(&text, 200000, 21);
	for (size_t i = 1; encoder_table[i]; i++) {
		const struct encoder_ops *ops = encoder_table[i];
		for (int level = ops->level_min; level <= ops->level_max; level += level < 4 ? 1 : 5) {
			AUTO_BUF coded = encode(ops, level, &text);
			size_t members;
			AUTO_BUF decoded = decode(ops->name, &coded, &members);
			assert_int_equal(members, 3);
			assert_true(slice_equal(buf_slice(&decoded), buf_slice(&text)));
		}
		assert_null(ops->open(ops->level_max + 1));
		assert_null(ops->open(ops->level_min - 1));
		assert_true(ops->level_default >= ops->level_min && ops->level_default <= ops->level_max);
	}
}

TEST(encoders_are_found_by_name)
{
	assert_string_equal(encoder_find(slice_from_text("gzip"))->suffix, ".gz");
	assert_string_equal(encoder_find(slice_from_text("zstd"))->suffix, ".zst");
	assert_string_equal(encoder_find(slice_from_text("none"))->suffix, "");
	assert_null(encoder_find(slice_from_text("br")));
}

/* Members tell nothing of the machine; frames have size and checksum. */
TEST(encoders_write_fixed_headers)
{
	AUTO_BUF text = { 0 };
	buf_append_text(&text, "hello");
	AUTO_BUF gzip = encode(encoder_find(slice_from_text("gzip")), 6, &text);
	assert_memory_equal(gzip.data, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10);
	AUTO_BUF zstd = encode(encoder_find(slice_from_text("zstd")), 3, &text);
	assert_int_equal(ZSTD_getFrameContentSize(zstd.data, zstd.len), 1);
	assert_int_equal(zstd.data[4] & 4, 4);
	AUTO_BUF none = encode(encoder_find(slice_from_text("none")), 0, &text);
	assert_memory_equal(none.data, "hello", 5);
}

TEST(many_empty_members_are_passed)
{
	const struct encoder_ops *ops = encoder_find(slice_from_text("gzip"));
	struct encoder_codec *e = ops->open(ops->level_default);
	AUTO_BUF in = { 0 };
	for (size_t i = 0; i < 100000; i++)
		assert_int_equal(ops->unit(e, slice_of(NULL, 0), &in), 0);
	ops->close(e);
	size_t members;
	AUTO_BUF text = decode("gzip", &in, &members);
	assert_int_equal(members, 100000);
	assert_int_equal(text.len, 0);
}
