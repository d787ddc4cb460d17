/* SPDX-License-Identifier: MIT */
/* Which replies are used, from which byte on, and what is said of the others. */
#include "io/reply.h"
#include "support/deflated.h"
#include "support/unit.h"

static struct reply read_head(const char *lines)
{
	struct reply r = { 0 };
	while (*lines) {
		size_t len = strcspn(lines, "\n");
		reply_line(&r, slice_of(lines, len));
		lines += len + (lines[len] == '\n');
	}
	return r;
}

static const struct identity unknown = { 0 };

#define PART(range) "HTTP/1.1 206 x\nContent-Range: bytes " range "\n"
#define OUTSIDE(range) "HTTP/1.1 416 x\nContent-Range: bytes " range "\n"
#define WHOLE "HTTP/1.1 200 OK\n"
#define REST UINT64_MAX

static struct verdict judge(const char *lines, uint64_t from, uint64_t to, const struct identity *id)
{
	const struct reply r = read_head(lines);
	const struct wish wish = { .from = from, .to = to, .identity = id };
	return reply_judge(&r, &wish);
}

static struct identity identity(const char *lines)
{
	const struct reply r = read_head(lines);
	struct identity id = { 0 };
	identity_take(&id, &r);
	return id;
}

static void refused(struct verdict v, enum fault_kind kind, const char *words)
{
	if (v.good)
		fail_msg("not refused; wanted: %s", words);
	assert_int_equal(v.kind, kind);
	if (!strstr(v.text, words))
		fail_msg("\"%s\" has not: %s", v.text, words);
}

static void taken(struct verdict v, uint64_t skip, uint64_t end)
{
	if (!v.good || v.skip != skip || v.end != end)
		fail_msg("%s, skip %llu, end %llu", v.text, (unsigned long long)v.skip, (unsigned long long)v.end);
}

/* What is read of a head: status, length, range, ETag, Last-Modified, type, coding. */
static void expect_head(const char *lines, const char *wanted)
{
	const struct reply r = read_head(lines);
	AUTO_BUF got = { 0 };
	buf_printf(&got, "%u", r.status);
	if (r.has_length)
		buf_printf(&got, " length %llu", (unsigned long long)r.length);
	if (r.has_range)
		buf_printf(&got, " range %llu-%llu/%llu", (unsigned long long)r.range_from,
			   (unsigned long long)r.range_to, (unsigned long long)r.range_total);
	buf_printf(&got, "%s [%s][%s][%s][%s]", r.bad_range ? " bad" : "", r.etag, r.modified, r.type, r.coding);
	assert_holds(&got, wanted);
}

/* A trailer is no head; what would be sent on in If-Range is a line. */
TEST(the_head_is_read)
{
	expect_head("HTTP/1.1 302 Found\r\nETag: \"other\"\r\nContent-Range: bytes 0-1/2\r\n\r\n"
		    "HTTP/2 206 \r\ncontent-LENGTH: 10\r\nContent-Range: bytes 5-14/20\r\n"
		    "ETag: \"a\"\r\nLast-Modified: Mon\r\nContent-Type: text/HTML; charset=x\r\n"
		    "Content-Encoding: x-gzip\r\nno field\r\n",
		    "206 length 10 range 5-15/20 [\"a\"][Mon][text/HTML][x-gzip]");
	expect_head(WHOLE "Content-Encoding: identity\nContent-Length: 1x\n", "200 [][][][]");
	expect_head(WHOLE "ETag: \"a\"\n\nETag: \"b\"\nContent-Length: 5\nContent-Range: bytes 0-1/2\n",
		    "200 [\"a\"][][][]");
	expect_head(WHOLE "ETag: \"a\rX: b\"\nLast-Modified: M\x01\n", "200 [][][][]");
}

TEST(ranges)
{
	const char *const *bad =
		TEXTS("bytes", "bytes 5-4/10", "bytes 5-14/10", "items 0-1/2", "bytes 0-1", "bytes 0-1/2x",
		      "bytes -1/2", "bytes 0-/2", "bytes */*", "bytes 1-2/", "bytes 0-99999999999999999999/*");
	char line[100];
	struct reply r;
	for (; *bad; bad++) {
		(void)snprintf(line, sizeof(line), "HTTP/1.1 206 x\nContent-Range: %s\n", *bad);
		r = read_head(line);
		if (!r.bad_range || r.has_range)
			fail_msg("taken: %s", *bad);
	}
	r = read_head(PART("0-1/*"));
	assert_true(r.has_range && r.range_total == UINT64_MAX);
	r = read_head(OUTSIDE("*/7"));
	assert_true(r.has_range && r.range_to == 0 && r.range_total == 7);
}

/* Fields that come twice: none may be believed, unless both mean the same. */
TEST(fields_that_come_twice)
{
	const char *const *differ = TEXTS(
		"Content-Range: bytes 0-9/30\n", "Content-Range: bytes 0-8/20\n", "Content-Range: x\n",
		"X: y\ncontent-range: bytes 0-9/*\nContent-Range: bytes 0-9/20\n",
		"Content-Length: 10\nContent-Length: 11\n", "Content-Length: 1x\nContent-Length: 10\n",
		"ETag: \"a\"\nETag: \"b\"\n", "ETag: W/\"a\"\nETag: \"a\"\n", "ETag: \"a\"\nETag: \"a\x01\"\n",
		"Last-Modified: Mon\nLast-Modified: Tue\n", "Content-Encoding: gzip\nContent-Encoding: identity\n");
	const char *const *equal = TEXTS("Content-Range: bytes 0-9/20\n", "CONTENT-RANGE: Bytes   0-9/20 \n",
					 "Content-Length: 10\nContent-Length: 010\n", "Content-Length: 10, 10\n",
					 "ETag: \"a\"\nETag: \"a\"\n", "Last-Modified: Mon\nLast-Modified: Mon\n",
					 "Content-Encoding: aws-chunked\nContent-Encoding: identity\n",
					 "Content-Type: a/b\nContent-Type: text/plain\n", "X-Other: a\nX-Other: b\n",
					 "\nContent-Range: bytes 1-9/20\n");
	static const char *const lengths[] = { "",   "x",       "1x",  "-1",  "5, 6", "5,",
					       ",5", "5, 5, 6", "5;5", "0x5", "5 5",  "18446744073709551616" };
	char head[300];
	for (; *differ; differ++) {
		(void)snprintf(head, sizeof(head), PART("0-9/20") "%s", *differ);
		refused(judge(head, 0, 10, &unknown), FAULT_WRONG, " that differ");
	}
	for (; *equal; equal++) {
		(void)snprintf(head, sizeof(head), PART("0-9/20") "%s", *equal);
		if (!judge(head, 0, 10, &unknown).good)
			fail_msg("refused: %s", *equal);
	}
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		(void)snprintf(head, sizeof(head), "HTTP/1.1 200 x\nContent-Length: %s\n", lengths[i]);
		refused(judge(head, 0, REST, &unknown), FAULT_WRONG, "Content-Length that cannot be read");
	}
	refused(judge(PART("0-9/") "Content-Range: bytes 0-9/*\n", 0, 10, &unknown), FAULT_WRONG, " that differ");
	refused(judge("HTTP/1.1 416 x\nContent-Range: bytes */5\nContent-Range: bytes */6\n", 5, 9, &unknown),
		FAULT_WRONG, "two fields Content-Range that differ");
	/* What a reply before it said does not count, and a busy server stays one. */
	assert_true(judge("HTTP/1.1 302 x\nETag: \"a\"\n\nHTTP/1.1 200 x\nETag: \"b\"\n", 0, REST, &unknown).good);
	refused(judge("HTTP/1.1 503 x\nContent-Length: 1\nContent-Length: 2\n", 0, 9, &unknown), FAULT_BUSY, "503");
}

TEST(whole_files)
{
	taken(judge(WHOLE "Content-Length: 100\n", 0, REST, &unknown), 0, 100);
	taken(judge(WHOLE, 0, REST, &unknown), 0, UINT64_MAX);
	/* In place of a range: what came before is dropped. */
	taken(judge(WHOLE "Content-Length: 100\n", 60, REST, &unknown), 60, 100);
	refused(judge(WHOLE "Content-Length: 100\n", 101, REST, &unknown), FAULT_CHANGED, "100 bytes");
}

TEST(parts)
{
	const struct identity id = identity(WHOLE "Content-Length: 100\n");
	taken(judge(PART("60-99/100") "Content-Length: 40\n", 60, REST, &id), 0, 100);
	taken(judge(PART("60-69/*"), 60, 80, &id), 0, 70);
	refused(judge(PART("61-99/100"), 60, REST, &id), FAULT_WRONG, "range");
	refused(judge(PART("59-99/100"), 60, REST, &id), FAULT_WRONG, "range");
	refused(judge(PART("60-80/100"), 60, 80, &id), FAULT_WRONG, "range");
	refused(judge("HTTP/1.1 206 x\n", 60, REST, &id), FAULT_WRONG, "Content-Range");
	refused(judge(PART("x"), 60, REST, &id), FAULT_WRONG, "Content-Range");
	refused(judge(PART("60-99/100") "Content-Length: 41\n", 60, REST, &id), FAULT_WRONG, "Content-Length");
	refused(judge(PART("60-99/100") "Content-Type: text/html\n", 60, REST, &id), FAULT_WRONG, "text/html");
	refused(judge(PART("60-98/99"), 60, REST, &id), FAULT_CHANGED, "length");
	/* Nobody asked for a part. */
	refused(judge(PART("0-98/99"), 0, REST, &unknown), FAULT_WRONG, "206");
}

TEST(the_end)
{
	const struct identity id = identity(WHOLE);
	struct verdict v = judge(OUTSIDE("*/60"), 60, REST, &id);
	assert_true(v.good && v.at_end);
	refused(judge(PART("0-9/") "Content-Range: bytes 0-9/*\n", 0, 10, &unknown), FAULT_WRONG, " that differ");
	refused(judge(OUTSIDE("*/59"), 60, REST, &id), FAULT_CHANGED, "59 bytes");
	refused(judge("HTTP/1.1 416 x\n", 60, REST, &id), FAULT_WRONG, "416");
	const struct identity longer = identity(WHOLE "Content-Length: 69\n");
	refused(judge(OUTSIDE("*/60"), 60, REST, &longer), FAULT_CHANGED, "its length was 69, is 60");
}

/* What was told once binds later replies that tell less. */
TEST(a_length_that_was_told_stays)
{
	const struct identity tagged = identity(WHOLE "Content-Length: 100\nETag: \"a\"\n");
	const struct identity bare = identity(WHOLE "Content-Length: 100\n");
	taken(judge(WHOLE "ETag: W/\"a\"\n", 60, REST, &tagged), 60, 100);
	refused(judge("HTTP/1.0 200 OK\n", 60, REST, &tagged), FAULT_WRONG, "without a length or a version");
	refused(judge("HTTP/1.0 200 OK\nETag: \"a\"\n", 60, REST, &bare), FAULT_WRONG, "without a length");
	assert_true(judge("HTTP/1.0 200 OK\n", 0, REST, &unknown).good);
	refused(judge(PART("60-100/*"), 60, REST, &bare), FAULT_CHANGED, "was 100, and a range ends at 101");
	taken(judge(PART("60-99/*"), 60, REST, &bare), 0, 100);
}

TEST(what_later_replies_tell_binds_too)
{
	struct identity id = identity(WHOLE "Content-Length: 100\n");
	const struct reply second = read_head(PART("5-9/100") "ETag: \"a\"\nLast-Modified: Mon\n");
	static const char third[] = PART("10-99/100") "ETag: \"b\"\n";
	identity_take(&id, &second);
	assert_int_equal(id.total, 100);
	assert_string_equal(id.etag, "\"a\"");
	assert_string_equal(id.modified, "Mon");
	refused(judge(third, 10, REST, &id), FAULT_CHANGED, "ETag was \"a\", is \"b\"");
}

/* An index may name what a file does not have. */
TEST(outside_of_the_file_may_be_meant)
{
	const struct identity id = { .known = true, .total = 59 }, other = { .known = true, .total = 61 };
	struct wish wish = { .from = 60, .to = 70, .identity = &unknown, .may_be_outside = true };
	const struct reply part = read_head(OUTSIDE("*/59"));
	const struct reply whole = read_head("HTTP/1.1 200 x\nContent-Length: 59\n");
	const struct reply *const replies[] = { &part, &whole };
	for (size_t i = 0; i < 2; i++) {
		wish.identity = &unknown;
		assert_true(reply_judge(replies[i], &wish).at_end);
		wish.identity = &id;
		assert_true(reply_judge(replies[i], &wish).at_end);
		wish.identity = &other;
		refused(reply_judge(replies[i], &wish), FAULT_CHANGED, "was 61, is 59");
	}
}

TEST(another_file)
{
	struct identity id = identity(WHOLE "ETag: \"a\"\nLast-Modified: Mon\nContent-Length: 10\n");
	assert_string_equal(identity_condition(&id), "\"a\"");
#define WITH(fields) judge(PART("5-9/10") fields, 5, REST, &id)
	assert_true(WITH("ETag: \"a\"\nLast-Modified: Mon\n").good);
	refused(WITH("ETag: \"a\"\nLast-Modified: Tue\n"), FAULT_CHANGED, "Last-Modified was Mon, is Tue");
	assert_true(WITH("ETag: W/\"a\"\n").good);
	assert_true(WITH("").good);
	assert_true(WITH("Last-Modified: Mon\n").good);
	refused(WITH("ETag: \"b\"\n"), FAULT_CHANGED, "ETag was \"a\", is \"b\"");
	refused(WITH("Last-Modified: Tue\n"), FAULT_CHANGED, "Last-Modified was Mon, is Tue");
	refused(WITH("ETag: \"a\"\nContent-Encoding: gzip\n"), FAULT_WRONG, "Content-Encoding");
	id = identity(WHOLE "ETag: W/\"a\"\nLast-Modified: Mon\n");
	assert_string_equal(identity_condition(&id), "Mon"); /* a weak tag is no condition */
	id = identity(WHOLE);
	assert_string_equal(identity_condition(&id), "");
	assert_true(WITH("ETag: \"b\"\n").good);
#undef WITH
}

TEST(statuses)
{
	static const struct {
		unsigned status;
		enum fault_kind kind;
	} rows[] = {
		{ 204, FAULT_WRONG },     { 301, FAULT_FINAL }, { 400, FAULT_FINAL }, { 401, FAULT_FINAL },
		{ 403, FAULT_FORBIDDEN }, { 404, FAULT_FINAL }, { 408, FAULT_BUSY },  { 410, FAULT_FINAL },
		{ 429, FAULT_BUSY },      { 500, FAULT_BUSY },  { 501, FAULT_FINAL }, { 502, FAULT_BUSY },
		{ 503, FAULT_BUSY },      { 504, FAULT_BUSY },  { 520, FAULT_BUSY },
	};
	char line[100], number[8];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)snprintf(line, sizeof(line), "HTTP/1.1 %u x\n", rows[i].status);
		(void)snprintf(number, sizeof(number), "%u", rows[i].status);
		refused(judge(line, 0, REST, &unknown), rows[i].kind, number);
	}
}

/* ---- first bytes ---- */

static struct verdict look(const char *fields, const char *bytes, size_t n, const char *address)
{
	char lines[200];
	(void)snprintf(lines, sizeof(lines), WHOLE "%s", fields);
	const struct reply r = read_head(lines);
	return reply_judge_first(&r, slice_of(bytes, n), address);
}

#define LOOK(fields, text) look(fields, text, sizeof(text) - 1, "http://h/x.warc.gz")

TEST(error_pages_are_no_files)
{
	static const char slow[] = "<?xml version=\"1.0\"?>\n<Error><Code>SlowDown</Code><Message>Please reduce "
				   "your request rate.</Message></Error>";
	refused(LOOK("", slow), FAULT_BUSY, "SlowDown: Please reduce your request rate.");
	refused(LOOK("Content-Type: application/octet-stream\n", " \r\n<html>"), FAULT_WRONG, "page");
	refused(LOOK("Content-Type: text/html\n", "Please wait"), FAULT_WRONG, "text/html");
	assert_true(LOOK("Content-Type: text/html\n", "WARC/1.0\r\n").good);
	assert_true(LOOK("Content-Type: text/html\n", "\x1f\x8b\x08").good);
	assert_true(LOOK("Content-Type: text/html\n", "\x28\xb5\x2f\xfd").good);
	assert_true(LOOK("Content-Type: text/html\n", "\x5d\x2a\x4d\x18").good);
	assert_true(LOOK("Content-Type: text/html\n", "").good);
	assert_true(LOOK("Content-Type: text/plain\n", "crawl-data/a.warc.gz\n").good);
}

TEST(a_page_under_the_url_of_a_page_is_final)
{
	static const char *const pages[] = { "http://h/", "http://h/page.html", "http://h/a/b?file=x.warc.gz",
					     "http://h/x.php#x.warc" };
	static const char *const others[] = { "http://h/x.WARC", "http://h/x.warc.gz?sig=1", "http://h/x.arc",
					      "http://h/x.wacz", "http://h/warc.paths" };
	static const char html[] = "Content-Type: text/html\n", page[] = "\n<!doctype html>";
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		refused(look("", page, sizeof(page) - 1, pages[i]), FAULT_FINAL, "dana extract URL");
		refused(look(html, "Hello", 5, pages[i]), FAULT_FINAL, "dana extract URL");
		refused(look("Content-Type: text/html\nContent-Encoding: gzip\n", "\x1f\x8b\x08", 3, pages[i]),
			FAULT_FINAL, "dana extract URL");
		refused(look("", "<Error><Code>SlowDown</Code>", 28, pages[i]), FAULT_BUSY, "SlowDown");
		assert_true(look(html, "WARC/1.0\r\n", 10, pages[i]).good);
		assert_true(look(html, "\x1f\x8b\x08", 3, pages[i]).good);
		assert_true(look("", " \n", 2, pages[i]).good);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		refused(look(html, page, sizeof(page) - 1, others[i]), FAULT_WRONG, "in place of the file");
}

TEST(codings_nobody_asked_for)
{
	static const char gz[] = "Content-Encoding: gzip\n";
	AUTO_BUF once = { 0 }, twice = { 0 };
	append_deflated(&once, slice_from_text("WARC/1.0\r\n"), 9, DEFLATED_GZIP);
	append_deflated(&twice, buf_slice(&once), 9, DEFLATED_GZIP);
	const char *bytes = (const char *)once.data;
	const size_t n = once.len;
	/* Many servers call the file's own compression a coding. */
	assert_true(look(gz, bytes, n, "http://h/x.warc.gz").good);
	assert_true(look("Content-Encoding: x-gzip\n", bytes, n, "http://h/x.warc.gz?a=b").good);
	assert_true(look("Content-Encoding: zstd\n", "\x28\xb5\x2f\xfd", 4, "http://h/x.warc.zst").good);
	refused(look(gz, (const char *)twice.data, twice.len, "http://h/x.warc.gz"), FAULT_WRONG,
		"Content-Encoding that dana did not accept: gzip");
	refused(look(gz, bytes, n, "http://h/x.warc"), FAULT_WRONG, "Content-Encoding");
	refused(look("Content-Encoding: br\n", "abc", 3, "http://h/x.warc.gz"), FAULT_WRONG, "br");
}

TEST(error_codes)
{
	char text[100];
	assert_true(reply_error_code(slice_from_text("<Error><Code>NoSuchKey</Code></Error>"), text, sizeof(text)));
	assert_string_equal(text, "NoSuchKey");
	assert_true(reply_error_code(slice_from_text("<Code>A\033[m</Code><Message>b"), text, sizeof(text)));
	assert_string_equal(text, "A\\x1b[m");
	assert_false(reply_error_code(slice_from_text("<html>"), text, sizeof(text)));
	assert_false(reply_error_code(slice_of(NULL, 0), text, sizeof(text)));
}
