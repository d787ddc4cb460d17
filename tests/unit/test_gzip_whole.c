/* SPDX-License-Identifier: MIT */
/* Members decoded at once: which ones are, whatever is at hand of them. */
#include "archive/codec/codecs.h"
#include "support/codec_outcome.h"
#include "support/deflated.h"
#include "support/unit.h"

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
