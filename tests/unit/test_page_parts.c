/* SPDX-License-Identifier: MIT */
/* Parts of a page by selectors: what is read, however the page is cut; selectors that are refused; places in the page.
 */
#include "dana/dana.h"
#include "extract/page_parts.h"
#include "support/unit.h"

static struct page_parts *parts_of(const char *exclude, const char *only, const char *rules)
{
	struct page_parts *p;
	struct error err = { 0 };
	if (page_parts_new(&p, slice_from_text(exclude), slice_from_text(only), slice_from_text(rules), &err) < 0)
		fail_msg("%s", err.text);
	return p;
}

/* What is read of a page, in two parts and the second byte by byte. */
static void read_page(struct page_parts *p, const char *url, struct slice page, size_t cut, struct buf *out)
{
	buf_clear(out);
	page_parts_begin(p, slice_from_text(url));
	assert_ok(page_parts_take(p, slice_first(page, cut), out));
	for (size_t i = cut; i < page.len; i++)
		assert_ok(page_parts_take(p, slice_of(page.data + i, 1), out));
	assert_ok(page_parts_finish(p, out));
}

static void check(const char *exclude, const char *only, const char *html, const char *wanted)
{
	struct page_parts *p = parts_of(exclude, only, "");
	const struct slice page = slice_from_text(html);
	AUTO_BUF out = { 0 };
	for (size_t cut = 0; cut <= page.len; cut++) {
		read_page(p, "", page, cut, &out);
		if (!slice_equal(buf_slice(&out), slice_from_text(wanted)))
			fail_msg("without %s, only %s, cut at %zu: %.*s", exclude, only, cut, (int)out.len,
				 (const char *)out.data);
		/* each byte that is read is the one of its place */
		uint64_t last = 0;
		for (size_t i = 0; i < out.len; i++) {
			const uint64_t place = page_parts_place(p, i);
			assert_true(place < page.len && (i == 0 || place > last) && page.data[place] == out.data[i]);
			last = place;
		}
	}
	page_parts_free(p);
}

TEST(parts_are_left_out)
{
	static const char *const cases[][3] = {
		{ "nav", "<p>a<nav><a>b</a></nav>c", "<p>ac" },
		{ ".x", "<p>a<b class='y x'>b</b>c", "<p>ac" },
		{ ".x", "<p>a<b class=xx>b</b>c", "<p>a<b class=xx>b</b>c" },
		{ "#i", "<div id=i>a<div>b</div>c</div>d", "d" },
		{ "li.x", "<ul><li>a<li class=x>b<li>c</ul>d", "<ul><li>a<li>c</ul>d" },
		{ "li.x", "<ul><li class=x>b</ul>d", "<ul></ul>d" },
		{ "p.x", "<p class=x>a<div>b</div>", "<div>b</div>" },
		{ "[hidden]", "<b hidden>a</b>c", "c" },
		{ "[role=note]", "<b role=note>a</b><b role=notes>b</b>", "<b role=notes>b</b>" },
		{ "[class^='ad-']", "<b class='ad-x'>a</b><b class='x ad-'>b</b>", "<b class='x ad-'>b</b>" },
		{ "[href$='.pdf']", "<a href=/x.pdf>a</a><a href=/y>b</a>", "<a href=/y>b</a>" },
		{ "[href*=track]", "<a href=/xtracky>a</a>b<a href=trac>", "b<a href=trac>" },
		{ "[class~=\"a\"]", "<i class='b a'>x</i>y", "y" },
		{ "[lang|=en]", "<i lang=en-GB>x</i><i lang=en>y</i><i lang=eng>z</i>", "<i lang=eng>z</i>" },
		{ "[title='a&b']", "<i title='a&amp;b'>x</i>y", "y" },
		{ "div > p", "<div><p>a</p><b><p>b</p></b></div>", "<div><b><p>b</p></b></div>" },
		{ "div p", "<div><i><p>a</p></i></div><p>b", "<div><i></i></div><p>b" },
		{ ".a .b > i", "<div class=a><p class=b><i>x</i><b><i>y</i></b></div>",
		  "<div class=a><p class=b><b><i>y</i></b></div>" },
		{ "div.ad#x[data-y]", "<div class=ad id=x data-y=1>a</div><div class=ad id=x>b</div>",
		  "<div class=ad id=x>b</div>" },
		{ "b, i", "<b>x</b><i>y</i><u>z</u>", "<u>z</u>" },
		{ "*.x", "<b class=x>x</b>y", "y" },
		{ ".md\\:x", "<b class='md:x'>x</b>y", "y" },
		{ "img", "a<img src=x>b<img/>c", "abc" },
		{ "script", "a<script>if (a<b) x</script>b", "ab" },
		{ "svg", "a<svg><g>b</g></svg>c", "ac" },
		{ "svg", "a<svg><g>b<p>c", "a<p>c" },
		{ "noscript", "a<noscript><p>b</noscript>c", "ac" },
		{ "B", "<b>x</B>y", "y" },
		{ ".x", "<div class=x />a</div>b<svg class=x />c", "bc" },
		{ ".x", "<!-- a --><!DOCTYPE html><b class=x><!-- b -->c</b>d", "<!-- a --><!DOCTYPE html>d" },
		{ ".x", "<b class=x>a", "" },
		{ "td.x", "<table><tr><td>a<td class=x>b<tr><td>c</table>", "<table><tr><td>a<tr><td>c</table>" },
		{ "b", "<b", "<b" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(cases[i][0], "", cases[i][1], cases[i][2]);
}

TEST(parts_alone_are_read)
{
	static const char *const cases[][4] = {
		{ "", "main", "<title>t</title><nav>a</nav><main><p>b</p></main>c",
		  "<title>t</title><main><p>b</p></main>" },
		{ "", ".x", "<p class=x>a<p>b<p class=x>c</p>d", "<p class=x>a<p class=x>c</p>" },
		{ ".y", ".x", "<div class=x>a<b class=y>b</b>c</div>d", "<div class=x>ac</div>" },
		{ ".y", ".x", "<div class=y>a<b class=x>b</b>c</div>d", "" },
		{ "", "article", "<head><base href=/x></head><body>a<article>b</article></body>",
		  "<head><base href=/x></head><body><article>b</article></body>" },
		{ "", ".none", "<p>a", "" },
		{ "", ".x", "<div class=x>a<div class=x>b</div>c</div>d", "<div class=x>a<div class=x>b</div>c</div>" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
}

TEST(rules_are_of_hosts_and_their_subdomains)
{
	static const char rules[] =
		"# a comment\n\nExample.org\texclude\tb\nexample.org\texclude\ti\nnews.example.org\tonly\tp\n";
	static const char *const cases[][2] = { { "https://example.org/x", "c<p>d</p>" },
						{ "https://www.EXAMPLE.org/x", "c<p>d</p>" },
						{ "https://news.example.org/", "<p>d</p>" },
						{ "https://other.org/", "<b>a</b><i>b</i>c<p>d</p>" },
						{ "", "<b>a</b><i>b</i>c<p>d</p>" } };
	struct page_parts *p = parts_of("u", "", rules);
	AUTO_BUF out = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		read_page(p, cases[i][0], slice_from_text("<b>a</b><i>b</i>c<u>e</u><p>d</p>"), 3, &out);
		assert_true(slice_equal(buf_slice(&out), slice_from_text(cases[i][1])));
	}
	page_parts_free(p);
}

TEST(what_cannot_be_decided_is_refused)
{
	static const char *const bad[][2] = {
		{ "p:first-child", "pseudo-classes" },
		{ "a + b", "came before" },
		{ "a ~ b", "came before" },
		{ "a,", "a selector is missing" },
		{ "a >", "a selector is missing" },
		{ "> a", "a selector is missing" },
		{ ".", "a name is missing" },
		{ "a[", "an attribute's name" },
		{ "a[b", "']' is missing" },
		{ "a[b^c]", "'=' is missing" },
		{ "a[b='c]", "a quotation mark" },
		{ "a{}", "is expected" },
		{ "a/b", "is expected" },
		{ "//div[@class='ad']", "XPath" },
	};
	static const char *const no_hosts[] = {
		"https://a.org", "https://a.org/", "a.org/x",  "a.org:443", "*.a.org", "*",
		".a.org",        "a.org.",         "me@a.org", "a b",       ""
	};
	AUTO_BUF many = { 0 };
	struct page_parts *p;
	struct error err;
	const struct slice none = slice_of(NULL, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_refused(err, DANA_ECONFIG, bad[i][1],
			       page_parts_new(&p, slice_from_text(bad[i][0]), none, none, &err));
		assert_null(p);
	}
	for (size_t i = 0; i < 65; i++)
		assert_ok(buf_append_text(&many, i ? ",a" : "a"));
	assert_refused(err, DANA_ECONFIG, "more than 64 selectors",
		       page_parts_new(&p, none, buf_slice(&many), none, &err));
	assert_refused(err, DANA_ECONFIG, "line 2 of the rules",
		       page_parts_new(&p, none, none, slice_from_text("a.org\tonly\tb\na.org only b\n"), &err));
	assert_refused(err, DANA_ECONFIG, "line 3 of the rules: selector 'b:c'",
		       page_parts_new(&p, none, none, slice_from_text("#\n\na.org\tonly\tb:c\n"), &err));
	for (size_t i = 0; i < sizeof(no_hosts) / sizeof(*no_hosts); i++) {
		buf_clear(&many);
		assert_ok(buf_printf(&many, "[::1]\tonly\tb\n%s\tonly\tb\n", no_hosts[i]));
		assert_refused(err, DANA_ECONFIG, "line 2 of the rules",
			       page_parts_new(&p, none, none, buf_slice(&many), &err));
	}
	assert_ok(page_parts_new(&p, none, slice_from_text(" "), none, &err));
	assert_null(p);
}

TEST(methods_markdown_and_places_are_of_what_is_read)
{
	struct dana_extractor *x;
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "plain",
					      .structure = DANA_MARKDOWN | DANA_BLOCKS,
					      .exclude = ".x" };
	static const char page[] = "<title>T</title><p>a<b class=x>no</b>b</p><p class=x>no</p><p>c</p>";
	struct dana_text text;
	struct dana_view markdown;
	size_t count;
	assert_ok(dana_new(&x, &options));
	for (unsigned i = 0; i < 2; i++) {
		dana_reset(x);
		assert_ok(dana_feed(x, page, sizeof(page) - 1));
		assert_ok(dana_finish(x, &text));
		assert_true(slice_equal(slice_of(text.data, text.len), slice_from_text("ab\nc")));
		assert_true(slice_equal(slice_of(text.title, text.title_len), slice_from_text("T")));
		assert_ok(dana_markdown(x, &markdown));
		assert_true(slice_equal(slice_of(markdown.data, markdown.len), slice_from_text("ab\n\nc")));
		const struct dana_structure_block *blocks = dana_structure(x, &count);
		assert_int_equal(count, 2);
		assert_int_equal(blocks[1].start, strstr(page, "c</p>") - page);
	}
	dana_free(x);
	const struct dana_options bad = { .struct_size = sizeof(bad), .only = "a:b" };
	assert_int_equal(dana_new(&x, &bad), DANA_BAD_OPTION);
}
