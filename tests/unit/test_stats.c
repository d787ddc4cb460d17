/* SPDX-License-Identifier: MIT */
/* Counters and the lines of --rejects. */
#include "config.h"

#include "archive/stats.h"
#include "run/stats_file.h"
#include "support/unit.h"

static void feed(struct stats *s)
{
	struct document good = { .method = "danag",
				 .text_chars = 10,
				 .problems = PROBLEM_HEAD_CUT | PROBLEM_BAD_CHARSET };
	struct document other = { .method = "bte", .text_chars = 5 };
	struct record_end cut = { .damaged = true, .reason = DAMAGE_TRUNCATED };
	stats_outcome(s, &(struct outcome){ .kind = OUTCOME_DOCUMENT, .document = &good });
	stats_outcome(s, &(struct outcome){ .kind = OUTCOME_DOCUMENT, .document = &good });
	stats_outcome(s, &(struct outcome){ .kind = OUTCOME_DOCUMENT, .document = &other });
	stats_outcome(s, &(struct outcome){ .kind = OUTCOME_SKIPPED, .skipped = SKIP_MIME });
	stats_outcome(s, &(struct outcome){ .kind = OUTCOME_SKIPPED, .skipped = SKIP_TYPE });
	stats_outcome(s, &(struct outcome){ .kind = OUTCOME_DAMAGED, .damage = &cut });
}

TEST(every_record_is_counted_once)
{
	struct stats s = { .inputs = 1,
			   .bytes_in = 100,
			   .bytes_decoded = 200,
			   .bytes_out = 50,
			   .seconds = 1.5,
			   .http_requests = 3,
			   .http_retries = 2,
			   .bytes_fetched = 77,
			   .shard = 3,
			   .shards = 10 };
	s.peak_rss_bytes = 4096;
	feed(&s);
	assert_int_equal(s.records, 6);
	assert_int_equal(s.records, s.documents + stats_skipped(&s) + stats_damaged(&s));
	AUTO_BUF out = { 0 };
	assert_int_equal(stats_json(&s, slice_from_text("[\"a\"]"), slice_of(NULL, 0), &out), 0);
	assert_string_equal(
		text_of(&out),
		"{\"inputs\":1,\"bytes_in\":100,\"bytes_decoded\":200,\"records\":6,\"documents\":3,"
		"\"skipped\":{\"type\":1,\"mime\":1},\"damaged\":{\"truncated\":1},"
		"\"problems\":{\"bad_charset\":2,\"head_cut\":2},\"bytes_out\":50,\"text_chars\":25,"
		"\"methods\":{\"bte\":1,\"danag\":2},\"http_requests\":3,\"http_retries\":2,\"bytes_fetched\":77,"
		"\"shard\":\"3/10\",\"done\":[\"a\"],"
		"\"seconds\":1.500,\"cpu_seconds\":0.000,\"peak_rss_bytes\":4096}\n");
}

TEST(inputs_add_up)
{
	struct stats one = { .inputs = 1, .http_requests = 3, .http_retries = 2, .bytes_fetched = 77 }, all = { 0 };
	feed(&one);
	stats_add(&all, &one);
	stats_add(&all, &one);
	assert_true(all.inputs == 2 && all.records == 12 && all.text_chars == 50 && stats_damaged(&all) == 2);
	assert_true(all.http_requests == 6 && all.http_retries == 4 && all.bytes_fetched == 154);
	assert_true(all.methods[0].count == 4 && all.methods[1].count == 2);
	stats_measure(&all, 2.0);
	assert_true(all.peak_rss_bytes > 0);
	assert_true(all.seconds > 1.9 && all.seconds < 2.1);
}

TEST(rejects_tell_what_and_where)
{
	AUTO_BUF out = { 0 };
	struct record_end bad = { .damaged = true, .reason = DAMAGE_BAD_LENGTH, .detail = "no boundary" };
	struct outcome o = { .kind = OUTCOME_DAMAGED, .offset = 77, .damage = &bad };
	assert_ok(rejects_line(&o, "a\"b.warc", NULL, &out));
	assert_string_equal(
		text_of(&out),
		"{\"id\":null,\"url\":null,\"file\":\"a\\\"b.warc\",\"offset\":77,\"reason\":\"bad_length\","
		"\"detail\":\"no boundary\"}\n");
	buf_clear(&out);
	o = (struct outcome){ .kind = OUTCOME_SKIPPED,
			      .skipped = SKIP_SHORT,
			      .id = slice_from_text("urn:uuid:1"),
			      .uri = slice_from_text("http://a.example/") };
	assert_ok(rejects_line(&o, "-", NULL, &out));
	assert_string_equal(text_of(&out),
			    "{\"id\":\"urn:uuid:1\",\"url\":\"http://a.example/\",\"file\":\"-\",\"offset\":0,"
			    "\"reason\":\"short\",\"detail\":null}\n");
	buf_clear(&out);
	o.skipped = SKIP_TYPE;
	assert_ok(rejects_line(&o, "-", NULL, &out));
	o.kind = OUTCOME_DOCUMENT;
	assert_ok(rejects_line(&o, "-", NULL, &out));
	assert_int_equal(out.len, 0);
}
