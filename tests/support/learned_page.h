/* SPDX-License-Identifier: MIT */
/* Pages read into the blocks of `learned`. */
#ifndef DANA_TESTS_LEARNED_PAGE_H
#define DANA_TESTS_LEARNED_PAGE_H

#include "extract/html/tokenizer.h"
#include "extract/learned/blocks.h"
#include "extract/learned/tokens.h"
#include "support/unit.h"

static inline int learned_run(void *blocks, const struct html_run *run)
{
	return blocks_run(blocks, run);
}

static inline int learned_tag(void *blocks, const struct html_tag_event *event)
{
	return blocks_tag(blocks, event);
}

static inline int learned_unit(void *blocks, const struct html_unit *unit)
{
	return blocks_unit(blocks, unit);
}

/** Adds a page in pieces of `piece` bytes. */
static inline void learned_feed(struct blocks *b, struct slice page, size_t piece)
{
	const struct html_handler handler = { .run = learned_run, .tag = learned_tag, .unit = learned_unit, .arg = b };
	struct html_tokenizer *t = html_tokenizer_new(&handler);
	assert_non_null(t);
	for (; page.len; page = slice_skip(page, piece))
		assert_ok(html_tokenizer_feed(t, slice_first(page, piece)));
	assert_ok(html_tokenizer_finish(t));
	assert_ok(blocks_finish(b));
	html_tokenizer_free(t);
}

/** The blocks of a page, by weights that are all 0; to be freed by blocks_free. */
static inline struct blocks learned_page(struct slice page, size_t piece, size_t max_text)
{
	static const int8_t weights[TOKEN_COUNT];
	struct blocks b = { 0 };
	assert_ok(blocks_init(&b, max_text, 0));
	blocks_set_token_sink(&b, &(struct token_sink){ .weights = weights });
	learned_feed(&b, page, piece);
	return b;
}

#endif
