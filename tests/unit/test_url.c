/* SPDX-License-Identifier: MIT */
/* URLs relative to a page and its <base>. */
#include "archive/url.h"
#include "dana/dana.h"
#include "support/unit.h"

static void check(const char *page, const char *href, const char *url, const char *wanted)
{
	struct url_base *base;
	AUTO_BUF out = { 0 };
	assert_int_equal(url_base_new(&base, slice_from_text(page), slice_from_text(href)), 0);
	assert_int_equal(url_resolve(base, slice_from_text(url), &out), 0);
	assert_string_equal(text_of(&out), wanted);
	url_base_free(base);
}

TEST(test_resolve)
{
	check("http://a.example/b/c?d", "", "e.png", "http://a.example/b/e.png");
	check("http://a.example/b/c", "", "/e.png", "http://a.example/e.png");
	check("http://a.example/b/c", "", "../e.png?f=1", "http://a.example/e.png?f=1");
	check("http://a.example/b/c", "", "//x.example/y", "http://x.example/y");
	check("http://a.example/b/c", "", "https://x.example/y", "https://x.example/y");
	check("http://a.example/b/c", "/d/", "e.png", "http://a.example/d/e.png");
	check("http://a.example/b/c", "http://z.example/q/", "e.png", "http://z.example/q/e.png");
	check("http://a.example/", "", "a b.png", "http://a.example/a%20b.png");
	/* What cannot be made absolute stays as it is. */
	check("http://a.example/", "", "data:image/png;base64,AAAA", "data:image/png;base64,AAAA");
	check("", "", "e.png", "e.png");
	check("", "http://z.example/q/", "e.png", "http://z.example/q/e.png");
	check("not a url", "also/none", "e.png", "e.png");
}

static void url_is(const struct dana_media *media, const char *wanted)
{
	assert_true(slice_equal(slice_of(media->url, media->url_len), slice_from_text(wanted)));
}

TEST(test_media)
{
	const struct dana_media media[] = {
		{ .type = "img", .url = "a.png", .url_len = 5, .base = "/d/", .base_len = 3 },
		{ .type = "canvas" },
		{ .type = "img", .url = "/b.png", .url_len = 6, .alt = "B", .alt_len = 1 },
	};
	struct media_urls urls = { 0 };
	assert_int_equal(media_urls_resolve(&urls, slice_from_text("http://a.example/x/y"), media, 3), 0);
	const struct dana_media *list = media_urls_list(&urls);
	url_is(&list[0], "http://a.example/d/a.png");
	url_is(&list[1], "");
	url_is(&list[2], "http://a.example/b.png");
	assert_int_equal(list[2].alt_len, 1);
	assert_int_equal(media_urls_resolve(&urls, slice_from_text("x"), NULL, 0), 0);
	media_urls_free(&urls);
}

/* Addresses that are no picture's are not listed. */
TEST(test_unsafe_media)
{
	static const struct {
		const char *base, *url, *listed; /* NULL: not */
	} cases[] = {
		{ "", "javascript:alert(1)", NULL },
		{ "", "JavaScript:alert(1)", NULL },
		{ "", "javascript://a.example/%0aalert(1)", NULL },
		{ "", "vbscript:x", NULL },
		{ "", "data:image/png;base64,AAAA", NULL },
		{ "", "blob:http://a.example/1", NULL },
		{ "", "file:///etc/passwd", NULL },
		{ "", "ftp://a.example/b.png", NULL },
		{ "", "about:blank", NULL },
		{ "javascript:alert(1)//", "b.png", "http://a.example/x/b.png" },
		{ "javascript://z.example/", "b.png", "http://a.example/x/b.png" },
		{ "data:text/html,x", "b.png", "http://a.example/x/b.png" },
		{ "ftp://z.example/", "b.png", NULL },
		{ "file:///d/", "b.png", NULL },
		{ "ftp://z.example/", "HTTPS://b.example/c.png", "https://b.example/c.png" },
		{ "", "//b.example/c.png", "http://b.example/c.png" },
	};
	struct media_urls urls = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct dana_media media[] = {
			{ .type = "svg", .base = cases[i].base, .base_len = strlen(cases[i].base) },
			{ .type = "img", .url = cases[i].url, .url_len = strlen(cases[i].url) },
			{ .type = "img", .url = "http://c.example/", .url_len = 17 },
		};
		const size_t count = cases[i].listed ? 3 : 2;
		assert_int_equal(media_urls_resolve(&urls, slice_from_text("http://a.example/x/y"), media, 3), 0);
		const struct dana_media *list = media_urls_list(&urls);
		assert_int_equal(urls.count, count);
		url_is(&list[0], "");
		if (cases[i].listed)
			url_is(&list[1], cases[i].listed);
		url_is(&list[count - 1], "http://c.example/");
	}
	media_urls_free(&urls);
}
