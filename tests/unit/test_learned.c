/* SPDX-License-Identifier: MIT */
/*
 * Method learned: the law of the split, its keys, and each part against a plain oracle that was written apart from it;
 * what it takes from the tags around a block, and what it knows of a page as a whole.
 */
#include <math.h>

#include "base/hash.h"
#include "extract/extractor.h"
#include "extract/html/attribute.h"
#include "extract/html/class_words.h"
#include "extract/html/tokenizer.h"
#include "extract/learned/blocks.h"
#include "extract/learned/classifier.h"
#include "extract/learned/coherence.h"
#include "extract/learned/features.h"
#include "extract/learned/stage2.h"
#include "extract/learned/tokens.h"
#include "extract/text_writer.h"
#include "support/extractor_subject.h"
#include "support/random_page.h"
#include "support/unit.h"

static int on_run(void *blocks, const struct html_run *run)
{
	return blocks_run(blocks, run);
}

static int on_tag(void *blocks, const struct html_tag_event *event)
{
	return blocks_tag(blocks, event);
}

static int on_unit(void *blocks, const struct html_unit *unit)
{
	return blocks_unit(blocks, unit);
}

static void feed_page(struct blocks *b, struct slice page, size_t piece)
{
	const struct html_handler handler = { .run = on_run, .tag = on_tag, .unit = on_unit, .arg = b };
	struct html_tokenizer *t = html_tokenizer_new(&handler);
	assert_non_null(t);
	for (; page.len; page = slice_skip(page, piece))
		assert_ok(html_tokenizer_feed(t, slice_first(page, piece)));
	assert_ok(html_tokenizer_finish(t));
	assert_ok(blocks_finish(b));
	html_tokenizer_free(t);
}

/* The blocks of a page, by weights that are all 0; to be freed by blocks_free. */
static struct blocks page_blocks(struct slice page, size_t piece, size_t max_text)
{
	static const int8_t weights[TOKEN_COUNT];
	struct blocks b = { 0 };
	assert_ok(blocks_init(&b, max_text, 0));
	blocks_set_token_sink(&b, &(struct token_sink){ .weights = weights });
	feed_page(&b, page, piece);
	return b;
}

static const char article[] =
	"<html><head><title>The lighthouse opens again - Daily Shore</title></head><body><nav><ul><li><a "
	"href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav><div class=content><h1>The "
	"lighthouse opens again</h1><p>After four years of repairs, the old lighthouse on the northern shore opens its "
	"doors to visitors on Sunday, the harbour office said. The lamp, which had been dark since the great storm, "
	"will be lit at dusk.</p><p>\"We have waited a long time for this,\" said the keeper, whose family has looked "
	"after the tower for three generations. Visitors can climb all of the 212 steps, and those who do will see "
	"both islands on a clear day.</p><p>The repairs cost less than was planned, because many people of the town "
	"gave their help for nothing, among them masons, painters, and a retired clockmaker, who repaired the drive of "
	"the lamp.</p></div><div class=footer><a href=/terms>Terms</a> | <a href=/privacy>Privacy</a> | "
	"Copyright</div></body></html>";

/* The description stands after the text, and is written with a reference. */
static const char described[] =
	"<html><body class=single><a href=/x>More of the shore</a><div><h1>The keeper&#39;s lamp</h1><p>The old "
	"lighthouse opens its keeper's doors to all visitors.</p><p>There are twelve rooms, a stair of many steps "
	"and a lamp, he said.</p></div><meta property='og:type' content='article'><link rel=canonical "
	"href='https://shore.example/2024/07/the-keepers-lamp'><meta name=description content=\"The old lighthouse "
	"opens its keeper&#39;s doors to all visitors.\"></body></html>";

static struct buf extract(const char *method, const char *page)
{
	AUTO_EXTRACTOR x = extractor_by(method);
	struct buf text = { 0 };
	extractor_piece(x, slice_from_text(page));
	struct dana_text found = extractor_finish(x);
	assert_ok(buf_append(&text, found.data, found.len));
	assert_ok(buf_append_byte(&text, 0));
	return text;
}

/* What the other pages lack: declared types, fields, hidden text, dates, prices, wide characters. */
static const char declaring[] =
	"<script "
	"type=\"application/"
	"ld+json\">{\"@type\":[\"Recipe\",\"Product\"],\"about\":[{\"@type\":\"QAPage\"},{\"@type\":\"ItemList\"},{\"@"
	"type\":\"FAQPage\"},{\"@type\":\"NewsArticle\"}]}</script><meta property=og:type content=product.item><meta "
	"property=og:url content=/shop/lamps/2024/><main><article><h2>On 1.2.2012 at 12:30</h2><p hidden>A lamp for "
	"$5! \"Or for &pound;20?\" \u706f\u5854\u770b\u5b88\u4eba\u3002</p><p>Two lamps, three lamps; four of them "
	"stand on the shore, and none is lit on 2012-02-01.</p><button>Send</button><input><p>After a "
	"field.</p><textarea></textarea><img src=a><p>A lamp for $5!</p></article></main><footer><p>A lamp for "
	"$5!</p></footer>";

static bool holds(const struct buf *text, const char *part)
{
	return strstr((const char *)text->data, part) != NULL;
}

TEST(test_article)
{
	AUTO_BUF text = extract("learned", article), bare = extract("learned:heading=0", article);
	assert_true(holds(&text, "The lighthouse opens again\nAfter four years"));
	assert_true(holds(&text, "the drive of the lamp."));
	assert_false(holds(&text, "Sport") || holds(&text, "Privacy"));
	assert_false(holds(&bare, "lighthouse opens again"));
	assert_true(holds(&bare, "After four years"));
}

TEST(test_keys)
{
	static const char *const bad[] = { "learned:recall=101",  "learned:recall=x",  "learned:heading=2",
					   "learned:model=/none", "learned:nothing=1", "learned:recall",
					   "learned:kind=recipe" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dana_extractor *x;
		struct dana_options options = { .struct_size = sizeof(options), .method = bad[i] };
		assert_int_equal(dana_new(&x, &options), DANA_BAD_OPTION);
	}
	AUTO_BUF least = extract("learned:recall=0", article), even = extract("learned:recall=50", article);
	AUTO_BUF most = extract("learned:recall=100", article), plain = extract("learned", article);
	assert_true(least.len <= even.len && even.len <= most.len);
	assert_string_equal(even.data, plain.data);
}

/* The kind of a page is found, or is what the caller says. */
TEST(test_page_kind)
{
	const struct {
		const char *method, *page, *kind;
	} cases[] = ROWS({ "learned", article, "article" }, { "learned:kind=list", article, "list" },
			 { "learned:kind=other", described, "other" }, { "learned", "<title>no text</title>", NULL },
			 { "plain", article, NULL });
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_EXTRACTOR x = extractor_by(cases[i].method);
		extractor_piece(x, slice_from_text(cases[i].page));
		assert_null(dana_page_kind(x));
		(void)extractor_finish(x);
		const char *kind = dana_page_kind(x);
		assert_string_equal(kind ? kind : "none", cases[i].kind ? cases[i].kind : "none");
		dana_reset(x);
		assert_null(dana_page_kind(x));
	}
}

/* What is open where a page ends is nothing to the next one. */
TEST(a_page_is_read_as_by_a_new_extractor)
{
	static const char *const pages[] = { "<pre>e\n\n<td>x</table>", "<table><tr><td>a<td><sup><a href=#n>1",
					     "<h2>A <a class=anchor>#", "<p hidden>b<span class=sr-only>c" };
	AUTO_EXTRACTOR used = extractor_by("learned:recall=100");
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		for (size_t k = 0; k < sizeof(pages) / sizeof(*pages); k++) {
			AUTO_EXTRACTOR new = extractor_by("learned:recall=100");
			extractor_piece(new, slice_from_text(pages[k]));
			const struct dana_text alone = extractor_finish(new);
			extractor_piece(used, slice_from_text(pages[i]));
			(void)extractor_finish(used);
			dana_reset(used);
			extractor_piece(used, slice_from_text(pages[k]));
			const struct dana_text text = extractor_finish(used);
			assert_int_equal(text.len, alone.len);
			assert_memory_equal(text.data, alone.data, text.len);
			dana_reset(used);
		}
	}
}

TEST(test_reserve)
{
	AUTO_BUF page = { 0 };
	assert_ok(
		buf_printf(&page, "<body><div>Loading</div><noscript><div>%s</noscript>%c", strstr(article, "<p>"), 0));
	AUTO_BUF text = extract("learned", (const char *)page.data);
	assert_true(holds(&text, "After four years"));
	buf_clear(&page);
	assert_ok(buf_printf(&page, "%s<noscript><p>Please turn on scripts.</p></noscript>%c", article, 0));
	AUTO_BUF shown = extract("learned:recall=100", (const char *)page.data);
	assert_false(holds(&shown, "scripts"));
}

/*
 * What stands or falls with its neighbours. A row has for each block of its page what is decided without them and with
 * them: + kept, - unlikely, c code, l lead, i an item, d a cell, b a bare heading, t a table of contents, a a label of
 * links; A and C as a and c, in articles alone. And which block has the description, if one has.
 */
TEST(test_coherence)
{
#define CODE "<pre>lamp --on</pre>"
#define FRAMED "<div><div>bash</div>" CODE "</div>"
#define TABLE "<table><tr><th>x<th>y<tr><td>1<td>2<tr><td>3<td>4</table>"
#define LEAD "The lamp, the tower and the keeper: what we saw on the coast, in three days."
	enum { MOST = 10, NONE }; /* blocks of a case; no block */
	const struct {
		const char *page, *before, *after;
		uint32_t described;
	} cases[] = ROWS(
		{ "<div><p>a</p>" CODE "<p>b</p></div>", "+-+", "+c+", NONE },
		{ "<div><p>a</p>" CODE CODE "<p>b</p></div>", "+--+", "+cc+", NONE },
		{ "<div><p>a</p>" CODE "<p>c</p>" CODE "<p>b</p></div>", "+---+", "+c-c+", NONE },
		{ "<div><p>a</p>" CODE "<p>b</p></div>", "+--", "+--", NONE },
		{ "<div><p>a</p>" CODE "<p>b</p></div>", "--+", "--+", NONE },
		{ "<div><p>a</p>" FRAMED "<p>b</p></div>", "+--+", "+-c+", NONE },
		{ "<div><p>a</p><pre>1</pre>" CODE "<p>b</p></div>", "+--+", "+-c+", NONE },
		{ "<p>a</p><div><div><p>m</p>" CODE "<p>n</p></div><p>o</p></div><p>b</p>", "+----+", "+----+", NONE },
		{ "<div><p>a</p><p>x</p><p>b</p></div>", "+-+", "+-+", NONE },
		{ "<p>a<h2>s</h2><p>x<h2>t</h2><p>b", "++-++", "+b-++", NONE },
		{ "<p>a<h2>s</h2><h3>t</h3><p>x<h2>u</h2><p>b", "+++-++", "+bb-++", NONE },
		{ "<p>a<h2>s</h2><p>x<h3>t</h3><p>b", "++-++", "++-++", NONE },
		{ "<p>a<h3>s</h3><p>x<h2>t</h2><p>b", "++-++", "+b-++", NONE },
		{ "<p>a<h2>s</h2><p>x<p>y", "++--", "+b--", NONE },
		{ "<p>a<h2>s</h2>", "++", "++", NONE }, /* nothing is under it that was dropped */
		{ "<p>a<h2>s<br>t</h2><p>x<h2>u</h2><p>b", "+++-++", "+bb-++", NONE }, /* of two lines */
		{ "<p>a<h2>s<br>t</h2><p>b", "++++", "++++", NONE },
		{ "<p>a<h1>s</h1><p>x<h1>t</h1><p>b", "++-++", "++-++", NONE },
		{ "<p>a<h2>s</h2><p>x<h2>t</h2><p>b", "-+-++", "-+-++", NONE }, /* the first that is kept */
		{ "<div><p>a<h2>s</h2>" CODE "<p>b</div>", "++-+", "++c+", NONE },
		{ "<dl><dt>a<dd><p>b</p>" CODE "</dl><dl><dt>d</dl>", "++-+", "++C+", NONE },
		{ "<p>a" TABLE "<p>b", "+------+", "+dddddd+", NONE },
		{ "<p>a" TABLE "<p>b", "+-------", "+-------", NONE },
		{ "<p>a" TABLE "<p>b", "+--++-+-", "+dd++d+-", NONE }, /* half of the cells */
		{ "<p>a" TABLE "<p>b", "-+-+----", "-+-+----", NONE },
		{ "<p>a<table><tr><th>x<th>y<tr><td>1<td>2</table><p>b", "+----+", "+----+", NONE }, /* few */
		{ "<p>a<table><tr><th>x<th>y<tr><td>1<td>2<tr><td>3<td><a href=/>four</a></table><p>b", "+------+",
		  "+------+", NONE },
		{ "<h1>a</h1><p>By us<p>" LEAD "<p>b", "+--+", "+-l+", 2 },
		{ "<h1>a</h1><p>By us<p>" LEAD "<p>b", "---+", "--l+", 2 },
		{ "<h1>a</h1><p>" LEAD "<p>b", "+--", "+--", 1 }, /* no text follows */
		{ "<h1>a</h1><p>" LEAD "<p>b", "+-+", "+-+", NONE },
		{ "<h1>a</h1><p>" LEAD "<p>" LEAD "<p>b", "+--+", "+--+", 2 },
		{ "<h1>a</h1><h2>s</h2><p>" LEAD "<p>b", "++-+", "++-+", 2 },
		{ "<h1>a</h1><h2>a</h2><p>" LEAD "<p>b", "++-+", "++l+", 2 },
		{ "<h1>a: b c d</h1><h2>a - b c d</h2><p>" LEAD "<p>b", "++-+", "++l+", 2 },
		{ "<h1>a: b c d</h1><h2>a: b c e</h2><p>" LEAD "<p>b", "++-+", "++-+", 2 },
		{ "<p>a:<ul><li>x<li>y</ul><p>b", "+--+", "+ii+", NONE },
		{ "<p>a\xEF\xBC\x9A<ul><li>x<li>y</ul><p>b", "++-+", "++i+", NONE },
		{ "<p>a:<ul><li>x<li>y</ul><p>z<p>b", "+---+", "+ii-+", NONE },
		{ "<p>a:<ul><li>x<li>y</ul><p>b", "---+", "---+", NONE },       /* the line is dropped */
		{ "<p>a:<ul><li>x<li>y</ul><p>b", "+-+-", "+-+-", NONE },       /* no text follows */
		{ "<p>a<ul><li>x<li>y</ul><p>b", "+--+", "+--+", NONE },        /* no colon */
		{ "<p>a:<p>z<ul><li>x<li>y</ul><p>b", "+---+", "+---+", NONE }, /* not directly after it */
		{ "<p>a:<ul><li><a href=/x>x</a><li>y</ul><p>b", "+--+", "a--+", NONE },
		{ "<p>a:<ul><li><a href=/x>x</a><li>y</ul><p>b", "+-++", "+-++", NONE },
		{ "<p>a:<p><a href=/x>the mill</a> - <a href=/y>the river</a><p>b", "+-+", "a-+", NONE },
		{ "<p>a:<p><a href=/x>x</a> and y<p>b", "+-+", "+-+", NONE },
		{ "<ul class=toc><li>x<li>y<li>z</ul><p>a<h2>x</h2><p>b<h2>y</h2><p>c<h2>z</h2><p>d", "++++++++++",
		  "ttt+++++++", NONE },
		{ "<p>a<p>s: <a href=/x>the mill at the river opens</a><p>b", "+++", "+A+", NONE },
		{ "<p>a<p>s: <a href=//b.c/x>the mill at the river opens</a><p>b", "+++", "+++", NONE },
		{ "<p>a<p>s: <a href=//b.c/x>the mill at the river opens</a><p>b<p><a href=//b.c>c</a><p><a "
		  "href=//www.b.c>c</a>",
		  "+++++", "+A+++", NONE },
		{ "<p>" LEAD "<h1>a</h1><p>b", "-++", "-++", 0 }, { "<p>" LEAD "<p>a<p>b", "-++", "-++", 0 });
#undef CODE
#undef FRAMED
#undef LEAD
#undef TABLE
	static const char signs[] = "+-0nclidbta";
	struct coherence c = { 0 };
	struct aggregates a = { 0 };
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		const bool text = i % 2 == 0;
		const char *page = cases[i / 2].page, *before = cases[i / 2].before;
		struct blocks b = page_blocks(slice_from_text(page), SIZE_MAX, 1 << 20);
		uint8_t verdict[MOST];
		assert_int_equal(b.n_blocks, strlen(before));
		for (uint32_t k = 0; k < b.n_blocks; k++)
			verdict[k] = before[k] == '+' ? VERDICT_KEPT : VERDICT_UNLIKELY;
		assert_ok(aggregates_compute(&a, &b));
		assert_ok(coherence_find(&c, &b, &a, text ? KIND_ARTICLE : KIND_LIST, cases[i / 2].described));
		coherence_apply(&c, &b, verdict);
		for (uint32_t k = 0; k < b.n_blocks; k++) {
			const char after = cases[i / 2].after[k];
			/* what is of articles alone */
			const char of_list = strchr("bA", after) ? '+' : strchr("dC", after) ? '-' : after;
			const char of_text = (char)(after == 'A' || after == 'C' ? after | 0x20 : after);
			assert_int_equal(signs[verdict[k]], text ? of_text : of_list);
		}
		blocks_free(&b);
	}
	aggregates_free(&a);
	coherence_free(&c);
}

/* The description is where pages write it; what repeats it counts once. */
TEST(test_description_of_meta)
{
	static const struct {
		const char *page;
		uint32_t runs;
	} cases[] = {
		{ "<meta name=description content='a b c d'><p>a", 2 },
		{ "<meta property=og:description content='a b c d'><p>a", 2 },
		{ "<meta itemprop=description content='a b c d'><p>a", 2 },
		{ "<meta HTTP-EQUIV=description content='a b c d'><p>a", 2 },
		{ "<meta name=description content='a b c d'><meta itemprop=description content='a b c d e'><p>a", 2 },
		{ "<meta itemprop=description content='a b c d'><meta http-equiv=description content='e f g h'><p>a",
		  2 },
		{ "<meta name=keywords content='a b c d'><p>a", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct blocks b = page_blocks(slice_from_text(cases[i].page), SIZE_MAX, 1 << 20);
		assert_int_equal(b.meta->described.n, cases[i].runs);
		blocks_free(&b);
	}
}

#define TALE "The old lamp stood above the water for a hundred years, and nobody knew who had put it there."
#define TEMPLATE(content) "<script id=a type='text/template'>" content "</script>"
#define MENU \
	"<ul><li><a href=/a>Home page of the harbour</a><li><a href=/b>News of all the world today</a><li><a " \
	"href=/c>Sport and games</a><li><a href=/d>Write to us</a></ul>"
#define DATA(json) "<script type=\"application/ld+json\">" json "</script>"

/* Text that only scripts hold is read on a page that shows hardly any other. */
TEST(test_held_text)
{
	const struct {
		const char *page, *has, *lacks;
	} cases[] = ROWS(
		{ "<p>Wait" TEMPLATE("<div><p>" TALE "<p>" TALE "</div>") "</p>", TALE "\n" TALE, "script" },
		{ TEMPLATE("<p>{{name}}") TEMPLATE("<p>" TALE) TEMPLATE("<p><%= name %>"), TALE, "name" },
		{ "<script type=text/x-template><p>" TALE "<noscript>a</noscript><template>b</template>", TALE, "b\n" },
		{ DATA("{\"@type\":\"Article\",\"articleBody\" : \"" TALE "\\n\\u0022" TALE "\\u0022, he said.\"}"),
		  TALE "\n\"" TALE "\", he said.", "Article" },
		{ DATA("[{\"x\":\"articleBody\",\"articleBody\":[\"" TALE "\"]}]") "<p>Wait", "Wait", TALE },
		{ DATA("{\"articleBody\":\"bad \\q\"}{\"articleBody\":\"" TALE "\"}{\"articleBody\":\"end"), TALE,
		  "bad" },
		{ MENU TEMPLATE("<article><p>" TALE "<p>" TALE "</article>") MENU, TALE "\n" TALE, "script" },
		{ "<nav>" MENU "</nav><div>" MENU MENU "</div>" TEMPLATE("<p>" TALE), TALE, "script" },
		{ "<script>var a = '<p>" TALE "'</script><p>Wait", "Wait", TALE },
		{ "<p>" TALE " " TALE TEMPLATE("<p>Send"), TALE " " TALE, "Send" });
	AUTO_EXTRACTOR x = extractor_by("learned:kind=article,recall=100");
	const struct split_subject subject = extractor_subject(x);
	AUTO_BUF whole = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_BUF text = extract("learned:kind=article,recall=100", cases[i].page);
		assert_true(holds(&text, cases[i].has));
		assert_false(holds(&text, cases[i].lacks));
		split_check(&subject, slice_from_text(cases[i].page), &whole);
	}
}

static size_t count(const struct buf *text, const char *word)
{
	size_t n = 0;
	for (struct slice rest = buf_slice(text); rest.len >= strlen(word); rest = slice_skip(rest, 1))
		n += memcmp(rest.data, word, strlen(word)) == 0;
	return n;
}

/* What scripts hold is not given again where the page has it, as links or in the reserve; what it lacks is. */
TEST(test_text_given_twice)
{
#define OTHER "A guild of seven keepers paid for its oil until the harbour silted up in the great storm."
#define LAST "In spring the council sold the tower to a clockmaker, who mended its drive."
#define BODY(text) DATA("{\"@type\":\"Article\",\"articleBody\":\"" text "\"}")
#define LINK(text) "<p><a href=/a>" text "</a></p>"
	const char *const pages[] = {
		BODY(TALE " " OTHER " " LAST) "<p>Wait",
		BODY(TALE " " OTHER " " LAST) LINK(TALE) LINK(OTHER) LINK(LAST),
		BODY(LAST "\\n" OTHER "\\n" TALE) LINK(TALE) LINK(OTHER) LINK(LAST),
		BODY(TALE " " OTHER " " LAST) "<p>" TALE,
		BODY(TALE "\\n" OTHER "\\n" LAST) LINK(OTHER),
		BODY("<p class=a>" TALE "</p><ul><li>" OTHER "<li>" LAST "</ul>") LINK(TALE) LINK(LAST),
		BODY("&lt;p&gt;" TALE "&lt;/p&gt;&lt;p&gt;" OTHER " " LAST) LINK(LAST) LINK(OTHER),
		BODY(TALE " " OTHER " " LAST) BODY(TALE "\\n" OTHER "\\n" LAST) "<p>Wait",
		"<noscript><p>" TALE "<p>" OTHER "<p>" LAST "</noscript>" LINK(TALE) LINK(OTHER) LINK(LAST),
		"<template><p>" TALE "<p>" OTHER "<p>" LAST "</template>" LINK(TALE) LINK(LAST),
		TEMPLATE("<p>" TALE "<p>" OTHER "<p>" LAST) BODY(TALE " " OTHER " " LAST) LINK(TALE),
	};
	AUTO_EXTRACTOR x = extractor_by("learned:recall=100");
	const struct split_subject subject = extractor_subject(x);
	AUTO_BUF whole = { 0 };
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		AUTO_BUF text = extract("learned:recall=100", pages[i]);
		assert_int_equal(count(&text, "nobody knew who"), 1);
		assert_int_equal(count(&text, "paid for its oil"), 1);
		assert_int_equal(count(&text, "sold the tower"), 1);
		split_check(&subject, slice_from_text(pages[i]), &whole);
	}
	/* a body says a sentence twice itself; short ones are on the page by chance; tags and stops without an end */
	AUTO_BUF twice = extract("learned:recall=100", BODY(TALE " No. " TALE " " OTHER) "<p>No");
	assert_int_equal(count(&twice, "nobody knew who"), 2);
	assert_int_equal(count(&twice, "No"), 2);
	AUTO_BUF odd = extract("learned:recall=100", BODY("<a<b <a " TALE " < 5. <") LINK(OTHER));
	assert_int_equal(count(&odd, "paid for its oil"), 1);
#undef OTHER
#undef LAST
#undef BODY
#undef LINK
}

/* In lists a block whose words are kept before is dropped; in an article or a forum it stays. */
TEST(test_copies)
{
	const struct {
		const char *first, *second;
		size_t list; /* how often "lamp" is kept */
	} cases[] = {
		{ TALE, TALE, 1 },
		{ TALE,
		  "THE  old\nlamp stood <b>above</b> the water for a hundred years, and nobody knew who had put it.",
		  1 },
		{ TALE, TALE " He said so, and went to the harbour again with the lamp in his hand.", 3 },
		{ "The lamp was lit on every day.", "The lamp was lit on every day.", 2 }, /* seven words */
		{ "The lamp was lit on each single day.", "The lamp was lit on each single day.", 1 },
		{ TALE,
		  "The water stood above the old lamp for years, a hundred, and who had put it there nobody knew.", 2 },
		{ "\u706F\u5854\u770B\u5B88\u4EBA\u6BCF\u665A\u70B9\u706Flamp",
		  "\u706F\u5854\u770B\u5B88\u4EBA\u6BCF\u665A\u70B9\u706Flamp", 1 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_BUF page = { 0 };
		assert_ok(buf_printf(&page, "<h1>Posts</h1><p>%s</p><p>%s</p>%c", cases[i].first, cases[i].second, 0));
		AUTO_BUF list = extract("learned:kind=list,recall=100", (const char *)page.data);
		AUTO_BUF whole = extract(i % 2 ? "learned:kind=article,recall=100" : "learned:kind=forum,recall=100",
					 (const char *)page.data);
		assert_int_equal(count(&list, "lamp"), cases[i].list);
		assert_true(count(&whole, "lamp") >= 2);
	}
}

TEST(test_copies_of_long_blocks)
{
	enum { WORDS = 400, LAST = 40 };
	AUTO_BUF words = { 0 }, page = { 0 };
	for (unsigned i = 0; i < WORDS; i++)
		assert_ok(buf_printf(&words, "w%c%c ", 'a' + (int)(i / 26), 'a' + (int)(i % 26)));
	const char *text = (const char *)words.data, *last = text + (size_t)4 * (WORDS - LAST);
	assert_ok(buf_printf(&page, "<p>%.*s lamp.</p><h2>%.*s lamp.</h2>%c", 4 * WORDS, text, 4 * LAST, last, 0));
	AUTO_BUF list = extract("learned:kind=list,recall=100", (const char *)page.data);
	assert_int_equal(count(&list, "lamp"), 1);
}

/* On articles and forums a missed word costs less, on others more; what is as likely either is between. */
TEST(kinds_move_the_balance)
{
	const struct {
		struct kind_result found;
		uint32_t lean;
	} cases[] = {
		{ { .kind = KIND_UNKNOWN }, LEAN_ONE },
		{ { .kind = KIND_ARTICLE, .share = { [KIND_ARTICLE] = 255 } }, 184 },
		{ { .kind = KIND_FORUM, .share = { [KIND_ARTICLE] = 55, [KIND_FORUM] = 200 } }, 184 },
		{ { .kind = KIND_LIST, .share = { [KIND_LIST] = 255 } }, 357 },
		{ { .kind = KIND_LIST, .share = { [KIND_ARTICLE] = 102, [KIND_LIST] = 153 } }, 287 },
		{ { .kind = KIND_OTHER, .share = { [KIND_OTHER] = 250 } }, 640 },
		{ { .kind = KIND_ARTICLE, .share = { [KIND_ARTICLE] = 20, [KIND_DOCUMENTATION] = 220 } }, 184 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(kind_lean(&cases[i].found), cases[i].lean);
	/* a block of chance .45 beside one of .9, with as many words */
	const uint16_t chance[] = { 58982, 29491 };
	const uint32_t words[] = { 100, 100 };
	assert_true(decode_best(chance, words, 2, 256 * 184 / LEAN_ONE).threshold > chance[1]);
	assert_true(decode_best(chance, words, 2, 256 * 357 / LEAN_ONE).threshold <= chance[1]);
}

/* A row whose words are those of a row before it stays where most of the rows are of their own. */
TEST(copies_among_blocks_alike_stay)
{
	static const char row[] = "<li>The %s lamp was lit on every day of the long year.";
	static const char *const names[] = { "red", "new", "red", "big", "old", "dim", "wet", "dry" };
	for (size_t rows = 3; rows <= sizeof(names) / sizeof(names[0]); rows += 3) {
		AUTO_BUF page = { 0 };
		assert_ok(buf_append_text(&page, "<ul>"));
		for (size_t i = 0; i < rows; i++)
			assert_ok(buf_printf(&page, row, names[i]));
		assert_ok(buf_append_byte(&page, 0));
		AUTO_BUF list = extract("learned:kind=list,recall=100", (const char *)page.data);
		assert_int_equal(count(&list, "lamp"), rows == 3 ? 2 : rows);
	}
}

/* A copy stays where text would break off without it: in a list, a paragraph or a row, unless it is a link. */
TEST(copies_in_the_middle_stay)
{
#define COPY "The lamp was lit on each single day."
	static const struct {
		const char *page;
		size_t kept; /* how often it is kept */
	} cases[] = ROWS({ "<p>" COPY "<div><p>" COPY "</div>", 1 },
			 { "<p>" COPY "<ul><li>One harbour<li>" COPY "<li>Two boats</ul>", 2 },
			 { "<p>" COPY "<p>One harbour<br>" COPY, 2 },
			 { "<p>" COPY "<table><tr><td>One harbour<td>" COPY "</table>", 2 },
			 { "<p>" COPY "<ul><li>One harbour<li>" COPY "</ul>", 1 },
			 { "<p>" COPY "<ul><li>One harbour<li><a href=/>" COPY "</a><li>Two boats</ul>", 1 });
#undef COPY
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_BUF list = extract("learned:kind=list,recall=100", cases[i].page);
		assert_int_equal(count(&list, "lamp"), cases[i].kept);
	}
}

/* A text that comes again as a whole, elsewhere on the page, is kept once; a refrain and quotes stay. */
TEST(texts_that_come_again)
{
#define SONG \
	"<p>The lamp was lit on every evening of the long year, whatever the weather was, and it went out at dawn." \
	"<p>Nobody knew who had put it above the water, but those who came home from the sea were glad to see it."
#define OTHER \
	"<p>A harbour was built below it, and boats with grain and wood came in on each day but the last of a week." \
	"<p>Now it is a house for guests, who climb the stairs at night to look at ships far out on the dark sea."
	static const struct {
		const char *page;
		size_t article, forum; /* how often "lamp" is kept */
	} cases[] =
		ROWS({ "<div>" SONG "</div><div>" SONG "</div>", 1, 2 },
		     { "<div>" SONG "</div><div><div>" SONG "</div></div><div>" SONG "</div>", 1, 3 },
		     { "<div>" SONG OTHER SONG "</div>", 2, 2 }, /* a refrain */
		     { "<div>" SONG "</div><div>" OTHER OTHER OTHER OTHER "</div><div>" SONG "</div>", 2, 2 },
		     { "<div><p>The lamp is lit.<p>It burns.</div><div><p>The lamp is lit.<p>It burns.</div>", 2, 2 });
#undef SONG
#undef OTHER
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_BUF article_text = extract("learned:kind=article,recall=100", cases[i].page);
		AUTO_BUF forum_text = extract("learned:kind=forum,recall=100", cases[i].page);
		assert_int_equal(count(&article_text, "lamp"), cases[i].article);
		assert_int_equal(count(&forum_text, "lamp"), cases[i].forum);
	}
}

TEST(test_held_text_limit)
{
	AUTO_BUF page = { 0 };
	assert_ok(buf_append_text(&page, "<script type=text/template>"));
	for (size_t i = 0; i < (1 << 18) / 8; i++)
		assert_ok(buf_append_text(&page, "<p>lamp\n"));
	assert_ok(buf_append(&page, "<p>the last</script>", 21));
	AUTO_BUF text = extract("learned:recall=100", (const char *)page.data);
	assert_true(holds(&text, "lamp"));
	assert_false(holds(&text, "the last"));
}

TEST(test_split)
{
	static const char *const pages[] = {
		article, described, "<p>" TALE "<p>" TALE, "", "one", "<title>no end",
		/* parts of references, characters and elements */
		"<p>a&am<!-- -->p;b<noscript><p>c</noscript>d", "\xff\xc3(\xe2\x82",
		"<li>a<li>b<table><tr><td>c<td>d</table>e<br>f<template><p>g<svg><text>h</svg></template>i"
	};
	AUTO_EXTRACTOR x = extractor_by("learned:recall=100");
	const struct split_subject subject = extractor_subject(x);
	AUTO_BUF whole = { 0 }, page = { 0 };
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		split_check(&subject, slice_from_text(pages[i]), &whole);
	for (uint32_t i = 0; i < 40; i++) {
		random_page(&page, i, 30 + 10 * i);
		split_check(&subject, buf_slice(&page), &whole);
	}
}

/* Characters, after what each is: letter, blank, stop, mark like a comma, quote or bracket, digit, wide, $ of currency.
 */
static const char *const samples[] = { "La", "Lz", "L-", "L\x7f", "LA", "LZ", "D0", "D9", "B ", "B\n", "B\x01", "S.",
				       "S?", "S!", "M,", "M;", "L:", "Q)", "Q'", "Q\"", "L|", "L/", "$$",
				       /* references, and characters beyond ASCII */
				       "L&amp;", "L&eacute;", "Q&quot;", "B&nbsp;", "L& ", "L\xc3\xa9", "L\xd0\xb6",
				       "L\xd8\xa7", "M\xd8\x8c", "S\xd8\x9f", "M\xd8\x9b", "S\xdb\x94", "L\xd9\x8c",
				       "L\xdb\x8c", "W\xe4\xb8\xad", "W\xec\x9d\xb4", "W\xea\xb0\x80", "L\xea\x99\x80",
				       "S\xe3\x80\x82", "L\xe0\xa4\x95", "L\xe2\x80\x9c", "B\xc2\xa0", "Q\xc2\xbb",
				       "$\xe2\x82\xac", "L\xf0\x9f\x98\x80" };

static void count_sample(struct counts *c, const char *sample)
{
	const char class = sample[0], *text = sample + 1;
	c->arabic |= (uint8_t)text[0] == 0xD9 || (uint8_t)text[0] == 0xDB;
	c->exclaims += text[0] == '!';
	bool wide = class == 'W' || strcmp(text, "\xe3\x80\x82") == 0;
	if (class == 'B') {
		c->in_word = false;
		return;
	}
	c->units += wide ? 2 : 1;
	c->words += wide || !c->in_word;
	c->in_word = !wide && strcmp(text, "& ") != 0;
	c->stops += class == 'S';
	c->commas += class == 'M';
	c->digits += class == 'D';
	c->currency += class == '$';
	if (class != 'Q')
		c->stopped = class == 'S';
}

TEST(test_counts)
{
	static const uint8_t after[COUNTS_READ_ON] = "\xd0.A9,&";
	uint32_t random = 9;
	AUTO_BUF text = { 0 };
	for (int run = 0; run < 4000; run++) {
		struct counts wanted = { 0 }, counts = { 0 };
		uint32_t n = split_random(&random) % 80, one = split_random(&random) % 4;
		/* some texts of few kinds of characters, for runs of equal ones */
		uint32_t first = split_random(&random) % 40,
			 kinds = one ? 6 : sizeof(samples) / sizeof(samples[0]) - first;
		buf_clear(&text);
		for (uint32_t i = 0; i < n; i++) {
			const char *sample = samples[first + split_random(&random) % kinds];
			assert_ok(buf_append_text(&text, sample + 1));
			count_sample(&wanted, sample);
		}
		size_t len = text.len;
		assert_ok(buf_append(&text, after, sizeof(after)));
		counts_add(&counts, slice_of(text.data, len));
		assert_memory_equal(&wanted, &counts, sizeof(counts));
	}
}

TEST(test_dates)
{
	static const char *const dates[] = { "9:05",
					     /* with a day */
					     "at 12:30:00,", "1.2.2012", "on 2012-02-01.", "1/2/12", "(31/12/1999)",
					     "x1:23", "\u06f1\u06f2:\u06f3\u06f4",
					     "\u06f1\u06f4\u06f0\u06f1/\u06f0\u06f2/\u06f0\u06f3",
					     "\u0661.\u0662.\u0662\u0660\u0662\u0660", "12 12:3 12:34", "1.2 1.2.34" };
	static const char *const none[] = {
		"",      "9:5",    "9:",         ":30",      "123:45",    "12:345", "1.2",           "1.2.",
		"1.2.3", "1.2-34", "12345.1.20", "1.234.56", "1/2/34567", "\u06f1", "\u06f1:\u06f2", "\u0645:\u0646",
		"1 : 23"
	};
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++)
		assert_true(dates_found(slice_from_text(dates[i])));
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(dates_found(slice_from_text(none[i])));
}

/* Flags of random blocks: each distance and count is found by looking back. */
TEST(test_flags)
{
	enum { N = 600 };
	unsigned has[N];
	uint32_t random = 5;
	struct flag_tracker tracker;
	flag_tracker_reset(&tracker);
	for (uint32_t i = 0; i < N; i++) {
		has[i] = split_random(&random) & split_random(&random) & ((1U << FLAGS) - 1);
		if (i > 300) /* some are rare */
			has[i] &= ~(1U << FLAG_DATE);
		flag_tracker_add(&tracker, has[i]);
		for (unsigned k = 0; k < FLAGS; k++) {
			uint32_t count = 0, back = 0;
			for (uint32_t j = 0; j <= i; j++)
				count += has[j] >> k & 1;
			while (back <= i && !(has[i - back] >> k & 1))
				back++;
			if (k >= FLAG_DATE)
				assert_int_equal(flag_tracker_count(&tracker, k), count);
			if (k < FLAGS_LOCATED)
				assert_int_equal(flag_tracker_distance(&tracker, k),
						 back > i || back > FLAG_FAR ? FLAG_FAR : back);
		}
	}
}

static void check_attrs(struct html_attr_reader *reader, struct html_attr_reader slow)
{
	struct html_attr wanted, attr;
	while (html_attr_any(&slow, &wanted)) {
		assert_true(html_attr_next(reader, &attr));
		assert_true(slice_equal(attr.name, wanted.name) && slice_equal(attr.value, wanted.value));
		assert_true(attr.number == wanted.number && (attr.name.len <= 8 || attr.number == 0));
	}
	assert_false(html_attr_next(reader, &attr));
}

/* A tag in a window, with more after it. */
static void check_attrs_of_unit(const struct buf *tag)
{
	uint8_t window[512];
	struct byte_mask masks[sizeof(window) / 64 + 1] = { { 0 } };
	assert_true(tag->len < sizeof(window) / 2);
	for (size_t i = 0; i < sizeof(window); i++)
		window[i] = (uint8_t)("<a b=\"c\" d='e'>"[i % 16]);
	memcpy(window + 3, tag->data, tag->len);
	byte_masks_path()(window, sizeof(window), masks);
	const struct html_unit unit = { .window = window,
					.masks = masks,
					.len = sizeof(window),
					.code = 3,
					.end = 3 + tag->len,
					.name_len = 1 };
	struct html_attr_reader reader = html_attr_of_unit(&unit);
	check_attrs(&reader,
		    (struct html_attr_reader){ .at = tag->data + 2, .end = tag->data + tag->len, .limit = window });
}

/* Attributes of tags that are written in all ways, and nothing outside of the tag is read. */
TEST(test_attrs)
{
	static const char *const parts[] = { " ", " ", "=",
					     /* marks and attributes */

					     "\"", "'", "/", "\n", "class", "CLASS=\"a b\"", "id=x", " title='it''s'",
					     "href=\"/a/b?c=d\"",
					     " data-testid=\"a long one, of more than sixteen bytes\"", "\x0b", "\0",
					     "hidden", "aria-hidden=\"true\"", ">", "itemprop" };
	uint32_t random = 3;
	for (int run = 0; run < 20000; run++) {
		AUTO_BUF tag = { 0 };
		assert_ok(buf_append_text(&tag, "<p "));
		for (uint32_t n = split_random(&random) % 8; n > 0; n--) {
			const char *part = parts[split_random(&random) % (sizeof(parts) / sizeof(parts[0]))];
			assert_ok(buf_append(&tag, part, *part ? strlen(part) : 1));
		}
		if (split_random(&random) % 8)
			assert_ok(buf_append_byte(&tag, '>'));
		check_attrs_of_unit(&tag);
		uint8_t *exact = malloc(tag.len);
		assert_non_null(exact);
		memcpy(exact, tag.data, tag.len);
		const struct html_tag_event event = { .name = slice_of(exact + 1, 1),
						      .source = slice_of(exact, tag.len) };
		struct html_attr_reader reader = html_attr_begin(&event);
		check_attrs(&reader, html_attr_begin(&event));
		free(exact);
	}
}

/*
 * What a browser does not show, and what is not of the article by its class or label: left out, whatever is beside it,
 * and however the page is cut.
 */
TEST(unseen_and_other_matter_is_left_out)
{
	static const struct {
		const char *part;
		bool kept;
	} rows[] = ROWS(
		/* blocks */
		{ "<div hidden><p>A lone keeper SECRET walks the pier.</p></div>", false },
		{ "<p style='display: NONE'>A lone keeper SECRET walks the pier.</p>", false },
		{ "<p style='visibility:hidden !important'>A lone keeper SECRET walks the pier.</p>", false },
		{ "<p style='font-size:0;opacity:0'>A lone keeper SECRET walks the pier.</p>", false },
		{ "<p style='opacity:0'>A lone keeper SECRET walks the pier.</p>", true },
		{ "<p style='display:none;display:block'>A lone keeper SECRET walks the pier.</p>", true },
		{ "<p style='--display:none'>A lone keeper SECRET walks the pier.</p>", true },
		{ "<p hidden=until-found>A lone keeper SECRET walks the pier.</p>", true },
		{ "<div class=accordion-item><div hidden><p>A lone keeper SECRET walks the pier.</p></div></div>",
		  true },
		{ "<div hidden id='S:0'><p>A lone keeper SECRET walks the pier.</p></div>", true },
		{ "<pre hidden>The keeper SECRET walks.</pre>", false },
		{ "<p style='position:absolute;left:-9999px'>A lone keeper SECRET walks the pier.</p>", false },
		{ "<p style='top:-9999px;position:absolute'>A lone keeper SECRET walks the pier.</p>", false },
		{ "<p style='position:absolute;margin:-1px;clip:rect(0,0,0,0)'>A lone keeper SECRET walks.</p>",
		  false },
		{ "<p style='position:absolute;margin:-1px;clip:rect(0,90px,40px,0)'>A lone keeper SECRET walks.</p>",
		  true },
		{ "<p style='left:-9999px'>A lone keeper SECRET walks the pier.</p>", true },
		{ "<p style='position:absolute;left:-99px'>A lone keeper SECRET walks the pier.</p>", true },
		{ "<p class=elementor-screen-only>A lone keeper SECRET walks the pier.</p>", false },
		{ "<x-tabs class=tabs><x-a hidden><p>A lone keeper SECRET walks the pier.</p></x-a></x-tabs>", true },
		{ "<x-a hidden><x-a><p>A lone keeper SECRET walks the pier.</p></x-a></x-a>", false },
		{ "<x-a hidden><p>A lone keeper.</p></x-a><p>A lone keeper SECRET walks the pier.</p>", true },
		{ "<div class='box hidden'><p>A lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class='hidden md:inline-flex'><p>A lone keeper SECRET walks the pier.</p></div>", true },
		{ "<div class='hidden hover:underline'><p>A lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class=d-none><p>A lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class='d-none d-md-flex'><p>A lone keeper SECRET walks the pier.</p></div>", true },
		{ "<div class=display-none><p>A lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class='unhidden'><p>A lone keeper SECRET walks the pier.</p></div>", true },
		{ "<dialog><p>A lone keeper SECRET walks the pier.</p></dialog>", false },
		{ "<dialog id=d OPEN><p>A lone keeper SECRET walks the pier.</p></dialog>", true },
		{ "<button>Walks</button><dialog><p>A lone keeper SECRET walks the pier.</p></dialog>", false },
		{ "<button>Who walks there?</button><div hidden><p>A lone keeper SECRET walks the pier.</p></div>",
		  true },
		{ "<h3><button>Who?</button></h3><div><p hidden>A lone keeper SECRET walks the pier.</p></div>", true },
		{ "<button>Who?</button><p>One.</p><div hidden><p>A lone keeper SECRET walks the pier.</p></div>",
		  false },
		{ "<button><img></button><div hidden><p>A lone keeper SECRET walks the pier.</p></div>", false },
		/* words in a line */
		{ "<p>The keeper <span class=hidden>SECRET</span> walks the pier at noon.</p>", false },
		{ "<p>The keeper <span class='x d-none'>SECRET</span> walks the pier at noon.</p>", false },
		{ "<p>The keeper <span class='d-none d-md-inline'>SECRET</span> walks the pier at noon.</p>", true },
		{ "<p>The keeper <span class='js-toggleable hidden'>SECRET</span> walks the pier at noon.</p>", true },
		{ "<p>The keeper <span class='md:hidden d-lg-none'>SECRET</span> walks the pier at noon.</p>", true },
		{ "<p>The keeper <span class='hidden d-print-inline'>SECRET</span> walks the pier at noon.</p>",
		  false },
		{ "<p>The keeper <b hidden>SECRET</b> walks the pier at noon.</p>", false },
		{ "<p>The keeper <span class='x sr-only'>SECRET</span> walks the pier at noon.</p>", false },
		{ "<p>The keeper <span class=govuk-visually-hidden><i>SECRET</i></span> walks the pier.</p>", false },
		{ "<p>The keeper <span hidden>a <span>b</span> SECRET</span> walks the pier at noon.</p>", false },
		{ "<p>The keeper <span hidden>H<sup>SECRET</sup></span> walks the pier at noon.</p>", false },
		{ "<p>The keeper <span hidden>SECRET", false },
		{ "<p>The keeper <span class='not-sr-only'>SECRET</span> walks the pier at noon.</p>", true },
		{ "<p>The keeper <a class=share href=/s>SECRET</a> walks the pier at noon.</p>", true },
		/* matter that is not of the article */
		{ "<div class=ad-slot><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div id='story-ad-2-wrapper'><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class='ShareBar'><a href=/f>Post SECRET</a> <a href=/x>Send</a></div>", false },
		{ "<p class=also-read>Read: <a href=/x>The lone keeper SECRET walks the pier</a></p>", false },
		{ "<section aria-label='Newsletter for all'><p>The tides SECRET by letter.</p></section>", true },
		{ "<section aria-label='Newsletter sign-up'><p>The tides SECRET by letter.</p></section>", false },
		{ "<div id=div-gpt-ad-123><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class=most-read><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class=top-comment><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class=backlinks><p>On this SECRET pier</p><a href=/x>The lighthouse</a></div>", false },
		{ "<div class=mehr-zum-thema><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class=heateor_sss_sharing_container><a href=/x>SECRET</a></div>", false },
		{ "<section aria-label='Newsletter form'><p>The tides SECRET by letter.</p></section>", false },
		/* cells of links beside a cell of prose */
		{ "<table><tr><td colspan=2><h2>Piers</h2><tr><td><a href=/a>SECRET</a><br><a href=/b>Walks"
		  "</a><br><a href=/c>Piers</a><td>The lone keeper walks the pier at noon, and those who li"
		  "ve there follow him with the lamp, which is lit at dusk and goes out at dawn, as it has "
		  "for a hundred years. The lone keeper walks the pier at noon, and those who live there fo"
		  "llow him with the lamp, which is lit at dusk and goes out at dawn, as it has for a hundr"
		  "ed years. The lone keeper walks the pier at noon, and those who live there follow him wi"
		  "th the lamp, which is lit at dusk and goes out at dawn, as it has for a hundred years. <"
		  "/table>",
		  false },
		{ "<table><tr><td colspan=2><h2>Piers</h2><tr><td>The lone keeper walks the pier at noon, a"
		  "nd those who live there follow him with the lamp, which is lit at dusk and goes out at d"
		  "awn, as it has for a hundred years. The lone keeper walks the pier at noon, and those wh"
		  "o live there follow him with the lamp, which is lit at dusk and goes out at dawn, as it "
		  "has for a hundred years. The lone keeper walks the pier at noon, and those who live ther"
		  "e follow him with the lamp, which is lit at dusk and goes out at dawn, as it has for a h"
		  "undred years. <td><table><tr><td><a href=/a>SECRET</a><br><a href=/b>Walks</a><br><a hre"
		  "f=/c>Piers</a></table></table>",
		  false },
		{ "<table><tr><td colspan=2><h2>Piers</h2><tr><td><a href=/a>SECRET</a><br><a href=/b>Walks"
		  "</a><br><a href=/c>Piers</a><tr><td>The lone keeper walks the pier at noon, and those wh"
		  "o live there follow him with the lamp, which is lit at dusk and goes out at dawn, as it "
		  "has for a hundred years. The lone keeper walks the pier at noon, and those who live ther"
		  "e follow him with the lamp, which is lit at dusk and goes out at dawn, as it has for a h"
		  "undred years. The lone keeper walks the pier at noon, and those who live there follow hi"
		  "m with the lamp, which is lit at dusk and goes out at dawn, as it has for a hundred year"
		  "s. </table>",
		  true },
		{ "<table><tr><td colspan=2><h2>Piers</h2><tr><td><a href=/a>SECRET</a><br><a href=/b>Walks"
		  "</a><br><a href=/c>Piers</a><td>The lone keeper walks the pier.</table>",
		  true },
		/* lines to other articles, and tables of contents */
		{ "<p><b>Read also:</b> <a href=/x>The lone keeper SECRET walks the pier</a></p>", false },
		{ "<p>延伸阅读：<a href=/x>The lone keeper SECRET walks the pier</a></p>", false },
		{ "<p>Read also: <a href=/x>SECRET</a></p>", true },
		{ "<p><a href=/x><b>Read also:</b> The lone keeper SECRET walks the pier</a></p>", false },
		{ "<p><a href=/x>The lone keeper SECRET walks the pier</a></p>", true },
		{ "<h2>Piers</h2><p><a href=/x>Read also: The lone keeper SECRET walks the pier</a></p>", true },
		{ "<p>【関連記事】<a href=/x>The lone keeper SECRET walks the pier</a></p>", false },
		{ "<div class=app-promo><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class=promo><p>The lone keeper SECRET walks the pier.</p></div>", true },
		{ "<div class=post-tags>Tags: <a href=/x>SECRET</a> <a href=/y>Piers</a></div>", false },
		{ "<div class=post-actions><button>SECRET</button><span>12</span></div>", false },
		{ "<p>Source: <a href=//other.example/x>The lone keeper SECRET walks the pier</a></p>", true },
		{ "<p>Read also: <a href=/x>The lone keeper SECRET walks</a> the pier</p>", true },
		{ "<p>A: <a href=/x>The lone keeper SECRET walks the pier</a><p>B: <a href=/y>The lone keeper walks "
		  "the "
		  "pier</a><p>C: <a href=/z>The lone keeper walks the pier</a></p>",
		  true },
		{ "<ul class=toc><li>Oil<li>1. Wicks<li>SECRET glass</ul><p>The lamp burns oil.</p><h2>Oil</h2><p>The "
		  "oil of the "
		  "lamp is old.</p><h2>Wicks</h2><p>The wicks of it are new.</p><h2>Secret glass</h2><p>The glass is "
		  "clear.</p>",
		  false },
		{ "<nav class=toc><p>Page</p><ul><li>Oil<li>1. Wicks<li>SECRET "
		  "glass</ul></nav><h2>Oil \u00B6</h2><p>The "
		  "oil of the lamp is old.</p><h2>Wicks\u200B</h2><p>The wicks of it are new.</p><h2>Secret "
		  "glass\u00B6</h2><p>The glass is clear.</p>",
		  false },
		{ "<ul><li>Oil<li>1. Wicks<li>SECRET glass</ul><p>The lamp burns oil.</p><h2>Oil</h2><p>The oil of the "
		  "lamp is old.</p><h2>Wicks</h2><p>The wicks of it are new.</p><h2>Secret glass</h2><p>The glass is "
		  "clear.</p>",
		  true },
		{ "<figure><figcaption>A lone keeper walks.<button>SECRET <i>x</i></button></figcaption></figure>",
		  false },
		{ "<figure><figcaption><button>SECRET</button> A lone keeper walks the pier.</figcaption></figure>",
		  true },
		{ "<figure><figcaption>A lone keeper walks.</figcaption></figure><p>The <button>SECRET</button> "
		  "lamp.</p>",
		  true },
		{ "<form><p>The SECRET tides by letter.</p><input name=m type=Email></form>", false },
		{ "<form><input type=password><p>The SECRET tides by letter.</p></form>", false },
		{ "<form><p>The SECRET tides by letter.</p><input type=text></form>", true },
		{ "<form><p>The SECRET tides by letter.</p></form><form><input type=email></form>", true },
		{ "<form><label>SECRET name</label><input><p>The lone keeper walks.</p></form>", false },
		{ "<form><fieldset><legend>SECRET name</legend><input></fieldset></form>", false },
		{ "<form><label><a href=/x>SECRET name</a></label><p>The lone keeper walks.</p></form>", true },
		{ "<label>The lone keeper SECRET walks.</label>", true },
		{ "<form></form><input type=email><p>The SECRET tides by letter.</p></form>", true },
		{ "<form><input type=email><p>The SECRET tides of the long shore come by letter each week, written by "
		  "those "
		  "who walk the pier at noon and by the keeper of the lamp, who has seen them all from the tower for "
		  "so many "
		  "years now.</p></form>",
		  true },
		{ "<p>More SECRET lamps:</p><div class=most-read><a href=/x>The lone keeper walks the pier</a></div>",
		  false },
		{ "<p>More SECRET lamps:</p><div class=most-read><p>The lone keeper walks the pier</p></div>", true },
		{ "<div class=reply><a href=/r>SECRET</a></div>", false },
		{ "<div class=reply><p>The lone keeper SECRET walks the pier at noon, they say.</p></div>", true },
		{ "<div class=share><p>The lone keeper SECRET walks the pier at noon, and those who live there "
		  "follow him with the lamp, which is lit at dusk and goes out at dawn, as it has for a hundred years, "
		  "whatever the weather of the day may be.</p></div>",
		  true },
		{ "<div class=paywall><p>The lone keeper SECRET walks the pier at noon.</p></div>", true },
		{ "<div class=paywall-banner><p>The lone keeper SECRET walks the pier.</p></div>", false },
		{ "<div class=ad-free><p>The lone keeper SECRET walks the pier at noon.</p></div>", true },
		{ "<div class='ab ad ae'><p>The lone keeper SECRET walks the pier at noon.</p></div>", true },
		{ "<p id=08ad>The lone keeper SECRET walks the pier at noon.</p>", true },
		{ "<p><a href=https://www.facebook.com/sharer.php?u=x>SECRET</a> <a "
		  "href=//x.com/intent/post?u=x>Post</a>",
		  false },
		{ "<p><a href='mailto:?subject=Lamps'>SECRET by mail</a></p>", false },
		{ "<p>Share it: <a href=https://reddit.com/submit?u=x>the keeper walks SECRET piers</a></p>", true },
		{ "<ul><li><a href=https://facebook.com/lighthouse>SECRET</a><li>The lone keeper walks.</ul>", true },
		{ "<p>The lone keeper walks.</p><p><a href='mailto:a@b.example?subject=Lamps'>A SECRET for him</a></p>",
		  true },
		{ "<div class=newsletter-article><p>The lone keeper SECRET walks the pier.</p></div>", true });
	static const size_t pieces[] = { 1, 2, 3, 7, 64 };
	static const char rest[] =
		"<p>After four years of repairs, the old lighthouse on the northern shore opens its doors to visitors "
		"on Sunday, the harbour office said. The lamp, which had been dark since the great storm, will be lit "
		"at dusk.</p>";
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF page = { 0 };
		buf_append_text(&page, "<title>The lighthouse</title><article><h1>The lighthouse</h1>");
		buf_append_text(&page, rest);
		buf_append_text(&page, rest);
		buf_append_text(&page, rows[i].part);
		for (int k = 0; k < 3; k++)
			buf_printf(&page, "<p>Part %d. %s", k, rest + 3);
		assert_ok(buf_append_byte(&page, 0));
		AUTO_BUF text = extract("learned:recall=70", (const char *)page.data);
		if ((strstr((const char *)text.data, "SECRET") != NULL) != rows[i].kept)
			fail_msg("row %zu: %s", i, rows[i].part);
		assert_non_null(strstr((const char *)text.data, "Part 2."));
		for (size_t k = 0; k < sizeof(pieces) / sizeof(*pieces); k++) {
			AUTO_EXTRACTOR x = extractor_by("learned:recall=70");
			for (struct slice left = slice_from_text((const char *)page.data); left.len;
			     left = slice_skip(left, pieces[k]))
				extractor_piece(x, slice_first(left, pieces[k]));
			const struct dana_text cut = extractor_finish(x);
			assert_true(slice_equal(slice_of(cut.data, cut.len), slice_of(text.data, text.len - 1)));
		}
	}
}

/* The table has each word that is for programs that read aloud, and its parts are read as says_word does. */
TEST(words_say_what_an_element_is)
{
	static const struct {
		const char *word;
		unsigned says;
	} words[] = { { "share-bar", SAYS_TOOLS },
		      { "c-article__share-bar", SAYS_TOOLS },
		      { "postShareBar", SAYS_TOOLS },
		      { "ad-free", 0 },
		      { "has-ads", 0 },
		      { "08ad", 0 },
		      { "ads_box", SAYS_APART },
		      { "paywall", 0 },
		      { "paywall-banner", SAYS_APART },
		      { "related-article", SAYS_APART },
		      { "print-link", SAYS_LINKS },
		      { "x-tab", SAYS_OPENS },
		      { "a-b-c-d-e-f-g-h-ad", 0 },
		      { "\xC3\xA9-ad", 0 },
		      { "", 0 } };
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		assert_int_equal(says_word(slice_from_text(words[i].word)), words[i].says);
	for (size_t i = 0; i < CLASS_WORDS; i++) {
		const bool reader = class_word_table[i].meanings & CLASS_READER;
		const unsigned says = says_word(slice_from_text(class_word_table[i].word));
		assert_int_equal((says & SAYS_READER) != 0, reader);
	}
}

/* A page that a script will show is kept. */
TEST(hidden_pages_stay)
{
	AUTO_BUF page = { 0 };
	buf_printf(&page, "<body style='visibility:hidden'>%s", article);
	assert_ok(buf_append_byte(&page, 0));
	AUTO_BUF hidden = extract("learned", (const char *)page.data), shown = extract("learned", article);
	assert_true(holds(&hidden, "the old lighthouse on the northern shore"));
	assert_true(holds(&shown, "the old lighthouse on the northern shore"));
}

/* Half of a page is hidden: four elements on one path are shown by a script, two on each of two paths are not. */
TEST(one_of_many_is_shown_by_a_script)
{
	for (int several = 0; several < 2; several++) {
		static const char shown[] =
			"The lamp of the old lighthouse, which had been dark since the great storm, "
			"will be lit at dusk, the harbour office of the town said on Sunday.";
		AUTO_BUF page = { 0 };
		buf_append_text(&page, "<title>The lighthouse</title><article><h1>The lighthouse</h1>");
		for (int k = 0; k < 4; k++)
			buf_printf(&page, "<p>Part %d. %s</p><%s hidden><p>Slide %d. %s</p></div>", k, shown,
				   several || k < 2 ? "div" : "div class=b", k, shown);
		assert_ok(buf_append_byte(&page, 0));
		AUTO_BUF text = extract("learned:recall=70", (const char *)page.data);
		for (int k = 0; k < 4; k++) {
			char part[16], slide[16];
			(void)snprintf(part, sizeof(part), "Part %d.", k);
			(void)snprintf(slide, sizeof(slide), "Slide %d.", k);
			assert_true(holds(&text, part));
			assert_true(holds(&text, slide) == several);
		}
	}
}

/* A value that was read before has the same tokens, however long it is, and whichever byte differs from others. */
TEST(test_remembered_values)
{
	enum { MOST = 300, STYLE = 40, PATH = 41 };
	static const char *const styles[] = { "display:none", "display:block", "white-space:pre",
					      "left:-9999px; position:fixed", "color:red" };
	static int8_t weights[TOKEN_COUNT];
	static struct token_cache cache;
	uint32_t random = 11;
	for (size_t i = 0; i < TOKEN_COUNT; i++)
		weights[i] = (int8_t)(split_random(&random) % 100);
	const struct token_sink sinks[] = { { .weights = weights, .cache = &cache }, { .weights = weights } };
	for (int run = 0; run < 20000; run++) {
		char tag[MOST + STYLE + PATH + 48] = "<p class=\"";
		size_t len = 10, value = split_random(&random) % MOST;
		for (size_t i = 0; i < value; i++)
			tag[len++] = "abcdefg -"[i * i % 9];
		if (value)
			tag[10 + split_random(&random) % value] = (char)('p' + split_random(&random) % 3);
		len += (size_t)snprintf(tag + len, sizeof(tag) - len, "\" style=\"%s\" href=\"%.*s%c\">",
					styles[split_random(&random) % 5], (int)(split_random(&random) % PATH),
					"/archive/tag-of-lamps?share=1#comments-4",
					(char)('a' + split_random(&random) % 3));
		const struct html_tag_event event = { .name = slice_of(tag + 1, 1), .source = slice_of(tag, len) };
		struct attribute_facts facts[2];
		for (size_t i = 0; i < 2; i++) {
			struct html_attr_reader reader = html_attr_begin(&event);
			tokens_of_tag(&sinks[i], &reader, run % 2, &facts[i]);
		}
		assert_int_equal(facts[0].score, facts[1].score);
		assert_int_equal(facts[0].class_hash, facts[1].class_hash);
		assert_int_equal(facts[0].white, facts[1].white);
		assert_int_equal(facts[0].unseen, facts[1].unseen);
		assert_int_equal(facts[0].line, facts[1].line);
	}
}

static uint32_t host_of(const char *address)
{
	char tag[128];
	const int len = snprintf(tag, sizeof(tag), "<a href=\"%s\">", address);
	uint8_t *exact = malloc((size_t)len); /* nothing after it can be read */
	assert_non_null(exact);
	memcpy(exact, tag, (size_t)len);
	const struct html_tag_event event = { .name = slice_of(exact + 1, 1), .source = slice_of(exact, (size_t)len) };
	static const int8_t weights[TOKEN_COUNT];
	const struct token_sink sink = { .weights = weights };
	struct html_attr_reader reader = html_attr_begin(&event);
	struct attribute_facts facts;
	tokens_of_tag(&sink, &reader, true, &facts);
	free(exact);
	return facts.host;
}

/* What is before and after a host, and how long it is, changes nothing. */
TEST(links_have_hosts)
{
	static const char *const hosts[] = { "a.example", "b.example", "a-name-of-24-bytes.example",
					     "a.name.of.more.than.thirty-two.bytes.example" };
	static const char *const after[] = { "/a/b/c/d/e/f/g", "/", "", ":80/", "?x=/", "#x" };
	static const char *const before[] = { "http://", "https://www.", "//" };
	uint32_t hash[4];
	for (size_t i = 0; i < 4; i++) {
		char address[96];
		for (size_t k = 0; k < 18; k++) {
			(void)snprintf(address, sizeof(address), "%s%s%s", before[k % 3], hosts[i], after[k / 3]);
			hash[i] = k ? hash[i] : host_of(address);
			assert_int_equal(host_of(address), hash[i]);
		}
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(hash[k], hash[i]);
		assert_int_not_equal(hash[i], 0);
		assert_int_equal(host_of(hosts[i]), 0);
	}
	assert_int_equal(host_of("/a"), 0);
}

static int by_chance(const void *a, const void *b)
{
	const uint16_t *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

/* All prefixes of the sorted blocks are tried: none is better than the decision. */
TEST(test_decode)
{
	uint32_t random = 5;
	for (int run = 0; run < 300; run++) {
		uint16_t pair[60][2], chance[60];
		uint32_t weight[60], n = 1 + split_random(&random) % 60;
		double mass = 0;
		for (uint32_t i = 0; i < n; i++) {
			pair[i][0] = (uint16_t)(1 + split_random(&random) % 65535);
			pair[i][1] = (uint16_t)(1 + split_random(&random) % 300);
			mass += (double)pair[i][0] * pair[i][1] / 65536;
		}
		qsort(pair, n, sizeof(pair[0]), by_chance);
		double hit = 0, kept = 0, best = 0;
		for (uint32_t i = 0; i < n; i++) {
			chance[i] = pair[i][0];
			weight[i] = pair[i][1];
			hit += (double)chance[i] * weight[i] / 65536;
			kept += weight[i];
			best = 2 * hit / (kept + mass) > best ? 2 * hit / (kept + mass) : best;
		}
		struct decision d = decode_best(chance, weight, n, 256);
		hit = kept = 0;
		for (uint32_t i = 0; i < n; i++) {
			if (chance[i] >= d.threshold) {
				hit += (double)chance[i] * weight[i] / 65536;
				kept += weight[i];
			}
		}
		assert_true(2 * hit / (kept + mass) > best - 0.01 && kept > 0);
		assert_true((double)d.hit / 65536 == hit && (double)d.kept == kept);
	}
}

/* The stack of open elements as a plain list, searched from its end. */
struct plain_stack {
	uint8_t tag[64];
	int len;
};

static void plain_close(struct plain_stack *s, enum html_tag tag)
{
	bool loose = tag == HTML_TAG_SPAN || tag == HTML_TAG_OTHER;
	for (int k = s->len - 1; k >= 0; k--) {
		if (s->tag[k] == tag) {
			s->len = k;
			return;
		}
		if (s->tag[k] == HTML_TAG_TABLE && tag != HTML_TAG_DIV)
			return;
		if ((loose || tag == HTML_TAG_P) && s->tag[k] != HTML_TAG_SPAN && s->tag[k] != HTML_TAG_OTHER)
			return;
	}
}

TEST(test_open_elements)
{
	static const uint8_t tags[] = { HTML_TAG_P,     HTML_TAG_DIV, HTML_TAG_SPAN,
					HTML_TAG_TABLE, HTML_TAG_TD,  HTML_TAG_OTHER };
	struct open_elements o;
	struct plain_stack s = { .len = 0 };
	uint32_t random = 9;
	assert_ok(open_elements_init(&o, 64));
	for (uint32_t i = 0; i < 20000; i++) {
		uint8_t tag = tags[split_random(&random) % sizeof(tags)];
		if (split_random(&random) % 2) {
			bool pushed = open_elements_push(&o, tag, i);
			assert_int_equal(pushed, s.len < 64);
			if (pushed)
				s.tag[s.len++] = tag;
		} else {
			open_elements_close(&o, tag);
			plain_close(&s, tag);
		}
		assert_int_equal(o.len, s.len);
		for (unsigned k = 0; k < o.len; k++)
			assert_int_equal(o.entry[k].tag, s.tag[k]);
	}
	open_elements_free(&o);
}

TEST(test_model)
{
	struct model m;
	uint8_t *copy = malloc(model_data_len);
	assert_non_null(copy);
	memcpy(copy, model_data, model_data_len);
	assert_true(model_data_len <= MODEL_MOST);
	assert_int_equal(model_load(&m, slice_of(copy, model_data_len)), 0);
	assert_true(m.stage[0].n > 0 && m.stage[1].n > 0);
	model_free(&m);
	for (size_t i = 0; i < model_data_len; i += 997) {
		copy[i] ^= 1;
		assert_true(model_load(&m, slice_of(copy, model_data_len)) < 0);
		assert_true(model_load(&m, slice_of(copy, i)) < 0);
		copy[i] ^= 1;
	}
	free(copy);
}

/* Sums by walking up from each block, and up from each element. */
static void check_sums(const struct blocks *b, const struct aggregates *a)
{
	for (uint32_t e = 0; e < b->n_elements; e++) {
		uint32_t units = 0, blocks = 0, linked = 0;
		for (uint32_t i = 0; i < b->n_blocks; i++) {
			uint32_t up = b->block[i].element;
			while (up != e && up != 0)
				up = b->element[up].parent;
			if (up == e) {
				units += b->block[i].counts.units;
				linked += b->block[i].linked;
				blocks++;
			}
		}
		assert_int_equal(a->sum[e].units, units);
		assert_int_equal(a->sum[e].linked, linked);
		assert_int_equal(a->sum[e].blocks, blocks);
		uint32_t wider = e;
		while (wider && a->sum[wider].blocks == blocks)
			wider = b->element[wider].parent;
		if (a->sum[wider].blocks != blocks)
			assert_int_equal(a->sum[e].wider, wider);
		uint32_t best = e;
		while (best && best != a->best)
			best = b->element[best].parent;
		assert_int_equal(a->sum[e].in_best, best == a->best);
	}
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		uint32_t copies = 0;
		for (uint32_t k = b->n_blocks; k-- > 0;) {
			if (slice_equal(block_text(b, &b->block[k]), block_text(b, &b->block[i]))) {
				copies++;
				assert_int_equal(a->text[k], a->text[i]);
			}
		}
		assert_int_equal(a->copies[a->text[i]], copies);
	}
}

TEST(test_aggregates)
{
	struct blocks b = page_blocks(slice_of(NULL, 0), 1, 1 << 20);
	struct aggregates a = { 0 };
	AUTO_BUF page = { 0 };
	for (uint32_t i = 0; i < 60; i++) {
		random_page(&page, 100 + i, 20 + 8 * i);
		blocks_reset(&b);
		feed_page(&b, buf_slice(&page), SIZE_MAX);
		assert_int_equal(aggregates_compute(&a, &b), 0);
		check_sums(&b, &a);
	}
	aggregates_free(&a);
	blocks_free(&b);
}

/* Features of one block of a page, by the weights and the tree below. */
struct feature_log {
	uint32_t hash;
	uint32_t blocks;
	uint8_t first[FEATURE_COUNT][TILE]; /* of the first tile of the first stage */
};

static void log_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE])
{
	struct feature_log *log = arg;
	size_t columns = stage == 1 ? (size_t)FEATURE_COUNT : (size_t)STAGE2_COUNT;
	for (size_t k = 0; k < columns; k++)
		log->hash = hash_fnv32(slice_of(tile[k], n), log->hash);
	if (stage == 1 && first == 0)
		memcpy(log->first, tile, sizeof(log->first));
	log->blocks += stage == 1 ? n : 0;
}

/* Classifies a page, which gives features of both stages to `log` if it is not NULL. Weights and the tree are made up.
 */
static uint32_t classify(struct classifier *classifier, struct feature_log *log, struct slice page)
{
	static int8_t weights[TOKEN_COUNT];
	for (uint32_t i = 0; i < TOKEN_COUNT; i++)
		weights[i] = (int8_t)((i * 2654435761U >> 16) % 101 - 50);
	const struct tree_level level = { FEATURE_UNITS, 50 }, second = { STAGE2_NEXT_CHANCE, 128 };
	const int16_t leaves[2] = { -3000, 4000 };
	struct model model = { .weights = weights,
			       .bias = -20,
			       .stage = { { &level, leaves, 1, 1, NULL, NULL },
					  { &second, leaves, 1, 1, NULL, NULL } } };
	assert_int_equal(trees_prepare(&model.stage[0]), 0);
	assert_int_equal(trees_prepare(&model.stage[1]), 0);
	struct blocks b = { 0 };
	*classifier = (struct classifier){ .model = &model,
					   .balance = 256,
					   .forced = KIND_UNKNOWN,
					   .sink = { log ? log_tile : NULL, log } };
	assert_ok(blocks_init(&b, 1 << 20, 0));
	blocks_set_token_sink(&b, &(struct token_sink){ .weights = weights });
	feed_page(&b, page, SIZE_MAX);
	if (b.n_blocks)
		assert_ok(classifier_run(classifier, &b));
	const uint32_t n = b.n_blocks;
	blocks_free(&b);
	trees_free(&model.stage[0]);
	trees_free(&model.stage[1]);
	return n;
}

static void log_features(struct feature_log *log, struct slice page)
{
	struct classifier classifier;
	(void)classify(&classifier, log, page);
	classifier_free(&classifier);
}

/* Neighbours that are judged once, and those that are not. */
TEST(test_judged)
{
#define TEN "one two three four five six seven eight nine ten"
	static const struct {
		const char *page;
		uint32_t blocks, columns;
	} cases[] = ROWS({ "<ul><li>Lamps<li>Bulbs<li>Shades</ul>", 3, 1 },
			 { "<p>Lamps<p>" TEN " three more words<p>Bulbs", 3, 3 },
			 { "<p>Lamps<p>" TEN " twelve words<p>Bulbs", 3, 1 },
			 { "<p>" TEN "<p>" TEN "<p>" TEN "<p>" TEN, 4, 1 },
			 { "<p>" TEN "<p>" TEN "<p>" TEN "<p>" TEN "<p>one<p>two", 6, 2 },
			 { "<p>Lamps<p><a href=/b>Bulbs</a><p>a <a href=/s>Shades</a>", 3, 2 },
			 { "<p>Lamps<div>Bulbs</div>", 2, 2 }, { "<p class=a>Lamps<p class=b>Bulbs", 2, 2 },
			 { "<p>Lamps<p hidden>Bulbs<p>Shades", 3, 3 },
			 { "<div><p>Lamps</div><div><p>Bulbs</div>", 2, 1 }, { "<p>Lamps<div><p>Bulbs</div>", 2, 2 });
#undef TEN
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct classifier c;
		assert_int_equal(classify(&c, NULL, slice_from_text(cases[i].page)), cases[i].blocks);
		assert_int_equal(c.judged.n, cases[i].columns);
		classifier_free(&c);
	}
}

/* Training sees each block as it is judged. */
TEST(test_judged_features)
{
	AUTO_BUF page = { 0 };
	size_t saved = 0;
	for (uint32_t i = 0; i < 60; i++) {
		struct feature_log log = { .hash = HASH_FNV32_START };
		struct classifier fast, all;
		random_page(&page, 500 + i, 40 + 8 * i);
		const uint32_t n = classify(&fast, NULL, buf_slice(&page));
		assert_int_equal(classify(&all, &log, buf_slice(&page)), n);
		assert_int_equal(log.blocks, n);
		saved += all.judged.n - fast.judged.n;
		for (int k = 0; k < 3 && n; k++)
			assert_memory_equal(fast.margin[k], all.margin[k], n * sizeof(*all.margin[k]));
		if (n)
			assert_memory_equal(fast.chance, all.chance, n * sizeof(*all.chance));
		classifier_free(&fast);
		classifier_free(&all);
	}
	assert_true(saved > 100);
}

/*
 * A model fits the very features it was trained on. When the sum below changes, a feature means something else than
 * before: raise FEATURES_VERSION, train the model anew, and only then write the new sum here.
 */
TEST(test_features_version)
{
	struct feature_log log = { .hash = HASH_FNV32_START };
	AUTO_BUF page = { 0 };
	log_features(&log, slice_from_text(article));
	log_features(&log, slice_from_text(described));
	for (uint32_t i = 0; i < 40; i++) {
		random_page(&page, 900 + i, 40 + 8 * i);
		log_features(&log, buf_slice(&page));
	}
	assert_int_equal(FEATURES_VERSION, 6);
	assert_int_equal(log.hash, 0x5fae2ed9);
	log_features(&log, slice_from_text(declaring));
	assert_int_equal(log.hash, 0x758da245);
}

/* A text that has less words by its first look has so few, and most of such texts are seen. */
TEST(few_words_are_seen)
{
	uint32_t random = 7, seen = 0, few = 0;
	for (int round = 0; round < 20000; round++) {
		AUTO_BUF text = { 0 };
		uint32_t hash[32], each, n = 1 + split_random(&random) % 6;
		for (uint32_t i = 0, len = split_random(&random) % 40; i < len; i++)
			assert_ok(buf_append_byte(&text,
						  (uint8_t) "aB9 ,-\xe4\xb8\xad\xc3\xa9"[split_random(&random) % 11]));
		assert_ok(buf_reserve(&text, WORDS_READ_ON));
		const uint32_t words = words_hashes(buf_slice(&text), hash);
		struct slice rest = buf_slice(&text);
		for (uint32_t i = 0; i < words; i++)
			assert_true(words_next(&rest, &each) && each == hash[i]);
		assert_false(words_next(&rest, &each));
		const bool fewer = words_are_fewer(buf_slice(&text), n);
		assert_true(!fewer || words < n);
		seen += fewer;
		few += words < n;
	}
	assert_true(seen > few / 5);
}

/* A wide character after a text sends it another way, and tells nothing new. */
TEST(test_word_runs)
{
	static const char *const words[] = { "harbour", "lamp",    "tower,",      "of",
					     "the",     "The",     "caf\xc3\xa9", "\xd0\xbc\xd0\xb0\xd1\x8f\xd0\xba",
					     "\"312",   "- keeper" };
	uint32_t random = 5, found = 0;
	for (int round = 0; round < 300; round++) {
		struct word_runs set = { 0 };
		AUTO_BUF text = { 0 }, summary = { 0 };
		for (uint32_t i = 0, n = split_random(&random) % 60; i < n; i++)
			assert_ok(buf_printf(&text, "%s ", words[split_random(&random) % 10]));
		for (uint32_t i = 0, n = 3 + split_random(&random) % 20; i < n; i++)
			assert_ok(buf_printf(&summary, "%s ", words[split_random(&random) % 10]));
		word_runs_add(&set, buf_slice(&summary));
		assert_ok(buf_append_text(&text, "\xe4\xb8\xad"));
		assert_ok(buf_reserve(&text, WORDS_READ_ON));
		assert_ok(buf_reserve(&summary, WORDS_READ_ON));
		uint32_t plain = word_runs_match(&set, slice_of(text.data, text.len - 3));
		assert_int_equal(word_runs_match(&set, buf_slice(&text)), plain);
		found += plain;
		assert_int_equal(word_runs_match(&set, buf_slice(&summary)), set.n);
	}
	assert_true(found > 100);
}

TEST(test_page_meta)
{
	struct feature_log log = { .hash = HASH_FNV32_START };
	log_features(&log, slice_from_text(described));
	assert_int_equal(log.blocks, 4);
	const uint8_t(*f)[TILE] = (const uint8_t(*)[TILE])log.first;
	static const struct {
		unsigned feature, block;
		uint8_t described, other; /* on a page with a description, and without */
	} rows[] = ROWS({ FEATURE_DESCRIPTION_COVERED, 0, 0, 0 }, { FEATURE_DESCRIPTION_COVERED, 2, 255, 0 },
			{ FEATURE_AFTER_DESCRIPTION, 0, 48, 0 }, { FEATURE_AFTER_DESCRIPTION, 2, 50, 0 },
			{ FEATURE_AFTER_DESCRIPTION, 3, 51, 0 }, { FEATURE_DESCRIPTION_MEETS, 2, 0, 99 },
			{ FEATURE_PAGE_KIND, 0, OG_ARTICLE, OG_NONE }, { FEATURE_PAGE_URL_DIGITS, 0, 6, 0 },
			{ FEATURE_PAGE_URL_LAST, 0, 32 /* 8 log2(1 + 16): the-keepers-lamp */, 0 });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(f[rows[i].feature][rows[i].block], rows[i].described);
	log_features(&log, slice_from_text(article));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(f[rows[i].feature][rows[i].block], rows[i].other);
}

/* Shares of texts of every size that is allowed: a gigabyte has 2^30 units. */
TEST(test_shares)
{
	for (uint32_t whole = 1; whole <= (uint32_t)1 << 30; whole += whole / 7 + 1) {
		const struct scale_whole w = scale_whole_of(whole);
		for (uint32_t part = 0; part < whole; part += whole / 300 + 1) {
			uint64_t share = (uint64_t)part * 255 / whole;
			assert_int_equal(scale_share(part, whole), share);
			assert_int_equal(scale_share64(part, whole), share);
			assert_int_equal(scale_part(part, &w), share);
		}
		assert_int_equal(scale_share(whole, whole), 255);
	}
	assert_int_equal(scale_share(1, 0), 0);
}

/*
 * A page whose elements have different paths that all fall into one part in 64 of a table: of one that takes the bits
 * from `shift` on of a path times the usual constant.
 */
static void colliding_page(struct buf *page, uint32_t elements, unsigned shift)
{
	uint32_t div = (uint32_t)HTML_TAG_DIV * 1000003U;
	buf_clear(page);
	for (uint32_t number = 0, found = 0; found < elements; number++) {
		char name[8];
		for (uint32_t i = 0, rest = number; i < 6; i++, rest /= 26)
			name[i] = (char)('a' + rest % 26);
		uint32_t path = (div + token_words_first(slice_of(name, 6))) * 0x9E3779B1U;
		path ^= path >> 15;
		if ((path * 0x9E3779B1U) >> shift & 63)
			continue;
		found++;
		assert_ok(buf_append(page, "<div class=", 11));
		assert_ok(buf_append(page, name, 6));
		assert_ok(buf_append(page, ">a</div>", 8));
	}
}

/* However class names are chosen, finding an element's path takes a few steps. */
TEST(test_colliding_paths)
{
	AUTO_BUF page = { 0 };
	struct aggregates a = { 0 };
	enum { ELEMENTS = 32000 };
	for (unsigned shift = 0; shift <= 26; shift++) {
		colliding_page(&page, ELEMENTS, shift);
		struct blocks b = page_blocks(buf_slice(&page), SIZE_MAX, 8 << 20);
		assert_int_equal(b.n_elements, ELEMENTS + 1);
		assert_int_equal(aggregates_compute(&a, &b), 0);
		assert_true(a.n_paths > ELEMENTS - ELEMENTS / 100);
		assert_true(a.steps <= (uint64_t)KEY_TRIE_STEPS * (b.n_elements + b.n_blocks));
		blocks_free(&b);
	}
	aggregates_free(&a);
}

/* ---- tags around a block ---- */

enum { TEXT_MOST = 1 << 20 };

static struct blocks read_page(const char *page, size_t piece)
{
	return page_blocks(slice_from_text(page), piece, TEXT_MOST);
}

/* Before the element, in it, in an element of it, and after it: only what is in it is hidden. */
static void check_hidden(const char *attributes, bool hidden)
{
	char page[300];
	snprintf(page, sizeof(page), "<p>before</p><div %s>in it<ul><li>inside</ul></div><p>after</p>", attributes);
	struct blocks b = read_page(page, SIZE_MAX);
	assert_int_equal(b.n_blocks, 4);
	for (uint32_t i = 0; i < b.n_blocks; i++) {
		const bool expected = hidden && (i == 1 || i == 2);
		if (b.block[i].hidden != expected)
			fail_msg("block %u of a <div %s> is %shidden", i, attributes, expected ? "not " : "");
	}
	blocks_free(&b);
}

TEST(attributes_hide_text)
{
	static const char *const hiding[] = { "hidden", "HIDDEN", "hidden=''", "class=a hidden id=b",
					      /* a value, and styles */
					      "aria-hidden=true", "aria-hidden=\"true\"", "style='display:none'",
					      "style='display: none'", "style=display:none",
					      "style='color: red; display:  none; margin: 0'",
					      "style='display:block;display:none'", "style='Display:none'",
					      /* what is over the page */
					      "role=dialog", "role='alertdialog'", "class=a role=Dialog" };
	static const char *const showing[] = { "", "class=hidden", "hiddens", "data-hidden=true", "aria-hidden=false",
					       "aria-hidden",
					       /* styles that hide nothing */
					       "style='display:block'", "style='display:'", "style='display'",
					       "style='display:non'", "style='visible:none'", "style=none",
					       "title='display:none'", "role=dialogs", "role=log", "class=dialog" };
	for (size_t i = 0; i < sizeof(hiding) / sizeof(hiding[0]); i++)
		check_hidden(hiding[i], true);
	for (size_t i = 0; i < sizeof(showing) / sizeof(showing[0]); i++)
		check_hidden(showing[i], false);
}

TEST(reset_forgets_the_page)
{
	static const char page[] =
		"<title>one</title><main><p>more text than there is room for<img><textarea></textarea></main>";
	struct blocks b = page_blocks(slice_from_text(page), SIZE_MAX, 16);
	assert_true(b.has_main && b.truncated && b.n_blocks && b.images && b.textareas);
	blocks_reset(&b);
	feed_page(&b, slice_from_text("<p>less text"), SIZE_MAX);
	assert_false(b.has_main || b.truncated || b.images || b.textareas);
	assert_int_equal(b.n_blocks, 1);
	blocks_free(&b);
}

static void drop_empty_lines(struct buf *text)
{
	size_t len = 0;
	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] != '\n' || len == 0 || text->data[len - 1] != '\n')
			text->data[len++] = text->data[i];
	}
	text->len = len;
}

/* The text of all blocks; once as it is written, once, without empty lines, from the source that explain is told. */
static void check_text(const char *page, const char *wanted, size_t piece)
{
	struct blocks b = read_page(page, piece);
	struct text_writer w = { 0 }, told = { 0 };
	AUTO_BUF source = { 0 };
	text_writer_reset(&w, 0);
	text_writer_reset(&told, 0);
	for (uint32_t i = 0; i < b.n_blocks; i++) {
		buf_clear(&source);
		assert_ok(block_write(&b, &b.block[i], &w));
		assert_int_equal(block_source(&b, &b.block[i], &source), 0);
		assert_int_equal(text_writer_kept(&told, buf_slice(&source)), 0);
		assert_int_equal(text_writer_break(&told), 0);
	}
	assert_ok(text_writer_finish(&w));
	assert_ok(text_writer_finish(&told));
	if (!slice_equal(buf_slice(&w.out), slice_from_text(wanted)))
		fail_msg("page: %s\nwanted: %s\nfound: %.*s", page, wanted, (int)w.out.len, (const char *)w.out.data);
	drop_empty_lines(&w.out);
	assert_true(slice_equal(buf_slice(&w.out), buf_slice(&told.out)));
	text_writer_free(&w);
	text_writer_free(&told);
	blocks_free(&b);
}

static void check_white_space(const char *page, const char *wanted)
{
	for (size_t piece = 1; piece <= 7; piece++)
		check_text(page, wanted, piece);
	check_text(page, wanted, SIZE_MAX);
}

TEST(a_block_is_a_line)
{
	check_white_space("<p>a\nb\r\nc\n\n <b>d\n</b>e\tf</p>g", "a b c d e f\ng");
	check_white_space("a\n<br>\nb<br><br>c<li>d\ne<td>f", "a\nb\nc\nd e\nf");
	check_white_space("<p>a\x1e"
			  "b&#31;c",
			  "abc");
}

TEST(elements_keep_white_space)
{
	check_white_space("<p>a\nb<pre>\n  c\n\n\td  e \n</pre>f\ng", "a b\n  c\n\n\td  e\nf g");
	check_white_space("<pre>a\r\nb\rc</pre>", "a\nb\nc");
	check_white_space("<pre> <b> a</b>\n&nbsp;b&#9;c&#10;d &amp; \xc2\xa0 e</pre>", "  a\n b\tc\nd &   e");
	check_white_space("<pre>a<span>\n b<i>\n  c</i></span>\n d</pre>e\nf", "a\n b\n  c\n d\ne f");
	check_white_space("<pre>   <div>a</div>   <p> b</pre>c\nd", "a\n b\nc d");
	check_white_space("<listing>a\n b</listing><xmp>c\n d</xmp>e\nf", "a\n b\nc\n d\ne f");
	check_white_space("<div><pre>a\n b</div>c\nd", "a\n b\nc d");
	check_white_space("<x>a\nb</x><p>c\nd<plaintext>e\n f", "a b\nc de\n f");
	check_white_space("<pre>a\n\x1e\x1f b</pre>", "a\n b");
	check_white_space("<pre style='white-space:normal'>a\n b</pre>", "a b");
}

/* The text of all blocks, with the cells of rows on one line. */
static void check_rows(const char *page, const char *wanted)
{
	for (size_t piece = 1; piece <= 7; piece++) {
		struct blocks b = read_page(page, piece == 7 ? SIZE_MAX : piece);
		struct text_writer w = { 0 };
		text_writer_reset(&w, 0);
		for (uint32_t i = 0; i < b.n_blocks; i++) {
			bool joins;
			const uint32_t tabs = block_tables_tabs(&b, &b.block[i], i ? &b.block[i - 1] : NULL, &joins);
			const size_t start = text_writer_cell(&w, tabs, joins);
			assert_ok(block_write(&b, &b.block[i], &w));
			assert_true(start < w.out.len && w.out.data[start] != '\t' && w.out.data[start] != '\n');
			assert_true(start == 0 || w.out.data[start - 1] == '\t' || w.out.data[start - 1] == '\n');
		}
		assert_ok(text_writer_finish(&w));
		if (!slice_equal(buf_slice(&w.out), slice_from_text(wanted)))
			fail_msg("page: %s\nwanted: %s\nfound: %.*s", page, wanted, (int)w.out.len,
				 (const char *)w.out.data);
		text_writer_free(&w);
		blocks_free(&b);
	}
}

TEST(rows_of_data_are_lines)
{
	char page[2048], wanted[2048], text[1024] = { 0 };
	memset(text, 'x', sizeof(text) - 1);
	check_rows("<p>x<table><caption>c</caption><tr><th>a<th>b<tr><td>1<td>2</table>y", "x\nc\na\tb\n1\t2\ny");
	check_rows("<table><tr><td>a<td>b</tr><td>c<td>d</table><table><td>e<td>f<tr><td>g<td>h</table>",
		   "a\tb\nc\td\ne\tf\ng\th");
	/* empty cells, at the beginning and in between; lines and paragraphs in cells */
	check_rows("<table><tr><th><th>a<th>b<tr><td>c<td>&nbsp;<td>d<br>e<p>f<tr><td>g<td><p>h</p><td> &#160; i "
		   "<tr><td>j<td><td></table>",
		   "\ta\tb\nc\t\td\ne\nf\ng\th\ti\nj");
	check_rows("<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>", "a\tb\nc\td\te");
	check_rows("<table><thead><tr><th>a<th>b</thead><tbody></tbody></table>", "a\tb");
	check_rows("<table><tr><td>a</td></tr></table><td>b<td>c", "a\nb\nc");
	/* layout */
	static const char *const other[] = { "<h2>e</h2>",
					     "<pre>e</pre>",
					     "<blockquote>e</blockquote>",
					     "<dl><dt>e</dl>",
					     "<hr>e",
					     "<table><tr><td>e</table>",
					     "<p style=white-space:pre>e</p>" };
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		(void)snprintf(page, sizeof(page), "<table><tr><td>a%s<td>b<tr><td>c<td>d</table>", other[i]);
		check_rows(page, "a\ne\nb\nc\nd");
		(void)snprintf(page, sizeof(page), "<table><tr><td>a<td>b<tr><td>c<td>d%s</table>", other[i]);
		check_rows(page, "a\nb\nc\nd\ne");
	}
	check_rows("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\nb\nc\nd");
	check_rows("<table><tr><td>a<td>b</table><table><tr><td>c<tr><td>d</table>", "a\nb\nc\nd");
	check_rows("<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table><td>e<tr><td>f<td>g</table>",
		   "a\tb\nc\td\ne\nf\ng");
	check_rows("<table><tr><td colspan=2><td>a<td>b<tr><td>c<td>d<tr><td colspan=2><td>e<td>f</table>",
		   "a\nb\nc\nd\ne\nf");
	(void)snprintf(page, sizeof(page), "<table><tr><td>%s<td>b<tr><td>c<td>d</table>", text);
	(void)snprintf(wanted, sizeof(wanted), "%s\nb\nc\nd", text);
	check_rows(page, wanted);
	(void)snprintf(page, sizeof(page), "<table><tr><td colspan=2>a<tr><td>b<td>%.500s</table>", text);
	(void)snprintf(wanted, sizeof(wanted), "a\nb\n%.500s", text);
	check_rows(page, wanted);
}

/* Lists of blocks have each cell, without its tabs, which are not at the end of a text that is cut. */
TEST(cells_are_blocks)
{
	static const char page[] = "<p>" TALE TALE "<table><tr><th><th>Length<th>Price<tr><td>Rope of the quay<td>12 "
				   "metres<td>3 pounds</table>";
	static const char whole[] = TALE TALE "\n\tLength\tPrice\nRope of the quay\t12 metres\t3 pounds";
	static const char *const cells[] = {
		TALE TALE, "Length", "Price", "Rope of the quay", "12 metres", "3 pounds"
	};
	struct dana_options options = { .struct_size = sizeof(options),
					.method = "learned:recall=100",
					.list_blocks = 1 };
	for (size_t most = sizeof(TALE TALE) - 1; most < sizeof(whole); most++) {
		struct dana_extractor *x;
		struct dana_text text;
		size_t n = 0;
		options.max_text_bytes = most;
		assert_ok(dana_new(&x, &options));
		assert_ok(dana_feed(x, page, sizeof(page) - 1));
		assert_ok(dana_finish(x, &text));
		assert_true(text.len && text.len <= most && text.data[text.len - 1] != '\t');
		if (most == sizeof(whole) - 1)
			assert_true(slice_is(slice_of(text.data, text.len), whole));
		const struct dana_text_block *blocks = dana_blocks(x, &n);
		assert_true(n && (n == 6 || most < sizeof(whole) - 1));
		for (size_t i = 0; i < n; i++)
			assert_true(blocks[i].len <= strlen(cells[i]) &&
				    memcmp(text.data + blocks[i].start, cells[i], blocks[i].len) == 0);
		dana_free(x);
	}
}

/* Links from notes back to their references, and the marks before them, are not written. */
TEST(links_back_are_left_out)
{
	static const char *const notes[] = {
		"<li id=n1>Minutes. <a href='#r1'>\xe2\x86\xa9</a>",
		"<li id=n1>Minutes.&nbsp;<a href='#r1'>&#8617;&#xFE0E;</a> <a "
		"href='#fnref1:1'>\xe2\x86\xa9<sup>2</sup></a>",
		"<li id=n1><p>Minutes. <a href='#fnref:1' title='Jump back'>Back</a></p>",
		"<li id=n1>Minutes. <sup><a role=doc-backlink href='#r1'>Return</a></sup>",
		"<li id=n1><b><a href='#cite_ref-1'>^</a></b> Minutes.",
		"<li id=n1><span>^ <a href='#cite_ref-1a'><sup><i>a</i></sup></a> <a "
		"href='#cite_ref-1b'><sup>b</sup></a>"
		"</span> <span>Minutes.</span>",
		"<li id=n1><a href='#cite_ref-1'><span>Jump up </span>&uarr;</a> Minutes.",
	};
	/* references, numbers of notes, other links */
	static const char *const stay[] = {
		"<p>Said.<a href='#n2'>*</a>",
		"Said.*",
		"<p>Said.<sup><a href='#n2'>2</a></sup>",
		"Said.[2]",
		"<p><a href='#_ftnref1'>[1]</a> Said.",
		"[1] Said.",
		"<p><a href='/up'>^</a> Said.",
		"^ Said.",
		"<p>See <a href='#map'>the map</a>.",
		"See the map.",
		"<p>^ <a href='#map'>Map</a>",
		"^ Map",
	};
	char page[512], wanted[64];
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
		(void)snprintf(page, sizeof(page), "<p>Lit.<sup id=r1><a href='#n1'>1</a></sup><ol>%s</ol><p>End.",
			       notes[i]);
		check_white_space(page, "Lit.[1]\nMinutes.\nEnd.");
	}
	for (size_t i = 0; i < sizeof(stay) / sizeof(stay[0]); i += 2) {
		(void)snprintf(page, sizeof(page), "<p>Lit.<sup id=r1><a href='#n1'>1</a></sup>%s<p>End.", stay[i]);
		(void)snprintf(wanted, sizeof(wanted), "Lit.[1]\n%s\nEnd.", stay[i + 1]);
		check_white_space(page, wanted);
	}
	check_white_space("<p><a href='#top'>^</a> Said.", "^ Said.");
}

TEST(sentences_stay_whole)
{
	static const char *const vanish[] = { "<noscript><p>secret</noscript>", "<noscript><img src=/p.gif></noscript>",
					      "<template><p>secret</p></template>",
					      "<svg><title>secret</title><a>secret</a></svg>" };
	static const char *const part[] = {
		"<iframe src=/f>secret</iframe>",       "<select><option>secret<option>secret</select>",
		"<object data=a><p>secret</object>",    "<audio controls><p>secret</audio>",
		"<video><a href=/x>secret</a></video>", "<canvas><div>secret</div></canvas>",
		"<textarea>secret</textarea>"
	};
	char page[256];
	for (size_t i = 0; i < sizeof(vanish) / sizeof(vanish[0]); i++) {
		(void)snprintf(page, sizeof(page), "<p>light%shouse</p>end", vanish[i]);
		check_white_space(page, "lighthouse\nend");
	}
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		(void)snprintf(page, sizeof(page), "<p>See the chart%sfor more.</p>end", part[i]);
		check_white_space(page, "See the chart for more.\nend");
	}
	check_white_space("<p>a<button>b</button>c<p><button>d</button> e<li>f <button>g</button>h",
			  "a b c\nd e\nf g h");
	check_white_space("<div>a<button>b</button>c</div><h2><button>d</button></h2>", "a\nb\nc\nd");
	check_white_space("<p>See a<noscript>secret</noscript> b.<p>" TALE TALE TALE TALE TALE TALE TALE,
			  "See a b.\n" TALE TALE TALE TALE TALE TALE TALE);
}

TEST(styles_make_lines)
{
	static const char *const styles[] = { "display:block", "DISPLAY : Block !important ; color:red",
					      "color:red;display:inline;display:flex", "display:list-item" };
	static const char *const tags[] = { "span", "b", "a", "em", "time", "x-line" };
	char page[256];
	for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
		for (size_t k = 0; k < sizeof(tags) / sizeof(tags[0]); k++) {
			const char *style = styles[i], *tag = tags[k];
			(void)snprintf(page, sizeof(page), "<p>a<%s style='%s'>b <%s>c</%s></%s><%s style='%s'>d</%s>e",
				       tag, style, tag, tag, tag, tag, style, tag);
			if (*tag != 'a') /* no link is in another one */
				check_white_space(page, "a\nb c\nd\ne");
		}
	}
	check_white_space("<p>a<span style='display:block;display:inline'>b</span>c", "abc");
	check_white_space("<p>a<span style='x-display:block'>b</span>c", "abc");
	check_white_space("<p><span style='display:block;float:left'>T</span>he lamp", "The lamp");
	check_white_space("<p>a<span style='display:block;position:absolute'>b</span>c", "abc");
	check_white_space("<p>a<datalist><option>b</datalist>c <img src=x.gif alt=:-)> <img src=x.gif alt='::'>d",
			  "ac :-) d");
	check_white_space("<p>a<b class='x d-block'>b</b>c<i class=grid>d</i><i class='md:flex'>e</i>",
			  "a\nb\nc\nd\ne");
	check_white_space("<p>a<b class='block md:inline'>b</b>c<i class='d-block d-lg-inline'>d</i>", "abcd");
	check_white_space("<p>a<b class='blocks table none'>b</b>c<i class=d-inline-block>d</i>", "abcd");
	check_white_space("<p>a<span style=display:block>b<p>c</span>d", "a\nb\ncd");
	check_white_space("<pre><i style=display:block>a</i>\n<i style=display:block> b</i></pre>", "a\n b");
	check_white_space("<p class='x whitespace-pre'>a\n b<p class='whitespace-pre-line y'>c\n  d", "a\n b\nc\nd");
	check_white_space("<p class=whitespace-nowrap>a\n b", "a b");
}

TEST(first_letters_join_words)
{
	check_white_space("<div><div class='Drop-Cap x'>T</div>he light</div>b", "The light\nb");
	check_white_space("<h2>A</h2>apple", "A\napple"); /* of an index */
	check_white_space("<div><div>\xc3\x89</div>t\xc3\xa9</div>", "\xc3\x89t\xc3\xa9");
	check_white_space("<div><div>To</div>he</div><div>T</div>He<p>T<p>he<p>t</p>he<div>T</div> he",
			  "To\nhe\nT\nHe\nT\nhe\nt\nhe\nT\nhe");
	check_white_space("<p><img alt=T src=t.gif>he light", "The light");
	check_white_space("<p><img alt=A src=t.gif> boat<p><img alt=A><b>c</b><p><img alt=a>b", "boat\nc\nb");
}

TEST(pictures_are_characters)
{
	check_white_space("<p>a<img alt=':-)' class='x wp-smiley'> b <img alt='\xf0\x9f\x94\xa5'>.",
			  "a:-) b \xf0\x9f\x94\xa5.");
	check_white_space("<p>a<img alt=Pier class=emoji>b<img alt=':-)'>c<img alt='::'><img class=emoji alt='a b'>",
			  "ab:-)c");
}

TEST(styles_keep_white_space)
{
	static const char *const kept[] = { "white-space:pre", "WHITE-SPACE : Pre-Wrap",
					    "color:red;white-space:\tbreak-spaces;",
					    "white-space:normal;white-space:pre !important",
					    "white-space:pre;white-space:x" };
	static const char *const collapsing[] = { "white-space:normal", "white-space:nowrap",
						  /* no value, or no such property */

						  "white-space:prefix", "white-space-x:pre", "-x-white-space:pre",
						  "white-space", "white-space:", "white-space pre", "xwhite-space:pre",
						  "color:pre", "white-space:pre;white-space:normal" };
	char page[200];
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		snprintf(page, sizeof(page), "<p style='%s'>a\n  b<p>c\nd", kept[i]);
		check_white_space(page, "a\n  b\nc d");
	}
	for (size_t i = 0; i < sizeof(collapsing) / sizeof(collapsing[0]); i++) {
		snprintf(page, sizeof(page), "<p style=\"%s\">a\n  b<p>c\nd", collapsing[i]);
		check_white_space(page, "a b\nc d");
	}
	check_white_space("<p style='white-space:pre-line'>a  b\n  c<p>d\n e", "a b\nc\nd e");
	check_white_space("a <code style='white-space:pre'> b\n  c</code>\nd", "a  b\n  c d");
	check_white_space("<div style='white-space:pre'>a\n b<p style='white-space:normal'>c\nd</p>  e</div>f\ng",
			  "a\n b\nc d\n  e\nf g");
}

TEST(elements_end_by_others)
{
	check_white_space("<ul><li style='white-space:pre'>a\n b<ul><li>c\n d</ul><li>e\nf</ul>", "a\n b\nc\n d\ne f");
	check_white_space(
		"<table><tr><td style='white-space:pre'>a\n b<table><tr><td>c\n d</table>e\n f<td>g\nh</table>",
		"a\n b\nc\n d\ne\n f\ng h");
	check_white_space("<dl><dd style='white-space:pre'>a\n b<dt>c\nd</dl>", "a\n b\nc d");
	check_white_space("<pre>a\n b</p></b>\n c<b></pre>d\ne", "a\n b\n c\nd e");
	check_white_space("<b style='white-space:pre'><p>a\n b</b>\n c</p></b>d\ne", "a\n b\n c\nd e");
	check_white_space("<noscript><pre>a\n b</noscript><p>c\nd", "a\n b\nc d");
}

TEST(deep_elements_keep_white_space)
{
	enum { DEEP = 100 };
	char page[16 * DEEP] = "<pre>";
	for (int i = 0; i < DEEP; i++)
		strcat(page, "<div>");
	strcat(page, "a\n b");
	for (int i = 0; i < DEEP; i++)
		strcat(page, "</div>");
	strcat(page, "</pre>c\nd");
	check_text(page, "a\n b\nc d", SIZE_MAX);
}

/* A title that is never closed takes the whole page: it is read again, tags and all. */
TEST(a_title_without_end)
{
	check_white_space("<title>Lamp<p>One <b>two</b><p>Three<div>Four", "One two\nThree\nFour");
}

/* ---- the page as a whole ---- */

/* Feeds tags and comments as the tokeniser delivers them: each '<' that begins one is the first byte of a piece. */
static uint8_t types_of(const char *page, size_t piece)
{
	struct declared d;
	declared_reset(&d);
	struct slice rest = slice_from_text(page);
	while (rest.len) {
		size_t n = rest.len < piece ? rest.len : piece;
		const uint8_t *next = memchr(rest.data + 1, '<', rest.len - 1);
		if (next && (size_t)(next - rest.data) < n)
			n = (size_t)(next - rest.data);
		declared_add(&d, slice_of(rest.data, n), rest.data[0] == '<');
		rest = slice_skip(rest, n);
	}
	return d.types;
}

TEST(types_are_found)
{
	const struct {
		const char *page;
		uint8_t types;
	} cases[] =
		ROWS({ DATA("{\"@type\":\"Recipe\"}"), DECLARED_ANY | DECLARED_RECIPE },
		     { DATA("{ \"@type\" : [ \"Thing\", \"http://schema.org/Product\" ] }"),
		       DECLARED_ANY | DECLARED_PRODUCT },
		     { DATA("{\"@type\":\"Person\",\"a\":{\"@type\":\"QAPage\"}}"), DECLARED_ANY | DECLARED_FORUM },
		     { DATA("{\"name\":\"@type\",\"x\":\"Recipe\"}"), DECLARED_ANY },
		     { DATA("{\"@type\":[],\"x\":\"Recipe\"}"), DECLARED_ANY },
		     { DATA("{\"@type\":\"RecipeOfAVeryLongNameThatNobodyHas\"}"), DECLARED_ANY },
		     { DATA("{}") DATA("{\"@@type\":1,\"@type\":\"ItemList\"}"), DECLARED_ANY | DECLARED_LIST },
		     { "<SCRIPT id=x TYPE='application/LD+JSON'>{\"@type\":\"FAQPage\"}</SCRIPT>",
		       DECLARED_ANY | DECLARED_SERVICE },
		     { "<script>{\"@type\":\"Recipe\"}</script>", 0 }, { "<!-- ld+json>{\"@type\":\"Recipe\"} -->", 0 },
		     { "<style>ld+json</style>{\"@type\":\"Recipe\"}", 0 });
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t piece = 1; piece < 90; piece++)
			assert_int_equal(types_of(cases[i].page, piece), cases[i].types);
	}
}

struct found {
	struct blocks blocks;
	struct aggregates aggregates;
	struct units units;
};

static void find_units(struct found *f, const char *page)
{
	*f = (struct found){ .blocks = page_blocks(slice_from_text(page), SIZE_MAX, 1 << 16) };
	assert_int_equal(aggregates_compute(&f->aggregates, &f->blocks), 0);
	assert_int_equal(units_find(&f->units, &f->blocks, &f->aggregates), 0);
}

static void free_units(struct found *f)
{
	units_free(&f->units);
	aggregates_free(&f->aggregates);
	blocks_free(&f->blocks);
}

static const struct unit_place *place_of(const struct found *f, uint32_t block)
{
	return &f->units.place[f->blocks.block[block].element];
}

static const struct sequence *sequence_of(const struct found *f, uint32_t element)
{
	return &f->units.sequence[f->units.place[element].sequence];
}

/* Three posts, each with three items; between posts stands something else. */
TEST(units_are_nested)
{
	struct found f;
	find_units(&f, "<div id=all><div class=post><ul><li>a<li>b<li><a href=/c>c</a></ul></div><hr><div "
		       "class=post><ul><li>a<li>b<li>c</ul></div><p>between</p><div class=post><ul><li>a<li>b<li>c "
		       "12:30</ul></div></div><p>after</p>");
	assert_int_equal(f.blocks.n_blocks, 11);
	for (uint32_t i = 0; i < 9; i++) {
		const struct unit_place *p = place_of(&f, i + (i > 5));
		assert_int_equal(sequence_of(&f, p->inner)->members, 3);
		assert_int_equal(sequence_of(&f, p->outer)->members, 3);
		assert_int_equal(sequence_of(&f, p->outer)->blocks, 9);
		assert_int_equal(sequence_of(&f, p->outer)->dates, 1);
	}
	assert_int_equal(sequence_of(&f, place_of(&f, 0)->inner)->linked, 1);
	assert_int_equal(sequence_of(&f, place_of(&f, 3)->inner)->linked, 0);
	assert_int_equal(place_of(&f, 6)->inner, 0);
	assert_int_equal(place_of(&f, 10)->inner, 0);
	free_units(&f);
}

/* Terms and what they mean, and rows of two classes: shapes alternate. Two of a kind are not a sequence. */
TEST(units_alternate)
{
	struct found f;
	find_units(
		&f,
		"<dl><dt>a<dd>b<dt>c<dd>d<dt>e<dd>f</dl><div><p class=x>g<p class=y>h<p class=x>i<p class=y>j</div>");
	assert_int_equal(f.blocks.n_blocks, 10);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(sequence_of(&f, place_of(&f, i)->inner)->members, 3);
		assert_int_equal(f.units.place[place_of(&f, i)->inner].sequence,
				 f.units.place[place_of(&f, i % 2)->inner].sequence);
	}
	for (uint32_t i = 6; i < 10; i++)
		assert_int_equal(place_of(&f, i)->inner, 0);
	free_units(&f);
}

/* Items of one list move towards their mean; those of another list on the same path, and a block on its own, do not. */
TEST(blocks_alike_are_judged_together)
{
	static const int32_t margin[] = { 4096, 4096, -8192, 4096, -4096, -4096, -4096, 5000 };
	enum { BLOCKS = sizeof(margin) / sizeof(margin[0]) };
	int32_t together[BLOCKS] = { 0 };
	struct found f;
	struct alike alike = { 0 };
	for (int page = 0; page < 2; page++) { /* a second page sees nothing of the first */
		find_units(&f, "<ul><li>a<li>b<li>c<li>d</ul><ul><li>e<li>f<li>g</ul><p>h</p>");
		assert_int_equal(f.blocks.n_blocks, BLOCKS);
		assert_int_equal(alike_judge(&alike, &f.blocks, &f.aggregates, &f.units, margin, together), 0);
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal(together[i], (4 * margin[i] + 4096) / 8);
		for (uint32_t i = 4; i < BLOCKS; i++)
			assert_int_equal(together[i], margin[i]);
		free_units(&f);
	}
	alike_free(&alike);
}

/* A tree that knows a list (1) from an article by one number. */
TEST(kind_sets_shares)
{
	const struct tree_level level = { OF_PAGE_LINKS, 100 };
	int16_t leaves[2][KIND_COUNT];
	for (unsigned k = 0; k < KIND_COUNT; k++)
		leaves[0][k] = leaves[1][k] = -32768;
	leaves[0][KIND_ARTICLE] = leaves[1][KIND_LIST] = 32767;
	const struct kind_trees trees = { &level, leaves[0], 1, 1 };
	uint8_t row[KIND_FEATURE_COUNT] = { 0 };
	static const struct {
		uint8_t links, forced, kind;
		uint32_t share; /* at least */
	} rows[] = ROWS({ 0, KIND_UNKNOWN, KIND_ARTICLE, 251 }, { 101, KIND_UNKNOWN, KIND_LIST, 251 },
			{ 101, KIND_OTHER, KIND_OTHER, 255 });
	struct kind_result r;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		row[OF_PAGE_LINKS] = rows[i].links;
		r = page_kind_find(&trees, row, rows[i].forced);
		assert_int_equal(r.kind, rows[i].kind);
		assert_true(r.share[r.kind] >= rows[i].share && r.share[(r.kind + 1) % KIND_COUNT] == 0);
	}
	const struct kind_trees none = { 0 };
	r = page_kind_find(&none, row, KIND_UNKNOWN);
	assert_int_equal(r.kind, KIND_UNKNOWN);
	assert_null(page_kind_name(KIND_UNKNOWN));
	assert_string_equal(page_kind_name(KIND_OTHER), "other");
}

/* Log odds fall by log2(1 + pages), as for four pages at most, and by less where few of many pages have the text. */
TEST(log_odds_fall_with_pages_of_the_site)
{
	static const struct {
		uint32_t pages, others;
		double fall;
	} rows[] = ROWS({ 0, 0, 0 }, { 0, 8, 0 }, { 1, 1, 1 }, { 1, 5, 1 }, { 1, 8, 5.0 / 8 }, { 2, 8, 1.58496 },
			{ 3, 3, 2 }, { 3, 100, 2 * 15.0 / 50 }, { 4, 20, 2.32193 }, { 7, 8, 2.32193 },
			{ 9, 45, 2.32193 }, { 9, 46, 2.32193 * 45 / 46 }, { 9, UINT32_MAX, 2.32193 * 45 / 50 },
			{ 10, UINT32_MAX, 2.32193 }, { UINT32_MAX, UINT32_MAX, 2.32193 });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_true(fabs(site_shift(rows[i].pages, rows[i].others, 0) / 4096.0 - rows[i].fall) < 0.001);
	for (uint32_t others = 1; others < 120; others++) {
		for (uint32_t pages = 1; pages <= others; pages++)
			assert_true(site_shift(pages, others, 0) >= site_shift(pages - 1, others, 0));
	}
}

/* Log odds move by .3 times the mean of other pages, for each of at most three, which is from -3 to 3 in steps of 1/8.
 */
TEST(log_odds_move_with_places_of_the_site)
{
	static const struct {
		uint32_t pages;
		uint64_t sum;
		double fall;
	} rows[] = ROWS({ 0, 0, 0 }, { 0, 48, 0 }, { 1, 0, .9 }, { 2, 0, 1.8 }, { 3, 0, 2.7 }, { 4, 0, 2.7 },
			{ 1, 48, -.9 }, { 3, 144, -2.7 }, { 1, 24, 0 }, { 2, 48, 0 }, { 2, 40, .3 }, { 3, 73, -.0375 },
			{ 1, 49, -.9 }, { 2, UINT64_MAX, -1.8 }, { UINT32_MAX, 0, 2.7 },
			{ UINT32_MAX, (uint64_t)UINT32_MAX * 48, -2.7 });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_true(fabs(site_place_shift(rows[i].pages, rows[i].sum, 0) / 4096.0 - rows[i].fall) < 0.001);
}

/* Where a fifth of what a page keeps is on n other pages, n are copies; what half of the site has is not asked. */
TEST(copies_of_a_page_are_counted)
{
	static const struct {
		uint32_t others, copies;
		uint64_t words[SITE_MANY + 1];
	} rows[] = ROWS({ 0, 0, { 0 } }, { 8, 0, { 100 } }, { 1, 1, { 0, 100 } }, { 8, 1, { 79, 21 } },
			{ 8, 0, { 81, 19 } }, { 8, 2, { 0, 79, 21 } }, { 8, 1, { 0, 81, 19 } },
			/* the site's own words beside a copy, and alone */
			{ 8, 1, { 0, 90, [8] = 30 } }, { 8, 0, { 90, [8] = 300 } }, { 9, 0, { 90, [5] = 90 } },
			{ 11, 5, { 90, [5] = 90 } }, { 11, 0, { 90, [6] = 90 } }, { 1000, 0, { 90, [SITE_MANY] = 90 } },
			/* four pages are never the site, and all of the page is never the site's */
			{ 4, 4, { 90, [4] = 90 } }, { 8, 8, { 19, [8] = 81 } }, { 8, 0, { 20, [8] = 80 } },
			{ 1000, SITE_MANY, { 19, [SITE_MANY] = 81 } });
	uint64_t random = 1, words[SITE_MANY + 1];
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(site_copies(rows[i].words, rows[i].others), rows[i].copies);
	/* what few pages have beside the copies is less than a fifth, whoever wrote it */
	for (uint32_t round = 0; round < 2000; round++) {
		uint64_t all = 0, falls = 0;
		for (uint32_t n = 0; n <= SITE_MANY; n++) {
			random = random * 6364136223846793005U + 1442695040888963407U;
			words[n] = n < 5 ? random >> 54 : 0;
			all += words[n];
		}
		for (uint32_t n = site_copies(words, round % 20) + 1; n < 5; n++)
			falls += words[n];
		assert_true(5 * falls < all);
	}
}

/* Copies take away nothing, and what is on other pages than these as if there were none. */
TEST(copies_say_nothing_of_log_odds)
{
	for (uint32_t copies = 0; copies < SITE_MANY; copies++) {
		assert_int_equal(site_shift(copies, 100, copies), 0);
		assert_int_equal(site_place_shift(copies, 0, copies), 0);
		for (uint32_t pages = 1; pages < 12; pages++) {
			assert_int_equal(site_shift(pages + copies, 80 + copies, copies), site_shift(pages, 80, 0));
			assert_int_equal(site_place_shift(pages + copies, 0, copies), site_place_shift(pages, 0, 0));
		}
	}
	assert_int_equal(site_shift(1000, 1000, SITE_MANY), 0);
}

/*
 * A site of which `others` pages are known, all of which have each text with the word "again", and `copies` of which
 * have all others.
 */
struct told_site {
	uint32_t others, copies;
	struct buf url, texts; /* told to it */
	uint32_t paths;        /* how many were told to it */
	bool little;           /* other pages have little main text at these */
};

static int told_page(void *arg, struct slice url, uint32_t *others)
{
	struct told_site *s = arg;
	buf_clear(&s->url);
	buf_clear(&s->texts);
	*others = s->others;
	return buf_append(&s->url, url.data, url.len);
}

static int told_text(void *arg, struct slice text, uint32_t *pages)
{
	struct told_site *s = arg;
	char copy[200] = "";
	memcpy(copy, text.data, text.len < sizeof(copy) ? text.len : sizeof(copy) - 1);
	*pages = strstr(copy, "again") ? s->others : s->copies;
	buf_append(&s->texts, text.data, text.len);
	return buf_append_byte(&s->texts, '|');
}

static int told_nothing(void *arg, struct slice text, uint32_t *pages)
{
	(void)arg, (void)text;
	*pages = 0;
	return DANA_OK;
}

static int told_path(void *arg, uint32_t path, uint32_t own, uint32_t *pages, uint64_t *sum)
{
	struct told_site *s = arg;
	enum { STEPS = 48 };
	(void)path;
	assert_in_range(own, 0, STEPS);
	s->paths++;
	*pages = s->others;
	*sum = s->little ? 0 : (uint64_t)s->others * STEPS;
	return DANA_OK;
}

static const char site_page_head[] = "<html><body><div class=content><h1>Lamps again</h1>";
static const char site_page_foot[] = "</div></div></body></html>";

/* A page of paragraphs of which the ones with an odd number are on other pages, too. */
static void put_site_page(struct buf *page)
{
	buf_append_text(page, site_page_head);
	for (int i = 0; i < 12; i++)
		buf_printf(page,
			   "<p>Paragraph %d of this story tells how the keeper lit the lamp &amp; the boats came "
			   "home%s.</p>",
			   i, i % 2 ? ", again" : "");
	buf_append_text(page, "<div class=extra>");
	for (int i = 0; i < 2; i++)
		buf_printf(page, "<p>Follow our letter %d again</p>", i);
	assert_ok(buf_append_text(page, site_page_foot));
}

static void site_text(struct told_site *site, bool with, const char *url, struct slice page, size_t piece,
		      struct buf *out)
{
	AUTO_EXTRACTOR x = extractor_by("learned:recall=70");
	const struct site_source source = { .page = told_page, .text = told_text, .arg = site };
	if (with)
		dana_site_source(x, &source);
	buf_clear(&site->texts);
	buf_clear(out);
	for (int twice = 0; twice < 2; twice++) { /* nothing stays of the page before */
		extractor_begin(x);
		if (url && !twice)
			assert_ok(dana_page_url(x, url, strlen(url)));
		for (struct slice rest = page; rest.len; rest = slice_skip(rest, piece))
			extractor_piece(x, slice_first(rest, piece));
		struct dana_text text = extractor_finish(x);
		if (!twice)
			assert_ok(buf_append(out, text.data, text.len));
	}
}

TEST(text_of_other_pages_is_dropped)
{
	struct told_site site = { .others = 8 };
	AUTO_BUF page = { 0 }, alone = { 0 }, with = { 0 }, split = { 0 };
	const char *url = "http://www.example.org/1";
	put_site_page(&page);
	site_text(&site, false, url, buf_slice(&page), SIZE_MAX, &alone);
	assert_int_equal(site.texts.len, 0);
	site_text(&site, true, url, buf_slice(&page), SIZE_MAX, &with);
	assert_string_equal(text_of(&site.url), url);
	/* the text as it is written; the main heading is not asked about, and stays */
	assert_null(strstr(text_of(&site.texts), "Lamps"));
	assert_null(strstr(text_of(&site.texts), "&amp;"));
	assert_non_null(strstr(text_of(&alone), "Lamps again"));
	assert_non_null(strstr(text_of(&with), "Lamps again"));
	assert_non_null(strstr(text_of(&alone), "letter"));
	assert_null(strstr(text_of(&with), "letter"));
	assert_non_null(strstr(text_of(&with), "Paragraph 10"));
	for (size_t piece = 1; piece < 64; piece += 9) {
		site_text(&site, true, url, buf_slice(&page), piece, &split);
		assert_string_equal(text_of(&split), text_of(&with));
	}
	/* nothing is known: of a page without an address, of a site without other pages */
	site_text(&site, true, NULL, buf_slice(&page), SIZE_MAX, &split);
	assert_string_equal(text_of(&split), text_of(&alone));
	site.others = 0;
	site_text(&site, true, url, buf_slice(&page), SIZE_MAX, &split);
	assert_string_equal(text_of(&split), text_of(&alone));
	assert_int_equal(site.texts.len, 0);
	buf_free(&site.url);
	buf_free(&site.texts);
}

/* A page with copies is judged as without them, and as before by the pages that are none. */
TEST(copies_of_a_page_cost_nothing)
{
	AUTO_BUF page = { 0 }, alone = { 0 }, none = { 0 }, with = { 0 };
	const char *url = "http://www.example.org/1";
	struct told_site site = { .others = 8 };
	put_site_page(&page);
	site_text(&site, false, url, buf_slice(&page), SIZE_MAX, &alone);
	site_text(&site, true, url, buf_slice(&page), SIZE_MAX, &none);
	for (site.copies = 1; site.copies < 5; site.copies++) {
		site.others = 8 + site.copies;
		site_text(&site, true, url, buf_slice(&page), SIZE_MAX, &with);
		assert_string_equal(text_of(&with), text_of(&none));
		assert_null(strstr(text_of(&with), "letter"));
	}
	for (site.copies = site.others = 1; site.copies < 100; site.copies = ++site.others) {
		site_text(&site, true, url, buf_slice(&page), SIZE_MAX, &with);
		assert_string_equal(text_of(&with), text_of(&alone));
	}
	buf_free(&site.url);
	buf_free(&site.texts);
}

/* Text of a place that has little main text on other pages is dropped. */
TEST(places_of_other_pages_count)
{
	static const struct {
		const char *method;
		bool little, asked, letter;
	} rows[] = ROWS({ "learned:recall=70", true, true, false }, { "learned:recall=70", false, true, true },
			{ "learned:recall=70,kind=forum", true, true, false },
			{ "learned:recall=70,kind=documentation", true, true, false },
			{ "learned:recall=70,kind=product", true, false, false },
			{ "learned:recall=70,kind=list", true, false, false },
			{ "learned:recall=70,kind=service", true, false, false });
	AUTO_BUF page = { 0 }, all = { 0 };
	put_site_page(&page);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_EXTRACTOR x = extractor_by(rows[i].method);
		struct told_site site = { .others = 3, .little = rows[i].little };
		const struct site_source source = { .page = told_page,
						    .text = told_nothing,
						    .path = told_path,
						    .arg = &site };
		dana_site_source(x, &source);
		for (int twice = 0; twice < 2; twice++) {
			site.paths = 0;
			extractor_begin(x);
			assert_ok(dana_page_url(x, "http://example.org/", strlen("http://example.org/")));
			extractor_piece(x, buf_slice(&page));
			struct dana_text text = extractor_finish(x);
			buf_clear(&all);
			assert_ok(buf_append(&all, text.data, text.len));
			assert_true(!rows[i].asked || strstr(text_of(&all), "Paragraph 10"));
			if (rows[i].asked)
				assert_true((strstr(text_of(&all), "letter") != NULL) == rows[i].letter);
			/* each path once */
			assert_true(rows[i].asked ? site.paths > 0 && site.paths < 4 : site.paths == 0);
		}
		buf_free(&site.url);
		buf_free(&site.texts);
	}
}

static int told_all(void *arg, struct slice *page)
{
	(void)arg;
	*page = slice_of(NULL, 0);
	return DANA_OK;
}

/* A source that learns gets each path and all texts, and changes nothing. */
TEST(sources_that_learn_change_nothing)
{
	AUTO_EXTRACTOR x = extractor_by("learned:recall=70");
	struct told_site site = { .others = 3, .little = true };
	const struct site_source source = { .page = told_page,
					    .text = told_text,
					    .path = told_path,
					    .arg = &site,
					    .learned = told_all };
	AUTO_BUF page = { 0 }, alone = { 0 };
	put_site_page(&page);
	site_text(&site, false, NULL, buf_slice(&page), SIZE_MAX, &alone);
	dana_site_source(x, &source);
	extractor_begin(x);
	assert_ok(dana_page_url(x, "http://example.org/", strlen("http://example.org/")));
	extractor_piece(x, buf_slice(&page));
	struct dana_text text = extractor_finish(x);
	assert_int_equal(text.len, alone.len);
	assert_memory_equal(text.data, alone.data, alone.len);
	assert_int_equal(site.paths, 3); /* heading, paragraphs, letters */
	assert_non_null(strstr(text_of(&site.texts), "Lamps again"));
	assert_non_null(strstr(text_of(&site.texts), "letter 1"));
	buf_free(&site.url);
	buf_free(&site.texts);
}
