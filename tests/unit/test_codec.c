#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <zlib.h>

#include "codec/inflate.h"
#include "support/codec_reader.h"

static const struct codec_limits limits = { .window = (size_t)8 << 20 };
static const char record[] = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";

static struct codec *open_ops(void *arg)
{
	const struct codec_ops *const *ops = arg;
	return (*ops)->open(&limits);
}

static struct codec *open_inflate(void *arg)
{
	const struct inflate_ops *const *inflate = arg;
	return gzip_decoder_open(*inflate);
}

/* The outcome of all splits and of output rooms of several sizes, which have to be one. */
static struct buf outcome_by(struct codec *(*open)(void *), void *arg, struct slice input)
{
	static const size_t windows[] = { 1 << 16, 1, 7, 300 };
	struct buf outcome = { 0 }, other = { 0 };
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		struct codec_reader reader = { .open = open, .arg = arg, .window = windows[i] };
		const struct split_subject subject = { codec_reader_begin, codec_reader_piece, codec_reader_end, &reader };
		split_check(&subject, input, i ? &other : &outcome);
		if (i)
			split_compare(&outcome, &other, "output room", windows[i]);
	}
	buf_free(&other);
	return outcome;
}

static struct buf outcome_of(const char *coding, struct slice input)
{
	const struct codec_ops *ops = codec_for_coding(slice_from_text(coding));
	assert_non_null(ops);
	return outcome_by(open_ops, &ops, input);
}

static void expect_outcome(const char *coding, const struct buf *input, const char *expected)
{
	struct buf outcome = outcome_of(coding, buf_slice(input));
	assert_int_equal(buf_append_byte(&outcome, 0), 0);
	assert_string_equal((const char *)outcome.data, expected);
	buf_free(&outcome);
}

/* A gzip member with chosen header parts; `mutate` tests change bytes of it later. */
struct member_parts {
	const char *extra, *name, *comment;
	bool header_checksum;
};

static void append_deflate(struct buf *to, struct slice data, int level)
{
	z_stream z = { 0 };
	assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(buf_reserve(to, deflateBound(&z, data.len)), 0);
	z.next_in = (z_const Bytef *)(uintptr_t)data.data;
	z.avail_in = (uInt)data.len;
	z.next_out = to->data + to->len;
	z.avail_out = (uInt)(to->cap - to->len);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	to->len += z.total_out;
	deflateEnd(&z);
}

static void append_le(struct buf *to, uint32_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		assert_int_equal(buf_append_byte(to, (uint8_t)(value >> (8 * i))), 0);
}

static void append_member(struct buf *to, struct slice data, int level, const struct member_parts *parts)
{
	const size_t begin = to->len;
	unsigned flags = (parts->header_checksum ? 2U : 0) | (parts->extra ? 4U : 0) | (parts->name ? 8U : 0) |
			 (parts->comment ? 16U : 0);
	append_le(to, 0x00088b1fU | flags << 24, 4);
	append_le(to, 0, 4);
	append_le(to, 0x0300, 2);
	if (parts->extra) {
		append_le(to, (uint32_t)strlen(parts->extra), 2);
		buf_append_text(to, parts->extra);
	}
	if (parts->name)
		buf_append(to, parts->name, strlen(parts->name) + 1);
	if (parts->comment)
		buf_append(to, parts->comment, strlen(parts->comment) + 1);
	if (parts->header_checksum)
		append_le(to, (uint32_t)crc32(0, to->data + begin, (uInt)(to->len - begin)) & 0xffff, 2);
	append_deflate(to, data, level);
	append_le(to, (uint32_t)crc32_z(0, data.data, data.len), 4);
	append_le(to, (uint32_t)data.len, 4);
}

static void append_plain_member(struct buf *to, const char *text)
{
	append_member(to, slice_from_text(text), 6, &(struct member_parts){ 0 });
}

static void gzip_reads_members(void **state)
{
	(void)state;
	struct buf in = { 0 };
	append_plain_member(&in, "one");
	append_plain_member(&in, "");
	append_member(&in, slice_from_text("two"), 0, &(struct member_parts){ .extra = "sl12345678", .name = "a.warc" });
	append_member(&in, slice_from_text("three"), 9, &(struct member_parts){ "", "", "a comment", true });
	expect_outcome("gzip", &in,
		       "one\n<member 23>\n"
		       "\n<member 43>\n"
		       "two\n<member 88>\n"
		       "three\n<member 128>\n");
	buf_free(&in);
}

int main(void)
{
	(void)record;
	(void)open_inflate;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gzip_reads_members),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
