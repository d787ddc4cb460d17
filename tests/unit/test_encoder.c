/* SPDX-License-Identifier: MIT */
/* How units are cut into members, with a format that shows its members as "[unit]". */
#include "archive/sink/sink.h"
#include "base/buf.h"
#include "support/unit.h"

struct encoder_codec {
	int level;
};

static struct encoder_codec *open_codec(int level)
{
	struct encoder_codec *e = malloc(sizeof(*e));
	if (e)
		e->level = level;
	return e;
}

static int show_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	int status = buf_printf(out, "[%d:", e->level);
	if (status == DANA_OK)
		status = buf_append(out, unit.data, unit.len);
	return status < 0 ? status : buf_append_byte(out, ']');
}

static void close_codec(struct encoder_codec *e)
{
	free(e);
}

static const struct encoder_ops shown = { "shown", ".shown", 1, 9, 6, open_codec, show_unit, close_codec };
static const struct encoder_ops stored = { "none", "", 0, 0, 0, open_codec, show_unit, close_codec };

struct collector {
	struct byte_sink base;
	struct buf bytes;
	unsigned writes, left; /* the write after `left` others fails */
};

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct collector *c = (struct collector *)self;
	if (c->left == 0)
		return DANA_EIO;
	c->left--;
	c->writes++;
	return buf_append(&c->bytes, bytes.data, bytes.len);
}

static int no_finish(struct byte_sink *self)
{
	(void)self;
	fail_msg("the encoder does not own its output");
	return DANA_ESTATE;
}

static const struct byte_sink_ops collector_ops = { "collector", collect, no_finish };

TEST(records_become_members)
{
	static const struct {
		const struct encoder_ops *ops;
		const char *first, *second, *wanted;
		unsigned writes;
	} rows[] = {
		{ &shown, "one", "two", "[3:one][3:two]", 2 },
		{ &shown, NULL, NULL, "[3:]", 1 }, /* an output without documents is one empty member */
		{ &stored, NULL, NULL, "", 0 },
		{ &stored, "one\n", "two\n", "one\ntwo\n", 1 }, /* without compression units pass through */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct collector c = { .base = { &collector_ops }, .left = 99 };
		struct encoder *e = encoder_new(rows[i].ops, 3, true, &c.base);
		if (rows[i].first) {
			assert_ok(encoder_unit(e, slice_from_text(rows[i].first)));
			assert_ok(encoder_unit(e, slice_from_text(rows[i].second)));
		}
		assert_ok(encoder_finish(e));
		assert_int_equal(c.writes, rows[i].writes);
		assert_holds(&c.bytes, rows[i].wanted);
		encoder_free(e);
		buf_free(&c.bytes);
	}
}

TEST(members_end_at_the_first_boundary_after_a_mebibyte)
{
	struct collector c = { .base = { &collector_ops }, .left = 99 };
	struct encoder *e = encoder_new(&shown, 0, false, &c.base);
	uint8_t *unit = malloc(ENCODER_MEMBER_BYTES);
	assert_non_null(unit);
	memset(unit, 'x', ENCODER_MEMBER_BYTES);
	assert_ok(encoder_unit(e, slice_of(unit, ENCODER_MEMBER_BYTES - 1)));
	assert_int_equal(c.writes, 0);
	assert_ok(encoder_unit(e, slice_of(unit, 10)));
	assert_int_equal(c.writes, 1); /* at the boundary after the mebibyte, not inside the unit */
	assert_int_equal(c.bytes.len, ENCODER_MEMBER_BYTES + 9 + 4);
	assert_ok(encoder_unit(e, slice_of(unit, ENCODER_MEMBER_BYTES)));
	assert_int_equal(c.writes, 2);
	assert_ok(encoder_unit(e, slice_of(unit, 1)));
	assert_ok(encoder_finish(e));
	assert_int_equal(c.writes, 3);
	encoder_free(e);
	free(unit);
	buf_free(&c.bytes);
}

TEST(a_failed_write_comes_back)
{
	struct collector c = { .base = { &collector_ops }, .left = 1 };
	struct encoder *e = encoder_new(&shown, 0, true, &c.base);
	assert_ok(encoder_unit(e, slice_from_text("one")));
	assert_int_equal(encoder_unit(e, slice_from_text("two")), DANA_EIO);
	encoder_free(e);
	encoder_free(NULL);
	buf_free(&c.bytes);
}
