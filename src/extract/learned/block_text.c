/* SPDX-License-Identifier: MIT */
/*
 * The text of blocks. The text of all blocks is in one buffer, one block after the other, as source
 * text (references are not decoded); white space at the beginning of a block is left out.
 *
 * Example: from <title>Lamp<p>Text without </title>, the tokeniser makes only a title. If such a page ends without any
 * other text, it is read again from <p> on, and the title is "Lamp".
 */
#include "base/ascii.h"
#include "extract/html/tokenizer.h"
#include "extract/learned/block_builder.h"

/* `kept`: white space may not collapse. */
static inline __attribute__((always_inline)) int add_text(struct blocks *b, struct slice text, uint64_t offset,
							  bool kept)
{
	struct block_builder *t = b->builder;
	if (b->text.len == t->begin) {
		const uint8_t *first = text.data;
		while (text.len && ascii_is_space(text.data[0]))
			text = slice_of(text.data + 1, text.len - 1);
		if (kept && t->white.now == WHITE_SPACE_KEPT) {
			int status = block_space_indent(b, slice_of(first, (size_t)(text.data - first)));
			if (status < 0)
				return status;
		}
		if (text.len == 0)
			return DANA_OK;
		offset += (uint64_t)(text.data - first);
		t->current.start = offset > UINT32_MAX ? UINT32_MAX : (uint32_t)offset;
	}
	if (text.len > t->max_text - b->text.len) {
		text.len = t->max_text - b->text.len;
		b->truncated = true;
	}
	if (b->text.cap - b->text.len < text.len + BLOCKS_READ_ON) {
		int status = buf_reserve(&b->text, text.len + BLOCKS_READ_ON);
		if (status < 0)
			return status;
	}
	memcpy(b->text.data + b->text.len, text.data, text.len);
	b->text.len += text.len;
	return kept ? block_space_add(b, b->text.len - text.len) : DANA_OK;
}

static __attribute__((noinline)) int add_kept(struct blocks *b, struct slice text, uint64_t offset)
{
	return add_text(b, text, offset, true);
}

int block_add_text(struct blocks *b, struct slice text, uint64_t offset)
{
	if (b->builder->white.now != WHITE_SPACE_COLLAPSES)
		return add_kept(b, text, offset);
	return add_text(b, text, offset, false);
}

int block_add_title(struct blocks *b, struct slice text)
{
	if (b->builder->title_done)
		return DANA_OK;
	size_t most = b->builder->max_text - b->builder->after_title.len;
	return buf_append(&b->builder->after_title, text.data, text.len < most ? text.len : most);
}

static int again_run(void *arg, const struct html_run *run)
{
	return blocks_run(arg, run);
}

static int again_tag(void *arg, const struct html_tag_event *event)
{
	return blocks_tag(arg, event);
}

int block_read_after_title(struct blocks *b)
{
	struct block_builder *t = b->builder;
	const struct html_handler handler = { .run = again_run, .tag = again_tag, .arg = b };
	const uint8_t *tag = memchr(t->after_title.data, '<', t->after_title.len);
	uint64_t page_bytes = b->page_bytes;
	if (!tag)
		return DANA_OK;
	struct html_tokenizer *again = html_tokenizer_new(&handler);
	if (!again)
		return DANA_ENOMEM;
	t->title_done = true;
	int status =
		html_tokenizer_feed(again, slice_skip(buf_slice(&t->after_title), (size_t)(tag - t->after_title.data)));
	if (status >= 0)
		status = html_tokenizer_finish(again);
	html_tokenizer_free(again);
	b->page_bytes = page_bytes;
	return status < 0 ? status : block_end(b, page_bytes);
}
