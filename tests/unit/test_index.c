/* SPDX-License-Identifier: MIT */
/* Indexes of archives: keys, lines, and which of them are wanted. */
#include "config.h"

#include "io/cdx.h"
#include "support/unit.h"

static void key(const char *url, const char *wanted)
{
	AUTO_BUF out = { 0 };
	assert_int_equal(surt_key(slice_from_text(url), &out), 0);
	assert_string_equal(text_of(&out), wanted);
}

/* The first eight are keys of Common Crawl's index. */
TEST(keys)
{
	key("https://commoncrawl.org/", "org,commoncrawl)/");
	key("http://www.example.com/", "com,example)/");
	key("https://www2.Example.com/Some/Path?Q=A#fragment", "com,example)/some/path?q=a");
	key("http://example.com:8080/x", "com,example:8080)/x");
	key("https://example.com:443/x", "com,example)/x");
	key("http://a.b.c.example.co.uk/", "uk,co,example,c,b,a)/");
	key("http://127.0.0.1/x", "127.0.0.1)/x");
	key("http://example.com?x=y", "com,example)/?x=y");
	key("example.com", "com,example)/");
	key("http://me:pass@example.com./", "com,example)/");
	key("http://www.com/", "com)/");
	key("http://www./", "www)/");
	key("", ")/");
}

static void prefix(const char *pattern, const char *wanted, bool hosts)
{
	AUTO_BUF out = { 0 };
	bool found;
	assert_int_equal(surt_prefix(slice_from_text(pattern), &out, &found), 0);
	assert_string_equal(text_of(&out), wanted);
	assert_int_equal(found, hosts);
}

TEST(prefixes)
{
	prefix("example.org", "org,example)", false);
	prefix("https://example.org/News/", "org,example)/news/", false);
	prefix("example.org/a*", "org,example)/a", false);
	prefix("example.org?B", "org,example)/?b", false);
	prefix("a://b://c", "b)//c", false);
	prefix("*.example.org", "org,example", true);
	prefix("https://*.example.org/", "org,example", true);
}

#define CDXJ \
	"org,example)/a 20240101000000 {\"url\": \"https://example.org/a\", \"mime\": \"text/html\", " \
	"\"mime-detected\": \"application/xhtml+xml\", \"status\": \"200\", \"length\": \"1234\", " \
	"\"offset\": 5678, \"filename\": \"a/b.warc.gz\", \"languages\": \"ara,eng\", \"encoding\": \"UTF-8\"}"
#define CDX11 "org,example)/a 20240101000000 https://example.org/a text/html 200 DIGEST - - 1234 5678 a/b.warc.gz"

static struct cdx_line *line_of(const char *text)
{
	struct cdx_line *c = cdx_line_new();
	assert_non_null(c);
	assert_int_equal(cdx_line_read(c, slice_from_text(text), NULL), CDX_RECORD);
	return c;
}

static void field(const struct cdx_line *c, const char *name, const char *wanted)
{
	if (!slice_equal(cdx_line_field(c, name), slice_from_text(wanted)))
		fail_msg("%s is not %s", name, wanted);
}

static void place_of(const struct cdx_line *c, const char *file, uint64_t offset, uint64_t length)
{
	struct slice name;
	uint64_t at, size;
	assert_ok(cdx_line_place(c, &name, &at, &size, NULL));
	assert_true(slice_equal(name, slice_from_text(file)));
	assert_int_equal(at, offset);
	assert_int_equal(size, length);
}

static void place(const char *text, const char *file, uint64_t offset, uint64_t length)
{
	struct cdx_line *c = line_of(text);
	place_of(c, file, offset, length);
	cdx_line_free(c);
}

TEST(lines_of_cdx)
{
	struct cdx_line *c = line_of(CDX11);
	field(c, "urlkey", "org,example)/a");
	field(c, "url", "https://example.org/a");
	field(c, "mime", "text/html");
	field(c, "status", "200");
	field(c, "redirect", "");
	field(c, "languages", "");
	cdx_line_free(c);
	place(CDX11, "a/b.warc.gz", 5678, 1234);
	place("k 2024 http://h/ text/html 200 D - 77 c.warc.gz", "c.warc.gz", 77, 0);
	place("k 2024 http://h/ text/html 200 D - - 77 c.warc.gz", "c.warc.gz", 77, 0);
}

TEST(a_header_names_the_fields)
{
	struct cdx_line *c = cdx_line_new();
	assert_int_equal(cdx_line_read(c, slice_from_text(" CDX g V S a"), NULL), CDX_NOTHING);
	assert_int_equal(cdx_line_read(c, slice_from_text("f.warc 5 6 http://h/"), NULL), CDX_RECORD);
	place_of(c, "f.warc", 5, 6);
	assert_int_equal(cdx_line_read(c, slice_from_text("f.warc 5"), NULL), DANA_EFORMAT);
	cdx_line_free(c);
}

static int reads(const char *text)
{
	struct cdx_line *c = cdx_line_new();
	struct slice file;
	uint64_t offset, length;
	int status = cdx_line_read(c, slice_from_text(text), NULL);
	if (status == CDX_RECORD && cdx_line_place(c, &file, &offset, &length, NULL) < 0)
		status = DANA_EFORMAT;
	cdx_line_free(c);
	return status;
}

TEST(lines_that_name_no_record)
{
	assert_int_equal(reads(""), CDX_NOTHING);
	assert_int_equal(reads("  "), CDX_NOTHING);
	assert_int_equal(reads(" CDX N b a m s k r M S V g"), CDX_NOTHING);
	assert_int_equal(reads("!OpenWayback-CDXJ 1.0"), CDX_NOTHING);
	assert_int_equal(reads("cc-index/cdx-00000.gz"), CDX_FILE);
	assert_int_equal(reads("a b c"), DANA_EFORMAT);
	assert_int_equal(reads("org,example)/ 20240101\tcdx-00000.gz\t0\t188224\t1"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 http://h/ text/html 200 D - - 1 x c.warc.gz"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 http://h/ text/html 200 D - - x 1 c.warc.gz"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 http://h/ text/html 200 D - - 1 1 -"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 http://h/ text/html 200 D - - 9223372036854775807 1 f"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 {\"offset\":"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 {\"offset\":1,\"length\":2}"), DANA_EFORMAT);
}

static bool all_hold(const char *text, const char *const *matches, unsigned n)
{
	struct cdx_line *c = line_of(text);
	struct cdx_match *m = cdx_match_new(matches, n, NULL);
	assert_non_null(m);
	int result = cdx_match_line(m, c);
	assert_true(result == 0 || result == 1);
	cdx_match_free(m);
	cdx_line_free(c);
	return result;
}

static bool wanted(const char *text, const char *match)
{
	return all_hold(text, &match, 1);
}

TEST(conditions_on_cdx)
{
	assert_true(wanted(CDX11, "mime=text/html"));
	assert_true(wanted(CDX11, "mime=TEXT/*"));
	assert_true(wanted(CDX11, "mime=image/*|*html"));
	assert_false(wanted(CDX11, "mime=text"));
	assert_false(wanted(CDX11, "mime=image/png|"));
	assert_true(wanted(CDX11, "status=2*0"));
	assert_false(wanted(CDX11, "status=2*1*"));
	assert_false(wanted(CDX11, "redirect=*")); /* it has none */
	assert_false(wanted(CDX11, "languages=*"));
	assert_true(wanted(CDX11, "url=example.org"));
	assert_true(wanted(CDX11, "url=http://www.example.org/A"));
	assert_true(wanted(CDX11, "url=other.org|example.org"));
	assert_true(wanted(CDX11, "url=*.example.org"));
	assert_false(wanted(CDX11, "url=example.org/b"));
	assert_false(wanted(CDX11, "url=*.xample.org"));
	assert_false(wanted("org,examples)/ 1 u m 200 - - - 1 1 f", "url=*.example.org"));
	assert_true(wanted("org,example,sub)/ 1 u m 200 - - - 1 1 f", "url=*.example.org"));
	assert_false(wanted("org,example,sub)/ 1 u m 200 - - - 1 1 f", "url=example.org"));
	assert_true(wanted("example.org/x 1 http://example.org/x m 200 - - - 1 1 f", "url=example.org/x"));
	assert_true(wanted(CDX11, "filename=a/*"));
}

TEST(a_condition_that_is_none)
{
	const char *const bad[] = { "mime", "=x", "mime=" };
	for (size_t i = 0; i < 3; i++) {
		struct error err = { 0 };
		assert_null(cdx_match_new(&bad[i], 1, &err));
		assert_int_equal(err.status, DANA_ECONFIG);
	}
}

TEST(all_conditions_must_hold)
{
	const char *const texts[] = { "mime=text/html", "status=404" };
	for (unsigned n = 0; n <= 2; n++)
		assert_int_equal(all_hold(CDX11, texts, n), n < 2);
}

TEST(lines_of_cdxj)
{
	struct cdx_line *c = line_of(CDXJ);
	field(c, "urlkey", "org,example)/a");
	field(c, "timestamp", "20240101000000");
	field(c, "mime-detected", "application/xhtml+xml");
	field(c, "nothing", "");
	cdx_line_free(c);
	place(CDXJ, "a/b.warc.gz", 5678, 1234);
	assert_int_equal(reads("k 2024 {\"filename\":\"f\",\"offset\":1,\"length\":null}"), CDX_RECORD);
	assert_int_equal(reads("k 2024 {\"filename\":\"f\",\"offset\":1,\"length\":1.5}"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 {\"filename\":\"f\",\"offset\":1,\"length\":[2]}"), DANA_EFORMAT);
	assert_int_equal(reads("k 2024 {\"filename\":\"f\",\"offset\":1e3,\"length\":2}"), DANA_EFORMAT);
	assert_true(wanted(CDXJ, "languages=ara"));
	assert_true(wanted(CDXJ, "language=fas|eng"));
	assert_false(wanted(CDXJ, "languages=ara,eng"));
	assert_true(wanted(CDXJ, "encoding=utf-8"));
	assert_true(wanted(CDXJ, "offset=5678"));
}
