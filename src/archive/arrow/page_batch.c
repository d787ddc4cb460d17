/* SPDX-License-Identifier: MIT */
#include "archive/arrow/page_batch.h"

#include <stdlib.h>

#include "archive/arrow/item_types.h"
#include "archive/arrow/texts_column.h"
#include "archive/stream/document.h"

/* Those before MORE are always there. */
enum { TEXT, TITLE, CHARSET, METHOD, TEXT_CHARS, HTML_BYTES, PROBLEM_SET, REASON, MORE };

static int add_columns(struct page_batch *b, const char *const *methods, size_t n_methods)
{
	static const struct column_type types[] = {
		{ "text", COLUMN_TEXT, true, NULL, 0 },
		{ "title", COLUMN_TEXT, true, NULL, 0 },
		{ "charset", COLUMN_TEXT, true, NULL, 0 },
		{ "method", COLUMN_TEXT, true, NULL, 0 },
		{ "text_chars", COLUMN_INTEGER, true, NULL, 0 },
		{ "html_bytes", COLUMN_INTEGER, true, NULL, 0 },
		{ "problems", COLUMN_LIST, true, &item_text_type, 1 },
		{ "reason", COLUMN_TEXT, true, NULL, 0 },
	}, markdown = { "markdown", COLUMN_TEXT, true, NULL, 0 },
	   blocks = { "blocks", COLUMN_LIST, true, &item_block_type, 1 };
	int status = b->structure & DANA_BLOCKS ? json_column_init(&b->blocks) : DANA_OK;
	for (size_t i = 0; i < MORE && status == DANA_OK; i++)
		status = row_batch_add_column(&b->batch, types[i]);
	if (status == DANA_OK && b->structure & DANA_MARKDOWN)
		status = row_batch_add_column(&b->batch, markdown);
	if (status == DANA_OK && b->structure & DANA_BLOCKS)
		status = row_batch_add_column(&b->batch, blocks);
	if (status == DANA_OK && n_methods)
		status = texts_column_type(&b->texts, methods, n_methods);
	if (status == DANA_OK && n_methods)
		status = row_batch_add_column(&b->batch, b->texts);
	return status;
}

struct page_batch *page_batch_new(unsigned structure, const char *const *methods, size_t n_methods)
{
	struct page_batch *b = calloc(1, sizeof(*b));
	if (b)
		b->structure = structure;
	if (b && add_columns(b, methods, n_methods) == DANA_OK)
		return b;
	page_batch_free(b);
	return NULL;
}

static struct slice terminated(const char *text)
{
	return text ? slice_from_text(text) : slice_of(NULL, 0);
}

/* Adds what only some batches have. */
static int add_structure(struct page_batch *b, const struct dana_document *page)
{
	size_t at = MORE;
	if (b->structure & DANA_MARKDOWN)
		column_add_text(&b->batch.column[at++], slice_of(page->markdown.data, page->markdown.len));
	int status = DANA_OK;
	if (b->structure & DANA_BLOCKS)
		status = json_column_add(&b->blocks, &b->batch.column[at++],
					 slice_of(page->structure.data, page->structure.len));
	if (status == DANA_OK && b->texts.n_children)
		texts_column_add(&b->batch.column[at], page->texts);
	return status;
}

int page_batch_add(struct page_batch *b, const struct dana_document *page, const char *reason)
{
	struct column *column = b->batch.column;
	for (size_t i = 0; i < b->batch.n && !page; i++) {
		if (column[i].type->kind == COLUMN_STRUCT)
			texts_column_add(&column[i], NULL);
		else if (i != REASON)
			column_add_null(&column[i]);
	}
	column_add_text(&column[REASON], terminated(reason));
	if (!page)
		return row_batch_status(&b->batch);
	column_add_text(&column[TEXT], slice_of(page->text.data, page->text.len));
	column_add_text(&column[TITLE], slice_of(page->title.data, page->title.len));
	column_add_text(&column[CHARSET], terminated(page->charset));
	column_add_text(&column[METHOD], terminated(page->method));
	column_add_integer(&column[TEXT_CHARS], (int64_t)page->text_chars, true);
	column_add_integer(&column[HTML_BYTES], (int64_t)page->html_bytes, true);
	column_add_words(&column[PROBLEM_SET], page->problems, PROBLEM_WORDS, problem_word);
	const int status = add_structure(b, page);
	return status == DANA_OK ? row_batch_status(&b->batch) : status;
}

void page_batch_free(struct page_batch *b)
{
	if (!b)
		return;
	json_column_free(&b->blocks);
	row_batch_free(&b->batch);
	texts_column_free(&b->texts);
	free(b);
}
