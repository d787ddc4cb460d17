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

#include "extract/method/span_list.h"
#include "extract/method/text_writer.h"

void page_text_init(struct page_text *p, const struct method_env *env)
{
	const size_t max = env ? env->max_text : 0;
	p->max = max == 0 ? (size_t)8 << 20 : max > UINT32_MAX - 1 ? UINT32_MAX - 1 : max;
	p->spans = env ? env->spans : NULL;
}

void page_text_reset(struct page_text *p)
{
	buf_shrink(&p->buf, PAGE_KEEPS);
	buf_clear(&p->buf);
	buf_shrink(&p->places, PAGE_KEEPS);
	buf_clear(&p->places);
	p->truncated = p->breaks = p->space = false;
}

static struct page_place *places(const struct page_text *p, size_t *count)
{
	*count = p->places.len / sizeof(struct page_place);
	return (struct page_place *)(void *)p->places.data;
}

/* Notes a word at the end of the text; dropped words next to each other are one place. */
static int note(struct page_text *p, const struct token_word *word, bool dropped)
{
	size_t count;
	const struct page_place *all = places(p, &count);
	const struct page_place place = { word->before, word->from, (uint32_t)p->buf.len, dropped };
	p->last = word->to;
	if (!p->spans || (dropped && count && all[count - 1].dropped))
		return 0;
	p->end = dropped ? p->end : word->to;
	return buf_append(&p->places, &place, sizeof(place));
}

int page_text_add(struct page_text *p, const struct token_word *word)
{
	bool breaks = word->breaks || p->breaks, space = (word->space || p->space) && !word->white.len;
	if (p->truncated || p->max - p->buf.len < word->white.len + word->text.len + 1) {
		p->truncated = true;
		return note(p, word, true);
	}

	p->breaks = p->space = false;
	int status = note(p, word, false);
	if (status >= 0 && p->buf.len && (breaks || space))
		status = buf_append_byte(&p->buf, breaks ? '\n' : ' ');
	if (status >= 0)
		status = buf_append(&p->buf, word->white.data, word->white.len);
	return status < 0 ? status : buf_append(&p->buf, word->text.data, word->text.len);
}

int page_text_pass(struct page_text *p, const struct token_word *word)
{
	p->breaks |= word->breaks || (word->white.len && word->white.data[0] == '\n');
	p->space = true;
	return note(p, word, true);
}

void page_text_cut(struct page_text *p, size_t len)
{
	size_t count;
	struct page_place *all = places(p, &count);
	if (len >= p->buf.len)
		return;
	p->buf.len = len;
	p->breaks = true;
	size_t left = count;
	while (left && all[left - 1].text >= len)
		left--;
	if (left == count)
		return;
	/* the first word that is taken off stands for all of them */
	all[left].dropped = true;
	p->places.len = (left + !(left && all[left - 1].dropped)) * sizeof(*all);
}

/* Returns the number of the first place whose text begins at `text` or after it. */
static size_t place_at(const struct page_place *all, size_t count, size_t text)
{
	size_t low = 0;
	while (count) {
		const size_t half = count / 2, next = all[low + half].text < text ? half + 1 : 0;
		low += next;
		count = next ? count - next : half;
	}
	return low;
}

/* Lists the words of text from..to: from the word before the first of them to the word after the last. */
static int list_spans(const struct page_text *p, size_t from, size_t to)
{
	size_t count;
	const struct page_place *all = places(p, &count);
	int status = 0;
	for (size_t i = place_at(all, count, from), next; i < count && all[i].text < to && status >= 0; i = next) {
		next = i + 1;
		if (all[i].dropped)
			continue;
		while (next < count && all[next].text < to && !all[next].dropped)
			next++;
		const bool last = next == count;
		status = span_list_keep(p->spans, all[i].before, last ? p->end : all[next].from);
		if (status >= 0 && !last)
			status = span_list_drop_rest(p->spans, p->last);
	}
	return status;
}

int page_text_write(const struct page_text *p, size_t from, size_t to, struct text_writer *out)
{
	int status = text_writer_plain(out, slice_of(p->buf.data + from, to - from));
	if (p->truncated)
		out->truncated = true;
	if (status >= 0 && p->spans)
		status = list_spans(p, from, to);
	return status < 0 ? status : text_writer_break(out);
}

void page_text_free(struct page_text *p)
{
	buf_free(&p->buf);
	buf_free(&p->places);
}

void page_text_pair_init(struct page_text_pair *p, const struct method_env *env)
{
	page_text_init(&p->open, env);
	page_text_init(&p->best, env);
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
