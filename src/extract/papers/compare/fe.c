/* SPDX-License-Identifier: MIT */
/*
 * FeatureExtractor (S. Debnath, P. Mitra, N. Pal, C. L. Giles 2005): of the blocks in which text outweighs all other
 * features together, the one with most text. The papers' tables show that it gives one block. Memory: the open block
 * and the best one.
 */
#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/block_shape.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"

struct fe {
	struct token_stream stream;
	struct trace *trace;
	struct page_text_pair text;
	struct block_shape shape;
	uint64_t best_text;
};

static void tell(const struct fe *s, bool candidate)
{
	uint64_t sum = block_shape_sum(&s->shape);
	if (s->trace && s->trace->block && s->text.open.buf.len)
		s->trace->block(s->trace->arg, buf_slice(&s->text.open.buf), candidate,
				(double)s->shape.text / (double)(sum ? sum : 1),
				candidate ? "most text so far" : "little text", "");
}

/* Text must be more than half of the block; a block with as much text as the best one does not replace it. */
static int end_block(void *state)
{
	struct fe *s = state;
	bool better = 2 * s->shape.text > block_shape_sum(&s->shape) && s->shape.text > s->best_text;
	tell(s, better);
	if (better) {
		page_text_pair_keep(&s->text, s->text.open.buf.len);
		s->best_text = s->shape.text;
	} else {
		page_text_reset(&s->text.open);
	}
	s->shape = (struct block_shape){ 0 };
	return 0;
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct fe *s = (struct fe *)t;
	block_shape_add_word(&s->shape, word);
	return page_text_add(&s->text.open, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct fe *s = (struct fe *)t;
	return block_shape_add_tag(&s->shape, tag, end_block, s);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void fe_reset(void *state)
{
	struct fe *s = state;
	token_stream_reset(&s->stream, &ops);
	page_text_pair_reset(&s->text);
	s->shape = (struct block_shape){ 0 };
	s->best_text = 0;
}

static int fe_init(void *state, const struct method_env *env)
{
	struct fe *s = state;
	page_text_pair_init(&s->text, env);
	s->trace = env->trace;
	fe_reset(s);
	return 0;
}

static int fe_finish(void *state, struct text_writer *out)
{
	struct fe *s = state;
	int status = token_stream_finish(&s->stream);
	if (status >= 0)
		status = end_block(s);
	if (status < 0)
		return status;
	return s->best_text ? page_text_pair_write(&s->text, out) : METHOD_NO_REGION;
}

static void fe_destroy(void *state)
{
	struct fe *s = state;
	page_text_pair_free(&s->text);
}

const struct method method_fe = {
	.name = "fe",
	.source = "Debnath et al. 2005",
	.memory = "two buffers",
	.summary = "the one block with most text",
	.state_size = sizeof(struct fe),
	.init = fe_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = fe_finish,
	.lists_spans = true,
	.reset = fe_reset,
	.destroy = fe_destroy,
};
