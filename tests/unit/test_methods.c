/* SPDX-License-Identifier: MIT */
/*
 * Every method: the law of the split, nothing that stays from page to page, and goldens of what the methods of papers
 * find; the text that methods write of formulas and code.
 */
#include "extract/method.h"
#include "extract/papers/mountain.h"
#include "support/extractor_subject.h"
#include "support/golden.h"
#include "support/random_page.h"
#include "support/unit.h"

static const char *const pages[] = {
	"", "   \n ", "one", "<p>one",
	/* elements */
	"<html><head><title>No text</title></head><body></body></html>",
	"<p>First paragraph with a few words.</p><p>Second one, <b>bo</b>ld and <a href=x>linked</a>.</p>",
	"a < b &amp; c &lt d &#x41;&#66; &notanentity; caf\xc3\xa9 &nbsp; \xff\xc3(\xe2\x82 end&",
	"<div class='ad box'>buy</div><ul><li><a href=1>One<li><a href=2>Two</ul><p>Main text.<p>More of it",
	"<table><tr><td>a<td>b<tr><td><p>c</table>d<script>x<y</script>e<!-- f --><style>g</style>h<svg><path>i</svg>j",
	"\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82 \xe0\xb8\x97\xe0\xb8\x94 word <i>\xf0\x9f\x98\x80</i>\r\n<br>x\n\n<hr>y",
	"<base href=/d/><img src='a&amp;b.png' width=640 height=480 alt=' A  picture '><svg width=900px "
	"height=300><p>in</svg><video style='width:500px;height:400px'><source src=v.mp4></video><audio "
	"src=s.mp3></audio><object data=o width=700><embed src=e width=900 height=900></object><iframe width=800 "
	"height=600 src=f></iframe><noscript><img width=999></noscript><picture><source srcset='l.jpg 900w, s.jpg "
	"100w'><img src=s.jpg></picture><img srcset='x.png 500w'><img width=40%>",
	"<script src=MathJax.js></script>a <span class=MathJax_Preview>b</span> <div class='MathJax_Display "
	"x'><span>c</span></div><script type='math/tex; mode=display'>x\n_1 </ y</script> then <span "
	"class=MathJax>d</span> e",
	"a<math><mi>x</mi> &amp;<annotation encoding=tex>y &lt;</annotation></math><span "
	"class=katex-html><i>x</i></span>z",
	"<pre>a\n\n <math display=block><mi>x</mi></math>\n\n b</pre><p>c <math display=block alttext=d /></math> e",
	"<svg><math>x</math></svg>a<math>b<div>c</math>d<math alttext=e><math>f</math>g</math><math alttext=h",
	"<script type=x-mathjax></script>a<div class=MathJax>b<math>c</math></div><!-- d --><math alttext=e></math>f",
	("<form><p>In a "
	 "form<input><button>Go</button></form><h1>Title</h1><select><option>a</select><textarea>b</textarea>text")
};

static void check_splits(const char *method)
{
	AUTO_BUF whole = { 0 }, page = { 0 };
	AUTO_EXTRACTOR x = extractor_by(method);
	const struct split_subject subject = extractor_subject(x);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		split_check(&subject, slice_from_text(pages[i]), &whole);
	for (uint32_t seed = 1; seed <= 4; seed++) {
		random_page(&page, seed, 400);
		split_check(&subject, buf_slice(&page), &whole);
	}
}

TEST(test_split)
{
	for (size_t i = 0; i < dana_method_count(); i++)
		check_splits(dana_method_name(i));
	check_splits("wlr-media:extended=1");
}

/* A page feels nothing of the one before it, wherever that one broke off. */
TEST(test_reset)
{
	for (size_t i = 0; i < dana_method_count(); i++) {
		const char *method = dana_method_name(i);
		AUTO_EXTRACTOR used = extractor_by(method);
		AUTO_BUF page = { 0 }, wanted = { 0 }, found = { 0 };
		const struct split_subject again = extractor_subject(used);
		for (uint32_t seed = 1; seed <= 60; seed++) {
			random_page(&page, seed, 200);
			page.len -= seed % 20;
			split_whole(&again, buf_slice(&page), &found);
			random_page(&page, seed + 1000, seed);
			split_whole(&again, buf_slice(&page), &found);
			AUTO_EXTRACTOR fresh = extractor_by(method);
			const struct split_subject first = extractor_subject(fresh);
			split_whole(&first, buf_slice(&page), &wanted);
			split_compare(&wanted, &found, method, seed);
		}
	}
}

/* The universal model under the rule that its name tells. */
static int read_ruled(void *arg, const char *name, char **data, size_t *len)
{
	struct mountain_model model = mountain_universal;
	struct buf out = { 0 };
	(void)arg;
	assert_int_equal(sscanf(name, "%u/%u", &model.rule.threshold, &model.rule.span), 2);
	assert_ok(mountain_model_write(&model, NULL, &out));
	*data = (char *)out.data;
	*len = out.len;
	return 0;
}

TEST(test_goldens)
{
	static const struct {
		const char *method;
		uint32_t sum;
	} goldens[] =
		ROWS({ "bte", 0x88861d56 }, { "dsc", 0x298d6a42 }, { "ccb", 0x15a99937 }, { "accb-40", 0x202d5ba0 },
		     { "tccb-18", 0xee81a5ea }, { "tccb-25", 0x395c70a9 }, { "lqf-25", 0xd50b482b },
		     { "lqf-50", 0x9b973ba4 }, { "lqf-75", 0xb29e8e66 }, { "crunch", 0xffddca54 }, { "fe", 0x37819e54 },
		     { "kfe", 0x11bb8769 }, { "density", 0x54487188 }, { "cetr", 0xefdeded7 }, { "wlr", 0x5b034940 },
		     { "wlr-media", 0x80d56750 }, { "wlr-media:extended=1", 0xda25a0fd }, { "mountain", 0x29493f7c },
		     { "mountain:model=250000/10", 0xbcd62a78 }, { "mountain:model=3000000/1", 0xc0e7f225 });
	AUTO_BUF page = { 0 }, outcome = { 0 };
	for (size_t m = 0; m < sizeof(goldens) / sizeof(*goldens); m++) {
		const struct dana_options options = { .struct_size = sizeof(options),
						      .method = goldens[m].method,
						      .read_file = read_ruled };
		struct golden golden = { HASH_FNV32_START };
		struct dana_extractor *x;
		assert_ok(dana_new(&x, &options));
		const struct split_subject subject = extractor_subject(x);
		for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
			split_whole(&subject, slice_from_text(pages[i]), &outcome);
			golden_add(&golden, buf_slice(&outcome));
		}
		for (uint32_t seed = 1; seed <= 300; seed++) {
			random_page(&page, seed, seed % 10 ? seed % 60 : 600);
			split_whole(&subject, buf_slice(&page), &outcome);
			golden_add(&golden, buf_slice(&outcome));
		}
		golden_check(&golden, goldens[m].method, goldens[m].sum);
		dana_free(x);
	}
}

/* What a row of the table may hold together (extract/method.h). */
TEST(test_rows)
{
	for (size_t i = 0; i < dana_method_count(); i++) {
		const struct method *m = method_at(i);
		struct slice keys;
		const bool fed = m->feed && m->end && m->tokens && !m->run && !m->tag && !m->unit && !m->stretch;
		const bool taken = !m->feed && !m->end && !m->tokens && m->run && m->tag && !(m->unit && m->stretch);
		if (!fed && !taken)
			fail_msg("%s: takes the page in two ways, or in none", m->name);
		if (m->voids_unread && !m->stretch)
			fail_msg("%s: voids_unread has no effect without stretch", m->name);
		if (!m->init || !m->finish || !m->reset || !m->destroy || (m->keys && !m->set))
			fail_msg("%s: a function is missing", m->name);
		assert_ptr_equal(method_find(slice_from_text(m->name), &keys), m);
	}
}

/* ---- formulas once each, and code with its empty lines, the same for every cut ---- */

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
static void check_text_by(const char *method, const char *part, const char *expected)
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

static void check_text(const char *part, const char *expected)
{
	static const char *const taken[] = { "learned",         "plain", "danag:gap-fill=1", "addanag:gap-fill=1",
					     "auto:gap-fill=1", "bte",   "lqf-75",           "wlr" };
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		check_text_by(taken[i], part, expected);
}

TEST(formulas_stand_once_in_the_text)
{
	static const char *const rows[][2] = ROWS(
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
		{ "<span class=katex-html aria-hidden=true>z2</span>", "z2" }, { "<span class=MathJax>b", "b" },
		{ "<script>var a = 'math/tex';</script>none", "none" });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_text(rows[i][0], rows[i][1]);
}

TEST(code_keeps_its_empty_lines)
{
	check_text("<pre>\n\none:\n\n\n\ttwo &amp;\n   \n  three\n\n</pre>end", "\none:\n\n\n\ttwo &\n\n  three\nend");
	check_text("<p style='white-space:pre-line'>one\n\n  two</p>end", "\none\n\ntwo\nend");
	check_text("<p>one\n\n two</p>end", "\none two\nend");
}

/* A page without text but formulas has none; one that the page's end cuts is not written. */
TEST(formulas_alone_are_no_text)
{
	static const char *const alone[] = { "<p><math alttext=x></math></p>", "<p>a <math alttext=x>",
					     "<script type=math/tex>x</script>", "<p>a<script type=math/tex>x" };
	for (size_t i = 0; i < sizeof(alone) / sizeof(*alone); i++) {
		struct dana_text text;
		AUTO_EXTRACTOR x = extractor_by("learned");
		assert_ok(dana_feed(x, alone[i], strlen(alone[i])));
		assert_ok(dana_finish(x, &text));
		assert_null(text.len ? memchr(text.data, 'x', text.len) : NULL);
	}
}
