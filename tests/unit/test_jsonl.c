/* SPDX-License-Identifier: MIT */
/* JSONL documents, byte by byte as doc/FORMATS.md lays them out. */
#include "archive/sink/sink.h"
#include "dana/dana.h"
#include "support/sample_document.h"
#include "support/unit.h"

static void assert_line(enum sink_schema schema, struct document *doc, const char *wanted)
{
	const struct sink_ops *ops = sink_find("jsonl");
	assert_non_null(ops);
	struct sink *s = ops->open(&(struct sink_config){ .schema = schema });
	AUTO_BUF out = { 0 };
	assert_non_null(s);
	assert_null(ops->opening);
	assert_false(ops->member_per_document);
	assert_int_equal(ops->document(s, doc, &out), 0);
	assert_string_equal(text_of(&out), wanted);
	ops->close(s);
}

#define TEXT "\"text\":\"one\\ntwo\""
#define ID "\"id\":\"urn:uuid:00000000-0000-4000-8000-000000000001\""
#define METADATA \
	"\"url\":\"http://example.org/a?b=c\",\"date\":\"2024-05-06T07:08:09Z\",\"title\":\"A \\\"title\\\"\"," \
	"\"language\":null,\"page_kind\":\"forum\",\"charset\":\"utf-8\",\"http_status\":200," \
	"\"content_type\":\"text/html; " \
	"charset=UTF-8\",\"method\":\"danag\",\"file\":\"dir/" \
	"crawl.warc.gz\",\"offset\":1234,\"length\":99,\"html_bytes\":500," \
	"\"text_chars\":7,\"truncated\":false,\"problems\":[]"

TEST(the_layouts_of_a_full_document)
{
	struct record rec = sample_record();
	struct document doc = sample_document(&rec);
	assert_line(SCHEMA_DANA, &doc, "{" TEXT "," ID "," METADATA "}\n");
	assert_line(SCHEMA_DATATROVE, &doc,
		    "{" TEXT "," ID ",\"metadata\":{\"file_path\":\"dir/crawl.warc.gz\"," METADATA "}}\n");
	assert_line(SCHEMA_DOLMA, &doc,
		    "{" ID "," TEXT ",\"source\":\"crawl.warc.gz\",\"added\":\"2024-05-06T07:08:09Z\","
		    "\"created\":\"2024-05-06T07:08:09Z\",\"metadata\":{" METADATA "}}\n");
}

TEST(an_action_stands_before_each_document_of_bulk)
{
	char long_id[600];
	struct record rec = sample_record();
	struct document doc = sample_document(&rec);
	assert_line(SCHEMA_BULK, &doc,
		    "{\"index\":{\"_id\":\"urn:uuid:00000000-0000-4000-8000-000000000001\"}}\n"
		    "{" TEXT "," ID "," METADATA "}\n");
	struct sink *s = sink_find("jsonl")->open(&(struct sink_config){ .schema = SCHEMA_BULK });
	for (size_t len = 512; len <= 513; len++) { /* what an index takes, and more */
		AUTO_BUF out = { 0 };
		memset(long_id, 'x', len);
		rec.record_id = slice_of(long_id, len);
		assert_int_equal(s->ops->document(s, &doc, &out), 0);
		const char *made = "{\"index\":{\"_id\":\"urn:uuid:";
		assert_int_equal(memcmp(out.data, made, strlen(made)) == 0, len > 512);
	}
	s->ops->close(s);
}

TEST(what_is_unknown_is_null)
{
	struct record rec = { .seq = 3, .offset = 0, .date = slice_from_text("2020-01-01T00:00:00Z") };
	struct document doc = { .record = &rec, .file = "-" };
	const char *rest =
		"\"url\":null,\"date\":\"2020-01-01T00:00:00Z\",\"title\":null,\"language\":null,\"page_kind\":null,"
		"\"charset\":null,\"http_status\":null,\"content_type\":null,\"method\":null,\"file\":\"-\","
		"\"offset\":0,\"length\":null,\"html_bytes\":0,\"text_chars\":0,\"truncated\":false,\"problems\":[]";
	char wanted[1024];
	(void)snprintf(wanted, sizeof(wanted), "{\"text\":\"\",\"id\":null,%s}\n", rest);
	assert_line(SCHEMA_DANA, &doc, wanted);
	/* An id is made where readers need one: UUID of the lines "-", "-", "3", "-" in our namespace. */
	(void)snprintf(wanted, sizeof(wanted),
		       "{\"text\":\"\",\"id\":\"urn:uuid:5b737073-15ca-5bc6-b67d-d4bb8b60503b\",\"metadata\":{\"file_"
		       "path\":\"-\",%s}}\n",
		       rest);
	assert_line(SCHEMA_DATATROVE, &doc, wanted);
}

TEST(problems_and_media_come_last)
{
	struct record rec = sample_record();
	struct document doc = sample_document(&rec);
	struct dana_media media[] = {
		{ .type = "img", .url = "a.png", .url_len = 5, .alt = "x\xff", .alt_len = 2, .width = 3, .height = 4 },
		{ .type = "video", .url = "v", .url_len = 1 },
	};
	doc.problems = PROBLEM_BODY_LENGTH | PROBLEM_TRUNCATED_TEXT | PROBLEM_BAD_HTTP;
	doc.with_media = true;
	doc.media = media;
	doc.n_media = 2;
	doc.has_title = true;
	doc.title = slice_of(NULL, 0);
	rec.record_id = slice_from_text("x");
	rec.target_uri = slice_of("\xc3", 1);
	assert_line(
		SCHEMA_DANA, &doc,
		"{" TEXT ",\"id\":\"x\",\"url\":\"\xef\xbf\xbd\",\"date\":\"2024-05-06T07:08:09Z\","
		"\"title\":\"\",\"language\":null,\"page_kind\":\"forum\",\"charset\":\"utf-8\",\"http_status\":200,"
		"\"content_type\":\"text/html; "
		"charset=UTF-8\",\"method\":\"danag\",\"file\":\"dir/"
		"crawl.warc.gz\",\"offset\":1234,\"length\":99,\"html_bytes\":500,"
		"\"text_chars\":7,\"truncated\":true,\"problems\":[\"truncated_text\",\"bad_http\",\"body_length\"],"
		"\"media\":[{\"type\":\"img\",\"url\":\"a.png\",\"width\":3,\"height\":4,\"alt\":\"x\xef\xbf\xbd\"},"
		"{\"type\":\"video\",\"url\":\"v\",\"width\":null,\"height\":null,\"alt\":null}]}\n");
	doc.n_media = 0;
	doc.problems = 0;
	rec = sample_record();
	doc.title = slice_from_text("A \"title\"");
	assert_line(SCHEMA_DANA, &doc, "{" TEXT "," ID "," METADATA ",\"media\":[]}\n");
}

TEST(one_page_alone)
{
	struct record rec = sample_record();
	struct document doc = sample_document(&rec);
	AUTO_BUF out = { 0 };
	assert_ok(text_page(&doc, false, &out));
	assert_string_equal(text_of(&out), "one\ntwo\n");
	buf_clear(&out);
	doc.record = NULL;
	doc.file = NULL;
	assert_ok(text_page_json(&doc, slice_of(NULL, 0), &out));
	assert_string_equal(
		text_of(&out),
		"{" TEXT ",\"title\":\"A \\\"title\\\"\",\"page_kind\":\"forum\",\"charset\":\"utf-8\","
		"\"method\":\"danag\",\"html_bytes\":500,\"text_chars\":7,\"truncated\":false,\"problems\":[]}\n");
	buf_clear(&out);
	doc.file = "dir/a.html"; /* one of several pages: its name comes first */
	assert_ok(text_page_json(&doc, slice_of(NULL, 0), &out));
	assert_non_null(strstr(text_of(&out), "{\"file\":\"dir/a.html\"," TEXT ","));
	buf_clear(&out);
	assert_ok(text_failure_json("dir/b.html", "a PDF", &out));
	assert_string_equal(
		text_of(&out),
		"{\"file\":\"dir/"
		"b.html\",\"text\":null,\"title\":null,\"page_kind\":null,\"charset\":null,\"method\":null,"
		"\"html_bytes\":0,\"text_chars\":0,\"truncated\":false,\"problems\":[],\"reason\":\"a PDF\"}\n");
	buf_clear(&out);
	assert_int_equal(text_page(&(struct document){ 0 }, false, &out), 0);
	assert_int_equal(out.len, 0);
}
