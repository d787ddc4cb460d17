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
	const struct page_options options = { .exclude = exclude, .only = only, .rules = rules };
	if (page_parts_new(&p, &options, true, &err) < 0)
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
		"# a comment\n\nExample.org\texclude\tb\nexample.org\texclude\ti\nnews.example.org\tonly\tp\n"
		"0.1\texclude\tb\n127.0.0.2\texclude\tb\n";
	static const char *const cases[][2] = { { "https://example.org/x", "c<p>d</p>" },
						{ "https://www.EXAMPLE.org/x", "c<p>d</p>" },
						{ "https://news.example.org/", "<p>d</p>" },
						{ "http://127.0.0.1/", "<b>a</b><i>b</i>c<p>d</p>" },
						{ "http://127.0.0.2:80/", "<i>b</i>c<p>d</p>" },
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

/* A text that is long enough for an article. */
#define ARTICLE \
	"<p>This is the text of an article, and it has some more words than the least that an article has to have, " \
	"which are two hundred bytes in blocks of sixty; so all of this is here to be long, and says nothing " \
	"else.</p>"

static void read_found(struct page_parts *p, enum parts_read which, struct buf *out)
{
	struct slice bytes;
	size_t at = 0;
	buf_clear(out);
	while (page_parts_next(p, which, &at, &bytes) > 0)
		assert_ok(buf_append(out, bytes.data, bytes.len));
}

/* Checks what is read of a page after ARTICLE, and of its comments (NULL: what is not read), for every cut. */
static void check_found(struct page_options found, const char *html, const char *text, const char *comments)
{
	struct page_parts *p;
	struct error err;
	AUTO_BUF page = { 0 }, out = { 0 }, wanted = { 0 };
	assert_ok(page_parts_new(&p, &found, true, &err));
	assert_ok(buf_printf(&page, "%s%s", ARTICLE, html));
	assert_ok(buf_printf(&wanted, "%s%s", ARTICLE, text));
	for (size_t cut = 0; cut <= page.len; cut++) {
		read_page(p, "", buf_slice(&page), cut, &out);
		assert_int_equal(out.len, 0);
		read_found(p, PARTS_TEXT, &out);
		if (!slice_equal(buf_slice(&out), buf_slice(&wanted)))
			fail_msg("of %s, cut at %zu: %.*s", html, cut, (int)out.len, (const char *)out.data);
		for (size_t i = 0; i < out.len; i++)
			assert_int_equal(page.data[page_parts_place(p, i)], out.data[i]);
		read_found(p, PARTS_COMMENTS, &out);
		if (!slice_equal(buf_slice(&out), slice_from_text(comments)))
			fail_msg("comments of %s, cut at %zu: %.*s", html, cut, (int)out.len, (const char *)out.data);
	}
	page_parts_free(p);
}

TEST(comments_are_found)
{
	/* what is a comment is in capitals */
	static const char *const cases[][3] = {
		{ "<div id=comments>A<p>B</div>c", "c", "<div id=comments>A<p>B</div>" },
		{ "<ol class='x commentlist'><li>A</ol>c", "c", "<ol class='x commentlist'><li>A</ol>" },
		{ "<ul><li class=comment-body>A<li>b</ul>", "<ul><li>b</ul>", "<li class=comment-body>A" },
		{ "<div class=userComments>A</div>", "", "<div class=userComments>A</div>" },
		{ "<div class=readercomments>A</div>", "", "<div class=readercomments>A</div>" },
		{ "<div class=Comment_List>A</div>", "", "<div class=Comment_List>A</div>" },
		{ "<div id=comment-12>A</div>", "", "<div id=comment-12>A</div>" },
		{ "<div id=disqus_thread>A</div>", "", "<div id=disqus_thread>A</div>" },
		{ "<section class=kommentare>A</section>", "", "<section class=kommentare>A</section>" },
		{ "<div itemprop=comment>A</div>", "", "<div itemprop=comment>A</div>" },
		{ "<li itemtype='https://schema.org/Comment'>A", "", "<li itemtype='https://schema.org/Comment'>A" },
		{ "<div typeof='sioct:Comment'>A</div>", "", "<div typeof='sioct:Comment'>A</div>" },
		{ "<div role=comment>A</div>", "", "<div role=comment>A</div>" },
		{ "<div id=comments>A<form>b<div class=comment>C</div></form>D</div>", "",
		  "<div id=comments>A<div class=comment>C</div>D</div>" },
		{ "<div id=comments>A<a class=comment-reply-link>b</a></div>", "", "<div id=comments>A</div>" },
		{ "<div id=respond>b</div>c", "c", "" },
		{ "<div id=comments>A<table><tr><td>B", "", "<div id=comments>A<table><tr><td>B" },
		/* these are none */
		{ "<span class=comments>1</span>", "<span class=comments>1</span>", "" },
		{ "<div class=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacomments>b</div>",
		  "<div class=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacomments>b</div>", "" },
		{ "<div class=comment-count>1</div>", "<div class=comment-count>1</div>", "" },
		{ "<div class=no-comments>a</div>", "<div class=no-comments>a</div>", "" },
		{ "<div class=recentComments>a</div>", "<div class=recentComments>a</div>", "" },
		{ "<div class=commentary>a</div>", "<div class=commentary>a</div>", "" },
		{ "<div class=kommentar>a</div>", "<div class=kommentar>a</div>", "" },
		{ "<div class=reply>a</div>", "<div class=reply>a</div>", "" },
		{ "<section id=how-to-write-comments>a</section>", "<section id=how-to-write-comments>a</section>",
		  "" },
		{ "<section id=comments><h2>a<a class=headerlink>b</a></h2>c</section>",
		  "<section id=comments><h2>a<a class=headerlink>b</a></h2>c</section>", "" },
		{ "<div id=comments><div class=entry-content>a</div></div>",
		  "<div id=comments><div class=entry-content>a</div></div>", "" },
		{ "<div id=comments>a<main>b</main><div class=comment>C</div></div>",
		  "<div id=comments>a<main>b</main></div>", "<div class=comment>C</div>" },
		/* of forums posts are the content */
		{ "<div id=comments>a</div><script>{'@type':'QAPage'}</script>",
		  "<div id=comments>a</div><script>{'@type':'QAPage'}</script>", "" },
		{ "<p itemtype='http://schema.org/DiscussionForumPosting'>a<li class=comment>b",
		  "<p itemtype='http://schema.org/DiscussionForumPosting'>a<li class=comment>b", "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_found((struct page_options){ .comments = DANA_PARTS_DROP }, cases[i][0], cases[i][1],
			    cases[i][2]);
}

TEST(comments_are_kept_where_nothing_else_is)
{
	struct page_parts *p;
	struct error err;
	static const char page[] = "<h1>a</h1><div id=comments>" ARTICLE "</div>";
	AUTO_BUF out = { 0 };
	assert_ok(page_parts_new(&p, &(struct page_options){ .comments = DANA_PARTS_DROP }, true, &err));
	read_page(p, "", slice_from_text(page), 3, &out);
	read_found(p, PARTS_TEXT, &out);
	assert_true(slice_equal(buf_slice(&out), slice_from_text(page)));
	read_found(p, PARTS_COMMENTS, &out);
	assert_int_equal(out.len, 0);
	page_parts_free(p);
}

TEST(tables_of_data_are_found)
{
	static const char *const data[] = {
		"<table><tr><td>A<td>B<tr><td>C<td>D</table>",
		"<table><tr><th>A<th>B</table>",
		"<table><caption>A</caption><tr><td colspan=2>A<tr><td>B<td>C</table>",
		"<table><tr><td>A<td><ul><li>B</ul><tr><td>C<td>D</table>",
		"<table><tr><td>&nbsp<td>B<tr><td>C<td>D</table>",
	};
	static const char *const others[] = {
		"<table><tr><td>A<tr><td>B</table>",
		"<table><tr><td>A<td>B</table>",
		"<table role=presentation><tr><td>A<td>B<tr><td>C<td>D</table>",
		"<table><tr><td>A<td><h2>B</h2><tr><td>C<td>D</table>",
		"<table><tr><td>A<td><hr>B<tr><td>C<td>D</table>",
		"<table><tr><td>A<td><blockquote>B</blockquote><tr><td>C<td>D</table>",
		"<table><tr><td>&nbsp;<td>B<tr><td> <td>D</table>",
		"<table><tr><td>1<td>A<tr><td colspan=2><td>B<tr><td>2<td>C<tr><td colspan=2><td>D</table>",
		"<table><tr><td>A<td>" ARTICLE ARTICLE ARTICLE ARTICLE ARTICLE "<tr><td>C<td>D</table>",
	};
	const struct page_options tables = { .tables = DANA_PARTS_DROP };
	for (size_t i = 0; i < sizeof(data) / sizeof(*data); i++)
		check_found(tables, data[i], "", "");
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		check_found(tables, others[i], others[i], "");
	check_found(tables, "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>A<td>B<tr><td>C<td>D</table>e</table>",
		    "<table><tr><td>a<td>b<tr><td>c<td>e</table>", "");
	check_found((struct page_options){ .comments = DANA_PARTS_DROP, .tables = DANA_PARTS_DROP },
		    "<div class=comment>A<table><tr><td>A<td>B<tr><td>C<td>D</table></div>b", "b",
		    "<div class=comment>A</div>");
}

TEST(comments_are_a_text_of_their_own)
{
	struct dana_extractor *x;
	struct dana_options options = { .struct_size = sizeof(options),
					.method = "plain",
					.comments = DANA_PARTS_APART,
					.tables = DANA_PARTS_DROP };
	static const char page[] = "<title>T</title>" ARTICLE "<div class=comment>A<b>B</b></div><p>c</p>";
	struct dana_text text;
	struct dana_view comments;
	assert_ok(dana_new(&x, &options));
	for (unsigned i = 0; i < 3; i++) {
		dana_reset(x);
		assert_int_equal(dana_comments(x, &comments), DANA_WRONG_ORDER);
		assert_ok(dana_feed(x, page, i == 1 ? sizeof(ARTICLE) : sizeof(page) - 1));
		assert_ok(dana_finish(x, &text));
		assert_ok(dana_comments(x, &comments));
		assert_true(slice_equal(slice_of(comments.data, comments.len), slice_from_text(i == 1 ? "" : "AB")));
		assert_true(i == 1 || slice_has(slice_of(text.data, text.len), "\nc"));
		assert_int_equal(comments.data == NULL, i == 1);
	}
	dana_free(x);
	options.comments = DANA_PARTS_DROP;
	assert_ok(dana_new(&x, &options));
	assert_ok(dana_finish(x, &text));
	assert_int_equal(dana_comments(x, &comments), DANA_WRONG_ORDER);
	dana_free(x);
	options.tables = DANA_PARTS_APART;
	assert_int_equal(dana_new(&x, &options), DANA_BAD_OPTION);
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
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_refused(err, DANA_ECONFIG, bad[i][1],
			       page_parts_new(&p, &(struct page_options){ .exclude = bad[i][0] }, true, &err));
		assert_null(p);
	}
	for (size_t i = 0; i < 65; i++)
		assert_ok(buf_append_text(&many, i ? ",a" : "a"));
	assert_ok(buf_append_byte(&many, 0));
	assert_refused(err, DANA_ECONFIG, "more than 64 selectors",
		       page_parts_new(&p, &(struct page_options){ .only = (const char *)many.data }, true, &err));
	assert_refused(
		err, DANA_ECONFIG, "line 2 of the rules",
		page_parts_new(&p, &(struct page_options){ .rules = "a.org\tonly\tb\na.org only b\n" }, true, &err));
	assert_refused(err, DANA_ECONFIG, "line 3 of the rules: selector 'b:c'",
		       page_parts_new(&p, &(struct page_options){ .rules = "#\n\na.org\tonly\tb:c\n" }, true, &err));
	for (size_t i = 0; i < sizeof(no_hosts) / sizeof(*no_hosts); i++) {
		buf_clear(&many);
		assert_ok(buf_printf(&many, "[::1]\tonly\tb\n%s\tonly\tb\n%c", no_hosts[i], 0));
		assert_refused(
			err, DANA_ECONFIG, "line 2 of the rules",
			page_parts_new(&p, &(struct page_options){ .rules = (const char *)many.data }, true, &err));
	}
	assert_ok(page_parts_new(&p, &(struct page_options){ .only = " " }, true, &err));
	assert_null(p);
}

/* Dropped are words from `[` to `]`, which are not in the page. */
TEST(blocks_are_dropped_whose_words_all_are)
{
	static const struct {
		const char *selectors, *html;
		bool dropped;
	} cases[] = {
		{ ".x", "<p>a</p><p class=x>[b]</p>c", true },
		{ ".x", "<p>a</p><p class=y>[b]</p>c", false },
		{ ".x", "<div class=x><p>a<p>[b]</p>c</div>", true },
		{ ".x", "<p>[a <b class=x>b</b>]</p>", false },
		{ ".x", "<p>[<b class=x>b</b> a]</p>", false },
		{ ".x", "<p>[<b class=x>b</b>, <b class=x>c</b> &nbsp;&#183; \xE2\x80\xA6 ]</p>", true },
		{ ".x", "<p>[&nbsp;<b class=x>b</b>]</p>a", true },
		{ ".x", "<p>[<b class=x>b</b>&copy;]</p>", true },
		{ ".x", "<p>[<b class=x>b</b>&eacute;]</p>", false },
		{ ".x", "<p>[<b class=x>b</b><i>\xD0\xB4</i>]</p>", false },
		{ ".x", "<p class=x>b</p><p>[...]</p>", false },
		{ ".x", "<p class=x>b</p>[...]<p>a</p>", false },
		{ ".x", "<p class=x>b<p>[...]", false },
		{ ".x", "<b class=x><p>b</p></b>[...]<p>a", false },
		{ ".x", "<p>[...]<b class=x><p>b</p></b>", false },
		{ ".x", "<p>a</p><b class=x><p>a</p>[b</b>...]<p>a", true },
		{ ".x", "<p class=x>a<p class=x>[b]</p>", true },
		{ ".x", "<p>[...]</p><p class=x>b</p>", false },
		{ ".x", "<p class=x>a<p>[b]", false },
		{ ".x", "<p>a<p class=x>[b]", true },
		{ ".x p", "<div class=x><p>[b]</p></div>", true },
		{ "p.x, i", "<p class=x>a</p><p>[<i>b</i>]</p>", true },
		{ ".x", "<p class=x>a</p><p>[b]</p><p class=x>c", false },
	};
	AUTO_BUF out = { 0 };
	AUTO_BUF page = { 0 };
	AUTO_BUF rules = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct slice html = slice_from_text(cases[i].html);
		const size_t from = slice_until(html, "["), to = slice_until(html, "]") - 1;
		buf_clear(&page);
		buf_clear(&rules);
		for (size_t k = 0; k < html.len; k++)
			assert_ok(k == from || k == to + 1 ? 0 : buf_append_byte(&page, html.data[k]));
		assert_ok(buf_printf(&rules, "a.org\tdrop\t%s\n%c", cases[i].selectors, 0));
		struct page_parts *p = parts_of("", "", (const char *)rules.data);
		for (size_t cut = 0; cut <= page.len; cut++) {
			read_page(p, "http://a.org/", buf_slice(&page), cut, &out);
			assert_true(slice_equal(buf_slice(&out), buf_slice(&page)));
			if (page_parts_drops(p, from, to) != cases[i].dropped)
				fail_msg("%s, cut at %zu", cases[i].html, cut);
		}
		read_page(p, "http://b.org/", buf_slice(&page), 0, &out);
		assert_false(page_parts_drops(p, from, to));
		page_parts_free(p);
	}
	assert_false(page_parts_drops(NULL, 0, 1));
}

/* Text and Markdown of a page with rules. */
static void extract_ruled(const char *method, const char *rules, const char *page, struct buf *to, struct buf *markdown)
{
	struct dana_extractor *x;
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = method,
					      .structure = DANA_MARKDOWN,
					      .rules = rules };
	struct dana_text text;
	struct dana_view view;
	assert_ok(dana_new(&x, &options));
	assert_ok(dana_page_url(x, "http://a.org/", 13));
	assert_ok(dana_feed(x, page, strlen(page)));
	assert_ok(dana_finish(x, &text));
	buf_clear(to);
	buf_clear(markdown);
	assert_ok(buf_append(to, text.data, text.len));
	assert_ok(dana_markdown(x, &view));
	assert_ok(buf_append(markdown, view.data, view.len));
	dana_free(x);
}

TEST(what_is_dropped_changes_nothing_else)
{
#define LINE \
	"<p>In that year the keeper of the old lighthouse told the visitors that the lamp was lit on every " \
	"evening.</p>"
#define OFFER \
	"<h3>Our offer for you</h3><p>This offer is for readers of the news, who have asked us for years when one " \
	"would come.</p>"
	static const char with[] = "<title>Story</title><h1>Story of the lamp</h1>" LINE LINE "<hr><div class=x>" OFFER
				   "</div>" LINE LINE LINE "<div class=y><p>The end of it</div>";
	static const char without[] = "<title>Story</title><h1>Story of the lamp</h1>" LINE LINE "<hr>" LINE LINE LINE
				      "<div class=y><p>The end of it</div>";
#undef LINE
#undef OFFER
	AUTO_BUF text = { 0 };
	AUTO_BUF markdown = { 0 };
	AUTO_BUF wanted = { 0 };
	AUTO_BUF wanted_markdown = { 0 };
	extract_ruled("learned", "", without, &wanted, &wanted_markdown);
	extract_ruled("learned", "", with, &text, &markdown);
	assert_true(text.len > wanted.len && markdown.len > wanted_markdown.len);
	extract_ruled("learned", "a.org\tdrop\t.x\n", with, &text, &markdown);
	assert_true(slice_equal(buf_slice(&text), buf_slice(&wanted)));
	assert_true(slice_equal(buf_slice(&markdown), buf_slice(&wanted_markdown)));
	/* methods that do not decide about blocks read the page without it */
	extract_ruled("danag", "a.org\tdrop\t.x\n", with, &text, &markdown);
	extract_ruled("danag", "a.org\texclude\t.x\n", with, &wanted, &wanted_markdown);
	assert_true(slice_equal(buf_slice(&text), buf_slice(&wanted)));
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
