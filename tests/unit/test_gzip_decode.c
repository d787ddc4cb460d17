/* SPDX-License-Identifier: MIT */
/* Members of gzip: by steps, after damage, and at once: which ones are, whatever is at hand of them. */
#include <zlib.h>

#include "archive/codec/codecs.h"
#include "support/codec_outcome.h"
#include "support/deflated.h"
#include "support/unit.h"

static const char record[] = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";

/* What a gzip header may hold besides the fixed part. */
struct member_parts {
	const char *extra, *name, *comment;
	bool header_checksum;
};

static const struct member_parts no_parts;

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
	append_deflated(to, data, level, DEFLATED_RAW);
	append_le(to, (uint32_t)crc32_z(0, data.data, data.len), 4);
	append_le(to, (uint32_t)data.len, 4);
}

static void append_plain_member(struct buf *to, const char *text)
{
	append_member(to, slice_from_text(text), 6, &no_parts);
}

TEST(gzip_reads_members)
{
	AUTO_BUF in = { 0 };
	append_plain_member(&in, "one");
	append_plain_member(&in, "");
	append_member(&in, slice_from_text("two"), 0,
		      &(struct member_parts){ .extra = "sl12345678", .name = "a.warc" });
	append_member(&in, slice_from_text("three"), 9, &(struct member_parts){ "", "", "a comment", true });
	expect_outcome("gzip", &in,
		       "one\n<member 23>\n"
		       "\n<member 43>\n"
		       "two\n<member 88>\n"
		       "three\n<member 128>\n");
}

TEST(gzip_passes_padding)
{
	AUTO_BUF in = { 0 };
	append_plain_member(&in, "one");
	append_le(&in, 0, 3);
	append_plain_member(&in, "two");
	append_le(&in, 0, 4);
	expect_outcome("gzip", &in,
		       "one\n<member 23>\n"
		       "\n<skipped 26>\n"
		       "two\n<member 49>\n"
		       "\n<skipped 53>\n");
}

/* `name` is longer than any buffer. */
TEST(gzip_passes_a_long_name)
{
	AUTO_BUF in = { 0 }, name = { 0 };
	for (size_t i = 0; i < 100000; i++)
		buf_append_byte(&name, 'n');
	buf_append_byte(&name, 0);
	append_member(&in, slice_from_text("text"), 6, &(struct member_parts){ .name = (const char *)name.data });
	expect_outcome("gzip", &in, "text\n<member 100025>\n");
}

TEST(gzip_reports_headers)
{
	AUTO_BUF in = { 0 };
	append_member(&in, slice_from_text("one"), 6, &(struct member_parts){ .header_checksum = true });
	in.data[10] ^= 1;
	expect_outcome("gzip", &in, "\n<damage -3 checksum of a gzip header is wrong>\n<from 0>\n");
	in.data[10] ^= 1;
	in.data[3] |= 0x20;
	expect_outcome("gzip", &in, "\n<damage -3 reserved flag bits in a gzip header>\n<from 0>\n");
	in.data[3] = 2;
	in.len = 11;
	expect_outcome("gzip", &in, "\n<damage -3 input ends inside a gzip header, cut>\n<from 0>\n");
	in.data[2] = 7;
	expect_outcome("gzip", &in, "\n<damage -3 unknown compression method in a gzip header>\n<from 0>\n");
}

TEST(gzip_reports_trailers)
{
	AUTO_BUF in = { 0 };
	append_plain_member(&in, "one");
	in.data[in.len - 8] ^= 1;
	expect_outcome("gzip", &in, "one\n<damage -3 CRC-32 of a gzip member is wrong>\n<from 0>\n");
	in.data[in.len - 8] ^= 1;
	in.data[in.len - 1] ^= 1;
	expect_outcome("gzip", &in, "one\n<damage -3 length of a gzip member is wrong>\n<from 0>\n");
	in.len--;
	expect_outcome("gzip", &in, "one\n<damage -3 input ends inside a gzip trailer, cut>\n<from 0>\n");
	in.len -= 8;
	expect_outcome("gzip", &in, "one\n<damage -3 input ends inside a gzip member, cut>\n<from 0>\n");
}

/* Garbage holds the magic number, alone and before a member that is no record; the next record is found. */
TEST(gzip_finds_the_next_record)
{
	AUTO_BUF in = { 0 };
	append_plain_member(&in, record);
	in.data[30] ^= 0x55;
	const size_t first = in.len;
	buf_append(&in, "\x1f\x8b\x08\x00garbage\x1f\x8b\x1f\x8b\x08", 16);
	append_plain_member(&in, "no record");
	append_plain_member(&in, "");
	const size_t second = in.len;
	append_plain_member(&in, "\r\n\r\nhttp://a.example/ 192.0.2.1 20200101000000 text/html 3\nabc\n");
	AUTO_BUF outcome = outcome_of("gzip", buf_slice(&in)), expected = { 0 };
	buf_printf(&expected,
		   "\n<damage -3 deflate data damaged>\n<from 0>\n\n<found %zu>\n\r\n\r\nhttp://a.example/ 192.0.2.1 "
		   "20200101000000 text/html 3\nabc\n\n<member %zu>\n",
		   second, in.len);
	assert_true(first < second && outcome.len >= expected.len);
	assert_memory_equal(outcome.data + outcome.len - expected.len + 40, expected.data + 40, expected.len - 40);
}

/* A trial looks at the first KiB of a member: one that begins with more than that of empty blocks is passed over. */
TEST(gzip_trial_is_short)
{
	static const char empty_block[] = { 0, 0, 0, '\xff', '\xff' };
	for (size_t blocks = 200; blocks <= 210; blocks += 10) {
		AUTO_BUF in = { 0 }, found = { 0 };
		append_plain_member(&in, record);
		in.data[30] ^= 0x55;
		size_t first = in.len;
		append_le(&in, 0x00088b1fU, 4);
		append_le(&in, 0, 4);
		append_le(&in, 0x0300, 2);
		for (size_t i = 0; i < blocks; i++)
			buf_append(&in, empty_block, sizeof(empty_block));
		append_deflated(&in, slice_from_text(record), 0, DEFLATED_RAW);
		append_le(&in, (uint32_t)crc32(0, (const Bytef *)record, sizeof(record) - 1), 4);
		append_le(&in, sizeof(record) - 1, 4);
		if (blocks * sizeof(empty_block) > 1024)
			first = in.len;
		append_plain_member(&in, record);
		AUTO_BUF outcome = outcome_of("gzip", buf_slice(&in));
		buf_append_byte(&outcome, 0);
		buf_printf(&found, "<found %zu>", first);
		const char *at = strstr((const char *)outcome.data, "<found");
		assert_non_null(at);
		assert_memory_equal(at, found.data, found.len);
	}
}

/* Where nothing follows, the text after the last member is one damage. */
TEST(gzip_reports_text_behind)
{
	AUTO_BUF in = { 0 };
	append_plain_member(&in, record);
	AUTO_BUF expected = { 0 };
	buf_printf(&expected, "%s\n<member %zu>\n\n<damage -3 no gzip member where one should begin>\n<from %zu>\n",
		   record, in.len, in.len);
	buf_append_byte(&expected, 0);
	buf_append_text(&in, "Internal error\x1f");
	expect_outcome("gzip", &in, (const char *)expected.data);
}

TEST(gzip_decodes_all_block_kinds)
{
	AUTO_BUF text = { 0 }, in = { 0 };
	append_text(&text, 90000, 1);
	for (int level = 0; level <= 9; level += 3) {
		buf_clear(&in);
		append_member(&in, buf_slice(&text), level, &no_parts);
		expect_member("gzip", &text, &in);
	}
}

/*
 * By steps (zlib) and whole (libdeflate) the outcome is the same, of good, changed and cut members. A member that one
 * of them refuses and the other takes would show here: outcome_of compares both, for each split.
 */
TEST(steps_and_whole_agree)
{
	uint32_t random = 77;
	AUTO_BUF text = { 0 }, in = { 0 };
	append_text(&text, 3000, 5);
	for (size_t round = 0; round < 60; round++) {
		buf_clear(&in);
		append_member(&in, slice_of(text.data, round % 36 * 40), (int)(round % 10), &no_parts);
		const size_t good = in.len, place = 10 + split_random(&random) % (in.len - 10);
		if (round % 3 == 1)
			in.data[place] ^= (uint8_t)(1U << split_random(&random) % 8);
		else if (round % 3 == 2)
			in.len = place;
		AUTO_BUF outcome = outcome_of("gzip", buf_slice(&in));
		buf_append_byte(&outcome, 0);
		const bool damaged = strstr((const char *)outcome.data, "<damage") != NULL;
		assert_int_equal(damaged, round % 3 == 1 || in.len < good);
	}
}

/* All bytes before the damage come, also where it lies beyond the window of 32 KiB. */
TEST(damage_deep_inside_keeps_the_law)
{
	AUTO_BUF text = { 0 }, in = { 0 };
	append_text(&text, 150000, 31);
	append_member(&in, buf_slice(&text), 6, &no_parts);
	const size_t places[] = { in.len / 2, in.len * 3 / 4 };
	for (size_t i = 0; i < 2; i++) {
		in.data[places[i]] ^= 0x24;
		AUTO_BUF outcome = outcome_of("gzip", buf_slice(&in));
		assert_true(outcome.len > text.len / 3);
		assert_memory_equal(outcome.data, text.data, text.len / 3);
		in.data[places[i]] ^= 0x24;
	}
}

/* ---- at once ---- */

static struct codec *codec;

static int make(void **state)
{
	(void)state;
	codec = codec_gzip.open(&codec_test_limits);
	return codec ? 0 : -1;
}

static int drop(void **state)
{
	(void)state;
	codec_gzip.close(codec);
	return 0;
}

/* Asks for the member at the start of the first `len` bytes of `in`; answers, and what was taken is in *taken. */
static int ask(const struct buf *in, size_t len, bool last, size_t *taken, struct slice *decoded)
{
	uint8_t *copy = malloc(len ? len : 1);
	assert_non_null(copy);
	memcpy(copy, in->data, len);
	struct codec_in cursor = { copy, len, 0 };
	int answer = codec_gzip.whole(codec, &cursor, last, decoded);
	*taken = cursor.pos;
	free(copy);
	return answer;
}

static void expect_answer(const struct buf *in, size_t len, bool last, int expected)
{
	struct slice decoded;
	size_t taken;
	assert_int_equal(ask(in, len, last, &taken, &decoded), expected);
	if (expected != CODEC_MEMBER_END)
		assert_int_equal(taken, 0);
}

TEST_WITH(make, drop, decodes_a_member)
{
	AUTO_BUF in = { 0 }, text = { 0 };
	append_text(&text, 200000, 3);
	append_deflated(&in, buf_slice(&text), 6, DEFLATED_GZIP);
	const size_t first = in.len;
	append_deflated(&in, slice_from_text("two"), 6, DEFLATED_GZIP);
	for (size_t i = 0; i < 2; i++) {
		struct slice decoded;
		size_t taken;
		assert_int_equal(ask(&in, i ? in.len : first, i == 0, &taken, &decoded), CODEC_MEMBER_END);
		assert_int_equal(taken, first);
		assert_true(slice_equal(decoded, buf_slice(&text)));
	}
}

TEST_WITH(make, drop, waits_for_the_rest)
{
	AUTO_BUF in = { 0 }, text = { 0 };
	append_text(&text, 500, 3);
	append_deflated(&in, buf_slice(&text), 6, DEFLATED_GZIP);
	for (size_t len = 0; len < in.len; len++)
		expect_answer(&in, len, false, CODEC_MORE_INPUT);
	expect_answer(&in, in.len, true, CODEC_MEMBER_END);
	expect_answer(&in, in.len - 1, true, CODEC_MORE_OUTPUT);
}

TEST_WITH(make, drop, leaves_damage_to_the_steps)
{
	AUTO_BUF in = { 0 };
	append_deflated(&in, slice_from_text("a member like another"), 6, DEFLATED_GZIP);
	for (size_t back = 1; back <= 8; back++) {
		in.data[in.len - back] ^= 1;
		expect_answer(&in, in.len, true, CODEC_MORE_OUTPUT);
		in.data[in.len - back] ^= 1;
	}
	in.data[3] |= 0x20;
	expect_answer(&in, in.len, true, CODEC_MORE_OUTPUT);
}

/* More members than one that do not fit let others by unasked; one that fits ends that. */
TEST_WITH(make, drop, passes_members_behind_large_ones)
{
	AUTO_BUF large = { 0 }, full = { 0 }, small = { 0 }, text = { 0 };
	append_text(&text, WHOLE_OUTPUT + 8, 3);
	text.len = WHOLE_OUTPUT;
	append_deflated(&full, buf_slice(&text), 1, DEFLATED_GZIP);
	text.len++;
	append_deflated(&large, buf_slice(&text), 9, DEFLATED_GZIP);
	append_deflated(&small, slice_from_text("small"), 6, DEFLATED_GZIP);
	assert_true(large.len < WHOLE_INPUT);
	expect_answer(&large, large.len, true, CODEC_MORE_OUTPUT);
	expect_answer(&large, large.len, true, CODEC_MORE_OUTPUT);
	expect_answer(&small, small.len, true, CODEC_MORE_OUTPUT);
	expect_answer(&small, small.len, true, CODEC_MEMBER_END);
	expect_answer(&large, large.len, true, CODEC_MORE_OUTPUT);
	expect_answer(&full, full.len, true, full.len <= WHOLE_INPUT ? CODEC_MEMBER_END : CODEC_MORE_OUTPUT);
}

TEST_WITH(make, drop, gives_up_where_the_input_is_long)
{
	AUTO_BUF in = { 0 }, noise = { 0 };
	uint32_t random = 9;
	while (noise.len < WHOLE_INPUT)
		append_le(&noise, split_random(&random), 4);
	append_deflated(&in, buf_slice(&noise), 0, DEFLATED_GZIP);
	assert_true(in.len > WHOLE_INPUT);
	expect_answer(&in, WHOLE_INPUT - 1, false, CODEC_MORE_INPUT);
	expect_answer(&in, WHOLE_INPUT, false, CODEC_MORE_OUTPUT);
}

/* Appends the member with the field `sl` after one of another name; it notes `length` decoded bytes. */
static void append_noted(struct buf *to, const struct buf *member, uint64_t length)
{
	enum { HEADER = 10, FLAG_EXTRA = 4 };
	const size_t at = to->len;
	assert_ok(buf_append(to, member->data, HEADER));
	to->data[at + 3] |= FLAG_EXTRA;
	append_le(to, 5 + 12, 2);
	assert_ok(buf_append(to,
			     "xy\1\0z"
			     "sl\10\0",
			     9));
	append_le(to, (uint32_t)member->len, 4);
	append_le(to, (uint32_t)length, 4);
	assert_ok(buf_append(to, member->data + HEADER, member->len - HEADER));
}

/* A member that notes more than may be decoded at once goes by steps, and no other is let by for it. */
TEST_WITH(make, drop, believes_a_noted_length)
{
	AUTO_BUF member = { 0 }, large = { 0 }, right = { 0 }, wrong = { 0 }, text = { 0 };
	append_text(&text, 1500000, 3);
	append_deflated(&member, buf_slice(&text), 9, DEFLATED_GZIP);
	append_noted(&large, &member, WHOLE_OUTPUT + 1);
	append_noted(&right, &member, text.len);
	append_noted(&wrong, &member, 1);
	for (size_t i = 0; i < 3; i++) {
		expect_answer(&large, large.len, true, CODEC_MORE_OUTPUT);
		expect_answer(&right, right.len, true, CODEC_MEMBER_END);
		expect_answer(&wrong, wrong.len, true, CODEC_MEMBER_END);
	}
	for (size_t len = 0; len < 40; len++)
		expect_answer(&right, len, false, CODEC_MORE_INPUT);
}

/* A note of too great a length counts only where it is whole: its own length right, the extra field long enough. */
TEST_WITH(make, drop, reads_only_whole_notes)
{
	enum { EXTRA_LENGTH = 10, SUBFIELD_LENGTH = 23 };
	AUTO_BUF member = { 0 }, noted = { 0 };
	append_deflated(&member, slice_from_text("noted"), 6, DEFLATED_GZIP);
	append_noted(&noted, &member, WHOLE_OUTPUT + 1);
	expect_answer(&noted, noted.len, true, CODEC_MORE_OUTPUT);
	noted.data[SUBFIELD_LENGTH - 4] ^= 1;
	expect_answer(&noted, noted.len, true, CODEC_MEMBER_END);
	noted.data[SUBFIELD_LENGTH - 4] ^= 1;
	/* the last byte of the note is moved out of the extra field, and taken for deflate data */
	noted.data[EXTRA_LENGTH]--;
	memmove(noted.data + 28, noted.data + 29, noted.len - 29);
	noted.len--;
	expect_answer(&noted, noted.len, true, CODEC_MEMBER_END);
}
