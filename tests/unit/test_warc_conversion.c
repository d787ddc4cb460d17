/* SPDX-License-Identifier: MIT */
/*
 * Our WARC output: a plain reader of its own checks lengths and boundaries. What usual documents become, byte for byte,
 * is in tests/golden/warc.
 */
#include "archive/sink/sink.h"
#include "support/sample_document.h"
#include "support/unit.h"

/* A record as the plain reader sees it: the head as text, the block. */
struct parsed {
	char head[2048];
	const uint8_t *block;
	size_t block_len;
};

/* Reads the record at *at and moves after it; nothing is shared with the code under test. */
static void read_record(const struct buf *out, size_t *at, struct parsed *p)
{
	size_t end = *at;
	while (end + 4 <= out->len && memcmp(out->data + end, "\r\n\r\n", 4) != 0)
		end++;
	assert_true(end + 4 <= out->len && end + 2 - *at < sizeof(p->head));
	memcpy(p->head, out->data + *at, end + 2 - *at);
	p->head[end + 2 - *at] = 0;
	const char *length = strstr(p->head, "\r\nContent-Length: ");
	assert_non_null(length);
	p->block = out->data + end + 4;
	p->block_len = strtoul(length + 18, NULL, 10);
	assert_true(end + 4 + p->block_len + 4 <= out->len);
	assert_memory_equal(p->block + p->block_len, "\r\n\r\n", 4);
	*at = end + 4 + p->block_len + 4;
}

static bool has_line(const struct parsed *p, const char *line)
{
	const char *at = strstr(p->head, line);
	return at && at > p->head && at[-1] == '\n' && strncmp(at + strlen(line), "\r\n", 2) == 0;
}

TEST(odd_sources_make_good_records)
{
	const struct sink_config old = { .software = "dana/9",
					 .method = "auto",
					 .input = "a/in.warc",
					 .warc_1_0 = true };
	const struct sink_ops *ops = sink_find("warc");
	struct sink *s = ops->open(&old);
	struct record rec = sample_record();
	struct document doc = sample_document(&rec);
	AUTO_BUF out = { 0 };
	struct parsed p;
	size_t at = 0;
	assert_true(ops->member_per_document);
	assert_int_equal(ops->opening(s, slice_of(NULL, 0), &out), 0);
	read_record(&out, &at, &p);
	assert_true(strncmp(p.head, "WARC/1.0\r\n", 10) == 0);
	assert_true(has_line(&p, "WARC-Date: 1970-01-01T00:00:00Z"));
	assert_null(strstr(p.head, "WARC-Filename"));
	rec.date = slice_from_text("2024-05-06T07:08:09.123Z");
	rec.target_uri = slice_from_text("http://example.org/\xd8\xb3 <x>");
	rec.truncated = slice_from_text("Disconnect");
	doc.languages = slice_from_text("ara");
	doc.text = slice_from_text("text\r\n\r\nWARC/1.0\r\n\r\n");
	assert_int_equal(ops->document(s, &doc, &out), 0);
	read_record(&out, &at, &p);
	assert_true(has_line(&p, "WARC-Date: 2024-05-06T07:08:09Z"));
	assert_true(has_line(&p, "WARC-Target-URI: http://example.org/%D8%B3%20%3Cx%3E"));
	assert_true(has_line(&p, "WARC-Truncated: disconnect"));
	assert_true(has_line(&p, "WARC-Identified-Content-Language: ara"));
	assert_int_equal(p.block_len, doc.text.len);
	assert_memory_equal(p.block, doc.text.data, doc.text.len);
	assert_int_equal(doc.problems, 0);
	rec.date = slice_from_text("yesterday");
	rec.record_id = slice_of(NULL, 0);
	rec.truncated = slice_from_text("tired");
	doc.text = slice_of(NULL, 0);
	doc.warcinfo_date = slice_from_text("20240102030405");
	assert_int_equal(ops->document(s, &doc, &out), 0);
	read_record(&out, &at, &p);
	assert_true(has_line(&p, "WARC-Date: 2024-01-02T03:04:05Z"));
	assert_true(has_line(&p, "WARC-Truncated: unspecified"));
	assert_null(strstr(p.head, "WARC-Refers-To"));
	assert_int_equal(p.block_len, 0);
	assert_int_equal(doc.problems, PROBLEM_BAD_DATE);
	rec.truncated = slice_of(NULL, 0);
	doc.warcinfo_date = slice_of(NULL, 0);
	doc.problems = PROBLEM_TRUNCATED_LIMIT;
	assert_int_equal(ops->document(s, &doc, &out), 0);
	read_record(&out, &at, &p);
	assert_true(has_line(&p, "WARC-Date: 1970-01-01T00:00:00Z"));
	assert_true(has_line(&p, "WARC-Truncated: length"));
	assert_int_equal(at, out.len);
	ops->close(s);
}
