/* SPDX-License-Identifier: MIT */
/*
 * Document slope curves (D. Pinto et al. 2002): where the curve of tags over tokens is flat, there is text. Windows of
 * 50 tokens overlap by half; a window is low when its slope is at most half of the page's; three low ones in a row
 * open a section, three high ones close it. The slope is the difference quotient, tags / tokens. A page of fewer than
 * three windows is taken whole when it has a word. Memory: the text and 8 bytes for 25 tokens.
 */
#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"

enum { DSC_HALF = 25, DSC_RUN = 3 };

struct dsc_half {
	uint32_t text_end; /* length of the text at its end */
	uint16_t tags, tokens;
};

struct dsc {
	struct token_stream stream;
	struct trace *trace;
	struct page_text text;
	struct buf halves; /* of struct dsc_half, finished */
	struct dsc_half half;
	uint64_t tags, tokens;
};

static int end_half(struct dsc *s)
{
	s->half.text_end = (uint32_t)s->text.buf.len;
	int status = buf_append(&s->halves, &s->half, sizeof(s->half));
	s->half = (struct dsc_half){ 0 };
	return status;
}

static int count_token(struct dsc *s, unsigned tag)
{
	s->tags += tag;
	s->tokens++;
	s->half.tags = (uint16_t)(s->half.tags + tag);
	return ++s->half.tokens == DSC_HALF ? end_half(s) : 0;
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct dsc *s = (struct dsc *)t;
	int status = page_text_add(&s->text, word);
	return status < 0 ? status : count_token(s, 0);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	(void)tag;
	return count_token((struct dsc *)t, 1);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void dsc_reset(void *state)
{
	struct dsc *s = state;
	token_stream_reset(&s->stream, &ops);
	page_text_reset(&s->text);
	buf_shrink(&s->halves, PAGE_KEEPS);
	s->half = (struct dsc_half){ 0 };
	s->tags = s->tokens = 0;
}

static int dsc_init(void *state, const struct method_env *env)
{
	struct dsc *s = state;
	page_text_init(&s->text, env);
	s->trace = env->trace;
	dsc_reset(s);
	return 0;
}

/* True if the window's slope is at most half of the page's, in whole numbers. */
static bool window_is_low(const struct dsc *s, const struct dsc_half *window)
{
	uint64_t tags = (uint64_t)window[0].tags + window[1].tags;
	uint64_t tokens = (uint64_t)window[0].tokens + window[1].tokens;
	return 2 * tags * s->tokens <= s->tags * tokens;
}

/* Writes halves `first` to end - 1. */
static int write_section(const struct dsc *s, const struct dsc_half *halves, size_t first, size_t end,
			 struct text_writer *out)
{
	return page_text_write(&s->text, first ? halves[first - 1].text_end : 0, halves[end - 1].text_end, out);
}

/* Window i is made of halves i and i + 1, so a section whose last low window is i ends with half i + 1. */
static int write_sections(const struct dsc *s, const struct dsc_half *halves, size_t windows, struct text_writer *out)
{
	size_t low = 0, high = 0, first = 0, last_low = 0;
	bool open = false, found = false;
	int status = 0;
	for (size_t i = 0; i < windows && status >= 0; i++) {
		if (window_is_low(s, halves + i)) {
			high = 0;
			last_low = i;
			if (++low == DSC_RUN && !open) {
				open = found = true;
				first = i + 1 - DSC_RUN;
			}
		} else {
			low = 0;
			if (++high == DSC_RUN && open) {
				open = false;
				status = write_section(s, halves, first, last_low + 2, out);
			}
		}
	}
	if (open && status >= 0)
		status = write_section(s, halves, first, last_low + 2, out);
	return status < 0 ? status : found ? 0 : METHOD_NO_REGION;
}

static int dsc_finish(void *state, struct text_writer *out)
{
	struct dsc *s = state;
	int status = token_stream_finish(&s->stream);
	if (status >= 0 && s->half.tokens)
		status = end_half(s);
	if (status < 0)
		return status;
	if (s->trace && s->trace->number && s->tokens)
		s->trace->number(s->trace->arg, "slope of the page", (double)s->tags / (double)s->tokens);
	size_t count = s->halves.len / sizeof(struct dsc_half);
	if (s->text.buf.len == 0)
		return METHOD_NO_REGION;
	if (count <= DSC_RUN)
		return page_text_write(&s->text, 0, s->text.buf.len, out);
	return write_sections(s, (const struct dsc_half *)(const void *)s->halves.data, count - 1, out);
}

static void dsc_destroy(void *state)
{
	struct dsc *s = state;
	page_text_free(&s->text);
	buf_free(&s->halves);
}

const struct method method_dsc = {
	.name = "dsc",
	.source = "Pinto et al. 2002",
	.memory = "text + 8 B per 25 tokens",
	.summary = "sections where the curve of tags is flat",
	.state_size = sizeof(struct dsc),
	.init = dsc_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = dsc_finish,
	.lists_spans = true,
	.reset = dsc_reset,
	.destroy = dsc_destroy,
};
