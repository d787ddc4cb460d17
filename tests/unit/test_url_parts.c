/* SPDX-License-Identifier: MIT */
/* One host for each URL: for block lists, sites, keys of indexes, addresses and the URIs that are written. */
#include "config.h"

#include "archive/warc/field.h"
#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "dedup/page_lines.h"
#include "io/address.h"
#include "io/cdx.h"
#include "plugins/url/lists.h"
#include "support/unit.h"

/* Hosts are registrable domains or addresses, so that they are sites too. */
static const struct {
	const char *url, *host, *address, *key;
} cases[] = {
	{ "http://a.example/x", "a.example", "http://a.example", "example,a)/x" },
	{ "http://a.example\\b/x", "a.example", "http://a.example", "example,a)/b/x" },
	{ "http://a.example\\@b.example/x", "a.example", "http://a.example", "example,a)/@b.example/x" },
	{ "http://b.example/@a.example\\x", "b.example", "http://b.example", "example,b)/@a.example\\x" },
	{ "https://a.example?@b.example", "a.example", "https://a.example", "example,a)/?@b.example" },
	{ "https://a.example#@b.example", "a.example", "https://a.example", "example,a)/" },
	{ "http://me:pass@a.example/", "a.example", "http://a.example", "example,a)/" },
	{ "http://me@b.example:pa@ss@a.example:81", "a.example", "http://a.example:81", "example,a:81)/" },
	{ "http://me:[pass@a.example]:x@b.example/", "b.example", "http://b.example", "example,b)/" },
	{ "http://example.org./x", "example.org", "http://example.org", "org,example)/x" },
	{ "http://example.org..:8080/x", "example.org", "http://example.org:8080", "org,example:8080)/x" },
	{ "http://example.org:/x", "example.org", "http://example.org", "org,example)/x" },
	{ "HTTP://Example.ORG:8080/X", "Example.ORG", "http://example.org:8080", "org,example:8080)/x" },
	{ "http://127.0.0.1:80/x", "127.0.0.1", "http://127.0.0.1:80", "127.0.0.1)/x" },
	{ "http://[::1]/x", "[::1]", "http://[::1]", "[::1])/x" },
	{ "http://me@[2001:DB8::1]:8080\\x", "[2001:DB8::1]", "http://[2001:db8::1]:8080", "[2001:db8::1]:8080)/x" },
	{ " \thttp://a.example \n", "a.example", "http://a.example", "example,a)/" },
	{ "http:///x", "", "http://", ")/x" },
};

static void is(int status, struct buf *out, const char *wanted, const char *what, const char *url)
{
	assert_int_equal(status, DANA_OK);
	if (!slice_equal(buf_slice(out), slice_from_text(wanted)))
		fail_msg("%s of %s is %.*s, not %s", what, url, (int)out->len, out->data, wanted);
	buf_clear(out);
}

/* The host as block lists and sites have it: in small letters, in a block list without brackets. */
static void one_host(const char *url, const char *host)
{
	char small[HOST_MOST + 1] = "", normal[HOST_MOST + 1];
	AUTO_BUF out = { 0 };
	const struct slice found = url_host(slice_from_text(url));
	is(buf_append(&out, found.data, found.len), &out, host, "host", url);
	for (size_t i = 0; host[i]; i++)
		small[i] = (char)ascii_lower((uint8_t)host[i]);
	is(site_of_url(slice_from_text(url), &out), &out, small, "site", url);
	char *const name = small + (host[0] == '[');
	name[strcspn(name, "]")] = '\0';
	is(buf_append(&out, normal, host_normal(found, normal)), &out, name, "name", url);
}

TEST(all_users_find_the_same_host)
{
	AUTO_BUF out = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *url = cases[i].url;
		one_host(url, cases[i].host);
		is(address_host(url, &out), &out, cases[i].address, "address", url);
		is(surt_key(slice_from_text(url), &out), &out, cases[i].key, "key", url);
	}
	is(warc_uri_append(&out, slice_from_text("http://[::1]\\[x]")), &out, "http://[::1]%5C%5Bx%5D", "URI",
	   "[::1]\\");
}

TEST(what_has_no_scheme_has_no_host)
{
	static const char *const urls[] = { "", "a.example/x", "http:/a.example/x", "urn:x:http://a.example/",
					    /* no scheme that could be one */
					    "//a.example/", "1://a.example/", "://a.example/" };
	for (size_t i = 0; i < sizeof(urls) / sizeof(*urls); i++)
		one_host(urls[i], "");
}

TEST(addresses_without_a_host_are_not_whole)
{
	static const struct {
		const char *url;
		bool whole;
	} all[] = {
		{ "http://a.example/", true },
		{ "HTTPS://u:p@a.example:65535?b", true },
		{ "ftp://[::1]:8/", true },
		{ "http:///a.example", true }, /* as browsers read it */
		{ "//a.example", true },
		{ "a/b", true },
		{ "mailto:a", true },
		{ "", true },
		{ "https:javascript:x", false },
		{ "http:/javascript:x", false },
		{ "http:a.example", false },
		{ "https:\\\\a.example", false },
		{ "https://javascript:x", false },
		{ "//javascript:x", false },
		{ "http://a.example:65536/", false },
		{ "http://a.example:99999999999999999999/", false },
		{ "http://", false },
		{ "http:///", false },
		{ "http://?a", false },
		{ "http://u@/", false },
		{ "http://[::1/", false },
		{ "http://a b/", false },
		{ "http:// a/", false },
		{ "ftp:", false },
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (url_is_whole(slice_from_text(all[i].url)) != all[i].whole)
			fail_msg("%s", all[i].url);
	}
}

TEST(parts_are_as_written)
{
	struct url_parts p = url_parts(slice_from_text("HTTP://me@h.:81/a/b?c/d#e"));
	assert_true(slice_equal(p.scheme, slice_from_text("HTTP://")));
	assert_true(slice_equal(p.place, slice_from_text("h.:81")));
	assert_true(slice_equal(p.host, slice_from_text("h")));
	assert_true(slice_equal(p.port, slice_from_text("81")));
	assert_true(slice_equal(p.path, slice_from_text("/a/b")));
	assert_true(slice_equal(p.rest, slice_from_text("/a/b?c/d#e")));
	p = url_parts(slice_from_text("h:81/a"));
	assert_int_equal(p.scheme.len, 0);
	assert_true(slice_equal(p.host, slice_from_text("h")));
	assert_true(slice_equal(p.path, slice_from_text("/a")));
}
