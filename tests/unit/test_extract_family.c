/* SPDX-License-Identifier: MIT */
/* The DANA family: goldens of pages made by hand and of thousands of random ones, each the same whole and in pieces. */
#include "support/family_run.h"
#include "support/random_html.h"
#include "support/unit.h"

static struct golden golden; /* of the test that runs */

static int golden_begin(void **state)
{
	(void)state;
	golden = (struct golden){ HASH_FNV32_START };
	return 0;
}

#define TEST_GOLDEN(name) TEST_WITH(golden_begin, NULL, name)

static void check(const struct family_case *c, struct slice html, uint8_t piece)
{
	family_check(c, html, slice_of(&piece, 1), &golden);
}

static void check_all(struct slice html)
{
	for (size_t i = 0; i < 4 * FAMILY_METHODS; i++) {
		struct family_case c = { .method = family_methods[i / 4], .segment = 65, .gap = 20 };
		family_vary(&c, (uint32_t)(i % 4 < 3 ? i % 4 * 2 : 1));
		check(&c, html, 7);
	}
}

TEST_GOLDEN(test_hand_pages)
{
	static const char *const pages[] = {
		"", " ", "x", "<", "</", "<!", "<!-", "<!--", "<a", "<a href='", "&", "&amp", "<title>", "<title>T",
		/* whole elements */
		"<p>One paragraph.</p>", "a<b> </b>c", "a <b>b</b> c", "a<!-- --> <b>b</b>", "<p> a </p> <p> b </p>",
		"a\n\nb<br>c",
		/* scripts of other directions */
		"\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 <b>abc</b> \xd8\xb3", "\xd8\xb3<p>\xd8\xb3</p>",
		"\xe4\xb8\xad\xe6\x96\x87",
		("<b>\xd8\xb3\xd8\xb3</b> <i>\xd8\xb3\xd8\xb3</i>\n<i>ab</i> <!-- --> <b>\xd8\xb3</b><svg> "
		 "</svg><i>\xd8\xb3</i>"),
		"\xd7<b>\x90</b>\xd7 \x90\xd7 \xd7\x90\x90", "<noscript>a</noscript>b<svg>c</svg>",
		"<title> A &lt;\n B </title><p>text", "<svg><title>no</title></svg><title>yes</title>",
		"<script src=MathJax.js></script>a <span class=MathJax_Preview>b</span> <div class='MathJax_Display "
		"x'><span>c</span></div><script type='math/tex; mode=display'>x\n_1 </ y</script> then <span "
		"class=MathJax>d</span> e",
		"a<math><mi>x</mi> &amp;<annotation encoding=tex>y &lt;</annotation></math><span "
		"class=katex-html><i>x</i></span>z",
		"<pre>a\n\n <math display=block><mi>x</mi></math>\n\n b</pre><p>c <math display=block alttext=d "
		"/></math> e",
		"<svg><math>x</math></svg>a<math>b<div>c</math>d<math alttext=e><math>f</math>g</math><math alttext=h",
		"<script type=x-mathjax></script>a<div class=MathJax>b<math>c</math></div><!-- d --><math "
		"alttext=e></math>f",
		"<pre>\r\n\r\na\r\n\r\n\tb \n \n\n<b>\n c</b>\n\n</pre>d",
		"<pre>a\n<b>b</b>\n\nc<i style='white-space:normal'> \nd</i>\n\r\ne<p>\n\n f</pre>\n\ng",
		"<p style='white-space:pre-line'> \n \n a \n\n  b</p>a <b style='white-space:pre'>\n\nc</b>\n\nd",
		"<select><option>a<div>b</div></select>c"
	};
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		check_all(slice_from_text(pages[i]));
	golden_check(&golden, "hand_pages", 0x57f76c99);
}

/* What MathJax shows, nearly as long as what is held until its formula comes, and longer. */
TEST_GOLDEN(test_shown_formulas)
{
	AUTO_BUF page = { 0 };
	for (int len = 65420; len <= 65540; len += len < 65460 || len > 65500 ? 20 : 1) {
		buf_clear(&page);
		assert_ok(buf_printf(&page,
				     "<script src=mathjax></script><p>a <span class=MathJax>b "
				     "<!--%0*d--></span><script type=math/tex>x_1</script> c",
				     len, 1));
		check_all(buf_slice(&page));
	}
	golden_check(&golden, "shown_formulas", 0xb36e63ad);
}

/* AdDANAg: anchors with texts near LT, nested, unclosed, as long as the cap and longer, in text near the balance. */
TEST_GOLDEN(test_anchors)
{
	AUTO_BUF page = { 0 };
	static const char *const forms[] = {
		"<a href='/one/two'>%.*s</a>",      "<a href=x><b class=y>%.*s</b> </a>",
		"<a name=x>%.*s<a href=y>z",        "<a href=x>%.*s</body>",
		"<a href=x><p>%.*s<p>q</a>",        "<a href=x>%.*s",
		"<noscript><a></noscript>%.*s</a>", "<a href=x>%.*s<!-- c --> <i>i</i></a>"
	};
	static const int lengths[] = { 0, 1, 4, 5, 6, 7, 64, 65, 66, 2042, 2047, 2048, 2049, 2100, 6000 };
	static char text[6001];
	memset(text, 'w', sizeof(text) - 1);
	for (size_t i = 6; i < sizeof(text) - 1; i += 7)
		text[i] = ' ';
	for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
		for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
			buf_clear(&page);
			for (int k = 0; k < 5; k++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
				assert_ok(buf_printf(&page, forms[f], lengths[l], text));
#pragma GCC diagnostic pop
				assert_ok(buf_printf(&page, " %.*s<br class='%0*d'>", 40 * k, text, 30 * k + 1, 1));
			}
			check_all(buf_slice(&page));
		}
	}
	golden_check(&golden, "anchors", 0xb1a48399);
}

/* Two equal paragraphs at each distance around the gap: the first wins until they are linked. */
TEST_GOLDEN(test_gap)
{
	AUTO_BUF page = { 0 };
	for (int between = 18 * 65; between <= 24 * 65; between += 13) {
		buf_clear(&page);
		assert_ok(buf_printf(&page, "<p>%0195d<i %0*d><p>%0195d", 1, between, 1, 2));
		check_all(buf_slice(&page));
	}
	golden_check(&golden, "gap", 0x315b46e1);
}

/*
 * A segment ends where a character does: after a stretch, bytes that begin none may make it longer than any segment of
 * UTF-8.
 */
TEST_GOLDEN(test_broken_run)
{
	static const char *const starts[] = { "<p>abc</p><b>x ", "<p>\xc3\xa9 abc <a href=x>abc</a><b>" };
	static const char *const methods[] = { "dana", "danag" };
	AUTO_BUF page = { 0 };
	for (size_t n = 1; n <= 400; n += n < 70 ? 3 : 55) {
		for (size_t i = 0; i < 8; i++) {
			const struct family_case c = { .method = methods[i % 2],
						       .segment = i & 2 ? 5 : 65,
						       .gap = 20,
						       .unit = 'b',
						       .literal = n % 2 == 0 };
			buf_clear(&page);
			assert_ok(buf_printf(&page, "%s            ", starts[i / 4]));
			for (size_t k = 0; k < n; k++)
				assert_ok(buf_append_byte(&page, 0x80));
			check(&c, buf_slice(&page), 1);
		}
	}
	golden_check(&golden, "broken_run", 0x0306aace);
}

static void random_case(struct family_case *c, uint32_t *random)
{
	static const size_t segments[] = { 65, 65, 65, 1, 2, 3, 7, 20, 64, 100 }, gaps[] = { 20, 20, 1, 2, 3, 5 };
	static const char units[] = { 0, 0, 'b', 'c' };
	c->method = family_methods[split_random(random) % FAMILY_METHODS];
	c->segment = segments[split_random(random) % 10];
	c->gap = gaps[split_random(random) % 6];
	c->gap_fill = split_random(random) % 4 == 0;
	c->unit = units[split_random(random) % 4];
	family_vary(c, split_random(random));
}

TEST_GOLDEN(test_random_pages)
{
	AUTO_BUF page = { 0 };
	uint32_t random = 88172645;
	for (uint32_t seed = 1; seed <= 2500; seed += split_every()) {
		struct family_case c;
		random_html(&page, seed, seed % 8 ? 5 + seed % 90 : 700);
		for (int i = 0; i < 3; i++) {
			random_case(&c, &random);
			check(&c, buf_slice(&page), (uint8_t)(1 + split_random(&random) % 100));
		}
		if (seed % 5 == 0)
			check_all(buf_slice(&page));
	}
	golden_check(&golden, "random_pages", 0x2de4a9b8);
}

TEST(test_splits)
{
	AUTO_BUF page = { 0 }, whole = { 0 };
	for (size_t i = 0; i < FAMILY_METHODS; i++) {
		struct family_case c = { .method = family_methods[i], .segment = 20, .gap = 3 };
		family_vary(&c, (uint32_t)i + 5);
		struct dana_extractor *x = family_extractor(&c);
		const struct split_subject subject = extractor_subject(x);
		for (uint32_t seed = 1; seed <= 40; seed++) {
			random_html(&page, seed, seed % 10 ? 30 : 3000);
			split_check(&subject, buf_slice(&page), &whole);
		}
		dana_free(x);
	}
}

/* Paragraphs of a region, with breaks and blanks between them, before and after which the page is cut, too. */
TEST_GOLDEN(test_split_prose)
{
	static const char prose[] =
		"<p>Some words of a text that goes on for more than one line of it, and <b>more</b>\n<i>of them</i> "
		"</p>\n<div>the   second\n\tone <b>has</b> <!-- a comment --> <u>white</u> space and is as long as "
		"that before it was</div><div>\n  third, <br> <a href=x>caf\xc3\xa9</a> and so on, until the segment "
		"is over and another one begins</div>";
	AUTO_BUF page = { 0 }, whole = { 0 };
	assert_ok(buf_append_text(&page, prose));
	for (size_t i = 0; i < FAMILY_METHODS; i++) {
		for (size_t segment = 20; segment <= 65; segment += 45) {
			struct family_case c = { .method = family_methods[i], .segment = segment, .gap = 3 };
			family_vary(&c, segment == 20 ? 2 : 4);
			struct dana_extractor *x = family_extractor(&c);
			const struct split_subject subject = extractor_subject(x);
			assert_true(page.len <= SPLIT_TWO_WAY_MAX);
			check(&c, buf_slice(&page), 9);
			split_check(&subject, buf_slice(&page), &whole);
			dana_free(x);
		}
	}
	golden_check(&golden, "split_prose", 0x99989e2d);
}

static struct buf text_by(const char *method, struct slice page, size_t piece, const char **chosen)
{
	struct buf text = { 0 };
	AUTO_EXTRACTOR x = extractor_by(method);
	for (size_t at = 0; at < page.len; at += piece)
		extractor_piece(x, slice_of(page.data + at, page.len - at < piece ? page.len - at : piece));
	const struct dana_text found = extractor_finish(x);
	assert_ok(buf_append(&text, found.data, found.len));
	*chosen = found.method;
	return text;
}

/*
 * `auto` on pages that are longer than what it keeps for `dana`: its text is all that the method which it chose finds.
 */
TEST(test_long_head)
{
#define ARABIC \
	"\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 \xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 \xd8\xb3\xd9\x84<b>\xd8\xa7\xd9\x85</b> "
#define ARABIC6 ARABIC ARABIC ARABIC ARABIC ARABIC ARABIC
	static const struct {
		const char *start, *paragraph, *end, *chosen;
	} cases[] = {
		{ "", ARABIC6, "", "dana" },
		/* few letters, of which 60 percent are Arabic: open to the end, where the start is the main text for
		   `dana` */
		{ ARABIC6 ARABIC6, ARABIC ARABIC "words words wo ", "<p>late words", "dana" },
		{ ARABIC6, ARABIC ARABIC "words words wo ", ARABIC6 ARABIC6 "<p>\xd8", "dana" },
		{ ARABIC6, ARABIC "more words, and words ", "<p>\xd8\xb3", "danag" }, /* 40 percent */
		{ "", "", ARABIC6, "dana" }, /* 700 KiB without a letter first */
	};
	AUTO_BUF page = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_clear(&page);
		assert_ok(buf_append_text(&page, cases[i].start));
		while (page.len < 700 << 10) {
			assert_ok(buf_printf(&page, "<!-- note --><p>%s</p><script>var a = %09000d;</script>\n",
					     cases[i].paragraph, 1));
		}
		assert_ok(buf_append_text(&page, cases[i].end));
		const char *chosen;
		AUTO_BUF expected = text_by(cases[i].chosen, buf_slice(&page), page.len, &chosen);
		assert_true(expected.len > 60);
		for (size_t piece = 1021; piece < 2 * page.len; piece = piece * 30) {
			AUTO_BUF text = text_by("auto", buf_slice(&page), piece, &chosen);
			assert_string_equal(chosen, cases[i].chosen);
			assert_true(slice_equal(buf_slice(&text), buf_slice(&expected)));
		}
	}
#undef ARABIC
#undef ARABIC6
}

#define TEN_TIMES(x) x x x x x x x x x x
#define ARTICLE "\xd9\x87\xd8\xb0\xd8\xa7 \xd9\x87\xd9\x88 \xd8\xa7\xd9\x84\xd9\x86\xd8\xb5 "
#define LOUD "\xd8\xb5\xd8\xae\xd8\xa8 "

/* Code in the letters of the text is code, however much of it there is: what is kept is the text, or nothing. */
TEST(test_foreign_code)
{
	static const char article[] = "<p>" TEN_TIMES(ARTICLE) "</p>", nothing[] = "";
	static const struct {
		const char *before, *after, *article;
	} pages[] = ROWS({ "<script type=application/ld+json>{\"articleBody\": \"", "\"}</script>", nothing },
			 { "<script type=application/ld+json>{\"articleBody\": \"", "\"}</script>", article },
			 { "<div data-text=\"", "\"></div>", article }, { "<div data-text='", "'>", nothing },
			 { "<img src=x alt=\"", "\">", article }, { "<a title=\"", "\" href=x>y</a>", article },
			 { "<!-- ", " -->", article }, { "<style>a { content: '", "'; }</style>", article },
			 { "<noscript>", "</noscript>", article }, { "<textarea>", "</textarea>", article },
			 { "<?xml ", "?>", article }, { "<![CDATA[", "]]>", article });
	AUTO_BUF page = { 0 };
	const char *chosen;
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		for (int last = 0; last < 2; last++) {
			buf_clear(&page);
			assert_ok(buf_append_text(&page, last ? "" : pages[i].article));
			assert_ok(buf_append_text(&page, pages[i].before));
			for (size_t k = 0; k < 100000 / sizeof(LOUD); k++)
				assert_ok(buf_append_text(&page, LOUD));
			assert_ok(buf_append_text(&page, pages[i].after));
			assert_ok(buf_append_text(&page, last ? pages[i].article : ""));
			for (size_t piece = 997; piece < 40 * page.len; piece *= 40) {
				AUTO_BUF text = text_by("dana", buf_slice(&page), piece, &chosen);
				const char *wanted = *pages[i].article ? TEN_TIMES(ARTICLE) : "";
				/* a region may end a segment early beside so much code */
				size_t most = strlen(wanted), least = most * 3 / 4;
				assert_ok(buf_append_byte(&text, 0));
				if (text.len <= least || !strstr(wanted, (const char *)text.data))
					fail_msg("page %zu, last %d: %s", i, last, (const char *)text.data);
			}
		}
	}
}

/* Appends two paragraphs in Arabic, and between them 5 KB of lines. */
static void append_parted(struct buf *page, const char *before, const char *line, const char *after)
{
	buf_clear(page);
	assert_ok(buf_printf(page, "<p>" TEN_TIMES(ARTICLE) " first</p>%s", before));
	for (size_t len = 0; len < 5000; len += strlen(line))
		assert_ok(buf_append_text(page, line));
	assert_ok(buf_printf(page, "%s<p>last " TEN_TIMES(ARTICLE) "</p>", after));
}

/* A listing, however long and however coloured, does not part what is before it from what is after it. */
TEST(test_listings)
{
	static const struct {
		const char *before, *line, *after;
		bool parts; /* for `dana` */
	} pages[] = {
		{ "<pre>", "x = f(1);\n", "</pre>", false },
		{ "<pre class=code><code>", "<span class=\"token\">return</span> 0;\n", "</code></pre>", false },
		{ "<table><tr><td><pre>1\n2\n</pre><td><pre>", "<a href=/a/line>y</a> += 2;\n", "</pre></table>",
		  false },
		{ "<listing>", "one two <!-- three --> four\n", "</listing>", false },
		{ "<xmp>", "<p class=x>\n", "</xmp>", false },
		{ "<div style='white-space: pre'>", "if (a &lt; b &amp;&amp; c) d++;\n", "</div>", false },
		{ "<pre>", "z = 3; // \xd8\xb3 &#1587; \xe4\xb8\xad\n", "</pre>", false },
		{ "<pre>", "             ;", "\n</pre>", false },
		{ "<div>", "x = f(1);<br>\n", "</div>", true },
		{ "<p style='white-space: pre-line'>", "x = f(1);\n", "</p>", true },
	};
	static const char *const methods[] = {
		"dana", "dana:unit=chars", "auto", "danag", "addanag", "dana:literal=1"
	};
	AUTO_BUF page = { 0 };
	const char *chosen;
	for (size_t i = 0; i < 6 * sizeof(pages) / sizeof(*pages); i++) {
		const char *method = methods[i % 6];
		const bool scan = strncmp(method, "dana", 4) == 0 && method[4] != 'g',
			   parts = strcmp(method, "dana:literal=1") == 0 || (scan && pages[i / 6].parts);
		append_parted(&page, pages[i / 6].before, pages[i / 6].line, pages[i / 6].after);
		for (size_t piece = 1; piece < 60 * page.len; piece *= 59) {
			struct buf text = text_by(method, buf_slice(&page), piece, &chosen);
			assert_ok(buf_append_byte(&text, 0));
			const char *found = (const char *)text.data;
			if (!parts != (strstr(found, "first") && strstr(found, "last")) || (!parts && text.len < 1000))
				fail_msg("page %zu, %s: %zu bytes: %s", i / 6, method, text.len, found);
			buf_free(&text);
		}
	}
}

/* Of a listing that is too long for a segment the beginning is kept, the same in all pieces. */
TEST(test_endless_listing)
{
	static const char *const lines[] = { "x = f(1);\n", "<b>return</b> 0; /* &#64; */\n", "0123456789abcde" };
	static const char *const methods[] = { "dana", "dana:unit=chars" };
	AUTO_BUF page = { 0 };
	for (size_t i = 0; i < 2 * sizeof(lines) / sizeof(*lines); i++) {
		AUTO_BUF whole = { 0 }, pieces = { 0 };
		AUTO_EXTRACTOR x = extractor_by(methods[i % 2]);
		const struct split_subject subject = extractor_subject(x);
		append_parted(&page, "<pre>", lines[i / 2], "");
		while (page.len < 3 << 20)
			assert_ok(buf_append_text(&page, lines[i / 2]));
		split_whole(&subject, buf_slice(&page), &whole);
		split_sizes(&subject, buf_slice(&page), slice_of((const uint8_t *)"\xFF", 1), false, &pieces);
		split_compare(&whole, &pieces, methods[i % 2], i);
		if (whole.len < 3 << 18 || whole.len > (1 << 20) + 20000)
			fail_msg("lines %zu: %zu bytes", i / 2, whole.len);
	}
}

/*
 * Paragraphs whose tags carry 900 bytes are one article; with the papers' count they are regions of their own, too far
 * from each other. The same number of bytes in links' addresses still makes a list of headlines.
 */
TEST(test_carried_bytes)
{
#define SENTENCES "Many words of a sentence that stands in an article. Another one follows it here. "
	AUTO_BUF page = { 0 };
	const char *chosen;
	for (int i = 0; i < 4; i++)
		assert_ok(buf_printf(&page, "<p class='%01500d'>%d " SENTENCES SENTENCES "</p>\n", 1, i));
	static const struct {
		const char *method;
		size_t lines;
	} cases[] = ROWS({ "danag", 4 }, { "addanag", 4 }, { "auto", 4 }, { "danag:literal=1", 1 },
			 { "addanag:literal=1", 1 }, { "auto:literal=1", 1 }, { "danag:tag-limit=0", 1 },
			 { "danag:tag-limit=64", 4 });
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		AUTO_BUF text = text_by(cases[i].method, buf_slice(&page), 1000, &chosen);
		size_t lines = text.len != 0;
		for (size_t k = 0; k < text.len; k++)
			lines += text.data[k] == '\n';
		if (lines != cases[i].lines)
			fail_msg("%s: %zu lines", cases[i].method, lines);
	}

	buf_clear(&page);
	for (int i = 0; i < 20; i++)
		assert_ok(buf_printf(&page, "<li class=item><a href='/%060d'>A headline, of ten words</a></li>", i));
	assert_ok(buf_append_text(&page, "<p>" SENTENCES));
	AUTO_BUF text = text_by("danag", buf_slice(&page), 1000, &chosen);
	assert_ok(buf_append_byte(&text, 0));
	const char *at = strstr((const char *)text.data, "Many words");
	assert_non_null(at);
	assert_true(at - (const char *)text.data < 30); /* the headline beside it at most */
#undef SENTENCES
}

/* Texts of references, whole and broken, with what may stand beside them. */
static void append_references(struct buf *page, uint32_t *random, size_t len)
{
	static const char *const pieces[] = { "&#1587;&#1604;&#1575;&#1605; ", "&#x627;", "&nbsp;", "&nbsp",
					      "&eacute;t&eacute;", "&notit;", "&#97;",
					      "&#0000000000000000000000000001575;", "&#", "&#;", "&am", "p; ",

					      /* text and tags */
					      "&", "&&lt;", "&Afr;", "&nGt;", "&CounterClockwiseContourIntegral;",
					      "&CounterClockwiseContourIntegralx", "&mdash; ", "\xd8\xb3", "word ", " ",
					      "\n", "<b>", "</b>", "<p class='a b'>", "<a href='?a&amp;b'>", "</a>",
					      "<pre>", "</pre>", "<!-- &lt; -->", "<svg>&#1587;</svg>" };
	buf_clear(page);
	while (page->len < len)
		assert_ok(buf_append_text(page, pieces[split_random(random) % (sizeof(pieces) / sizeof(*pieces))]));
}

TEST_GOLDEN(test_references)
{
	AUTO_BUF page = { 0 }, whole = { 0 };
	uint32_t random = 4711;
	for (size_t i = 0; i < 300; i += split_every()) {
		append_references(&page, &random, 20 + i * 3);
		check_all(buf_slice(&page));
	}
	for (size_t i = 0; i < 5 * FAMILY_METHODS; i += split_every()) {
		struct family_case c = { .method = family_methods[i % FAMILY_METHODS], .segment = 7 + i, .gap = 3 };
		family_vary(&c, (uint32_t)(i % 3 ? 2 * i : i));
		c.unit = i % 4 == 3 ? 'b' : i % 4 == 2 ? 'c' : 0;
		struct dana_extractor *x = family_extractor(&c);
		const struct split_subject subject = extractor_subject(x);
		append_references(&page, &random, 500);
		check(&c, buf_slice(&page), 3);
		split_check(&subject, buf_slice(&page), &whole);
		dana_free(x);
	}
	golden_check(&golden, "references", 0xc77d60ba);
}

/* A page in Hindi whose letters are all references is as foreign, and as much text, as one with the letters themselves.
 */
TEST(test_text_of_references)
{
	static const char *const words[] = { "&#2361;&#2367;&#2306;&#2342;&#2368; ",
					     "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\x82\xe0\xa4\xa6\xe0\xa5\x80 " };
	struct buf texts[2];
	AUTO_BUF page = { 0 };
	const char *chosen;
	for (size_t i = 0; i < 2; i++) {
		buf_clear(&page);
		for (int k = 0; k < 300; k++)
			assert_ok(buf_printf(&page, "%s%s", k % 20 ? "" : "<p>", words[i]));
		for (int k = 0; k < 300; k++)
			assert_ok(buf_printf(&page, "<a href='/%d'>x</a>", k));
		texts[i] = text_by("auto", buf_slice(&page), 777, &chosen);
		assert_string_equal(chosen, "dana");
	}
	assert_true(texts[0].len > 4500 && slice_equal(buf_slice(&texts[0]), buf_slice(&texts[1])));
	buf_free(&texts[0]);
	buf_free(&texts[1]);
}

/* `auto` takes `dana` from `share` percent of letters outside ASCII on; digits and dashes do not count. */
TEST(test_auto_share)
{
	static const struct {
		const char *method;
		size_t ascii, arabic;
		const char *chosen;
	} cases[] = ROWS({ "auto", 0, 1, "dana" }, { "auto", 1, 0, "danag" }, { "auto", 0, 0, "danag" },
			 { "auto", 50, 50, "dana" }, { "auto", 51, 50, "danag" }, { "auto:share=51", 50, 50, "danag" },
			 { "auto:share=30", 60, 30, "dana" }, { "auto:share=34", 60, 30, "danag" },
			 { "auto:share=0", 60, 1, "dana" }, { "auto:share=100", 1, 60, "danag" },
			 { "auto", 200, 2000, "dana" }, { "auto", 2000, 100, "danag" }, { "auto", 150, 60000, "dana" },
			 { "auto", 110, 119, "dana" });
	AUTO_BUF page = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_clear(&page);
		buf_append_text(&page, "<p>");
		for (size_t k = 0; k < cases[i].ascii + cases[i].arabic; k++)
			buf_append_text(&page, k < cases[i].ascii ? "word " : "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 ");
		assert_ok(buf_append_text(&page, "<p>123 456 789 \xe2\x80\x94 \xc2\xa0 &</p>"));
		for (size_t piece = 1; piece <= page.len * 2; piece = piece * 7 + 1) {
			const char *chosen;
			struct buf text = text_by(cases[i].method, buf_slice(&page), piece, &chosen);
			buf_free(&text);
			assert_string_equal(chosen, cases[i].chosen);
		}
	}
}
