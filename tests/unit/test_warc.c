/* SPDX-License-Identifier: MIT */
/* Dates, URIs, records that we write, named fields, and the writer's output read again. */
#include "archive/warc/field.h"
#include "archive/warc/framer.h"
#include "archive/warc/head.h"
#include "archive/warc/writer.h"
#include "base/buf.h"
#include "support/record_log.h"
#include "support/unit.h"

static void expect_date(const char *date, const char *want, const char *whole)
{
	char out[WARC_DATE_MAX];
	assert_int_equal(warc_date_normalise(slice_from_text(date), true, out), want != NULL);
	assert_string_equal(out, want ? want : "");
	assert_int_equal(warc_date_normalise(slice_from_text(date), false, out), want != NULL);
	assert_string_equal(out, whole ? whole : want ? want : "");
}

TEST(normalises_dates)
{
	expect_date("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z", NULL);
	expect_date("2024-05-01T10:00:00.123456789Z", "2024-05-01T10:00:00.123456789Z", "2024-05-01T10:00:00Z");
	expect_date("2024-05-01T10:00:00.1234567891Z", "2024-05-01T10:00:00.123456789Z", "2024-05-01T10:00:00Z");
	expect_date("2024-05-01T10:00:00", "2024-05-01T10:00:00Z", NULL);
	expect_date("2024-05-01 10:00", "2024-05-01T10:00:00Z", NULL);
	expect_date("2024-05-01", "2024-05-01T00:00:00Z", NULL);
	expect_date("2024-05", "2024-05-01T00:00:00Z", NULL);
	expect_date("2024", "2024-01-01T00:00:00Z", NULL);
	expect_date(" 20240501100203 ", "2024-05-01T10:02:03Z", NULL);
	expect_date("20240501100203456", "2024-05-01T10:02:03.456Z", "2024-05-01T10:02:03Z");
	expect_date("20240501", "2024-05-01T00:00:00Z", NULL);
	expect_date("2024-05-01T10:00:00+02:00", "2024-05-01T08:00:00Z", NULL);
	expect_date("2024-12-31T23:30:00-0130", "2025-01-01T01:00:00Z", NULL);
	expect_date("2024-03-01T00:30:00+01", "2024-02-29T23:30:00Z", NULL);
	expect_date("2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00Z", NULL);
	expect_date("2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z", NULL);
	const char *const *bad =
		TEXTS("", "202", "yesterday", "2024-5-1", "2023-02-29", "20240501100", "2024-05-01T10",
		      "2024-05-01T10:00:00.", "0000-00-00T00:00:00Z", "9999-99-99T99:99:99Z", "2024-05-01T25:00:00Z",
		      "2024-05-01T10:00:00Zx", "2024-05-01T10:00:00+99:00", "9999-12-31T23:59:00-01:00");
	while (*bad)
		expect_date(*bad++, NULL, NULL);
}

TEST(encodes_uris)
{
	static const char *const cases[][2] = {
		{ "http://x.org/a?b=c#d[1]", "http://x.org/a?b=c#d%5B1%5D" },
		{ "http://[::1]:80/a[b]?c[d]=#e#f", "http://[::1]:80/a%5Bb%5D?c%5Bd%5D=#e%23f" },
		{ "http://x.org?q=//[1]", "http://x.org?q=//%5B1%5D" },
		{ "urn:x:[1]://[2]", "urn:x:%5B1%5D://%5B2%5D" },
		{ "http://x.org/a b<c>\"d\r\n", "http://x.org/a%20b%3Cc%3E%22d%0D%0A" },
		{ "http://x.org/%41%4", "http://x.org/%41%254" },
		{ "http://x.org/100%", "http://x.org/100%25" },
		{ "http://x.org/\xd8\xa7", "http://x.org/%D8%A7" },
	};
	AUTO_BUF out = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_clear(&out);
		assert_ok(warc_uri_append(&out, slice_from_text(cases[i][0])));
		assert_true(slice_equal(buf_slice(&out), slice_from_text(cases[i][1])));
	}
}

TEST(writes_what_the_framer_reads)
{
	const struct field fields[] = {
		{ slice_from_text("WARC-Type"), slice_from_text("conversion") },
		{ slice_from_text("WARC-Target-URI"), slice_from_text(" http://x.org/\r\nWARC-Type: evil ") },
		{ slice_from_text("WARC-Truncated"), slice_from_text("") },
		{ slice_from_text("X-Nul"), slice_of("a\0b", 3) },
	};
	const struct warc_output output = { "WARC/1.1", fields, 4, slice_from_text("block") };
	static const char want[] =
		"WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://x.org/  WARC-Type: evil\r\n"
		"X-Nul: a b\r\nContent-Length: 5\r\n\r\nblock\r\n\r\n";
	const struct limits limits = LIMITS_DEFAULT;
	struct record_log log = { .offsets = true };
	AUTO_BUF out = { 0 };
	assert_ok(warc_write(&out, &output));
	assert_true(slice_equal(buf_slice(&out), slice_of(want, sizeof(want) - 1)));
	record_log_start(&log);
	struct warc_framer *framer = warc_framer_new(&log.sink, &limits, false);
	assert_non_null(framer);
	assert_ok(warc_framer_write(framer, buf_slice(&out)));
	assert_ok(warc_framer_finish(framer));
	assert_int_equal(log.records, 1);
	assert_int_equal(log.damaged, 0);
	warc_framer_free(framer);
	buf_free(&log.text);
}

TEST(reads_named_fields)
{
	static const char text[] = "A: b\r\n c\n\t d\r\nno colon\n lost\n: none\n gone\nE :f:g\nH:\n  i\nJ: \nK: l";
	static const char *const want[][2] = { { "A", "b c d" },
					       { "E", "f:g" },
					       { "H", "i" },
					       { "J", "" },
					       { "K", "l" } };
	uint8_t copy[sizeof(text) - 1];
	struct field_list list = { 0 };
	memcpy(copy, text, sizeof(copy));
	assert_ok(field_list_parse(&list, copy, sizeof(copy), SIZE_MAX));
	assert_int_equal(list.len, sizeof(want) / sizeof(*want));
	for (size_t i = 0; i < list.len; i++) {
		assert_true(slice_equal(list.items[i].name, slice_from_text(want[i][0])));
		assert_true(slice_equal(list.items[i].value, slice_from_text(want[i][1])));
	}
	field_list_free(&list);
}

/* At the end of a member there may be no byte at all, and no place where one could be. */
TEST(no_byte_may_begin_any_head)
{
	assert_int_equal(head_match_arc(slice_of(NULL, 0)), MATCH_PART);
	assert_int_equal(head_match_magic(slice_of(NULL, 0), false), MATCH_PART);
	assert_int_equal(head_match_magic(slice_of(NULL, 0), true), MATCH_PART);
	assert_int_equal(head_match_arc(slice_from_text("http:")), MATCH_PART);
	assert_int_equal(head_match_arc(slice_from_text("http:/?")), MATCH_NO);
}
