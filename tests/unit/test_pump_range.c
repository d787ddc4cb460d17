/* SPDX-License-Identifier: MIT */
/* Parts of an input: each way to cut it gives the records of the whole. */
#include "archive/codec/codec.h"
#include "support/pump_ranges.h"
#include "support/split_feed.h"
#include "support/unit.h"

enum { LONG = 900 };

static struct buf input, content;

static void put(struct buf *to, const char *text)
{
	assert_ok(buf_append(to, text, strlen(text)));
}

static void record(unsigned number, unsigned length)
{
	assert_ok(buf_printf(&content,
			     "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%u>\r\n"
			     "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: u:%u\r\nContent-Length: %u\r\n\r\n",
			     number, number, length));
	for (unsigned i = 0; i < length; i++)
		assert_ok(buf_append_byte(&content, (uint8_t)('a' + (i * 7 + number) % 26)));
	put(&content, "\r\n\r\n");
}

static void arc_head(void)
{
	put(&content, "filedesc://a.arc 0.0.0.0 20240501100000 text/plain 71\n1 0 dana\n"
		      "URL IP-address Archive-date Content-type Archive-length\n\n");
}

static void arc_record(unsigned number, unsigned length)
{
	assert_ok(buf_printf(&content, "http://h%u/ 192.0.2.1 20240501100000 text/html %u\n", number, length));
	for (unsigned i = 0; i < length; i++)
		assert_ok(buf_append_byte(&content, (uint8_t)('a' + (i * 7 + number) % 26)));
	put(&content, "\n");
}

/* What has been written becomes a member of the input. */
static void member(const char *format)
{
	const struct encoder_ops *ops = encoder_find(slice_from_text(format));
	struct encoder_codec *encoder = ops->open(ops->level_default);
	assert_non_null(encoder);
	assert_int_equal(ops->unit(encoder, buf_slice(&content), &input), 0);
	ops->close(encoder);
	buf_clear(&content);
}

static void plain(void)
{
	assert_ok(buf_append(&input, content.data, content.len));
	buf_clear(&content);
}

static unsigned length_of(unsigned i)
{
	return i % 5 == 3 ? LONG : 20 + i * 13 % 90;
}

static void same(struct pump_ranges *r, const struct pump_ranges *whole, const char *what, size_t cut)
{
	if (!slice_equal(buf_slice(&r->text), buf_slice(&whole->text)))
		fail_msg("%s, cut at %zu, look back %u:\n%.*s\ninstead of:\n%.*s", what, cut, (unsigned)r->look_back,
			 (int)r->text.len, (const char *)r->text.data, (int)whole->text.len,
			 (const char *)whole->text.data);
	assert_int_equal(r->counts.records, whole->counts.records);
	assert_int_equal(r->counts.bytes_in, input.len);
}

/* Two parts at every place; and parts of some sizes. Each with several distances to look back, whole and in pieces. */
static void check(const char *what, bool damaged)
{
	static const uint64_t distances[] = { 1, 64, 700, 0 };
	static const size_t sizes[] = { 1, 37, 211, 1024 };
	struct pump_ranges whole = { .input = buf_slice(&input), .limits = LIMITS_DEFAULT };
	pump_ranges_run(&whole, 0, 0);
	assert_true(whole.counts.records > 0);
	for (size_t d = 0; d < 8; d++) {
		struct pump_ranges r = { .input = buf_slice(&input),
					 .limits = LIMITS_DEFAULT,
					 .look_back = distances[d % 4],
					 .piece = d / 4 * 13,
					 .piped = d == 7 };
		for (size_t cut = 1; cut < input.len; cut += (d / 4 * 16 + 1) * split_every()) {
			pump_ranges_clear(&r);
			pump_ranges_run(&r, 0, cut);
			pump_ranges_run(&r, cut, 0);
			same(&r, &whole, what, cut);
			if (!damaged)
				assert_int_equal(r.counts.bytes_decoded, whole.counts.bytes_decoded);
		}
		for (size_t s = d / 4; s < 4; s++) {
			pump_ranges_clear(&r);
			for (size_t at = 0; at < input.len; at += sizes[s])
				pump_ranges_run(&r, at, at + sizes[s]);
			same(&r, &whole, what, sizes[s]);
		}
		buf_free(&r.text);
	}
	buf_free(&whole.text);
	buf_clear(&input);
}

TEST(members_of_a_record_each)
{
	const char *const formats[] = { "gzip", "zstd" };
	for (size_t f = 0; f < 2; f++) {
		for (unsigned i = 0; i < 12; i++) {
			record(i, length_of(i));
			member(formats[f]);
		}
		check(formats[f], false);
	}
}

TEST(records_that_are_not_compressed)
{
	for (unsigned i = 0; i < 12; i++)
		record(i, length_of(i));
	plain();
	check("plain", false);
}

TEST(archives_of_kind_arc)
{
	arc_head();
	for (unsigned i = 0; i < 12; i++)
		arc_record(i, length_of(i));
	plain();
	check("plain ARC", false);
	arc_head();
	member("gzip");
	for (unsigned i = 0; i < 12; i++) {
		arc_record(i, length_of(i));
		member("gzip");
	}
	check("ARC in gzip", false);
}

TEST(several_records_in_a_member)
{
	for (unsigned i = 0; i < 12; i++) {
		record(i, length_of(i));
		if (i % 3 == 2)
			member("gzip");
	}
	check("three records a member", false);
	for (unsigned i = 0; i < 12; i++)
		record(i, length_of(i));
	member("gzip");
	check("one member", false);
}

/* As pzstd and block gzip write: borders of members anywhere. */
TEST(members_cut_anywhere)
{
	for (unsigned i = 0; i < 12; i++)
		record(i, length_of(i));
	struct buf all = content;
	content = (struct buf){ 0 };
	for (size_t at = 0; at < all.len; at += 150) {
		struct slice part = slice_first(slice_skip(buf_slice(&all), at), 150);
		assert_ok(buf_append(&content, part.data, part.len));
		member("gzip");
	}
	buf_free(&all);
	check("members cut anywhere", false);
}

TEST(damage_is_reported_once)
{
	for (unsigned i = 0; i < 12; i++) {
		record(i, length_of(i));
		size_t begin = input.len;
		member("gzip");
		if (i == 4 || i == 8)
			input.data[begin + (input.len - begin) / 2] ^= 0x55;
		if (i == 6)
			put(&input, "these bytes belong to no member");
	}
	check("damaged members", true);
	for (unsigned i = 0; i < 12; i++) {
		record(i, length_of(i));
		if (i == 5)
			put(&content, "these bytes belong to no record\r\n\r\n");
	}
	plain();
	check("garbage between records", true);
}

/* The head of the input is read in every part: who wants to know of its records is told. */
static int count_before(void *arg, const struct record *rec)
{
	(void)rec;
	++*(unsigned *)arg;
	return 0;
}

TEST(records_before_the_range_are_told)
{
	for (unsigned i = 0; i < 12; i++)
		record(i, LONG);
	plain();
	struct record_log log = { .offsets = true };
	struct limits limits = LIMITS_DEFAULT;
	struct pump_ranges r = { .input = buf_slice(&input), .piece = 200 };
	unsigned told = 0;
	record_log_start(&log);
	log.seq = input.len - LONG;
	struct pump_config config = { .next = &log.sink,
				      .limits = &limits,
				      .seekable = true,
				      .source_size = input.len,
				      .begin = input.len - LONG,
				      .look_back = 100,
				      .before = count_before,
				      .before_arg = &told };
	struct pump *pump = pump_new(&config);
	assert_non_null(pump);
	assert_int_equal(pump_ranges_answer(&r, pump), PUMP_DONE);
	assert_in_range(told, 2, 4); /* the first record, and the one in which the range begins */
	assert_int_equal(log.records, 0);
	pump_free(pump);
	buf_free(&log.text);
	buf_clear(&input);
}
