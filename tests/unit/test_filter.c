/* SPDX-License-Identifier: MIT */
/* The built-in filters and the decision about the media type (doc/FORMATS.md, "Media type"). */
#include "archive/http/media_type.h"
#include "archive/plugin/chain.h"
#include "support/unit.h"

#define S(literal) slice_of(literal, sizeof(literal) - 1)
#define NONE slice_of(NULL, 0)
#define HTML S("text/html")

static const char html_list[] = "text/html,application/xhtml+xml";

/* What one thread asks. */
struct filter_state {
	struct plugins *plugins;
	struct plugin_chain *chain;
};

static struct filter_state filters(const char *types, const char *statuses, const char *mimes)
{
	const struct plugins_config config = { .choice = { types, statuses, mimes, 3 } };
	struct filter_state f;
	struct error err = { 0 };
	f.plugins = plugins_new(&config, &err);
	assert_non_null(f.plugins);
	f.chain = plugin_chain_new(f.plugins, PLUGIN_WORKER, &err);
	assert_non_null(f.chain);
	return f;
}

static void filters_end(struct filter_state *f)
{
	plugin_chain_free(f->chain);
	plugins_free(f->plugins);
}

static bool passes(const struct filter_state *f, int answer, enum skip_reason reason)
{
	if (answer == PLUGIN_DROPS)
		assert_int_equal(plugin_chain_skip(f->chain), reason);
	assert_true(answer == PLUGIN_DROPS || answer == PLUGIN_KEEPS);
	return answer == PLUGIN_KEEPS;
}

static bool type_passes(const struct filter_state *f, enum record_type type, const char *name)
{
	const struct record rec = { .type = type, .type_name = slice_from_text(name) };
	return passes(f, plugin_chain_head(f->chain, &rec, "-"), SKIP_TYPE);
}

static bool status_passes(const struct filter_state *f, int status)
{
	const struct record rec = { .type = RECORD_RESPONSE };
	const struct plugin_http http = { .status = status };
	assert_int_equal(plugin_chain_head(f->chain, &rec, "-"), PLUGIN_KEEPS);
	return passes(f, plugin_chain_http(f->chain, &http), SKIP_STATUS);
}

static bool mime_passes(const struct filter_state *f, const char *type, const char *first)
{
	const struct record rec = { .type = RECORD_RESPONSE };
	assert_int_equal(plugin_chain_head(f->chain, &rec, "-"), PLUGIN_KEEPS);
	return passes(f, plugin_chain_media(f->chain, slice_from_text(type), slice_from_text(first)), SKIP_MIME);
}

static bool length_passes(const struct filter_state *f, uint64_t chars)
{
	const struct record rec = { .type = RECORD_RESPONSE };
	struct document doc = { .record = &rec, .text_chars = chars };
	assert_int_equal(plugin_chain_head(f->chain, &rec, "-"), PLUGIN_KEEPS);
	return passes(f, plugin_chain_document(f->chain, &doc), SKIP_SHORT);
}

TEST(types_pass_by_name)
{
	struct filter_state f = filters("response, Resource,x-own", "200", html_list);
	assert_true(type_passes(&f, RECORD_RESPONSE, "response"));
	assert_true(type_passes(&f, RECORD_RESOURCE, ""));
	assert_false(type_passes(&f, RECORD_REQUEST, "response"));
	assert_false(type_passes(&f, RECORD_OTHER, ""));
	assert_true(type_passes(&f, RECORD_OTHER, "X-Own"));
	filters_end(&f);
}

/* 0: no readable status. */
TEST(statuses_pass_by_number)
{
	static const int pass[] = { 200, 404, 999, 0 }, others[] = { 301, 1000, -200 };
	struct filter_state f = filters("any", "200,404,999", html_list);
	for (size_t i = 0; i < sizeof(pass) / sizeof(*pass); i++)
		assert_true(status_passes(&f, pass[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(status_passes(&f, others[i]));
	filters_end(&f);
}

TEST(any_passes)
{
	struct filter_state f = filters("any", "any", "any");
	assert_true(type_passes(&f, RECORD_WARCINFO, "warcinfo"));
	assert_true(status_passes(&f, 7));
	assert_true(mime_passes(&f, "image/png", ""));
	assert_true(length_passes(&f, 3)); /* characters */
	assert_false(length_passes(&f, 2));
	filters_end(&f);
}

TEST(bad_lists_are_usage_errors)
{
	static const char statuses[] = "100 to 999", mimes[] = "type/subtype";
	static const char types[] = "a record type of WARC, one that begins with x-";
	static const struct {
		const char *option, *list, *bad, *expected, *meant;
	} cases[] = {
		{ "status", "2x0", "2x0", statuses, "200" },
		{ "status", "20x", "20x", statuses, "200" },
		{ "status", "99", "99", statuses, NULL },
		{ "status", "099", "099", statuses, NULL },
		{ "status", "1000", "1000", statuses, NULL },
		{ "mime", "html", "html", mimes, "text/html" },
		{ "mime", "xhtml", "xhtml", mimes, "application/xhtml+xml" },
		{ "mime", "text/html;q=1", "text/html;q=1", mimes, "text/html" },
		{ "mime", "text/*", "text/*", mimes, NULL },
		{ "type", "respones", "respones", types, "response" },
		{ "type", "response,html", "html", types, NULL },
		{ "type", "x-", "x-", types, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char option = *cases[i].option, *list = cases[i].list, *meant = cases[i].meant;
		const struct plugins_config config = { .choice = { option == 't' ? list : "any",
								   option == 's' ? list : "200",
								   option == 'm' ? list : html_list, 1 } };
		struct error err = { 0 };
		AUTO_BUF wanted = { 0 };
		assert_null(plugins_new(&config, &err));
		assert_int_equal(err.status, DANA_ECONFIG);
		buf_printf(&wanted, "--%s: '%s' is unknown; expected %s, or any%s%s%s%c", cases[i].option, cases[i].bad,
			   cases[i].expected, meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "", 0);
		assert_string_equal(err.text, (const char *)wanted.data);
	}
}

static void assert_slice(struct slice got, const char *expected)
{
	if (!slice_equal(got, slice_from_text(expected)))
		fail_msg("%.*s instead of %s", (int)got.len, got.data ? (const char *)got.data : "", expected);
}

static void assert_type(struct slice header, struct slice payload, struct slice first, const char *type)
{
	assert_slice(media_type(header, payload, first), type);
}

TEST(media_types)
{
	const struct {
		struct slice header, payload, first;
		const char *type;
	} rows[] = {
		/* the header counts when it says something */
		{ S("text/html; charset=utf-8"), NONE, S("hello"), "text/html" },
		{ S(" Text/HTML;"), NONE, S("hello"), "Text/HTML" },
		{ S("text/html, text/html"), NONE, S("hello"), "text/html" },
		{ S("application/json"), NONE, S("<html>"), "application/json" },
		{ S("application/json"), S("text/html"), S("<html>"), "application/json" },
		{ S("text/css"), S("text/html"), NONE, "text/css" },
		/* the body decides when the header is vague */
		{ NONE, NONE, S(" \t\r\n\f<!DocType HTML PUBLIC"), "text/html" },
		{ S("text/plain"), NONE, S("<HTML>"), "text/html" },
		{ S("application/octet-stream"), NONE, S("<p class=a>"), "text/html" },
		{ S("nonsense"), NONE, S("<!--x-->"), "text/html" },
		{ S("/html"), NONE, S("<div\n>"), "text/html" },
		{ NONE, NONE, S("\xef\xbb\xbf\n<h1>"), "text/html" },
		{ NONE, NONE, S("<p"), "text/html" },
		{ NONE, NONE, S("<project>"), "" },
		{ NONE, NONE, S("<?xml version='1.0'?>"), "" },
		{ NONE, NONE, S("<iframe src=a>"), "text/html" },
		{ NONE, NONE, S("<FONT size=1>"), "text/html" },
		{ NONE, NONE, S("\f<a href=b>"), "text/html" },
		{ NONE, NONE, S("<b>"), "text/html" },
		{ NONE, NONE, S("<br/>"), "text/html" },
		{ NONE, NONE, S("<style\ttype=a>"), "text/html" },
		{ NONE, NONE, S("<abbr>"), "" },
		{ NONE, NONE, S("<!doctype htmlx>"), "" },
		{ NONE, NONE, S("<!doctype svg>"), "" },
		/* what comes after comments, and after an XML declaration */
		{ NONE, NONE, S("<!-- a --> <!-- b -->\n<Center>"), "text/html" },
		{ NONE, NONE, S("<!-- a"), "text/html" },
		{ NONE, NONE, S("<!--a--><svg xmlns=b>"), "" },
		{ NONE, NONE, S("<!--a--><rss>"), "" },
		{ NONE, NONE, S("<!--a--><feed>"), "" },
		{ NONE, NONE, S("<!--a--><math>"), "" },
		{ NONE, NONE, S("<!--a--><?xml version='1.0'?><rss>"), "" },
		{ NONE, NONE, S("<!--a--><!doctype svg>"), "" },
		{ NONE, NONE, S("<!--a--> body { color: red }"), "" },
		{ NONE, NONE, S("<!--a--> var x = '<p>'"), "" },
		{ NONE, NONE, S("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'>"), "text/html" },
		{ S("text/plain"), NONE, S("<?xml version='1.0'?>\n<!--a-->\n<html xmlns='x'>"), "text/html" },
		{ S("text/plain"), NONE, S("<?xml version='1.0'?><?xml-stylesheet href='a'?><html>"), "text/html" },
		{ NONE, NONE, S("<?xml version='1.0'?><table>"), "" },
		{ NONE, NONE, S("<?xml version='1.0'?><title>"), "" },
		{ NONE, NONE, S("<?xml version='1.0'?><!--a--><p>"), "" },
		{ NONE, NONE, S("<?xml version='1.0'?><!--a"), "" },
		{ NONE, NONE, S("<?php echo 1; ?><html>"), "" },
		/* XML: the element html alone */
		{ S("text/xml"), NONE, S("<!DOCTYPE html><html>"), "text/html" },
		{ S("Application/XML; charset=a"), NONE, S("<?xml version='1.0'?><html>"), "text/html" },
		{ S("text/xml"), NONE, S("\xef\xbb\xbf<!--a--><html>"), "text/html" },
		{ S("text/xml"), NONE, S("<p>"), "text/xml" },
		{ S("text/xml"), NONE, S("<!--a-->"), "text/xml" },
		{ S("text/xml"), NONE, S("<rss><html>"), "text/xml" },
		{ S("text/xml"), S("application/xhtml+xml"), S("<!--a"), "application/xhtml+xml" },
		{ S("text/xml"), S("application/rss+xml"), S("<rss>"), "text/xml" },
		{ S("application/rss+xml"), S("text/html"), S("<html>"), "application/rss+xml" },
		{ S("image/svg+xml"), NONE, S("<html>"), "image/svg+xml" },
		/* types that say nothing */
		{ S("unknown/unknown"), NONE, S("<html>"), "text/html" },
		{ S("application/unknown"), NONE, S("<html>"), "text/html" },
		{ S("*/*"), NONE, S("<html>"), "text/html" },
		{ S(" ; charset=a"), NONE, S("<html>"), "text/html" },
		{ S("Binary/Octet-Stream"), NONE, S("<html>"), "text/html" },
		{ S("application/force-download; name=a"), NONE, S("<html>"), "text/html" },
		{ S("text/htm"), NONE, S("<html>"), "text/html" },
		{ S("application/xhtml"), NONE, S("<?xml version='1.0'?><html>"), "text/html" },
		{ S("text/htm"), NONE, S("words"), "text/htm" },
		{ S("unknown/unknown"), NONE, S("{}"), "unknown/unknown" },
		{ S("*/*"), NONE, S("{}"), "" },
		{ S("*/*"), S("text/html"), S("words"), "text/html" },
		{ S("binary/octet-stream"), S("text/html"), S("words"), "text/html" },
		{ S("application/octet-stream"), S("text/css"), S("words"), "text/css" },
		{ S("application/octet-stream"), NONE, S("words"), "application/octet-stream" },
		/* of several values the last that can be read */
		{ S("text/plain, text/html"), NONE, S("hello"), "text/html" },
		{ S("text/html; charset=a, application/json"), NONE, S("<html>"), "application/json" },
		{ S("text/html, nonsense, */*, "), NONE, S("hello"), "text/html" },
		{ S("text/html; a=\"b, c/d\", e"), NONE, S("hello"), "text/html" },
		{ S("a/b; c=\"\\\", d/e\", f/g"), NONE, S("hello"), "f/g" },
		{ S("text/plain"), NONE, S("plain words"), "text/plain" },
		/* the identified type fills the gap */
		{ NONE, S("text/html"), S("words"), "text/html" },
		{ NONE, S("application/xhtml+xml"), S("<?xml"), "application/xhtml+xml" },
		{ S("text/plain"), S("text/html"), S("words"), "text/plain" },
		{ NONE, S("image/png"), S("<html>"), "text/html" },
		/* a binary body is what it is */
		{ HTML, NONE, S("%PDF-1.4"), "application/pdf" },
		{ HTML, NONE, S("\x89PNG\r\n\x1a\n123"), "image/png" },
		{ HTML, NONE, S("\xff\xd8\xff\xe0"), "image/jpeg" },
		{ HTML, NONE, S("GIF89a"), "image/gif" },
		{ HTML, NONE, S("RIFF1234WEBPVP8 "), "image/webp" },
		{ HTML, NONE, S("RIFF1234WAVE"), "application/x-riff" },
		{ HTML, NONE, S("PK\x03\x04"), "application/zip" },
		{ HTML, NONE, S("\x1f\x8b\x08"), "application/gzip" },
		{ HTML, NONE, S("\177ELF"), "application/x-elf" },
		{ HTML, NONE, S("wOF2"), "font/woff2" },
		{ HTML, NONE, S("\0\1\0\0"), "font/ttf" },
		{ HTML, NONE, S("GIF is a word"), "text/html" },
		{ HTML, NONE, NONE, "text/html" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_type(rows[i].header, rows[i].payload, rows[i].first, rows[i].type);
	/* Beyond the first 512 bytes nothing counts. */
	uint8_t far[600];
	memset(far, ' ', sizeof(far));
	memcpy(far + 520, "<html>", 6);
	assert_type(NONE, NONE, slice_of(far, sizeof(far)), "");
	memcpy(far + 500, "<html>", 6);
	assert_type(NONE, NONE, slice_of(far, sizeof(far)), "text/html");
}

TEST(charset_of_a_content_type)
{
	static const char *const names[] = { "utf-8", "koi8-r", "gbk", "a", "" };
	const char *const *const types[] = {
		TEXTS("text/html; charset=utf-8", "text/html; charset=utf-8;q=1", "text/html, charset=utf-8"),
		TEXTS("text/html;CHARSET = \"koi8-r\"; x=y"),
		TEXTS("text/html; charset='gbk'", "text/plain; charset=a, text/html; charset=gbk"),
		TEXTS("charset charset=a,b", "text/html; charset=a, TEXT/HTML", "text/html;charset=a, */*;charset=b",
		      "text/html;charset=a, text/html;charset=b, text/html", "text/html, text/html; charset=a"),
		TEXTS("text/html; charset \"x\"", "text/html; charset=\"x", "text/html", "",
		      "text/html; charset=", "text/plain; charset=a, text/html")
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (const char *const *type = types[i]; *type; type++)
			assert_slice(media_type_charset(slice_from_text(*type)), names[i]);
}

TEST(types_of_html_are_known_in_any_case)
{
	assert_true(media_type_is_html(HTML));
	assert_true(media_type_is_html(S("Application/XHTML+xml")));
	assert_false(media_type_is_html(S("text/htm")));
	assert_false(media_type_is_html(S("text/html,application/xhtml+xml")));
	assert_false(media_type_is_html(NONE));
}

TEST(types_follow_the_body_where_it_contradicts_the_head)
{
	struct filter_state f = filters("any", "any", html_list);
	assert_true(mime_passes(&f, "application/xhtml+xml", "<?xml"));
	assert_false(mime_passes(&f, "text/html", "%PDF-1"));
	filters_end(&f);
	f = filters("any", "any", "application/pdf");
	assert_true(mime_passes(&f, "text/html", "%PDF-1"));
	filters_end(&f);
}
