/* SPDX-License-Identifier: MIT */
/* The element tree: depth and limits; a golden of what each of random tags closes and opens. */
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
	golden_check(&golden, "tags", 0x3a30905e);
}
