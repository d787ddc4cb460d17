/* SPDX-License-Identifier: MIT */
/*
 * K-FeatureExtractor (S. Debnath et al. 2005): the blocks fall into three clusters by share of text, share of link text
 * and log of the text's length; the result is the cluster whose blocks have the highest share of text. k-means begins
 * at the blocks with least, median and most share of text and takes ten rounds. Memory: the text and 12 bytes for each
 * block.
 */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/block_shape.h"
#include "extract/papers/kmeans.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"

enum { KFE_SCALE = 65535, KFE_ROUNDS = 10 };

struct kfe_block {
	uint32_t text_end;   /* length of the page's text at its end */
	uint16_t text, link; /* shares, 65535 = all */
	float length;        /* log(1 + characters) */
};

struct kfe {
	struct token_stream stream;
	struct trace *trace;
	struct work *work;
	struct page_text text;
	struct buf blocks; /* of struct kfe_block */
	struct block_shape shape;
	double longest;
};

static uint16_t share(uint64_t part, uint64_t all)
{
	return (uint16_t)lround((double)part / (double)all * KFE_SCALE);
}

static int end_block(void *state)
{
	struct kfe *s = state;
	struct block_shape shape = s->shape;
	uint64_t sum = block_shape_sum(&shape), chars = shape.text + shape.link;
	s->shape = (struct block_shape){ 0 };
	if (chars == 0)
		return 0;
	struct kfe_block block = { .text_end = (uint32_t)s->text.buf.len,
				   .text = share(shape.text, sum),
				   .link = share(shape.link, sum),
				   .length = (float)log1p((double)chars) };
	if ((double)block.length > s->longest)
		s->longest = (double)block.length;
	return buf_append(&s->blocks, &block, sizeof(block));
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct kfe *s = (struct kfe *)t;
	block_shape_add_word(&s->shape, word);
	return page_text_add(&s->text, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct kfe *s = (struct kfe *)t;
	return block_shape_add_tag(&s->shape, tag, end_block, s);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void kfe_reset(void *state)
{
	struct kfe *s = state;
	token_stream_reset(&s->stream, &ops);
	page_text_reset(&s->text);
	buf_shrink(&s->blocks, PAGE_KEEPS);
	s->shape = (struct block_shape){ 0 };
	s->longest = 0;
}

static int kfe_init(void *state, const struct method_env *env)
{
	struct kfe *s = state;
	page_text_init(&s->text, env);
	s->trace = env->trace;
	s->work = env->work;
	kfe_reset(s);
	return 0;
}

static const struct kfe_block *block_at(const struct kfe *s, size_t index)
{
	return (const struct kfe_block *)(const void *)s->blocks.data + index;
}

/* Computes a block's coordinates for clustering, each from 0 to 1. */
static void point(const void *arg, size_t index, double at[KMEANS_DIMENSIONS])
{
	const struct kfe *s = arg;
	const struct kfe_block *b = block_at(s, index);
	at[0] = (double)b->text / KFE_SCALE;
	at[1] = (double)b->link / KFE_SCALE;
	at[2] = (double)b->length / s->longest;
}

/* Finds the lower median of the shares of text, by counting. */
static int median_share(const struct kfe *s, size_t count, uint16_t *median)
{
	uint32_t *seen = calloc(KFE_SCALE + 1, sizeof(*seen));
	if (!seen)
		return DANA_ENOMEM;
	for (size_t i = 0; i < count; i++)
		seen[block_at(s, i)->text]++;
	size_t value = 0, passed = seen[0];
	while (passed <= (count - 1) / 2)
		passed += seen[++value];
	*median = (uint16_t)value;
	free(seen);
	return 0;
}

/* First centres: the first block with least, with the median, and with most share of text. */
static int cluster(const struct kfe *s, size_t count, struct kmeans *k)
{
	uint16_t median = 0;
	int status = median_share(s, count, &median);
	if (status < 0)
		return status;
	size_t least = 0, middle = count, most = 0;
	for (size_t i = 0; i < count; i++) {
		uint16_t text = block_at(s, i)->text;
		least = text < block_at(s, least)->text ? i : least;
		most = text > block_at(s, most)->text ? i : most;
		middle = middle == count && text == median ? i : middle;
	}
	*k = (struct kmeans){ .dimensions = 3, .rounds = KFE_ROUNDS };
	point(s, least, k->centre[0]);
	point(s, middle, k->centre[1]);
	point(s, most, k->centre[2]);
	return kmeans_run(k, count, point, s, s->work);
}

/*
 * Returns the cluster with the highest mean share of text, using the mean of its members instead of the last round's
 * centre.
 */
static unsigned best_cluster(const struct kfe *s, size_t count, const struct kmeans *k)
{
	double sum[KMEANS_CLUSTERS] = { 0 };
	size_t members[KMEANS_CLUSTERS] = { 0 };
	for (size_t i = 0; i < count; i++) {
		double at[KMEANS_DIMENSIONS];
		point(s, i, at);
		unsigned c = kmeans_nearest(k, at);
		sum[c] += at[0];
		members[c]++;
	}
	unsigned best = KMEANS_CLUSTERS;
	double highest = -1;
	for (unsigned c = 0; c < KMEANS_CLUSTERS; c++) {
		double mean = members[c] ? sum[c] / (double)members[c] : -1;
		if (mean > highest) {
			highest = mean;
			best = c;
		}
	}
	return best;
}

static int write_cluster(const struct kfe *s, size_t count, const struct kmeans *k, struct text_writer *out)
{
	unsigned best = best_cluster(s, count, k);
	int status = 0;
	for (size_t i = 0, from = 0; i < count && status >= 0; i++) {
		double at[KMEANS_DIMENSIONS];
		point(s, i, at);
		size_t to = block_at(s, i)->text_end;
		bool kept = kmeans_nearest(k, at) == best;
		if (s->trace && s->trace->block)
			s->trace->block(s->trace->arg, slice_of(s->text.buf.data + from, to - from), kept, at[0],
					kept ? "cluster of text" : "other cluster", "");
		if (kept)
			status = page_text_write(&s->text, from, to, out);
		from = to;
	}
	return status;
}

static int kfe_finish(void *state, struct text_writer *out)
{
	struct kfe *s = state;
	struct kmeans k;
	int status = token_stream_finish(&s->stream);
	if (status >= 0)
		status = end_block(s);
	if (status < 0)
		return status;
	size_t count = s->blocks.len / sizeof(struct kfe_block);
	if (count == 0)
		return METHOD_NO_REGION;
	status = cluster(s, count, &k);
	return status < 0 ? status : write_cluster(s, count, &k, out);
}

static void kfe_destroy(void *state)
{
	struct kfe *s = state;
	page_text_free(&s->text);
	buf_free(&s->blocks);
}

const struct method method_kfe = {
	.name = "kfe",
	.source = "Debnath et al. 2005",
	.memory = "text + 12 B a block",
	.summary = "the cluster of blocks with most of the text",
	.state_size = sizeof(struct kfe),
	.init = kfe_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = kfe_finish,
	.lists_spans = true,
	.reset = kfe_reset,
	.destroy = kfe_destroy,
};
