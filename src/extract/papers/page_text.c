/* SPDX-License-Identifier: MIT */
/*
 * Words arrive one by one, each with what precedes it (nothing, a space, a line break, or white space that the page
 * keeps), and are appended. Example: "a", " b", line break "c" give "a b" LF "c". A cut removes words from the end: the
 * next word then begins a new line.
 *
 * A pair holds the current part of the page (`open`) and the best one so far. When the open part is better, both are
 * swapped, so that no text is copied.
 */
#include "extract/papers/page_text.h"

#include "extract/method/text_writer.h"

void page_text_init(struct page_text *p, size_t max)
{
	p->max = max == 0 ? (size_t)8 << 20 : max > UINT32_MAX - 1 ? UINT32_MAX - 1 : max;
}

void page_text_reset(struct page_text *p)
{
	buf_shrink(&p->buf, PAGE_KEEPS);
	buf_clear(&p->buf);
	p->truncated = p->breaks = p->space = false;
}

int page_text_add(struct page_text *p, const struct token_word *word)
{
	bool breaks = word->breaks || p->breaks, space = (word->space || p->space) && !word->white.len;
	if (p->truncated || p->max - p->buf.len < word->white.len + word->text.len + 1) {
		p->truncated = true;
		return 0;
	}

	p->breaks = p->space = false;
	int status = p->buf.len && (breaks || space) ? buf_append_byte(&p->buf, breaks ? '\n' : ' ') : 0;
	if (status >= 0)
		status = buf_append(&p->buf, word->white.data, word->white.len);
	return status < 0 ? status : buf_append(&p->buf, word->text.data, word->text.len);
}

void page_text_pass(struct page_text *p, const struct token_word *word)
{
	p->breaks |= word->breaks || (word->white.len && word->white.data[0] == '\n');
	p->space = true;
}

void page_text_cut(struct page_text *p, size_t len)
{
	if (len < p->buf.len) {
		p->buf.len = len;
		p->breaks = true;
	}
}

int page_text_write(const struct page_text *p, size_t from, size_t to, struct text_writer *out)
{
	int status = text_writer_plain(out, slice_of(p->buf.data + from, to - from));
	if (p->truncated)
		out->truncated = true;
	return status < 0 ? status : text_writer_break(out);
}

void page_text_free(struct page_text *p)
{
	buf_free(&p->buf);
}

void page_text_pair_init(struct page_text_pair *p, size_t max)
{
	page_text_init(&p->open, max);
	page_text_init(&p->best, max);
}

void page_text_pair_reset(struct page_text_pair *p)
{
	page_text_reset(&p->open);
	page_text_reset(&p->best);
}

void page_text_pair_keep(struct page_text_pair *p, size_t len)
{
	struct page_text worse = p->best;
	page_text_cut(&p->open, len);
	p->best = p->open;
	p->open = worse;
	page_text_reset(&p->open);
}

int page_text_pair_write(const struct page_text_pair *p, struct text_writer *out)
{
	return page_text_write(&p->best, 0, p->best.buf.len, out);
}

void page_text_pair_free(struct page_text_pair *p)
{
	page_text_free(&p->open);
	page_text_free(&p->best);
}
