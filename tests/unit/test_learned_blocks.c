/* What `learned` takes from the tags around a block: text that attributes hide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "html/tokenizer.h"
#include "learned/blocks.h"
#include "learned/tokens.h"

enum { TEXT_MOST = 1 << 20 };

static int on_run(void *arg, const struct html_run *run)
{
	return blocks_run(arg, run);
}

static int on_tag(void *arg, const struct html_tag_event *event)
{
	return blocks_tag(arg, event);
}

static void start(struct blocks *b, size_t max_text)
{
	static const int8_t weights[TOKEN_COUNT];
	assert_int_equal(blocks_init(b, max_text, 0), 0);
	blocks_set_token_sink(b, &(struct token_sink){ .weights = weights });
}

static void feed_page(struct blocks *b, const char *page)
{
	const struct html_handler handler = { .run = on_run, .tag = on_tag, .arg = b };
	struct html_tokenizer *t = html_tokenizer_new(&handler);
	assert_non_null(t);
	assert_int_equal(html_tokenizer_feed(t, slice_from_text(page)), 0);
	assert_int_equal(html_tokenizer_finish(t), 0);
	assert_int_equal(blocks_finish(b), 0);
	html_tokenizer_free(t);
}

/* The blocks of a page, whose weights are all 0; to be freed by blocks_free. */
static void read_page(struct blocks *b, const char *page)
{
	start(b, TEXT_MOST);
	feed_page(b, page);
}

/* Before the element, in it, in an element of it, and after it: only what is in it is hidden. */
static void check_hidden(const char *attributes, bool hidden)
{
	struct blocks b = { 0 };
	char page[300];
	snprintf(page, sizeof(page), "<p>before</p><div %s>in it<ul><li>inside</ul></div><p>after</p>", attributes);
	read_page(&b, page);
	assert_int_equal(b.n_blocks, 4);
	for (uint32_t i = 0; i < b.n_blocks; i++) {
		const bool expected = hidden && (i == 1 || i == 2);
		if (b.block[i].hidden != expected)
			fail_msg("block %u of a <div %s> is %shidden", i, attributes, expected ? "not " : "");
	}
	blocks_free(&b);
}

static void attributes_hide_text(void **state)
{
	static const char *const hiding[] = { "hidden",
					      "HIDDEN",
					      "hidden=''",
					      "class=a hidden id=b",
					      "aria-hidden=true",
					      "aria-hidden=\"true\"",
					      "style='display:none'",
					      "style='display: none'",
					      "style=display:none",
					      "style='color: red; display:  none; margin: 0'",
					      "style='display:block;display:none'",
					      "style='Display:none'" };
	static const char *const showing[] = { "",
					       "class=hidden",
					       "hiddens",
					       "data-hidden=true",
					       "aria-hidden=false",
					       "aria-hidden",
					       "style='display:block'",
					       "style='display:'",
					       "style='display'",
					       "style='display:non'",
					       "style='visible:none'",
					       "style=none",
					       "title='display:none'" };
	(void)state;
	for (size_t i = 0; i < sizeof(hiding) / sizeof(hiding[0]); i++)
		check_hidden(hiding[i], true);
	for (size_t i = 0; i < sizeof(showing) / sizeof(showing[0]); i++)
		check_hidden(showing[i], false);
}

/* What a page sets is not there for the next one. */
static void reset_forgets_the_page(void **state)
{
	(void)state;
	struct blocks b = { 0 };
	start(&b, 16);
	feed_page(&b, "<title>one</title><main><p>more text than there is room for<img><textarea></textarea></main>");
	assert_true(b.has_main && b.truncated && b.n_blocks && b.images && b.textareas && b.title.len);
	blocks_reset(&b);
	feed_page(&b, "<p>less text");
	assert_false(b.has_main || b.truncated || b.images || b.textareas || b.title.len);
	assert_int_equal(b.n_blocks, 1);
	blocks_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_hide_text),
		cmocka_unit_test(reset_forgets_the_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
