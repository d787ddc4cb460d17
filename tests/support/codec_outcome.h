/* SPDX-License-Identifier: MIT */
/* Outcomes of decoders for cmocka tests, and data to decode. */
#ifndef DANA_TESTS_SUPPORT_CODEC_OUTCOME_H
#define DANA_TESTS_SUPPORT_CODEC_OUTCOME_H

#include "support/codec_reader.h"
#include "support/unit.h"

static inline void append_le(struct buf *to, uint32_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		assert_ok(buf_append_byte(to, (uint8_t)(value >> (8 * i))));
}

static const struct codec_limits codec_test_limits = { .window = (size_t)1 << 20 };

static inline struct codec *open_ops(void *arg)
{
	const struct codec_ops *const *ops = arg;
	return (*ops)->open(&codec_test_limits);
}

/* The outcome of all splits and of output rooms of several sizes, which have to be one. */
static inline struct buf outcome_by(struct codec *(*open)(void *), void *arg, struct slice input)
{
	static const size_t windows[] = { 1 << 16, 1, 7, 300, 1 << 16, 300 };
	enum { WHOLE_FROM = 4 };
	struct buf outcome = { 0 }, other = { 0 };
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		struct codec_reader reader = { .open = open,
					       .arg = arg,
					       .window = windows[i],
					       .whole = i >= WHOLE_FROM };
		const struct split_subject subject = { codec_reader_begin, codec_reader_piece, codec_reader_end,
						       &reader };
		split_check(&subject, input, i ? &other : &outcome);
		if (i)
			split_compare(&outcome, &other, "output room", windows[i]);
	}
	buf_free(&other);
	return outcome;
}

static inline struct buf outcome_of(const char *coding, struct slice input)
{
	const struct codec_ops *ops = codec_named(coding);
	if (!ops)
		fail_msg("no decoder is named %s", coding);
	return outcome_by(open_ops, &ops, input);
}

static inline void expect_outcome(const char *coding, const struct buf *input, const char *expected)
{
	AUTO_BUF outcome = outcome_of(coding, buf_slice(input));
	assert_holds(&outcome, expected);
}

/* Text with repetitions near and far, the same on each run. */
static inline void append_text(struct buf *to, size_t len, uint32_t seed)
{
	static const char *const words[] = { "river ", "stone ", "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 ", "<p>", "1234 ",
					     "a",      "\n" };
	for (size_t begin = to->len; to->len - begin < len;) {
		uint32_t number = split_random(&seed);
		if (number % 97 == 0)
			append_le(to, split_random(&seed), 4);
		else
			buf_append_text(to, words[number % 7]);
	}
}

static inline void expect_member(const char *coding, const struct buf *text, const struct buf *coded)
{
	AUTO_BUF outcome = outcome_of(coding, buf_slice(coded)), expected = { 0 };
	buf_append(&expected, text->data, text->len);
	buf_printf(&expected, "\n<member %zu>\n", coded->len);
	assert_true(slice_equal(buf_slice(&outcome), buf_slice(&expected)));
}

#endif
