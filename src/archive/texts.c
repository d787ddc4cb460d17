/* SPDX-License-Identifier: MIT */
#include "archive/texts.h"

#include "base/utf8.h"
#include "dana/dana.h"

void texts_fill(const struct texts *texts, const struct dana_extractor *x, unsigned flags, struct document *doc)
{
	struct dana_view markdown, blocks;
	if (!texts->structure || dana_markdown(x, &markdown) < 0 || dana_structure_json(x, &blocks) < 0)
		return;
	doc->with_markdown = (texts->structure & DANA_MARKDOWN) != 0;
	if (doc->with_markdown)
		doc->markdown = slice_of(markdown.len ? markdown.data : "", markdown.len);
	doc->with_structure = (texts->structure & DANA_BLOCKS) != 0;
	if (doc->with_structure)
		doc->structure = slice_of(blocks.data, blocks.len);
	if (flags & DANA_LACKS_STRUCTURE)
		doc->problems |= PROBLEM_STRUCTURE_CUT;
}

void texts_choose(const struct texts *texts, struct document *doc)
{
	if (!texts->in_text || !doc->markdown.data)
		return;
	doc->text = doc->markdown;
	doc->text_chars = utf8_count(doc->text);
	doc->with_markdown = false;
	doc->blocks = NULL;
	doc->n_blocks = 0;
}
