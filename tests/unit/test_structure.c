/* SPDX-License-Identifier: MIT */
/*
 * Pages as Markdown: each case of tests/data/structure.txt as a whole, cut at every byte and byte by byte, the limits
 * of what is recorded, and what is kept of a page of which the method keeps a part.
 */
#include "base/buf.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "dana/dana.h"
#include "extract/extractor.h"
#include "extract/html/class_words.h"
#include "extract/html/display.h"
#include "extract/structure/compose.h"
#include "extract/structure/escape.h"
#include "support/unit.h"

static const char url[] = "https://site.example/dir/page.html";

static struct dana_extractor *extractor_of(const char *method, unsigned structure, const char *markdown)
{
	struct dana_extractor *x;
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = method,
					      .structure = structure,
					      .markdown = markdown };
	if (dana_new(&x, &options) < 0)
		fail_msg("%s is refused with structure: does its table set lists_spans?", method);
	return x;
}

static struct dana_extractor *extractor(const char *method, const char *markdown)
{
	return extractor_of(method, DANA_MARKDOWN, markdown);
}

/* The page as Markdown, fed in two parts and the rest byte by byte; flags of the text. */
static unsigned markdown_of(struct dana_extractor *x, struct slice page, size_t cut, bool bytes, struct slice *result)
{
	struct dana_text text;
	struct dana_view markdown;
	dana_reset(x);
	assert_ok(dana_page_url(x, url, sizeof(url) - 1));
	assert_ok(dana_feed(x, page.data, cut));
	for (size_t i = cut; bytes && i < page.len; i++)
		assert_ok(dana_feed(x, page.data + i, 1));
	if (!bytes)
		assert_ok(dana_feed(x, page.data + cut, page.len - cut));
	assert_ok(dana_finish(x, &text));
	assert_int_equal(dana_markdown(x, &markdown), 0);
	*result = slice_of(markdown.data, markdown.len);
	assert_int_equal(utf8_valid_prefix(*result), markdown.len);
	return text.flags;
}

static void check(struct dana_extractor *x, const char *name, struct slice page, struct slice expected)
{
	struct slice got;
	for (size_t cut = 0; cut <= page.len; cut++) {
		(void)markdown_of(x, page, cut, false, &got);
		if (!slice_equal(got, expected))
			fail_msg("%s, cut at %zu:\n%.*s\ninstead of:\n%.*s\n", name, cut, (int)got.len,
				 (const char *)got.data, (int)expected.len, (const char *)expected.data);
	}
	(void)markdown_of(x, page, 0, true, &got);
	assert_true(slice_equal(got, expected));
}

/* Returns what is before `mark`, and takes it and the mark off. */
static struct slice part(struct slice *rest, const char *mark)
{
	const char *at = strstr((const char *)rest->data, mark);
	struct slice first = slice_first(*rest, at ? (size_t)(at - (const char *)rest->data) : rest->len);
	*rest = slice_skip(*rest, first.len + strlen(mark));
	return first;
}

static void for_each_case(void (*each)(struct dana_extractor *x, const char *name, struct slice page,
				       struct slice expected),
			  struct dana_extractor *x)
{
	const char *folder = getenv("srcdir");
	char path[4096], *data, name[64];
	size_t len, n = 0;
	(void)snprintf(path, sizeof(path), "%s/tests/data/structure.txt", folder ? folder : ".");
	assert_int_equal(whole_file_read(NULL, path, &data, &len), 0);
	data = realloc(data, len + 1);
	assert_non_null(data);
	data[len] = '\0';
	struct slice rest = slice_of(data, len);
	(void)part(&rest, "=== ");
	while (rest.len) {
		const struct slice title = part(&rest, "\n"), page = part(&rest, "\n--->\n");
		struct slice expected = part(&rest, "=== ");
		expected.len -= expected.len && expected.data[expected.len - 1] == '\n';
		(void)snprintf(name, sizeof(name), "%.*s", (int)title.len, (const char *)title.data);
		each(x, name, page, expected);
		n++;
	}
	assert_true(n > 80);
	free(data);
}

/* No word is too long to be looked up. */
TEST(words_of_classes_have_their_meanings)
{
	for (size_t i = 0; i < CLASS_WORDS; i++) {
		const struct slice word = slice_from_text(class_word_table[i].word);
		assert_true(word.len <= CLASS_WORD_MOST);
		assert_int_equal(class_word_meanings(word), class_word_table[i].meanings);
		/* the tables of display.c have the same words, and what is looked at first passes none of them over */
		const struct style_display shown = display_of_class(word);
		const unsigned may = display_class_may(word.data, word.len);
		assert_int_equal(shown.unseen, (class_word_table[i].meanings & CLASS_HIDDEN) != 0);
		assert_int_equal(shown.line, (class_word_table[i].meanings & CLASS_BLOCK) != 0);
		assert_true(!shown.unseen || (may & DISPLAY_MAY_HIDE && display_class_may_hide(word)));
		assert_true(!shown.line || may & DISPLAY_MAY_LINE);
	}
	/* the words of display.c that only show are at their places, too */
	static const char *const shows[] = { "contents", "inline",     "inline-block", "inline-flex",
					     "table",    "table-cell", "table-row" };
	for (size_t i = 0; i < sizeof(shows) / sizeof(*shows); i++) {
		char classes[32];
		(void)snprintf(classes, sizeof(classes), "d-none d-md-%s", shows[i]);
		assert_false(display_of_class(slice_from_text(classes)).unseen);
	}
	/* a byte NUL ends no word */
	assert_int_equal(class_word_meanings(slice_of("js\0\0\0\0", 6)), 0);
}

TEST(cases_whole_and_cut)
{
	struct dana_extractor *x = extractor("plain", "images=1");
	for_each_case(check, x);
	dana_free(x);
}

/* HTML, XML and TEI: each page as a whole, cut at every byte and byte by byte; only what is inside of its head. */
TEST(elements_whole_and_cut)
{
	static const struct {
		const char *page, *html, *xml, *tei;
	} cases[] = {
		{ "<p>a<br>b", "<p>a<br/>b</p>", "<p>a<lb/>b</p>", "<p>a<lb/>b</p>" },
		{ "<p>&lt;a> & \"b\"&#xFFFE;c",
		  "<p>&lt;a&gt; &amp; &quot;b&quot;\xEF\xBF\xBD"
		  "c</p>",
		  NULL, NULL },
		{ "<h2>a <i>b</i></h2><p>c", "<h2>a <em>b</em></h2>\n<p>c</p>",
		  "<head rend=\"h2\">a <hi rend=\"#i\">b</hi></head>\n<p>c</p>",
		  "<ab type=\"header\" rend=\"h2\">a <hi rend=\"#i\">b</hi></ab>\n<p>c</p>" },
		{ "<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>",
		  "<list rend=\"ul\"><item>a</item><item>b<list rend=\"ul\"><item>c</item></list></item></list>",
		  NULL },
		{ "<ol start=3><li>a<p>b</ol>", "<ol start=\"3\"><li><p>a</p><p>b</p></li></ol>",
		  "<list rend=\"ol\"><item><p>a</p><p>b</p></item></list>",
		  "<list rend=\"ol\" n=\"3\"><item><p>a</p><p>b</p></item></list>" },
		{ "<ul>a<li>b</ul>", "<ul><li><p>a</p></li><li>b</li></ul>", NULL, NULL },
		{ "<li>a<li>b", "<ul><li>a</li><li>b</li></ul>", NULL, NULL },
		{ "<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>",
		  "<list rend=\"dl\"><item rend=\"dt-1\">a</item><item rend=\"dd-1\">b</item></list>", NULL },
		{ "<blockquote>a<p>b</blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>",
		  "<quote><p>a</p><p>b</p></quote>", NULL },
		{ "<pre class=language-c>a<b\n c</pre>", NULL, NULL, NULL },
		{ "<table><tr><th>a<th>b<tr><td>1<td>2</table>",
		  "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
		  "<table><row><cell role=\"head\">a</cell><cell role=\"head\">b</cell></row><row><cell>1</cell>"
		  "<cell>2</cell></row></table>",
		  "<list rend=\"table\"><item rend=\"row\"><seg type=\"head\">a</seg><seg type=\"head\">b</seg></item>"
		  "<item rend=\"row\"><seg type=\"cell\">1</seg><seg type=\"cell\">2</seg></item></list>" },
		{ "<p><a href='/x?a=1&b=2'>a</a> <a href='javascript:b'>b</a> <a href='MAILTO:c@d'>c</a>",
		  "<p><a href=\"https://site.example/x?a=1&amp;b=2\">a</a> b <a href=\"MAILTO:c@d\">c</a></p>",
		  "<p><ref target=\"https://site.example/x?a=1&amp;b=2\">a</ref> b <ref "
		  "target=\"MAILTO:c@d\">c</ref></p>",
		  NULL },
		{ "<p>a<img src=b.png alt='c\"d'>",
		  "<p>a<img src=\"https://site.example/dir/b.png\" alt=\"c&quot;d\"/></p>",
		  "<p>a<graphic src=\"https://site.example/dir/b.png\" alt=\"c&quot;d\"/></p>",
		  "<p>a<graphic url=\"https://site.example/dir/b.png\"><desc>c&quot;d</desc></graphic></p>" },
		{ "<p onclick=x style=y>a<script>b</script><style>c</style><b>d</b><sup>2</sup><code>e<i></code>",
		  "<p>a<strong>d</strong><sup>2</sup><code>e</code></p>", NULL,
		  "<p>a<hi rend=\"#b\">d</hi><hi rend=\"#sup\">2</hi><hi rend=\"#t\">e</hi></p>" },
		{ "<p>a<hr><p>b", "<p>a</p>\n<hr/>\n<p>b</p>", NULL, NULL },
	};
	static const char *const formats[] = { "images=1,format=html", "images=1,format=xml", "images=1,format=tei" };
	static const char *const ends[][2] = {
		{ "<title>t&lt;</title></head><body>\n", "\n</body></html>" },
		{ "<doc title=\"t&lt;\" url=\"https://site.example/dir/page.html\"><main>\n",
		  "\n</main><comments/></doc>" },
		{ "<text><body><div type=\"entry\">\n", "\n</div><div type=\"comments\"/></body></text></TEI>" },
	};
	for (size_t f = 0; f < 3; f++) {
		struct dana_extractor *x = extractor("plain", formats[f]);
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			const char *const wanted = f == 0 ? cases[i].html : f == 1 ? cases[i].xml : cases[i].tei;
			AUTO_BUF page = { 0 }, inside = { 0 };
			struct slice got;
			assert_ok(buf_printf(&page, "<title>t&lt;</title>%s", cases[i].page));
			(void)markdown_of(x, buf_slice(&page), page.len, false, &got);
			assert_ok(buf_append(&inside, got.data, got.len));
			check(x, cases[i].page, buf_slice(&page), buf_slice(&inside));
			AUTO_BUF expected = { 0 };
			assert_ok(buf_printf(&expected, "%s%s%s", ends[f][0], wanted ? wanted : "", ends[f][1]));
			const struct slice end = slice_skip(got, got.len > expected.len ? got.len - expected.len : 0);
			if (wanted && !slice_equal(end, buf_slice(&expected)))
				fail_msg("%s\n%.*s\ninstead of\n%.*s\n", cases[i].page, (int)got.len,
					 (const char *)got.data, (int)expected.len, (const char *)expected.data);
		}
		dana_free(x);
	}
}

/* The title and front matter, for pages in one piece and cut anywhere. */
TEST(title_whole_and_cut)
{
#define URL "url: \"https://site.example/dir/page.html\"\n"
	static const char *const cases[][2] = {
		{ "<title>One &lt;two> - The Shore</title><h1 class=x>One <b>&lt;two></b> "
		  "<button>edit</button></h1><p>a",
		  "---\ntitle: \"One \\u003Ctwo>\"\n" URL "---\n\n# One **\\<two>**\n\na" },
		{ "<meta property='og:site_name' content='Sh&amp;re'><title>Sh&amp;re | One | two</title><p>a",
		  "---\ntitle: \"One | two\"\n" URL "---\n\n# One | two\n\na" },
		{ "<title>One</title><p>b<h1>Sh</h1><h1 hidden>Three</h1><p>a<h1>O<i>n</i>e</h1>",
		  "---\ntitle: \"One\"\n" URL "---\n\n# O*n*e\n\nb\n\n# Sh\n\na" },
		{ "<title>\xE6\xB0\xB4\xE8\xBD\xA6_\xE7\xBD\x91</title><ul><li><h1>\xE6\xB0\xB4\xE8\xBD\xA6</h1><li>a</"
		  "ul>",
		  "---\ntitle: \"\xE6\xB0\xB4\xE8\xBD\xA6\"\n" URL "---\n\n# \xE6\xB0\xB4\xE8\xBD\xA6\n\n- a" },
		{ "<title>How trees grow - Site</title><h2>How trees grow</h2><p>a<h1>A message from us</h1>",
		  "---\ntitle: \"How trees grow\"\n" URL "---\n\n## How trees grow\n\na\n\n# A message from us" },
		{ "<meta property='og:title' content='How trees grow'><title>How trees grow</title><h1>News</h1><p>a",
		  "---\ntitle: \"How trees grow\"\n" URL "---\n\n# How trees grow\n\n# News\n\na" },
		{ "<meta property='og:title' content='How trees grow'><title>How trees grow</title><h1>Old "
		  "trees</h1><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<meta property='og:title' content='Home'><title>Home</title><h1>Old oaks</h1><p>a",
		  "---\ntitle: \"Old oaks\"\n" URL "---\n\n# Old oaks\n\na" },
		{ "<title>Old trees</title><h1>Old trees<a href='#c'>2 words</a></h1><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<title>Old trees</title><h1> <span>Oak</span> <span>Old trees</span> </h1><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<title>Old trees</title><h1> <a href=/o>Oaks</a> \xE3\x80\x89 <i>Old</i> trees</h1><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<title>Old trees</title><h1>Old trees and oaks</h1><p>a",
		  "---\ntitle: \"Old trees and oaks\"\n" URL "---\n\n# Old trees and oaks\n\na" },
		{ "<title>One</title><h1><span>Old</span><span>trees</span></h1><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<title>Oldtrees</title><h1><span>Old</span><span>trees</span></h1><p>a",
		  "---\ntitle: \"Oldtrees\"\n" URL "---\n\n# Oldtrees\n\na" },
		{ "<title>Notes</title><h1><a href='/'>Shore</a></h1><p>a",
		  "---\ntitle: \"Notes\"\n" URL "---\n\n# Notes\n\n# [Shore](https://site.example/)\n\na" },
		{ "<title>Notes</title><h1><a href='../'>Shore</a></h1><p>a",
		  "---\ntitle: \"Notes\"\n" URL "---\n\n# Notes\n\n# [Shore](https://site.example/)\n\na" },
		{ "<title>Notes</title><h1><a href='./x.html'>Shore</a></h1><p>a",
		  "---\ntitle: \"Shore\"\n" URL "---\n\n# [Shore](https://site.example/dir/x.html)\n\na" },
		{ "<title>Old oaks grow // The shore</title><p>a",
		  "---\ntitle: \"Old oaks grow\"\n" URL "---\n\n# Old oaks grow\n\na" },
		{ "<title>水车新闻水车-水车-水车网</title><p>a",
		  "---\ntitle: \"水车新闻水车\"\n" URL "---\n\n# 水车新闻水车\n\na" },
		{ "<title>well-known trees</title><p>a",
		  "---\ntitle: \"well-known trees\"\n" URL "---\n\n# well-known trees\n\na" },
		{ "<meta property='og:site_name' content='Shore'><meta property='og:title' content='Old trees by the "
		  "sea - "
		  "May 2026'><title>Old trees by the sea - May 2026</title><p>a",
		  "---\ntitle: \"Old trees by the sea - May 2026\"\n" URL
		  "---\n\n# Old trees by the sea - May 2026\n\na" },
		{ "<meta property='og:site_name' content='Shore'><meta property='og:title' content='Old trees by the "
		  "sea - "
		  "Shore news'><title>Old trees by the sea - Shore news</title><p>a",
		  "---\ntitle: \"Old trees by the sea\"\n" URL "---\n\n# Old trees by the sea\n\na" },
		{ "<meta property='og:title' content='shore - Old trees'><title>Old trees - oaks - Of the long shore - "
		  "Shore</title><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<meta property='og:title' content='Old trees'><title>Old trees - now - Shore</title><h1>Old trees - "
		  "now</h1><p>a",
		  "---\ntitle: \"Old trees - now\"\n" URL "---\n\n# Old trees - now\n\na" },
		{ "<title>The Shore :: View topic - Old trees</title><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<title>View topic - Old trees</title><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<title>A long way to the shore of the sea :: View trees - Oaks</title><p>a",
		  "---\ntitle: \"A long way to the shore of the sea :: View trees\"\n" URL
		  "---\n\n# A long way to the shore of the sea :: View trees\n\na" },
		{ "<title>The long shore: Old trees: a walk - part two</title><h1>The long shore</h1><h3>Old trees: a "
		  "walk - "
		  "part two</h3><p>a",
		  "---\ntitle: \"Old trees: a walk - part two\"\n" URL
		  "---\n\n# Old trees: a walk - part two\n\n# The long shore\n\na" },
		{ "<title>Old trees (Page 2)</title><h2>Old trees</h2><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n## Old trees\n\na" },
		{ "<title>Old trees in the park | Oaks - Shore</title><h1>Shore</h1><h3>Old trees in the park</h3><p>a",
		  "---\ntitle: \"Old trees in the park\"\n" URL "---\n\n# Old trees in the park\n\n# Shore\n\na" },
		{ "<title>Old trees - Walks, talks and the long shore</title><h1>Walks, talks and the long "
		  "shore</h1><h2>Old "
		  "trees</h2><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\n# Walks, talks and the long shore\n\na" },
		{ "<title>The trees of the park</title><h1>Walks</h1><h1>Which trees grow there</h1><p>a<h1>More "
		  "trees</h1>",
		  "---\ntitle: \"Which trees grow there\"\n" URL
		  "---\n\n# Which trees grow there\n\n# Walks\n\na\n\n# More trees" },
		{ "<title>The trees of the park</title><h1>Walks</h1><h1><a href=/t>Which trees</a></h1><p>a",
		  "---\ntitle: \"The trees of the park\"\n" URL
		  "---\n\n# The trees of the park\n\n# Walks\n\n# [Which trees](https://site.example/t)\n\na" },
		{ "<title>Old trees in the park - Walks - The Shore</title><div>Old trees in the park</div><p>a",
		  "---\ntitle: \"Old trees in the park\"\n" URL "---\n\n# Old trees in the park\n\na" },
		{ "<title>Old trees in the park - Walks - The Shore</title><div>Old trees in the park - "
		  "Walks</div><p>a",
		  "---\ntitle: \"Old trees in the park - Walks\"\n" URL "---\n\n# Old trees in the park - Walks\n\na" },
		{ "<title>Old trees</title><ol><li>Old trees<li>a</ol>",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\n2. a" },
		{ "<title>Old trees</title><h2>Old trees<br>of the park</h2><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n## Old trees of the park\n\na" },
		{ "<title>Old trees</title><p>1 May<p><b>Old trees</b><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\n1 May\n\na" },
		{ "<title>Old trees</title><p><b>Old trees</b><br>2. by Ann<p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\n2\\. by Ann\n\na" },
		{ "<title>Old trees</title><p>1 May<h3><a href=/o>Old trees</a></h3><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n### [Old trees](https://site.example/o)\n\n1 May\n\na" },
		{ "<title>Shore &raquo; Archive &raquo; Old tall trees</title><h1><a "
		  "href='/dir/'>Shore</a></h1><h2>Old tall "
		  "trees</h2><p>a",
		  "---\ntitle: \"Old tall trees\"\n" URL
		  "---\n\n# Old tall trees\n\n# [Shore](https://site.example/dir/)\n\na" },
		{ "<title>Shore: Old trees</title><h1><a href='/'>Shore</a></h1><h3>Old trees</h3><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\n# [Shore](https://site.example/)\n\na" },
		{ "<title>Shore - Old trees</title><h1><a href='/'>Shore</a> Old</h1><p>a",
		  "---\ntitle: \"Shore Old\"\n" URL "---\n\n# [Shore](https://site.example/) Old\n\na" },
		{ "<title>Old trees - Walks by the sea - Shore</title><h1><a href='/'>Walks by the sea - "
		  "Shore</a></h1><p>a",
		  "---\ntitle: \"Old trees\"\n" URL
		  "---\n\n# Old trees\n\n# [Walks by the sea - Shore](https://site.example/)\n\na" },
		{ "<title>Shore</title><h1><a href='/?p=1'>Shore</a></h1><p>a",
		  "---\ntitle: \"Shore\"\n" URL "---\n\n# [Shore](https://site.example/?p=1)\n\na" },
		{ "<title>site.example &raquo; Old trees</title><h1>Old trees</h1><p>a",
		  "---\ntitle: \"Old trees\"\n" URL "---\n\n# Old trees\n\na" },
		{ "<title>Old trees of the park</title><p>b<h1>Old trees<div>of the park</div></h1><p>a",
		  "---\ntitle: \"Old trees of the park\"\n" URL "---\n\n# Old trees of the park\n\nb\n\na" },
		/* lines that are a part of <title> */
		{ "<title>Shore Daily, news and more | Walks | Old trees in the park</title><p>Walks<p><font>Old trees "
		  "in the park</font><p>a",
		  "---\ntitle: \"Old trees in the park\"\n" URL "---\n\n# Old trees in the park\n\nWalks\n\na" },
		{ "<title>Shore - Old trees in the park - Walks + talks</title><p>b<h2>Walks + talks</h2><p>Old trees "
		  "in the park<p>a",
		  "---\ntitle: \"Old trees in the park\"\n" URL
		  "---\n\n# Old trees in the park\n\nb\n\n## Walks + talks\n\na" },
		{ "<title>Long Shore Walks: Look!</title><p>b<h2>1 May</h2><h3>Look!</h3><p>a",
		  "---\ntitle: \"Long Shore Walks: Look!\"\n" URL
		  "---\n\n# Long Shore Walks: Look!\n\nb\n\n## 1 May\n\n### Look!\n\na" },
		{ "<title>Long Shore Walks: Look!</title><h2>1 May</h2><h3>Look!</h3><p>a",
		  "---\ntitle: \"Look!\"\n" URL "---\n\n# Look!\n\n## 1 May\n\na" },
		{ "<title>Old trees in the park by Shore.example</title><h2>Old trees in the park</h2><p>a",
		  "---\ntitle: \"Old trees in the park\"\n" URL "---\n\n## Old trees in the park\n\na" },
		{ "<title>Old trees in the park Walks Shore</title><div>Old trees in the park</div><p>a",
		  "---\ntitle: \"Old trees in the park\"\n" URL "---\n\n# Old trees in the park\n\na" },
		{ "<title>Old trees in the park: part 2 of 2</title><div>Old <i>trees in the park</i></div><p>a",
		  "---\ntitle: \"Old trees in the park: part 2 of 2\"\n" URL
		  "---\n\n# Old trees in the park: part 2 of 2\n\nOld *trees in the park*\n\na" },
		{ "<title>Old trees grow tall by the sea - Shore Walks and Talks</title><p>b<h2>Shore Walks and "
		  "Talks</h2><p>Old trees grow tall by the sea<p>a",
		  "---\ntitle: \"Old trees grow tall by the sea\"\n" URL
		  "---\n\n# Old trees grow tall by the sea\n\nb\n\n## Shore Walks and Talks\n\na" },
		{ "<title>Treeswill grow</title><h2>Trees&ndash;will grow</h2><p>a",
		  "---\ntitle: \"Trees–will grow\"\n" URL "---\n\n## Trees–will grow\n\na" },
		{ "<title>Long Shore - Contact</title><h2><a href=/contact>Contact</a></h2><p>a",
		  "---\ntitle: \"Contact\"\n" URL "---\n\n## [Contact](https://site.example/contact)\n\na" },
		/* an h1 that is og:title, or all of <title> */
		{ "<meta property='og:title' content='Why trees grow'><title>Shore - Walks and talks - Why trees "
		  "grow</title><h1>Why trees grow</h1><p>a<h1>Walks and talks</h1>",
		  "---\ntitle: \"Why trees grow\"\n" URL "---\n\n# Why trees grow\n\na\n\n# Walks and talks" },
		{ "<title>Old trees - a long walk</title><h1>Old trees - a long walk</h1><p>a",
		  "---\ntitle: \"Old trees - a long walk\"\n" URL "---\n\n# Old trees - a long walk\n\na" },
		{ "<title>Why « old trees » grow</title><p>a",
		  "---\ntitle: \"Why « old trees » grow\"\n" URL "---\n\n# Why « old trees » grow\n\na" },
		/* headlines of pages whose <title> says nothing but the site */
		{ "<title>site.example</title><td class='art_headline'><b>Why trees grow</b></td><p>a",
		  "---\ntitle: \"Why trees grow\"\n" URL "---\n\n# Why trees grow\n\na" },
		{ "<title>site.example</title><p>1 May 2024<p class=headline>Why trees grow<p>a",
		  "---\ntitle: \"Why trees grow\"\n" URL "---\n\n# Why trees grow\n\n1 May 2024\n\na" },
		{ "<title>Site Example Daily News</title><font size=+2>Why trees grow</font><p>a",
		  "---\ntitle: \"Why trees grow\"\n" URL "---\n\n# Why trees grow\n\na" },
		{ "<title>Site Example Daily News</title><b>Why trees grow</b><p>a",
		  "---\ntitle: \"Site Example Daily News\"\n" URL
		  "---\n\n# Site Example Daily News\n\n**Why trees grow**\n\na" },
		{ "<h1><a href=/>Shore</a></h1><h2>» Why trees grow</h2><p>a",
		  "---\ntitle: \"Why trees grow\"\n" URL
		  "---\n\n# Why trees grow\n\n# [Shore](https://site.example/)\n\na" },
		{ "<b>Why trees grow</b><p>a", "---\ntitle: \"Why trees grow\"\n" URL "---\n\n# Why trees grow\n\na" },
		{ "<h3>1 May 2024</h3><b>Why trees grow</b><p>a",
		  "---\ntitle: \"Why trees grow\"\n" URL "---\n\n# Why trees grow\n\n### 1 May 2024\n\na" },
		{ "<title>A walk</title><div class=title>Why trees grow</div><p>a",
		  "---\ntitle: \"A walk\"\n" URL "---\n\n# A walk\n\nWhy trees grow\n\na" },
		{ "<meta property='og:title' content='A site to see'><title>A site to see</title><div class=title>Why "
		  "trees grow</div><p>a",
		  "---\ntitle: \"A site to see\"\n" URL "---\n\n# A site to see\n\nWhy trees grow\n\na" },
		/* an only h1 that has no word of a title that is a line of the page */
		{ "<title>Why trees grow - Shore</title><p>b<p>Why trees grow<h1>HAYGH</h1><p>a",
		  "---\ntitle: \"Why trees grow\"\n" URL "---\n\n# Why trees grow\n\nb\n\n# HAYGH\n\na" },
		{ "<title>All about oaks - Shore</title><p>All about oaks<p>Words of a menu that is long enough to "
		  "part the logo from what is below it, as such menus do<h1>Why trees grow</h1><p>a",
		  "---\ntitle: \"All about oaks\"\n" URL
		  "---\n\n# All about oaks\n\nWords of a menu that is long enough to part the logo from what is below "
		  "it, as such menus do\n\n# Why trees grow\n\na" },
		{ "<title>All about oaks - Shore</title><p>Words of a menu that is long enough to part the logo from "
		  "what is below it, as such menus do<h1>Why trees grow</h1><p>a",
		  "---\ntitle: \"Why trees grow\"\n" URL
		  "---\n\n# Why trees grow\n\nWords of a menu that is long enough to part the logo from what is below "
		  "it, as such menus do\n\na" },
		/* blanks between the parts of an h1 */
		{ "<title>Shore</title><h1>\n<span>磨坊</span>\n<br>\n<span>开放</span></h1><p>a",
		  "---\ntitle: \"磨坊 开放\"\n" URL "---\n\n# 磨坊 开放\n\na" },
		{ "<title>Shore</title><h1><span>In the park</span>Old trees</h1><p>a",
		  "---\ntitle: \"In the park Old trees\"\n" URL "---\n\n# In the park Old trees\n\na" },
		{ "<title>Shore</title><h1>Mc<span>Kay</span>land trees</h1><p>a",
		  "---\ntitle: \"McKayland trees\"\n" URL "---\n\n# McKayland trees\n\na" },
		{ "<title>One</title><p>", "" },
	};
	struct dana_extractor *x = extractor("plain", "title=1,frontmatter=1");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(x, cases[i][0], slice_from_text(cases[i][0]), slice_from_text(cases[i][1]));
	dana_free(x);
#undef URL
}

/* At the limit of the text a block is left out as a whole, and what is open ends. */
TEST(elements_at_the_limit)
{
	static const char end[] = "</li></ul>\n</body></html>";
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "plain",
					      .max_text_bytes = 1000,
					      .structure = DANA_MARKDOWN,
					      .markdown = "format=html" };
	struct dana_extractor *x;
	assert_ok(dana_new(&x, &options));
	for (int words = 1; words < 60; words++) {
		AUTO_BUF page = { 0 };
		struct slice got;
		for (int i = 0; i < 100; i++) {
			assert_ok(buf_printf(&page, "<ul><li>&lt;"));
			for (int k = 0; k < words; k++)
				assert_ok(buf_printf(&page, "w "));
			assert_ok(buf_printf(&page, "</ul>"));
		}
		const unsigned flags = markdown_of(x, buf_slice(&page), 0, false, &got);
		assert_true(got.len <= 1000 + strlen(end));
		assert_memory_equal(got.data + got.len - strlen(end), end, strlen(end));
		assert_true(flags & DANA_LACKS_STRUCTURE);
	}
	dana_free(x);
}

/* Items side by side, and many lists in one another: nothing grows with the depth. */
TEST(elements_of_deep_pages)
{
	struct dana_extractor *x = extractor("plain", "format=html");
	AUTO_BUF page = { 0 };
	struct slice got;
	for (int i = 0; i < 3000; i++)
		assert_ok(buf_printf(&page, "%sa%d", i % 3 ? "<ul><li>" : i % 2 ? "<dl><dd>" : "<blockquote>", i));
	(void)markdown_of(x, buf_slice(&page), page.len, false, &got);
	size_t opened = 0, closed = 0;
	for (size_t i = 0; i + 1 < got.len; i++) {
		opened += got.data[i] == '<' && got.data[i + 1] != '/' && got.data[i + 1] != '!';
		closed += got.data[i] == '<' && got.data[i + 1] == '/';
	}
	assert_int_equal(opened, closed + 1); /* <meta/> */
	assert_true(got.len < 40 * page.len);
	dana_free(x);
}

/* More different tags than are remembered, each several times, some longer than those. */
TEST(tags_come_again)
{
	struct dana_extractor *x = extractor("plain", NULL);
	AUTO_BUF page = { 0 }, expected = { 0 };
	struct slice got;
	for (int i = 0; i < 600; i++) {
		const int n = i * 7 % 200, digits = n % 3 ? 4 : 140;
		assert_ok(buf_printf(&page, "<p><a href=\"/%0*d\">x</a><b class=\"c sr-%d\">%d</b>", digits, n, n, n));
		assert_ok(buf_printf(&page, "<span class=\"sr-only\">no</span>"));
		assert_ok(
			buf_printf(&expected, "%s[x](https://site.example/%0*d)**%d**", i ? "\n\n" : "", digits, n, n));
	}
	(void)markdown_of(x, buf_slice(&page), 0, false, &got);
	assert_true(slice_equal(got, buf_slice(&expected)));
	dana_free(x);
}

/* Feeds a page of which `memory` stays: up to `from` and after `to` by copies that do not. */
static struct slice markdown_of_staying(struct dana_extractor *x, struct slice page, struct slice memory, size_t from,
					size_t to)
{
	const size_t ends[] = { from, to, page.len };
	struct dana_text text;
	struct dana_view markdown;
	dana_reset(x);
	assert_ok(dana_page_url(x, url, sizeof(url) - 1));
	dana_page_stays(x, memory);
	for (size_t i = 0, at = 0; i < 3; at = ends[i++]) {
		const size_t len = ends[i] - at;
		char *copy = malloc(len + 1);
		assert_non_null(copy);
		memcpy(copy, page.data + at, len);
		assert_ok(dana_feed(x, i == 1 ? (const char *)memory.data + at : copy, len));
		memset(copy, '<', len);
		free(copy);
	}
	assert_ok(dana_finish(x, &text));
	assert_int_equal(dana_markdown(x, &markdown), 0);
	return slice_of(markdown.data, markdown.len);
}

static void check_staying(struct dana_extractor *x, const char *name, struct slice page, struct slice expected)
{
	uint8_t *other = malloc(page.len + 1);
	assert_non_null(other);
	for (size_t from = 0; from <= page.len; from += 13) {
		for (size_t to = from; to <= page.len; to += 11) {
			/* the memory has the same as the copies, or something else before or after what it is fed */
			for (unsigned differs = 0; differs < 4; differs++) {
				memcpy(other, page.data, page.len);
				memset(other, '<', differs & 1 ? from : 0);
				memset(other + to, '<', differs & 2 ? page.len - to : 0);
				struct slice got = markdown_of_staying(x, page, slice_of(other, page.len), from, to);
				if (!slice_equal(got, expected))
					fail_msg("%s, stays from %zu to %zu, %u", name, from, to, differs);
			}
		}
	}
	free(other);
}

TEST(memory_that_stays_is_read_where_it_is)
{
	struct dana_extractor *x = extractor("plain", "images=1");
	for_each_case(check_staying, x);
	dana_free(x);
}

static void expect(const char *method, const char *keys, const char *page, const char *expected)
{
	struct dana_extractor *x = extractor(method, keys);
	check(x, keys ? keys : method, slice_from_text(page), slice_from_text(expected));
	dana_free(x);
}

TEST(keys_change_what_is_written)
{
	static const char page[] = "<h2>T</h2><p>*<b>a</b>* <a href=/x>b</a><img src=c.png alt=c> <math "
				   "alttext=d></math></p><table><tr><th>e<th>f<tr><td><td>g</table>";
	expect("plain", NULL, page,
	       "## T\n\n\\***a**\\* [b](https://site.example/x) $d$\n\n| e | f |\n| --- | --- |\n|  | g |");
	expect("plain", "links=0,math=0,escape=0,emphasis=0,tables=rows,heading=0", page, "*a* b\n\ne | f\\\ng");
	expect("plain", "images=1,heading=chosen,emphasis=0", "<h1>T</h1><img src=c.png alt=c>",
	       "# T\n\n![c](https://site.example/dir/c.png)");
	expect("plain", "supsub=unicode",
	       "<p>10<sup>6</sup> H<sub>2</sub>O x<sup>a*b</sup> 21<sup>st</sup> 1<sup><b>2</b></sup>",
	       "10⁶ H₂O x^(a\\*b) 21st 1²");
	expect("plain", "supsub=html,ruby=keep",
	       "<p>m<sup>2</sup> <ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "m<sup>2</sup> 漢字（かんじ）");
	static const char *const rubies[][2] = {
		{ "<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>は", "漢（かん）字（じ）は" },
		{ "<ruby>漢<rt>かん<rb>字<rt>じ</ruby>は", "漢（かん）字（じ）は" },
		{ "<ruby><rb>漢<rb>字<rt>かん<rt>じ</ruby>は", "漢字（かん）（じ）は" },
		{ "<ruby>漢<rp>(<rt>かん<rp>)</ruby>は", "漢（かん）は" },
		{ "<ruby>漢<rt><b>か</b><i>ん</i></rt></ruby>は", "漢（かん）は" },
		{ "<p><ruby>漢<rt>かん<p>次", "漢（かん）\n\n次" },
		{ "<ruby>漢<rt></rt></ruby>", "漢（）" },
	};
	for (size_t i = 0; i < sizeof(rubies) / sizeof(*rubies); i++)
		expect("plain", "ruby=keep", rubies[i][0], rubies[i][1]);
}

TEST(notes_are_written_with_their_references_only)
{
	static const char *const dropped[] = {
		"<li id=n1>Here it is.</li>",
		"<p id=n1><sup>1</sup> Here it is.</p>",
	};
	for (size_t i = 0; i < sizeof(dropped) / sizeof(*dropped); i++) {
		struct buf page = { 0 };
		assert_ok(
			buf_printf(&page,
				   "<p>The old lighthouse on the northern shore opens its doors to visitors on Sunday, "
				   "the harbour office said.<sup><a href=#n1>1</a></sup> The lamp will be lit.</p>%s",
				   dropped[i]));
		struct slice got;
		for (size_t k = 0; k < 2; k++) { /* all of it, and long paragraphs only */
			struct dana_extractor *x = extractor(k ? "learned:recall=0" : "plain", NULL);
			(void)markdown_of(x, buf_slice(&page), 0, false, &got);
			const bool refers = slice_has(got, "[^1] The"), defines = slice_has(got, "[^1]: Here");
			assert_true(refers == defines && (k || defines));
			dana_free(x);
		}
		buf_free(&page);
	}
}

TEST(shadow_roots_have_their_structure)
{
	static const char page[] =
		"<html><body><my-page><template shadowrootmode=open><style>p{color:red}</style><h2>Keeper</h2><p>We "
		"have "
		"waited a long time for this, said the keeper, whose family has looked after the tower for three "
		"generations of people.</p><ul><li>one</li></ul><template><p>not shown</p></template><script>var "
		"x</script></template></my-page></body></html>";
	struct dana_extractor *x = extractor("learned:recall=100", NULL);
	static const char expected[] =
		"## Keeper\n\nWe have waited a long time for this, said the keeper, whose family "
		"has looked after the tower for three generations of people.\n\n- one";
	check(x, "shadow", slice_of(page, sizeof(page) - 1), slice_of(expected, sizeof(expected) - 1));
	dana_free(x);
}

TEST(bad_options_are_refused)
{
	static const char *const wrong[] = { "links", "links=2", "colour=1", "tables=html", "supsub=tex", "ruby=1" };
	struct dana_extractor *x;
	struct dana_view markdown;
	struct dana_options options = { .struct_size = sizeof(options), .method = "plain", .structure = DANA_MARKDOWN };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		options.markdown = wrong[i];
		assert_int_equal(dana_new(&x, &options), DANA_BAD_OPTION);
	}
	options.markdown = NULL;
	options.structure = 1U << 31;
	assert_int_equal(dana_new(&x, &options), DANA_BAD_OPTION);
	options = (struct dana_options){ .struct_size = sizeof(options), .method = "r2l", .structure = DANA_MARKDOWN };
	assert_int_equal(dana_new(&x, &options), DANA_BAD_OPTION);
	x = extractor_of("plain", 0, NULL);
	assert_int_equal(dana_markdown(x, &markdown), DANA_WRONG_ORDER);
	dana_free(x);
}

/* The heading is hidden from the method by nothing but its few words; text and Markdown keep the same paragraphs. */
static const char article[] =
	"<html><body><nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav><div class=content><h1>The "
	"lighthouse</h1><p>After four years of repairs, the old lighthouse on the northern shore opens its doors to "
	"visitors on Sunday, the harbour office said. The lamp will be lit at dusk.</p><h2>Keeper</h2><p>\"We have "
	"waited a long time for <b>this</b>,\" said the keeper, whose family has looked after the tower for three "
	"generations. Visitors can climb all of the 212 steps.</p><p style='display:none'>Hidden: subscribe to all of "
	"our letters now.</p><p>The repairs cost less than was planned, because many people of the town gave their "
	"help for nothing, among them masons, painters, and a retired clockmaker.</p></div><div class=footer><a "
	"href=/terms>Terms</a> | <a href=/privacy>Privacy</a></div></body></html>";

/* Methods that count in ways of their own agree on what is well inside of the page's text. */
TEST(each_method_says_what_it_keeps)
{
	static const char *const methods[] = { "learned", "danag", "addanag", "auto", "bte", "ccb", "accb-40",
					       "tccb-25",
					       /* elements, features, words */
					       "lqf-25", "lqf-50", "lqf-75", "kfe", "density", "cetr", "crunch", "wlr",
					       "mountain" };
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		struct dana_extractor *x = extractor(methods[i], NULL);
		struct slice got;
		AUTO_BUF copy = { 0 };
		(void)markdown_of(x, slice_from_text(article), 0, false, &got);
		assert_int_equal(buf_append(&copy, got.data, got.len) + buf_append_byte(&copy, 0), 0);
		const char *text = (const char *)copy.data;
		if (!strstr(text, "\"We have waited a long time for **this**,\" said the keeper") ||
		    (i > 0 && strstr(text, "Hidden")))
			fail_msg("%s: %s", methods[i], text);
		if (i == 0 && (strstr(text, "# The lighthouse\n\nAfter four") != text || strstr(text, "Home") ||
			       strstr(text, "Terms") || !strstr(text, "\n\n## Keeper\n\n\"We have") ||
			       !strstr(text, "clockmaker.")))
			fail_msg("learned: %s", text);
		check(x, methods[i], slice_from_text(article), slice_of(copy.data, copy.len - 1));
		dana_free(x);
	}
}

/* The same in another script; its letters are two bytes each, for the byte scans. */
static const char cyrillic[] =
	"<html><body><nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav><h1>Маяк</h1><p>После четырёх "
	"лет ремонта старый <b>маяк</b> на северном берегу открывает свои двери для посетителей, сообщили в "
	"порту.</p><p>Посетители смогут подняться по всем двумстам двенадцати ступеням, а лампу зажгут с наступлением "
	"сумерек.</p><p>Ремонт обошёлся дешевле, чем было задумано, потому что многие жители города помогали "
	"<i>даром</i>.</p><div class=footer><a href=/terms>Terms</a> | <a "
	"href=/privacy>Privacy</a></div></body></html>";

static struct buf made_by(const char *method, struct slice page)
{
	struct buf copy = { 0 };
	struct slice got;
	struct dana_extractor *x = extractor(method, NULL);
	(void)markdown_of(x, page, page.len / 2, false, &got);
	assert_ok(buf_append(&copy, got.data, got.len));
	dana_free(x);
	return copy;
}

TEST(the_chosen_method_says_what_is_kept)
{
	static const struct {
		const char *page, *method;
		size_t spaces; /* before it: beyond them the leader is guessed wrongly, and beyond 256 KiB both read */
	} rows[] = { { article, "danag", 0 },
		     { cyrillic, "dana", 0 },
		     { cyrillic, "dana", 5000 },
		     { cyrillic, "dana", 300000 },
		     { article, "danag", 300000 } };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF page = { 0 };
		for (size_t k = 0; k < rows[i].spaces; k++)
			buf_append_byte(&page, ' ');
		buf_append_text(&page, rows[i].page);
		assert_int_equal(buf_status(&page), 0);
		AUTO_BUF chosen = made_by("auto", buf_slice(&page)), own = made_by(rows[i].method, buf_slice(&page));
		assert_true(own.len > 300);
		assert_true(slice_equal(buf_slice(&chosen), buf_slice(&own)));
	}
}

/* Text that only a script holds has no place in the page that is shown; it is not lost. */
TEST(text_of_scripts_is_paragraphs)
{
	static const char page[] =
		"<div id=app></div><script id=a type='text/template'><p>The old lighthouse on the northern shore opens "
		"its *doors* to visitors on Sunday, the harbour office said, and the lamp is lit at dusk.</p><p>1. The "
		"keeper &amp;lt; his family looked after the tower for three generations, and waited a long time for "
		"this day, she said to those who came.</p></script>";
	static const char expected[] =
		"The old lighthouse on the northern shore opens its \\*doors\\* to visitors on Sunday, the harbour "
		"office said, and the lamp is lit at dusk.\n\n1\\. The keeper \\&lt; his family looked after the tower "
		"for three generations, and waited a long time for this day, she said to those who came.";
	expect("learned", NULL, page, expected);
	expect("plain", "heading=0", "<h2>T</h2>", "");
}

/* A part of a paragraph is less than half of it, or more. */
TEST(paragraphs_are_wholes)
{
	static const char long_part[] = "<p>left<p>aa bb cc dd ee ff gg hh ii jj<i>kk</i><i>ll</i><i>mm</i>",
			  short_part[] = "<p>aa bb cc dd ee ff gg hh<p>ii jj kk<i>ll</i><i>mm</i><i>nn</i><i>oo</i>";
	AUTO_BUF whole = made_by("bte", slice_from_text(long_part)), none = made_by("bte", slice_from_text(short_part));
	assert_true(slice_equal(buf_slice(&whole), slice_from_text("aa bb cc dd ee ff gg hh ii jj*kkllmm*")));
	assert_true(slice_equal(buf_slice(&none), slice_from_text("aa bb cc dd ee ff gg hh")));
}

static void check_whole_and_cut(struct dana_extractor *x, const char *name, struct slice page, struct slice unused)
{
	AUTO_BUF whole = { 0 };
	struct slice got;
	(void)unused;
	(void)markdown_of(x, page, page.len, false, &got);
	assert_ok(buf_append(&whole, got.data, got.len));
	check(x, name, page, buf_slice(&whole));
}

TEST(cases_of_each_method)
{
	size_t n = 0;
	for (size_t i = 0; i < dana_method_count(); i++) {
		if (strcmp(dana_method_name(i), "r2l") == 0)
			continue; /* it keeps letters, not parts of the page */
		struct dana_extractor *x = extractor(dana_method_name(i), NULL);
		for_each_case(check_whole_and_cut, x);
		dana_free(x);
		n++;
	}
	assert_true(n > 20);
}

struct repeated {
	const char *begin, *each, *end;
	size_t n;
	bool cut; /* a limit is reached */
};

/* Each page is beyond a limit, or far beyond what pages have; its last word is in the Markdown all the same. */
TEST(limits_cut_structure_and_no_text)
{
	static const struct repeated pages[] =
		ROWS({ "", "<div>", "last", 100000, false }, { "", "<ul><li>", "last", 600, true },
		     { "", "<blockquote>", "last", 600, true }, { "", "<dl><dt>a<dd>", "last", 600, true },
		     { "<p>", "<b>", "last", 100000, false }, { "<p>", "<b>x</b> ", "last", 200000, true },
		     { "<table>", "<tr><td>a<td>b", "last</table>", 20000, true },
		     { "<table><tr><th>a", "<td colspan=64>a", "last</table>", 100, true },
		     { "", "<p>a", "last", 40000, true }, { "", "<ol><li>a</ol>", "last", 40000, true },
		     { "<p>", "<a href=/a/long/path/of/a/page/that/is/not/there>a</a> ", "last", 30000, true },
		     { "<p>", "[", "last", 100000, false }, { "<p>", "\\( $ &a", "last", 50000, false });
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		const struct repeated *p = &pages[i];
		AUTO_BUF page = { 0 };
		struct slice got;
		struct dana_extractor *x = extractor("plain", NULL);
		buf_append_text(&page, p->begin);
		for (size_t k = 0; k < p->n; k++)
			buf_append_text(&page, p->each);
		buf_append_text(&page, p->end);
		assert_int_equal(buf_status(&page), 0);
		unsigned flags = markdown_of(x, buf_slice(&page), page.len / 3, false, &got);
		AUTO_BUF text = { 0 };
		assert_int_equal(buf_append(&text, got.data, got.len) + buf_append_byte(&text, 0), 0);
		if (((flags & DANA_LACKS_STRUCTURE) != 0) != p->cut || !strstr((const char *)text.data, "last"))
			fail_msg("page %zu (%s): flags %u, %zu bytes", i, p->each, flags, got.len);
		dana_free(x);
	}
}

/* U+FFFD is longer than the bytes it stands for: what is written is measured with it. */
TEST(malformed_bytes_stay_within_the_limit)
{
	enum { MOST = 1000 };
	static const char word[] = "<p>\xC1\xC1\xC1\xC1\xC1\xC1\xC1\xC1<table><tr><td>\xFF<td>\xFF<tr><td>a</table>";
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "plain",
					      .max_text_bytes = MOST,
					      .structure = DANA_MARKDOWN | DANA_BLOCKS };
	struct dana_extractor *x;
	struct dana_view views[2];
	struct dana_text text;
	AUTO_BUF page = { 0 };
	for (size_t i = 0; i < 80; i++)
		buf_append_text(&page, word);
	assert_int_equal(buf_status(&page), 0);
	assert_ok(dana_new(&x, &options));
	assert_ok(dana_feed(x, page.data, page.len));
	assert_ok(dana_finish(x, &text));
	assert_true(text.flags & DANA_LACKS_STRUCTURE && text.flags & DANA_TEXT_TRUNCATED);
	assert_in_range(text.len, MOST - 2, MOST);
	assert_int_equal(dana_markdown(x, &views[0]) + dana_structure_json(x, &views[1]), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_in_range(views[i].len, MOST * 9 / 10, MOST + 2);
		assert_int_equal(utf8_valid_prefix(slice_of(views[i].data, views[i].len)), views[i].len);
	}
	dana_free(x);
}

static void blocks_of(struct dana_extractor *x, struct slice page, size_t cut, struct dana_view *blocks)
{
	struct dana_text text;
	dana_reset(x);
	assert_ok(dana_feed(x, page.data, cut));
	assert_ok(dana_feed(x, page.data + cut, page.len - cut));
	assert_ok(dana_finish(x, &text));
	assert_int_equal(dana_structure_json(x, blocks), 0);
}

/* Texts are those of the page, without what Markdown needs; pictures have the addresses that links may have. */
TEST(blocks_of_a_page)
{
	static const char *const rows[][2] = {
		{ "<h2>a</h2><ol><li>b<blockquote>c</blockquote></ol><dl><dt>d<dd>e</dl><pre "
		  "class=go>f</pre><table><tr><th>g<th>h<tr><td>i</table><hr><p>\"j\"<br>k <math "
		  "alttext=l></math></p><math alttext=m></math><img src=n alt=o>\xFF",
		  "[{'t':'h','n':2,'text':'a','start':4},{'t':'li','n':1,'d':1,'text':'b','start':18},{'t':'quote','d':"
		  "1,'text':'c','start':31},{'t':'dt','text':'d','start':58},{'t':'dd','text':'e','start':63},{'t':'"
		  "code','lang':'go','text':'f','start':83},{'t':'table','rows':[['g','h'],['i','']],'start':105},{'t':"
		  "'hr','start':128},{'t':'p','text':'\\'j\\'\\nk "
		  "l','start':135},{'t':'p','text':'m\xEF\xBF\xBD','start':171},{'t':'img','url':'n','alt':'o','start':"
		  "171}]" },
		{ "<h2><a class=anchor href=#x>t</a></h2><p>[<b>x</b>](y)![<code>[</code><code>`</code>`</p><p><math "
		  "alttext='a&lt;b`'></math></p><img src='java&#9;script:x' alt=d><img src='\n javascript:x'><img "
		  "src='&#1;ht\ttp://h/' alt=e>",
		  "[{'t':'h','n':2,'text':'t','start':28},{'t':'p','text':'[x](y)![[``','start':41},{'t':'math','text':"
		  "'a<b`','start':92},{'t':'img','url':'','alt':'d','start':127},{'t':'img','url':'http://h/"
		  "','alt':'e','start':127}]" }
	};
	struct dana_extractor *x = extractor_of("plain", DANA_BLOCKS, "images=1");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct slice page = slice_from_text(rows[i][0]);
		AUTO_BUF expected = { 0 };
		assert_ok(buf_append_text(&expected, rows[i][1]));
		for (size_t k = 0; k < expected.len; k++)
			expected.data[k] = expected.data[k] == '\'' ? '"' : expected.data[k];
		for (size_t cut = 0; cut <= page.len; cut++) {
			struct dana_view blocks;
			blocks_of(x, page, cut, &blocks);
			if (!slice_equal(slice_of(blocks.data, blocks.len), buf_slice(&expected)))
				fail_msg("cut at %zu: %.*s", cut, (int)blocks.len, blocks.data);
		}
	}
	dana_free(x);
}

static bool view_is(struct dana_view view, const char *text)
{
	return view.len == strlen(text) && memcmp(view.len ? view.data : "", text, view.len) == 0;
}

TEST(blocks_as_structs)
{
	static const char page[] = "<h2>a</h2><ol><li>b</ol><pre "
				   "class=go>f\xFF</pre><blockquote>q</blockquote><table><tr><th>g<th>h<tr><td>i</"
				   "table><img src=n alt=o><hr>";
	static const char *const types[] = { "h", "li", "code", "quote", "table", "img" };
	struct dana_extractor *x = extractor_of("plain", DANA_BLOCKS, "images=1");
	struct dana_view json;
	size_t count;
	assert_null(dana_structure(x, &count));
	blocks_of(x, slice_from_text(page), 20, &json);
	const struct dana_structure_block *b = dana_structure(x, &count);
	assert_ptr_equal(b, dana_structure(x, &count));
	assert_int_equal(count, 6);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(b[i].struct_size, sizeof(*b));
		assert_string_equal(b[i].type, types[i]);
		assert_true(b[i].kept);
	}
	assert_true(b[0].number == 2 && b[1].number == 1 && b[1].depth == 1 && b[3].depth == 1);
	assert_true(view_is(b[0].text, "a") && b[0].start == 4 && !b[0].url.data);
	assert_true(view_is(b[2].text, "f\xEF\xBF\xBD") && view_is(b[2].language, "go"));
	assert_true(b[4].rows == 2 && b[4].columns == 2 && view_is(b[4].cells[1], "h") && view_is(b[4].cells[2], "i"));
	assert_true(view_is(b[4].cells[3], "") && view_is(b[5].url, "n") && view_is(b[5].alt, "o"));
	dana_reset(x);
	assert_null(dana_structure(x, &count));
	assert_int_equal(count, 0);
	dana_free(x);
	x = extractor("plain", NULL);
	assert_ok(dana_feed(x, page, sizeof(page) - 1));
	assert_ok(dana_finish(x, &(struct dana_text){ 0 }));
	assert_null(dana_structure(x, &count));
	dana_free(x);
}

TEST(malformed_bytes_become_characters)
{
	expect("plain", NULL, "<p>y\xFFz</p><pre>\xC3</pre><p><code>\xE2\x82</code>",
	       "y\xEF\xBF\xBDz\n\n```\n\xEF\xBF\xBD\n```\n\n`\xEF\xBF\xBD`");
}

TEST(addresses_are_resolved)
{
	/* the examples of RFC 3986, section 5.4 */
	static const char *const pairs[] = {
		"g:h", "g:h", "g", "http://a/b/c/g", "./g", "http://a/b/c/g", "g/", "http://a/b/c/g/", "/g",
		"http://a/g", "//g", "http://g", "?y", "http://a/b/c/d;p?y", "g?y", "http://a/b/c/g?y", "#s",
		"http://a/b/c/d;p?q#s", "g#s", "http://a/b/c/g#s", ";x", "http://a/b/c/;x", "", "http://a/b/c/d;p?q",
		".", "http://a/b/c/", "..", "http://a/b/", "../g", "http://a/b/g",
		/* dots */
		"../..", "http://a/", "../../g", "http://a/g", "../../../g", "http://a/g", "/./g", "http://a/g",
		"/../g", "http://a/g", "g.", "http://a/b/c/g.", "..g", "http://a/b/c/..g", "./../g", "http://a/b/g",
		"g/./h", "http://a/b/c/g/h", "g/../h", "http://a/b/c/h", "g?y/../x", "http://a/b/c/g?y/../x",
		"g#y?../x", "http://a/b/c/g#y?../x", ".g//../h.i/", "http://a/b/c/.g/h.i/", "/./g.h/..", "http://a/",
		"//g?/h#", "http://g?/h#"
	};
	struct link_base base = { 0 };
	assert_ok(link_base_set(&base, slice_from_text("http://a/b/c/d;p?q")));
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i += 2) {
		AUTO_BUF out = { 0 };
		assert_ok(url_append(&out, &base, slice_from_text(pairs[i])));
		if (!slice_equal(buf_slice(&out), slice_from_text(pairs[i + 1])))
			fail_msg("%s: %.*s", pairs[i], (int)out.len, (const char *)out.data);
	}
	link_base_free(&base);
}

/* By one byte after the other, as the functions of escape.h say it. */
static size_t scan_slowly(struct slice text, bool collapsed)
{
	size_t i = 0;
	for (; i < text.len; i++) {
		const uint8_t c = text.data[i], next = i + 1 < text.len ? text.data[i + 1] : 0;
		bool odd = c < ' ' || c == 0x7F || c == '&' || c == 0xC2;
		bool next_odd = next <= ' ' || next == 0x7F || next == '&' || next == 0xC2;
		if (collapsed ? odd || (c == ' ' && next_odd) : c && strchr("$&*<[\\]^_`~", c) != NULL)
			break;
	}
	return i;
}

TEST(scans_stop_where_they_must)
{
	static const char bytes[] = "ab  \t&\xC2\x7F\xE6$*<[\\]^_`~Z{}";
	uint32_t seed = 1;
	/* it may stop at the bytes that do not fill a vector; without vectors, anywhere */
	const size_t rest = cpu_level() >= CPU_SSE2 ? 16 : SIZE_MAX;
	for (unsigned round = 0; round < 20000; round++) {
		uint8_t text[40];
		const unsigned one_in = round % 37 + 1; /* odd bytes are many or few */
		for (size_t i = 0; i < sizeof(text); i++) {
			seed = seed * 1664525U + 1013904223U;
			text[i] = (uint8_t)(seed >> 24) % one_in ? 'x'
								 : (uint8_t)bytes[(seed >> 8) % (sizeof(bytes) - 1)];
		}
		for (size_t len = 0; len <= sizeof(text); len++) {
			const struct slice s = slice_of(text, len);
			size_t found = text_scan_collapsed(s), most = scan_slowly(s, true);
			assert_true(found == most || (found < most && len - found <= rest));
			found = text_scan_unmarked(s), most = scan_slowly(s, false);
			assert_true(found == most || (found < most && len - found < rest));
			found = text_scan_undelimited(s), most = 0;
			while (most < len && (!text[most] || !strchr("$&\\", text[most])))
				most++;
			assert_true(found == most || (found < most && len - found < rest));
		}
	}
}

TEST(addresses_are_decoded_and_written)
{
	/* as in the page, decoded, in Markdown */
	static const char *const rows[][3] = ROWS(
		{ "a?b=1&copy=2&lt=3&c", "a?b=1&copy=2&lt=3&c", "a?b=1&copy=2&lt=3&c" },
		{ "&copy;=&copy&copyx=&#65;=&=&", "\xC2\xA9=\xC2\xA9&copyx=A=&=&", "\xC2\xA9=\xC2\xA9&copyx=A=&=&" },
		{ "a(b)(c)", "a(b)(c)", "a(b)(c)" }, { "a)b(", "a)b(", "a\\)b\\(" }, { "((", "((", "\\(\\(" },
		{ "a b&lt;\\&gt;\x7F", "a b<\\>\x7F", "a%20b%3C%5C%3E%7F" },
		{ "a&amp;copy;b`&amp;#x;", "a&copy;b`&#x;", "a&amp;copy;b%60&amp;#x;" });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct inline_writer w = { .url_is_odd = true };
		AUTO_BUF written = { 0 };
		assert_int_equal(inline_decode(&w.url, slice_from_text(rows[i][0])), 0);
		assert_int_equal(inline_url(&w, &written), 0);
		assert_true(inline_url_is_odd(buf_slice(&w.url)) ||
			    slice_equal(buf_slice(&w.url), buf_slice(&written)));
		if (!slice_equal(buf_slice(&w.url), slice_from_text(rows[i][1])) ||
		    !slice_equal(buf_slice(&written), slice_from_text(rows[i][2])))
			fail_msg("%s: %.*s", rows[i][0], (int)written.len, (const char *)written.data);
		inline_free(&w);
	}
}

TEST(addresses_are_cleaned)
{
	/* what browsers make of it, and whether it leads elsewhere without a base, and with bases of a page and a
	 * script */
	static const struct {
		const char *reference, *cleaned;
		bool alone, page, script;
	} rows[] = ROWS({ " \x01\x1F http://x/ \x02", "http://x/", true, true, true },
			{ "\tja\nva\rscript\t:x", "javascript:x", false, false, false },
			{ "j\x01:x", "j\x01:x", true, true, false }, { "da\tta:x", "data:x", false, false, false },
			{ "HTTPS://x", "HTTPS://x", true, true, true }, { "HTTPS:x", "HTTPS:x", false, false, false },
			{ "mailto:x", "mailto:x", true, true, true }, { "tel:x", "tel:x", true, true, true },
			{ "ftp://x", "ftp://x", true, true, true }, { "file:x", "file:x", false, false, false },
			{ "httpx:x", "httpx:x", false, false, false }, { "\n#x", "#x", false, false, false },
			{ " \t", "", false, false, false }, { "x y", "x y", true, true, false },
			{ "/javascript:x", "/javascript:x", true, true, false }, { "1:x", "1:x", true, true, false });
	struct link_base none = { 0 }, page = { 0 }, script = { 0 };
	assert_ok(link_base_set(&page, slice_from_text("http://a/b")));
	assert_ok(link_base_set(&script, slice_from_text("javascript:a/b")));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF reference = { 0 };
		assert_ok(buf_append_text(&reference, rows[i].reference));
		const struct slice cleaned = url_clean(&reference);
		if (!slice_equal(cleaned, slice_from_text(rows[i].cleaned)) ||
		    url_leads_elsewhere(&none, cleaned) != rows[i].alone ||
		    url_leads_elsewhere(&page, cleaned) != rows[i].page ||
		    url_leads_elsewhere(&script, cleaned) != rows[i].script)
			fail_msg("row %zu: %.*s", i, (int)cleaned.len, (const char *)cleaned.data);
	}
	link_base_free(&page);
	link_base_free(&script);
}

TEST(mailboxes_are_those_of_commonmark)
{
	static const char *const good[] = { "a@b", "a.b+c@d-e.f", "3@4.x", "`'{|}~!#$%&*/=?^_-@a" };
	static const char *const bad[] = { "",
					   /* nothing on a side of the @, or what may not be there */
					   "a", "@b", "a@", "a@-b", "a@b-", "a@b.", "a@.b", "a b@c", "a@b c", "a@b_c",
					   "a@b@c",
					   "a@b12345678901234567890123456789012345678901234567890123456789012345" };
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(url_is_mailbox(slice_from_text(good[i])));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(url_is_mailbox(slice_from_text(bad[i])));
}

TEST(kinds_of_characters)
{
	assert_int_equal(letter_kind_of('a'), LETTER_LETTER);
	assert_int_equal(letter_kind_of('_'), LETTER_PUNCTUATION);
	assert_int_equal(letter_kind_of(0x3000), LETTER_WHITE);
	assert_int_equal(letter_kind_of(0x6C34), LETTER_LETTER);
	assert_int_equal(letter_kind_of(0x300C), LETTER_PUNCTUATION);
	assert_int_equal(letter_kind_of(0x1F600), LETTER_UNSURE);
	assert_int_equal(letter_kind_last(slice_from_text("a\xE6\xB0\xB4")), LETTER_LETTER);
	assert_int_equal(letter_kind_last(slice_from_text("")), LETTER_WHITE);
}
