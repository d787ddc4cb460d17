/* SPDX-License-Identifier: MIT */
/*
 * Text that is right in the small, whatever the method and however the page is cut: raised and lowered text, readings
 * of ruby, films.
 */
#include "base/ascii.h"
#include "dana/dana.h"
#include "support/unit.h"

struct detail {
	const char *page, *text;
};

/* Text around it, so that `learned` keeps the paragraph. */
#define BEFORE \
	"<p>The keeper of the old tower on the hill said so on the first of March, and nobody believed him at all. "
#define BEFORE_TEXT \
	"The keeper of the old tower on the hill said so on the first of March, and nobody believed him at all. "

/* Checks a method; `writes_all`: it keeps the text, else only that the cuts do not matter. */
static void check_with(const char *method, bool writes_all, const struct detail *details, size_t count)
{
	struct buf page = { 0 }, expected = { 0 };
	struct dana_extractor *x;
	assert_ok(dana_new(&x, &(struct dana_options){ .struct_size = sizeof(struct dana_options), .method = method }));
	for (size_t i = 0; i < count; i++) {
		buf_clear(&page);
		buf_clear(&expected);
		assert_ok(buf_printf(&page, BEFORE "%s end.</p>", details[i].page));
		assert_ok(buf_printf(&expected, BEFORE_TEXT "%s end.", details[i].text));
		for (size_t cut = 0; cut <= page.len; cut++) {
			struct dana_text text;
			dana_reset(x);
			assert_ok(dana_feed(x, page.data, cut));
			assert_ok(dana_feed(x, page.data + cut, page.len - cut));
			assert_ok(dana_finish(x, &text));
			const struct slice got = slice_of(text.data, text.len);
			if (cut == 0 && !writes_all) {
				buf_clear(&expected);
				assert_ok(buf_append(&expected, got.data, got.len));
			}
			if (!slice_equal(got, buf_slice(&expected)))
				fail_msg("%s, %s, cut at %zu:\n%.*s", method, details[i].page, cut, (int)got.len,
					 (const char *)got.data);
		}
	}
	dana_free(x);
	buf_free(&page);
	buf_free(&expected);
}

static void check(const struct detail *details, size_t count)
{
	check_with("plain", true, details, count);
	check_with("learned:recall=100", true, details, count);
	check_with("wlr", true, details, count);
	check_with("auto", false, details, count);
	check_with("cetr", false, details, count);
}

#define CHECK(details) check(details, sizeof(details) / sizeof(*(details)))

TEST(raised_and_lowered_text_is_not_glued_to_words)
{
	static const struct detail details[] = {
		{ "10<sup>6</sup>", "10⁶" },
		{ "10<SUP>-3</SUP> m<sup>2</sup>", "10⁻³ m²" },
		{ "H<sub>2</sub>O", "H₂O" },
		{ "x<sup>n+1</sup> and a<sub>ij</sub>", "xⁿ⁺¹ and aᵢⱼ" },
		{ "x<sup>2,5</sup> b<sub>max!</sub>", "x^(2,5) b_(max!)" },
		{ "21<sup>st</sup>, 2<sup>nd</sup>, 3<sup>rd</sup>, 4<sup>th</sup>, 1<sup>er</sup>",
		  "21st, 2nd, 3rd, 4th, 1er" },
		{ "tower<sup><a href=\"#n4\">4</a></sup>", "tower[4]" },
		{ "tower<sup id=r class=reference><a href='#n4'>[4]</a></sup>", "tower[4]" },
		{ "tower<sup><a href=#n>*</a></sup>", "tower[*]" },
		{ "link<sup><a href=\"https://e.org/\">3</a></sup>", "link³" },
		{ "10<sup><b>1</b><i>2</i></sup>", "10¹²" },
		{ "10<sup> 6 </sup>", "10⁶" },
		{ "Foo<sup>®</sup>, Bar<sup>TM</sup>, Baz<sup>&trade;</sup>, Qux<sup>*</sup>",
		  "Foo®, Bar™, Baz™, Qux*" },
		{ "2<sup>2<sup>3</sup></sup>", "2²³" },
		{ "<sup>14</sup>C", "¹⁴C" },
		{ "10<sup>&minus;7</sup>, x<sup>&#178;</sup>", "10⁻⁷, x²" },
		{ "none<sup></sup><sub> </sub>", "none" },
		{ "word<sup>[citation needed]</sup>", "word[citation needed]" },
		{ "x<sup>this is longer than anybody would ever raise, and stays what it is</sup>",
		  "xthis is longer than anybody would ever raise, and stays what it is" },
		{ "x<sup>1<p>2", "x1\n2" },
		{ "a<sup>1</sup><sup>2</sup><sub>3</sub>", "a¹²₃" },
	};
	CHECK(details);
}

TEST(line_ends_between_wide_characters_are_no_blanks)
{
	static const struct detail details[] = {
		{ "\u7063\n\u7063", "\u7063\u7063" },
		{ "\u7063\r\n \t\u30E9", "\u7063\u30E9" },
		{ "\u7063 \u7063", "\u7063 \u7063" },
		{ "\u7063\nb\nc\n\u7063", "\u7063 b c \u7063" },
		{ "\u7063\u201D\n\u7063\u2014\u2014\n\u7063", "\u7063\u201D\u7063\u2014\u2014\u7063" },
		{ "b\u201D\nc\u2014\n\u201Cd", "b\u201D c\u2014 \u201Cd" },
		{ "\uBCF4\n\uC774", "\uBCF4 \uC774" },
	};
	CHECK(details);
}

TEST(pictures_of_formulas_are_their_TeX_in_learned)
{
	static const struct detail details[] = {
		{ "a <img class=latex alt=\"\\pi r^2\" src=/1.png> b", "a \\pi r^2 b" },
		{ "a <IMG SRC=/1.png CLASS='x tex' ALT='$E=mc^2$'> b", "a E=mc^2 b" },
		{ "a <img src=\"https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D\"> b", "a \\frac{a}{b} b" },
		{ "a <img src=\"//latex.codecogs.com/gif.latex?\\dpi{120}&space;\\bg_white x&plus;y\" alt=x> b",
		  "a x+y b" },
		{ "a <img src='https://s0.wp.com/latex.php?latex=%5Cpi+r%5E2&amp;bg=ffffff'>, b", "a \\pi r^2, b" },
		{ "a <img src=https://e.org/cgi-bin/mathtex.cgi?x%5E%7B2%7D> b", "a x^{2} b" },
		{ "a <img src='https://www.zhihu.com/equation?tex=a+%3C+b'> b", "a a < b b" },
		{ "a <img src='https://chart.googleapis.com/chart?cht=tx&amp;chl=%5Calpha'> b", "a \\alpha b" },
		{ "a <img class=mwe-math-fallback-image-inline style='width:2.1ex' alt='{\\displaystyle q}' src=q.svg> "
		  "b",
		  "a {\\displaystyle q} b" },
		{ "a <math alttext=d><mi>d</mi></math><img class='tex' alt=d src=d.svg> b", "a d b" },
		{ "a <img class=tex alt=c><img class=tex alt=d> b", "a cd b" },
		{ "a <img data-src='https://latex.codecogs.com/svg.latex?%5Cmu' src='data:image/gif;base64,R0x'> b",
		  "a \\mu b" },
		{ "a <img src='/images/texture.png?x=1' alt='A texture'> <img src=/%5C.png> b", "a b" },
		{ "a <img src='https://latex.codecogs.com/svg.latex?%FF%5C'> b", "a b" },
		{ "a<img class=latex alt=x>b", "axb" },
	};
	check_with("learned:recall=100", true, details, sizeof(details) / sizeof(*details));
}

TEST(code_has_its_lines_and_no_numbers_in_learned)
{
	static const struct detail details[] = {
		{ "a</p><pre><i>1</i>f:\n<i>2</i>  g\n<i>3</i>\n<i>4</i>h</pre><p>b", "a\nf:\n  g\n\nh\nb" },
		{ "a</p><pre><u> 9</u> f:\n<u>10</u>   g</pre><p>b", "a\nf:\n  g\nb" },
		{ "a</p><pre>f:<br>  g<br><br>h</pre><p>b", "a\nf:\n  g\n\nh\nb" },
		{ "a</p><pre><ol><li>f:<li>  g<li><code></code></li><li>h</ol></pre><p>b", "a\nf:\n  g\n\nh\nb" },
		{ "a</p><pre><div><i>1</i><div>f:</div></div><div><i>2</i><div>  g</div></div></pre><p>b",
		  "a\nf:\n  g\nb" },
		{ "a</p><table><tr><td><pre>1\n2\n3</pre><td><pre>f:\n  g\nh</pre></table><p>b", "a\nf:\n  g\nh\nb" },
		{ "a</p><div><a href=#1>1</a> <a href=#2>2</a></div><pre>f:\n  g</pre><p>b", "a\nf:\n  g\nb" },
		{ "a</p><table><tr><td data-line-number=1><td class=blob-code>f:</tr>\n<tr><td><td "
		  "class=blob-code></tr>"
		  "<tr><td><td class=blob-code>  g</table><p>b",
		  "a\nf:\n\n  g\nb" },
		{ "a</p><div class=crayon-pre><div>f:</div>\n <div>&nbsp; g</div></div><p>b", "a\nf:\n  g\nb" },
		{ "a</p><pre><table><tr><td><div></div></td><td>f:</td></tr><tr><td><div></div></td><td>  g</td></tr>"
		  "</table></pre><p>b",
		  "a\nf:\n  g\nb" },
		{ "a</p><pre><i>1</i>f:\n<i>3</i>  g</pre><p>b", "a\n1f:\n3  g\nb" },
		{ "a</p><pre><i>1</i>f</pre><p>b", "a\n1f\nb" },
		{ "a</p><pre><i>1</i>f:\n<i>2</i>  g\nh</pre><p>b", "a\n1f:\n2  g\nh\nb" },
		{ "a</p><p>1</p><p>2</p><pre>f\ng\nh</pre><p>b", "a\n1\n2\nf\ng\nh\nb" },
		{ "a</p><pre><i>90</i><br><i>91</i><br></pre><p>b", "a\n90\n91\nb" },
		{ "a</p><div><pre>f:\n  g</pre><div "
		  "class=line-numbers-wrapper><i>1</i><br><i>2</i><br></div></div><p>b",
		  "a\nf:\n  g\nb" },
	};
	check_with("learned:recall=100", true, details, sizeof(details) / sizeof(*details));
}

/* What KaTeX shows is left out; what is raised after it is not. */
TEST(raised_text_after_a_formula_of_katex_is_kept)
{
#define KATEX "<math alttext=y></math><span class=katex-html>y</span>"
	static const struct detail details[] = {
		{ KATEX ", the 21<sup>st</sup>", "y, the 21st" },
		{ KATEX " and 10<sup>6</sup> m", "y and 10⁶ m" },
		{ KATEX "<sup>[a]</sup>", "y[a]" },
		{ KATEX "<sub>this is longer than anybody would ever lower, and stays what it is</sub>",
		  "ythis is longer than anybody would ever lower, and stays what it is" },
		{ KATEX ": x<sup>1<p>2", "y: x1\n2" },
		{ KATEX " " KATEX ", the 22<sup>nd</sup>", "y y, the 22nd" },
	};
	CHECK(details);
}

/* `auto` stops the method that leads by a status, which comes back through what is held. */
TEST(the_choice_of_auto_goes_through_raised_formulas)
{
	struct buf page = { 0 };
	struct dana_extractor *x;
	const struct dana_options options = { .struct_size = sizeof(options), .method = "auto" };
	assert_ok(dana_new(&x, &options));
	for (size_t letters = 20; letters < 600; letters += 5) {
		struct dana_text text;
		buf_clear(&page);
		assert_ok(buf_append_text(&page, "<p>a <sub>"));
		for (size_t i = 0; i < letters; i++)
			assert_ok(buf_append_text(&page, "س"));
		assert_ok(buf_append_text(&page, " x<math><mi>y</mi></math></sub> z"));
		for (size_t cut = 1; cut < page.len; cut += 17) {
			dana_reset(x);
			assert_ok(dana_feed(x, page.data, cut));
			assert_ok(dana_feed(x, page.data + cut, page.len - cut));
			assert_ok(dana_finish(x, &text));
		}
	}
	dana_free(x);
	buf_free(&page);
}

TEST(marks_of_notes_are_not_glued_to_words)
{
	static const struct detail details[] = {
		{ "tower<a href=\"#n4\"><sup>4</sup></a>", "tower[4]" },
		{ "tower<a class=x href='#n4'><sup><b>4</b></sup></a>", "tower[4]" },
		{ "tower<a href=#n><sup>*</sup></a>", "tower[*]" },
		{ "tower<a href=#n><sup>[4]</sup></a>", "tower[4]" },
		{ "tower<a href=#n>x</a><sup>4</sup>", "towerx⁴" },
		{ "<a href=\"https://e.org/\">5 m<sup>2</sup></a>", "5 m²" },
		{ "tower<a href=#n><sub>4</sub></a>", "tower₄" },
	};
	check_with("learned:recall=100", true, details, sizeof(details) / sizeof(*details));
}

/* Long paragraphs, which `learned` keeps, and links at the end, which it drops. */
#define ARTICLE(mark) \
	"<nav><ul><li><a href=/a>Home</a><li><a href=/b>World</a></ul></nav><main><h1>The lamp</h1>" \
	"<p>The old lighthouse at the end of the northern mole was repaired over the winter, after two years in " \
	"which " \
	"the fishing boats found their way home by the lamps of the cannery." mark "</p>" \
	"<p>When the light was lit again on the first of March, more than four hundred people stood on the mole in " \
	"the rain, and the band played until the instruments were full of water.</p></main><footer class=\"footer " \
	"menu\">"
#define LINKS \
	"<a href=\"https://e.org/a\">Net</a>, <a href=\"https://e.org/b\">Unlit</a>, <a " \
	"href=\"https://e.org/c\">Cur</a>"
#define AFTER "<ul class=menu><li><a href=/x>Ferry</a><li><a href=/y>Council</a></ul></footer>"

TEST(learned_keeps_the_notes_of_kept_blocks)
{
	static const struct {
		const char *page;
		bool kept;
	} cases[] = {
		{ ARTICLE("<sup><a href=\"#fn1\" id=r1>1</a></sup>") "<ol><li id=fn1>" LINKS "</ol>" AFTER, true },
		{ ARTICLE("<a href='#fn1'><sup>1</sup></a>") "<ol><li id=fn1><p>" LINKS "</ol>" AFTER, true },
		{ ARTICLE("<sup class=r><a href=#n>[a]</a></sup>") "<aside id=n>" LINKS "</aside>" AFTER, true },
		{ ARTICLE("<span><a href=#n7>7</a></span>") "<div class=n><p id=n7>7. " LINKS "</div>" AFTER, true },
		{ ARTICLE(" <a href=#n7>[7]</a>") "<p><a id=n7>[7]</a> " LINKS "</p>" AFTER, true },
		{ ARTICLE("<a href=#n7>7</a>") "<div id=n7><span>(7)</span> " LINKS "</div>" AFTER, true },
		{ ARTICLE("<sup><a id=noteref-1 href=\"javascript:;\">1</a></sup>") "<div id=note-1><a "
										    "href=\"javascript:;\">1"
										    "</a>. " LINKS "</div>" AFTER,
		  true },
		{ ARTICLE("<a href=#n7>7</a>") "<dl><dt id=n7>7.<dd>" LINKS "</dl>" AFTER, true },
		{ ARTICLE("<sup><a href=#n>*</a></sup>") "<table><tr id=n><td>" LINKS "</table>" AFTER, true },
		{ ARTICLE("") "<ol><li id=fn1>" LINKS "</ol>" AFTER, false },
		{ ARTICLE("<sup><a href=#fn2>1</a></sup>") "<ol><li id=fn1>" LINKS "</ol>" AFTER, false },
		{ ARTICLE("<a href=#fn1>7</a>") "<ol><li id=fn1>" LINKS "</ol>" AFTER, false },
		{ ARTICLE("<a href=#fn1>more words than a mark</a>") "<p id=fn1>" LINKS "</p>" AFTER, false },
		{ ARTICLE("<sup><a href=#fn1>12</a></sup>") "<div id=fn1>" LINKS "</div>" AFTER, false },
	};
	struct dana_extractor *x;
	assert_ok(dana_new(&x, &(struct dana_options){ .struct_size = sizeof(struct dana_options),
						       .method = "learned:kind=article" }));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const size_t len = strlen(cases[i].page);
		for (size_t cut = 0; cut <= len; cut++) {
			struct dana_text text;
			dana_reset(x);
			assert_ok(dana_feed(x, cases[i].page, cut));
			assert_ok(dana_feed(x, cases[i].page + cut, len - cut));
			assert_ok(dana_finish(x, &text));
			const struct slice got = slice_of(text.data, text.len);
			if (slice_has(got, "net, unlit, cur") != cases[i].kept || !slice_has(got, "of the cannery.") ||
			    slice_has(got, "ferry"))
				fail_msg("%zu, cut at %zu: %s\n%.*s", i, cut, cases[i].page, (int)got.len,
					 (const char *)got.data);
		}
	}
	dana_free(x);
}

TEST(readings_of_ruby_are_left_out)
{
	static const struct detail details[] = {
		{ "<ruby>漢字<rt>かんじ</rt></ruby>は", "漢字は" },
		{ "<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>は", "漢字は" },
		{ "<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>は", "漢字は" },
		{ "<ruby>漢<rt>かん<rb>字<rt>じ</ruby>は", "漢字は" },
		{ "<ruby><rb>漢<rb>字<rt>かん<rt>じ</ruby>は", "漢字は" },
		{ "<ruby><rb>漢</rb><rb>字</rb><rtc><rt>かん</rt><rt>じ</rt></rtc><rtc>kanji</rtc></ruby>は",
		  "漢字は" },
		{ "<ruby>漢<rp>(<rt>かん<rp>)</ruby>は", "漢は" },
		{ "<ruby>漢<rt><b>か</b><i>ん</i></rt></ruby>は", "漢は" },
		{ "<ruby>漢<rt>かん", "漢" },
		{ "<RUBY>灯<RT>dēng</RT></RUBY> <ruby>塔<rt>tǎ</rt></ruby>", "灯 塔" },
		{ "<rt>a</rt>b", "b" },
	};
	for (size_t i = 0; i < sizeof(details) / sizeof(*details); i++) {
		if (i != 8) /* it ends with the page */
			check(&details[i], 1);
	}
}

TEST(what_is_shown_in_place_of_a_film_is_left_out)
{
	static const struct detail details[] = {
		{ "a</p><video src=a>No films here.</video><p>b", "a\nb" },
		{ "a</p><audio controls><p>No sound <a href=x>here</a>.</p></audio><p>b", "a\nb" },
		{ "a</p><video><source src=a><track src=b>No films.</video><p>b", "a\nb" },
		{ "a</p><video src=x /><p>b", "a\nb" },
		{ "a</p><video>b<object>c</object>d</video><p>b", "a\nb" },
		{ "a</p><video>b<audio>c</audio></video><p>b", "a\nb" },
		{ "a</p><div><video>c</div><p>b", "a\nb" },
		{ "a</p><ul><li>c<audio>d</li><li>e</li></ul><p>b", "a\nc\ne\nb" },
		{ "a</p><VIDEO>b</VIDEO><p>b", "a\nb" },
		{ "a</p><figure><video><b>x</video><figcaption>c</figcaption></figure><p>b", "a\nc\nb" },
	};
	CHECK(details);
}

TEST(ornaments_of_headings_are_left_out_by_learned)
{
	static const struct detail details[] = {
		{ "a<h2>History<a class=headerlink href=\"#h\" title=Link>¶</a></h2><p>b", "a\nHistory\nb" },
		{ "a<h2><a href=\"#u\" class=header-anchor>#</a> Usage</h2><p>b", "a\nUsage\nb" },
		{ "a<h2>History<a href='#h' class=hash-link>&#8203;</a></h2><p>b", "a\nHistory\nb" },
		{ "a<h3>History <a href=#h>&para;</a></h3><p>b", "a\nHistory\nb" },
		{ "a<h2>History <a href=#h><i>\xF0\x9F\x94\x97</i></a></h2><p>b", "a\nHistory\nb" },
		{ "a<h2><span>Histoire</span><span class=mw-editsection><span>[</span><a "
		  "href=/e>modifier</a><span> | "
		  "</span><a href=/s>modifier le code</a><span>]</span></span></h2><p>b",
		  "a\nHistoire\nb" },
		{ "a<div><h2>History</h2><span class=\"mw-editsection x\">[<a "
		  "href=/e><span>edit</span></a>]</span></div><p>b",
		  "a\nHistory\nb" },
		{ "a<h2>History <a class=edit href=/e>Edit this section</a></h2><p>b", "a\nHistory\nb" },
		{ "a<h2>History <button>Copy link</button><span class=sr-only>Permalink</span></h2><p>b",
		  "a\nHistory\nb" },
		{ "a<h2>History</h2><div class=\"secedit x\"><form><button>Edit</button></form></div><p>b",
		  "a\nHistory\nb" },
		{ "a<h2><a class=headerlink href=#h>History</a></h2><p>b", "a\nHistory\nb" },
		{ "a<h2><a href=#h>History of #1</a></h2><p>b", "a\nHistory of #1\nb" },
		{ "a<h2><a class=anchor href=#h>History</a></h2><p>b", "a\nHistory\nb" },
		{ "a<p>a <a href=#h>¶</a></p><p>b", "a\na ¶\nb" },
		{ "a<h2>The <a href=/edit>editor</a></h2><p>b", "a\nThe editor\nb" },
	};
	check_with("learned:recall=100", true, details, sizeof(details) / sizeof(*details));
}
