/* SPDX-License-Identifier: MIT */
/*
 * Density (J. A. Moreno, K. Deschacht, M.-F. Moens 2009): the page as a row of strings, one for each block of text;
 * strings of 40 characters and more are dense; dense strings with at most four others between them make a region; the
 * region with most characters in its dense strings is the result, including what is between them. Of equal ones the
 * first wins. Memory: the open region and the best one.
 */
#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"

enum { DENSITY_LEAST = 40, DENSITY_GAP = 4 };

struct density {
	struct token_stream stream;
	struct trace *trace;
	struct page_text_pair text;
	size_t mark; /* end of the last dense string of the open region; 0 = no region */
	uint64_t weight, best_weight;
	size_t chars;   /* of the current string */
	size_t start;   /* where it begins in `open` */
	unsigned since; /* strings since the last dense one */
};

static void close_region(struct density *s)
{
	if (s->mark && s->weight > s->best_weight) {
		page_text_pair_keep(&s->text, s->mark);
		s->best_weight = s->weight;
	} else {
		page_text_reset(&s->text.open);
	}
	s->mark = 0;
	s->weight = 0;
}

static void end_string(struct density *s)
{
	bool dense = s->chars >= DENSITY_LEAST;
	if (s->chars == 0)
		return;
	if (s->trace && s->trace->block)
		s->trace->block(s->trace->arg,
				slice_of(s->text.open.buf.data + s->start, s->text.open.buf.len - s->start), dense,
				(double)s->chars, dense ? "dense" : "short", "");
	if (dense) {
		s->weight += s->chars;
		s->mark = s->text.open.buf.len;
		s->since = 0;
	} else if (!s->mark || ++s->since > DENSITY_GAP) {
		close_region(s);
	}
	s->chars = 0;
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct density *s = (struct density *)t;
	if (word->breaks) {
		end_string(s);
		s->start = s->text.open.buf.len;
	}
	s->chars += word->chars + word->space;
	return page_text_add(&s->text.open, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	(void)t;
	(void)tag;
	return 0;
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void density_reset(void *state)
{
	struct density *s = state;
	token_stream_reset(&s->stream, &ops);
	page_text_pair_reset(&s->text);
	s->mark = s->chars = s->start = 0;
	s->weight = s->best_weight = 0;
	s->since = 0;
}

static int density_init(void *state, const struct method_env *env)
{
	struct density *s = state;
	page_text_pair_init(&s->text, env);
	s->trace = env->trace;
	density_reset(s);
	return 0;
}

static int density_finish(void *state, struct text_writer *out)
{
	struct density *s = state;
	int status = token_stream_finish(&s->stream);
	if (status < 0)
		return status;
	end_string(s);
	close_region(s);
	return s->best_weight ? page_text_pair_write(&s->text, out) : METHOD_NO_REGION;
}

static void density_destroy(void *state)
{
	struct density *s = state;
	page_text_pair_free(&s->text);
}

const struct method method_density = {
	.name = "density",
	.source = "Moreno, Deschacht, Moens 2009",
	.memory = "two buffers",
	.summary = "the heaviest run of long blocks",
	.state_size = sizeof(struct density),
	.init = density_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = density_finish,
	.lists_spans = true,
	.reset = density_reset,
	.destroy = density_destroy,
};
