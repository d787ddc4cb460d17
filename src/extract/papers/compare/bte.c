/* SPDX-License-Identifier: MIT */
/*
 * Body text extraction (A. Finn, N. Kushmerick, B. Smyth 2001): of all ranges of the token sequence take the one with
 * most words inside and most tags outside. That is the range with the largest sum of +1 for a word and -1 for a tag,
 * so one pass finds it. Of equal ranges the first wins. Memory: the open range and the best one.
 */
#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"

struct bte {
	struct token_stream stream;
	struct trace *trace;
	struct page_text_pair text;
	size_t mark; /* end of the best range, when it lies in `open` */
	bool best_is_open;
	int64_t sum, best_sum;
};

/* The sum of the open range; its highest value so far is where the best range ends. */
static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct bte *s = (struct bte *)t;
	int status = page_text_add(&s->text.open, word);
	if (++s->sum > s->best_sum) {
		s->best_sum = s->sum;
		s->mark = s->text.open.buf.len;
		s->best_is_open = true;
	}
	return status;
}

/* Ends the open range: a later one that began in it would only be smaller. */
static void close_range(struct bte *s)
{
	if (s->best_is_open) {
		page_text_pair_keep(&s->text, s->mark);
		s->best_is_open = false;
	} else {
		page_text_reset(&s->text.open);
	}
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct bte *s = (struct bte *)t;
	(void)tag;
	if (s->sum > 0 && --s->sum == 0)
		close_range(s);
	return 0;
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void bte_reset(void *state)
{
	struct bte *s = state;
	token_stream_reset(&s->stream, &ops);
	page_text_pair_reset(&s->text);
	s->mark = 0;
	s->best_is_open = false;
	s->sum = s->best_sum = 0;
}

static int bte_init(void *state, const struct method_env *env)
{
	struct bte *s = state;
	page_text_pair_init(&s->text, env);
	s->trace = env->trace;
	bte_reset(s);
	return 0;
}

static int bte_finish(void *state, struct text_writer *out)
{
	struct bte *s = state;
	int status = token_stream_finish(&s->stream);
	if (status < 0)
		return status;
	close_range(s);
	if (s->trace && s->trace->number)
		s->trace->number(s->trace->arg, "words minus tags of the range", (double)s->best_sum);
	if (s->best_sum == 0)
		return METHOD_NO_REGION;
	return page_text_pair_write(&s->text, out);
}

static void bte_destroy(void *state)
{
	struct bte *s = state;
	page_text_pair_free(&s->text);
}

const struct method method_bte = {
	.name = "bte",
	.source = "Finn, Kushmerick, Smyth 2001",
	.memory = "two buffers",
	.summary = "most words inside and most tags outside",
	.state_size = sizeof(struct bte),
	.init = bte_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = bte_finish,
	.lists_spans = true,
	.reset = bte_reset,
	.destroy = bte_destroy,
};
