/* SPDX-License-Identifier: MIT */
/* The element tree: hand-made pages, and depth; and a golden of what each of random tags closes and opens. */
#include "extract/html/elements.h"
#include "extract/papers/page_text.h"
#include "support/golden.h"
#include "support/unit.h"

struct reader {
	struct token_stream stream; /* first */
	struct element_tree tree;
	size_t text;
};

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct reader *r = (struct reader *)t;
	element_tree_word(&r->tree, word->breaks);
	r->text += word->text.len;
	return 0;
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct reader *r = (struct reader *)t;
	return element_tree_tag(&r->tree, tag->event, r->text);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void read_page(struct reader *r, struct slice html, size_t max_elements, size_t max_depth)
{
	const struct html_handler handler = { .run = token_stream_run, .tag = token_stream_tag, .arg = r };
	struct html_tokenizer *tokenizer = html_tokenizer_new(&handler);
	*r = (struct reader){ .text = 0 };
	token_stream_reset(&r->stream, &ops);
	assert_ok(element_tree_init(&r->tree, max_elements, max_depth));
	html_tokenizer_reset(tokenizer);
	assert_true(html_tokenizer_feed(tokenizer, html) >= 0);
	assert_true(html_tokenizer_finish(tokenizer) >= 0);
	assert_ok(token_stream_finish(&r->stream));
	element_tree_finish(&r->tree, r->text);
	html_tokenizer_free(tokenizer);
}

/* The tree in short: "div(p[2/1] p)" - words and leaves where there are any. */
static void show(const struct element_tree *tree, size_t from, size_t after, struct buf *out)
{
	size_t closing[64], depth = 0;
	for (size_t i = from; i < after; i++) {
		const struct element *e = &tree->elements[i];
		while (depth && closing[depth - 1] == i) {
			assert_ok(buf_append_byte(out, ')'));
			depth--;
		}
		assert_ok(buf_printf(out, "%s%s", out->len && out->data[out->len - 1] != '(' ? " " : "",
				     html_tag_name((enum html_tag)e->tag)));
		if (e->words)
			assert_ok(buf_printf(out, "[%u/%u]", e->words, e->leaves));
		if (e->end > i + 1) {
			assert_ok(buf_append_byte(out, '('));
			closing[depth++] = e->end;
		}
	}
	while (depth--)
		assert_ok(buf_append_byte(out, ')'));
	assert_ok(buf_append_byte(out, 0));
}

static void check(const char *html, const char *wanted)
{
	struct reader r;
	AUTO_BUF out = { 0 };
	read_page(&r, slice_from_text(html), 0, 0);
	show(&r.tree, 1, r.tree.count, &out);
	assert_string_equal((const char *)out.data, wanted);
	element_tree_free(&r.tree);
}

TEST(test_hand)
{
	check("", "");
	check("<p>a b<p>c", "p[2/1] p[1/1]");
	check("<p>a <b>b</b> c</p>d", "p[3/1](b[1/1])");
	check("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "ul[4/4](li[1/1] li[2/2](ul[1/1](li[1/1])) li[1/1])");
	check("<table><tr><td>a<td>b<tr><td>c</table>d", "table[3/3](tr[2/2](td[1/1] td[1/1]) tr[1/1](td[1/1]))");
	check("<dl><dt>a<dd>b<dt>c</dl>", "dl[3/3](dt[1/1] dd[1/1] dt[1/1])");
	/* An end tag does not leave its table cell, an inline one closes no block, a stray one is nothing. */
	check("<div><table><td>a</div>b</table></div>", "div[2/2](table[2/2](td[2/2]))");
	check("<b><p>a</b>b</p>", "b[2/1](p[2/1])");
	check("</div></p><p>a</span></p>", "p[1/1]");
	check("<body><p>a</body>b<body class=x>c", "body[3/3](p[3/3])");
	check("<div><p>a<div>b</div></div>", "div[2/2](p[1/1] div[1/1])");
	check("<h1>a<h2>b</h3>c", "h1[1/1] h2[1/1]");
}

TEST(test_limits)
{
	AUTO_BUF page = { 0 };
	struct reader r;
	for (unsigned i = 0; i < 2000; i++)
		assert_ok(buf_append_text(&page, "<div>"));
	assert_ok(buf_append_text(&page, "word"));
	for (unsigned i = 0; i < 2000; i++)
		assert_ok(buf_append_text(&page, "</div>"));
	assert_ok(buf_append_text(&page, "<p>after"));
	read_page(&r, buf_slice(&page), 0, 0);
	/* 512 of the divs are elements; all are closed again before <p>. */
	assert_int_equal(r.tree.count, 1 + 512 + 1);
	assert_int_equal(r.tree.elements[513].tag, HTML_TAG_P);
	assert_int_equal(r.tree.elements[513].parent, 0);
	assert_int_equal(r.tree.elements[512].words, 1);
	element_tree_free(&r.tree);
	read_page(&r, buf_slice(&page), 100, 0);
	assert_int_equal(r.tree.count, 100);
	assert_int_equal(r.tree.elements[99].words, 1);
	assert_int_equal(r.tree.elements[0].words, 2);
	element_tree_free(&r.tree);
}

enum { TAGS = 400, PAGES = 500 };

/* Half of the tags are of names that have rules of their own, so that these meet often. */
static struct slice random_name(uint32_t *random)
{
	static const char *const shaping[] = { "p",      "li",     "ul",       "dd",     "dt",    "table",  "tbody",
					       "tr",     "td",     "th",       "h1",     "h2",    "a",      "b",
					       "button", "form",   "option",   "head",   "body",  "html",   "div",
					       "x-card", "object", "template", "Li",     "TABLE", "X-Card", "caption",
					       "hr",     "br",     "select",   "article" };
	uint32_t number = split_random(random);
	if (number % 2)
		return slice_from_text(shaping[number / 2 % (sizeof(shaping) / sizeof(*shaping))]);
	return slice_from_text(html_tag_name((enum html_tag)(1 + number / 2 % (HTML_TAGS_COUNT - 1))));
}

static void take_tags(struct element_stack *stack, uint32_t seed, struct golden *golden)
{
	uint32_t random = seed * 2654435761U | 1;
	element_stack_reset(stack);
	for (unsigned i = 0; i < TAGS; i++) {
		const struct slice name = random_name(&random);
		const struct html_tag_event event = { .tag = (uint8_t)html_tag_find(name),
						      .closing = split_random(&random) % 5 < 2,
						      .name = name };
		const struct stack_change found = element_stack_take(stack, &event);
		const uint8_t outcome[] = { (uint8_t)found.closes, (uint8_t)(found.closes >> 8), found.opens,
					    (uint8_t)stack->depth, (uint8_t)(stack->depth >> 8) };
		golden_add(golden, slice_of(outcome, sizeof(outcome)));
	}
}

TEST(test_random_tags)
{
	static const size_t limits[] = { 512, 6 };
	struct golden golden = { HASH_FNV32_START };
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct element_stack stack;
		assert_ok(element_stack_init(&stack, limits[i]));
		for (uint32_t seed = 1; seed <= PAGES; seed++)
			take_tags(&stack, seed, &golden);
		element_stack_free(&stack);
	}
	golden_check(&golden, "tags", 0x78ed4b6f);
}
