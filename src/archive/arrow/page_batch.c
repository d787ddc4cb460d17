/* SPDX-License-Identifier: MIT */
#include "archive/arrow/page_batch.h"

#include "archive/stream/document.h"

enum { TEXT, TITLE, CHARSET, METHOD, TEXT_CHARS, HTML_BYTES, PROBLEM_SET, REASON, MARKDOWN };

void page_batch_init(struct row_batch *b, bool markdown)
{
	row_batch_add_column(b, "text", COLUMN_TEXT, true);
	row_batch_add_column(b, "title", COLUMN_TEXT, true);
	row_batch_add_column(b, "charset", COLUMN_TEXT, true);
	row_batch_add_column(b, "method", COLUMN_TEXT, true);
	row_batch_add_column(b, "text_chars", COLUMN_INTEGER, true);
	row_batch_add_column(b, "html_bytes", COLUMN_INTEGER, true);
	row_batch_add_column(b, "problems", COLUMN_WORDS, true);
	row_batch_add_column(b, "reason", COLUMN_TEXT, true);
	if (markdown)
		row_batch_add_column(b, "markdown", COLUMN_TEXT, true);
}

static struct slice terminated(const char *text)
{
	return text ? slice_from_text(text) : slice_of(NULL, 0);
}

void page_batch_add(struct row_batch *b, const struct dana_document *page, const char *reason)
{
	for (size_t i = 0; i < b->n && !page; i++) {
		if (i != REASON)
			column_add_null(&b->column[i]);
	}
	column_add_text(&b->column[REASON], terminated(reason));
	if (!page)
		return;
	column_add_text(&b->column[TEXT], slice_of(page->text.data, page->text.len));
	column_add_text(&b->column[TITLE], slice_of(page->title.data, page->title.len));
	column_add_text(&b->column[CHARSET], terminated(page->charset));
	column_add_text(&b->column[METHOD], terminated(page->method));
	column_add_integer(&b->column[TEXT_CHARS], (int64_t)page->text_chars, true);
	column_add_integer(&b->column[HTML_BYTES], (int64_t)page->html_bytes, true);
	column_add_words(&b->column[PROBLEM_SET], page->problems, PROBLEM_WORDS, problem_word);
	if (b->n > MARKDOWN)
		column_add_text(&b->column[MARKDOWN], slice_of(page->markdown.data, page->markdown.len));
}
