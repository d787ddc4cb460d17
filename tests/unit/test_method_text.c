/* SPDX-License-Identifier: MIT */
/*
 * The text that methods write of what they keep: formulas once each, and code with its empty lines, the same for every
 * cut.
 */
#include "support/extractor_subject.h"
#include "support/unit.h"

#define WORDS \
	"After four years of repairs, the old lighthouse on the northern shore opens its doors to visitors on " \
	"Sunday, the harbour office said."

/* A page whose text has `part` in it, after its first `at` bytes. */
static struct buf page_with(const char *part, size_t *at)
{
	struct buf page = { 0 };
	buf_append_text(&page, "<html><script src=MathJax.js></script><body><nav><a href=/>Home</a> <a "
			       "href=/b>News</a></nav><h1>The lighthouse</h1>");
	for (int i = 0; i < 3; i++)
		buf_append_text(&page, "<p>" WORDS " " WORDS "</p>");
	*at = page.len;
	buf_append_text(&page, "<p>" WORDS " Before ");
	buf_append_text(&page, part);
	buf_append_text(&page, " after it. " WORDS "</p><p>" WORDS "</p></body></html>");
	assert_int_equal(buf_status(&page), 0);
	return page;
}

/* What stands between the words "Before" and "after" of the page's text by a method. */
static void check_by(const char *method, const char *part, const char *expected)
{
	size_t at;
	struct buf page = page_with(part, &at);
	AUTO_EXTRACTOR x = extractor_by(method);
	for (size_t cut = at; cut <= page.len; cut++) {
		struct dana_text text;
		AUTO_BUF copy = { 0 };
		dana_reset(x);
		assert_ok(dana_feed(x, page.data, cut));
		for (size_t i = cut; cut == at && i < page.len; i++)
			assert_ok(dana_feed(x, page.data + i, 1));
		if (cut > at)
			assert_ok(dana_feed(x, page.data + cut, page.len - cut));
		assert_ok(dana_finish(x, &text));
		assert_int_equal(buf_append(&copy, text.data, text.len) + buf_append_byte(&copy, 0), 0);
		const char *from = strstr((const char *)copy.data, "Before"),
			   *to = from ? strstr(from, " after") : NULL;
		from = from ? from + strlen("Before") : from;
		from += from && *from == ' ';
		if (!to || (size_t)(to - from) != strlen(expected) || memcmp(from, expected, strlen(expected)) != 0)
			fail_msg("%s: %s, cut at %zu: %s", method, part, cut, from ? from : (const char *)copy.data);
	}
	buf_free(&page);
}

static void check(const char *part, const char *expected)
{
	static const char *const methods[] = { "learned",         "plain", "danag:gap-fill=1", "addanag:gap-fill=1",
					       "auto:gap-fill=1", "bte",   "lqf-75",           "wlr" };
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		check_by(methods[i], part, expected);
}

TEST(formulas_stand_once_in_the_text)
{
	static const char *const rows[][2] = {
		{ "<math><mi>b</mi> <mo>=</mo> <mi>c</mi></math>", "b=c" },
		{ "<math alttext='\\beta'><mi>β</mi></math>", "\\beta" },
		{ "<math><semantics><mi>x</mi><annotation encoding=application/x-tex>x_1 &lt; y</annotation>"
		  "<annotation-xml>x</annotation-xml></semantics></math>",
		  "x_1 < y" },
		{ "<span class=katex><span class=katex-mathml><math><mi>z</mi><annotation "
		  "encoding=application/x-tex>z^2"
		  "</annotation></math></span><span class=katex-html aria-hidden=true><span>z</span>2</span></span>",
		  "z^2" },
		{ "<span class=MathJax_Preview>b</span><span class=MathJax id=m><span>b</span></span>"
		  "<script type='math/tex'>b_1</script>",
		  "b_1" },
		{ "<span class=MathJax_Preview></span> <div class=MathJax_Display><span class=MathJax>d=e</span></div>"
		  "<script type='math/tex; mode=display' id=m>d = e_1</script> then",
		  "\nd = e_1\nthen" },
		{ "<script type=math/tex>q</script>", "q" },
		{ "<span class='mjx-chtml MJXc-display'><span class='mjx-chtml MathJax_CHTML'><span "
		  "class=mjx-math>b</span>"
		  "<span class=MJX_Assistive_MathML><math><mi>b</mi></math></span></span></span>"
		  "<script type='math/tex'>b_1</script>",
		  "b_1" },
		/* what no formula follows is text like any other */
		{ "<span class=MathJax>b</span> and <script type=math/tex>q</script>", "b and q" },
		{ "<span class=katex-html aria-hidden=true>z2</span>", "z2" },
		{ "<span class=MathJax>b", "b" },
		{ "<script>var a = 'math/tex';</script>none", "none" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(rows[i][0], rows[i][1]);
}

TEST(code_keeps_its_empty_lines)
{
	check("<pre>\n\none:\n\n\n\ttwo &amp;\n   \n  three\n\n</pre>end", "\none:\n\n\n\ttwo &\n\n  three\nend");
	check("<p style='white-space:pre-line'>one\n\n  two</p>end", "\none\n\ntwo\nend");
	check("<p>one\n\n two</p>end", "\none two\nend");
}

/* A page without text but formulas has none; one that the page's end cuts is not written. */
TEST(formulas_alone_are_no_text)
{
	static const char *const pages[] = { "<p><math alttext=x></math></p>", "<p>a <math alttext=x>",
					     "<script type=math/tex>x</script>", "<p>a<script type=math/tex>x" };
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		struct dana_text text;
		AUTO_EXTRACTOR x = extractor_by("learned");
		assert_ok(dana_feed(x, pages[i], strlen(pages[i])));
		assert_ok(dana_finish(x, &text));
		assert_null(text.len ? memchr(text.data, 'x', text.len) : NULL);
	}
}
