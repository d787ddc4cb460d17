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

/* A page's own markup, or other markup that belongs to the page: its place is the page's end. */
struct again {
	struct blocks *blocks;
	bool elsewhere;
	uint64_t end;
};

static int again_run(void *arg, const struct html_run *run)
{
	const struct again *again = arg;
	struct html_run moved = *run;
	if (again->elsewhere)
		moved.offset = again->end;
	return blocks_run(again->blocks, &moved);
}

static int again_tag(void *arg, const struct html_tag_event *event)
{
	const struct again *again = arg;
	struct html_tag_event moved = *event;
	if (again->elsewhere)
		moved.start = moved.end = again->end;
	return blocks_tag(again->blocks, &moved);
}

/* Takes the blocks of more markup and ends the last one. */
static int read_again(struct again *again, struct slice html)
{
	const struct html_handler handler = { .run = again_run, .tag = again_tag, .arg = again };
	struct html_tokenizer *tokenizer = html_tokenizer_new(&handler);
	if (!tokenizer)
		return DANA_ENOMEM;
	int status = html_tokenizer_feed(tokenizer, html);
	if (status >= 0)
		status = html_tokenizer_finish(tokenizer);
	html_tokenizer_free(tokenizer);
	again->blocks->page_bytes = again->end;
	return status < 0 ? status : block_end(again->blocks, again->end);
}

int block_read_after_title(struct blocks *b)
{
	struct block_builder *t = b->builder;
	const uint8_t *tag = memchr(t->after_title.data, '<', t->after_title.len);
	if (!tag)
		return DANA_OK;
	t->title_done = true;
	struct again again = { .blocks = b, .end = b->page_bytes };
	return read_again(&again, slice_skip(buf_slice(&t->after_title), (size_t)(tag - t->after_title.data)));
}

int block_read_held(struct blocks *b)
{
	struct block_builder *t = b->builder;
	struct again again = { .blocks = b, .elsewhere = true, .end = b->page_bytes };
	struct slice templates = held_text_templates(&t->held);
	int status = DANA_OK;
	open_elements_cut(&t->open, 0);
	t->white = (struct white_space_state){ 0 };
	t->in_link = false;
	t->reserve_tag = HELD;
	if (templates.len && t->reserved < RESERVE_BELOW)
		status = read_again(&again, templates);
	if (status == DANA_OK && t->held.data.len && t->reserved < RESERVE_BELOW) {
		struct buf html = { 0 };
		status = held_text_bodies(&t->held, &html);
		if (status == DANA_OK && html.len)
			status = read_again(&again, buf_slice(&html));
		buf_free(&html);
	}
	return status;
}
