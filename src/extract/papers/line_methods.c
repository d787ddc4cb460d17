/* SPDX-License-Identifier: MIT */
/*
 * Four methods of papers, one after the other, that look at lines of the source or at blocks of text: cetr, density,
 * fe, kfe. Each begins with a comment about it; the first is cetr.
 *
 * Content extraction via tag ratios (T. Weninger, W. H. Hsu, J. Han, WWW 2010), the variant with clusters in two
 * dimensions: each line of the source has the ratio of its characters of text to its tags; ratios are smoothed with a
 * Gaussian; the second coordinate is how far the mean of the next three lies from it. Of three clusters one stays at
 * the origin; lines that are not nearest to it are content.
 *
 * A page whose mean line is longer than 500 characters is cut every 65 instead; both cuts are counted in the one pass.
 * A word belongs to the line in which it begins. A line break inside a tag does not end a line. Memory: the text and 8
 * bytes for each line of either cut, 8 more at the end; what follows a million lines is one more line.
 */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "extract/method.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"
#include "extract/text_writer.h"

enum { CETR_CUT = 65, CETR_LONG = 500, CETR_SIDE = 2, CETR_AHEAD = 3, CETR_ROUNDS = 50, CETR_LINES = 1 << 20 };

struct cetr_line {
	uint32_t text_end; /* length of the page's text at its end */
	float ratio;
};

/* A line that is being counted, and those before it. */
struct cetr_lines {
	struct buf finished; /* of struct cetr_line */
	uint64_t chars, tags;
};

struct cetr {
	struct paper page;
	struct cetr_lines natural, cut;
	size_t column;       /* of the cut line, below CETR_CUT */
	uint64_t source;     /* characters of text and tags */
	struct buf smoothed; /* two floats for each line of the chosen cut */
};

static int end_line(struct cetr_lines *lines, size_t text_end)
{
	uint64_t tags = lines->tags ? lines->tags : 1;
	struct cetr_line line = { .text_end = (uint32_t)text_end,
				  .ratio = (float)((double)lines->chars / (double)tags) };
	lines->chars = lines->tags = 0;
	return buf_append(&lines->finished, &line, sizeof(line));
}

/* Advances by `chars` characters of source, which count as text if `step` is 1. */
static int advance(struct cetr *s, size_t chars, unsigned step)
{
	int status = 0;
	s->source += chars;
	while (chars && status >= 0) {
		size_t n = CETR_CUT - s->column < chars ? CETR_CUT - s->column : chars;
		s->cut.chars += n * step;
		s->column += n;
		chars -= n;
		if (s->column == CETR_CUT) {
			s->column = 0;
			status = end_line(&s->cut, s->page.text.buf.len);
		}
	}
	return status;
}

static int end_natural(struct cetr *s, bool newline)
{
	const bool empty = s->natural.chars == 0 && s->natural.tags == 0;
	if (!newline || empty || s->natural.finished.len >= CETR_LINES * sizeof(struct cetr_line))
		return 0;
	return end_line(&s->natural, s->page.text.buf.len);
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct cetr *s = (struct cetr *)t;
	int status = end_natural(s, word->newline);
	/* The text first: the word belongs to the cut line in which it begins. */
	if (status >= 0)
		status = page_text_add(&s->page.text, word);
	s->natural.chars += word->chars + word->space;
	return status < 0 ? status : advance(s, word->chars + word->space, 1);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct cetr *s = (struct cetr *)t;
	int status = end_natural(s, tag->newline);
	s->natural.tags++;
	s->cut.tags++;
	return status < 0 ? status : advance(s, tag->chars, 0);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void cetr_reset(void *state)
{
	struct cetr *s = state;
	paper_reset(&s->page);
	buf_shrink(&s->natural.finished, PAGE_KEEPS);
	buf_shrink(&s->cut.finished, PAGE_KEEPS);
	buf_shrink(&s->smoothed, PAGE_KEEPS);
	s->natural.chars = s->natural.tags = s->cut.chars = s->cut.tags = 0;
	s->column = 0;
	s->source = 0;
}

static int cetr_init(void *state, const struct method_env *env)
{
	return paper_init(state, env, &ops);
}

static void point(const void *arg, size_t index, double at[KMEANS_DIMENSIONS])
{
	const float *pair = (const float *)arg + 2 * index;
	at[0] = (double)pair[0];
	at[1] = (double)pair[1];
}

static int make_points(struct cetr *s, const struct cetr_line *lines, size_t count)
{
	buf_clear(&s->smoothed);
	int status = buf_reserve(&s->smoothed, count * 2 * sizeof(float));
	if (status < 0)
		return status;
	float *pairs = (float *)(void *)s->smoothed.data;
	for (size_t i = 0; i < count; i++) {
		static const double weights[CETR_SIDE + 1] = { 1.0, 0.88249690258459546,
							       0.60653065971263342 }; /* exp(-k*k/8) */
		/* Gaussian over five lines, cut off and normalised anew at both ends of the page */
		double sum = 0, all = 0;
		for (int k = -CETR_SIDE; k <= CETR_SIDE; k++) {
			if ((k < 0 && i < (size_t)-k) || i + (size_t)(k < 0 ? 0 : k) >= count)
				continue;
			double weight = weights[k < 0 ? -k : k];
			sum += weight * (double)lines[k < 0 ? i - (size_t)-k : i + (size_t)k].ratio;
			all += weight;
		}
		pairs[2 * i] = (float)(sum / all);
	}
	for (size_t i = 0; i < count; i++) {
		double sum = 0;
		size_t n = count - 1 - i < CETR_AHEAD ? count - 1 - i : CETR_AHEAD;
		for (size_t k = 1; k <= n; k++)
			sum += (double)pairs[2 * (i + k)];
		pairs[2 * i + 1] = n ? (float)fabs(sum / (double)n - (double)pairs[2 * i]) : 0;
	}
	return 0;
}

/* First centres: the origin, the means, the maxima. */
static int cluster(struct kmeans *k, const float *pairs, size_t count, struct work *work)
{
	double sum[2] = { 0 }, most[2] = { 0 };
	for (size_t i = 0; i < 2 * count; i++) {
		double value = (double)pairs[i];
		sum[i % 2] += value;
		most[i % 2] = value > most[i % 2] ? value : most[i % 2];
	}
	*k = (struct kmeans){ .dimensions = 2, .rounds = CETR_ROUNDS, .first_is_fixed = true };
	for (unsigned d = 0; d < 2; d++) {
		k->centre[1][d] = sum[d] / (double)count;
		k->centre[2][d] = most[d];
	}
	return kmeans_run(k, count, point, pairs, work);
}

static int cetr_finish(void *state, struct text_writer *out)
{
	struct cetr *s = state;
	struct kmeans k;
	int status = token_stream_finish(&s->page.stream);
	if (status >= 0)
		status = end_natural(s, true);
	if (status >= 0 && s->column)
		status = end_line(&s->cut, s->page.text.buf.len);
	if (status < 0)
		return status;
	const struct buf *chosen = &s->natural.finished;
	size_t count = chosen->len / sizeof(struct cetr_line);
	if (count == 0)
		return METHOD_NO_REGION;
	if (s->source > (uint64_t)count * CETR_LONG) {
		chosen = &s->cut.finished;
		count = chosen->len / sizeof(struct cetr_line);
	}
	const struct cetr_line *lines = (const struct cetr_line *)(const void *)chosen->data;
	status = make_points(s, lines, count);
	if (status < 0)
		return status;
	status = cluster(&k, (const float *)(const void *)s->smoothed.data, count, s->page.work);
	if (status < 0)
		return status;
	const float *pairs = (const float *)(const void *)s->smoothed.data;
	size_t from = 0; /* start of the open run of content lines */
	bool open = false;
	for (size_t i = 0; i <= count && status >= 0; i++) {
		size_t before = i ? lines[i - 1].text_end : 0;
		bool content = false;
		if (i < count) {
			double at[KMEANS_DIMENSIONS];
			point(pairs, i, at);
			content = kmeans_nearest(&k, at) != 0;
			if (lines[i].text_end > before)
				paper_tell(&s->page, before, lines[i].text_end, content, at[0],
					   content ? "far from the origin" : "near the origin");
		}
		if (content && !open)
			from = before;
		else if (!content && open)
			status = page_text_write(&s->page.text, from, before, out);
		open = content;
	}
	return status;
}

static void cetr_destroy(void *state)
{
	struct cetr *s = state;
	paper_free(s);
	buf_free(&s->natural.finished);
	buf_free(&s->cut.finished);
	buf_free(&s->smoothed);
}

const struct method method_cetr = {
	.name = "cetr",
	.source = "Weninger, Hsu, Han 2010 (WWW)",
	.memory = "text + 16 B a line",
	.summary = "the cluster of lines with most text for a tag",
	PAPER_FUNCTIONS(cetr, cetr),
	.destroy = cetr_destroy,
};

/*
 * Density (J. A. Moreno, K. Deschacht, M.-F. Moens 2009): the page as a row of strings, one for each block of text;
 * strings of 40 characters and more are dense; dense strings with at most four others between them make a region; the
 * region with most characters in its dense strings is the result, including what is between them. Of equal ones the
 * first wins. Memory: the open region and the best one.
 */

enum { DENSITY_LEAST = 40, DENSITY_GAP = 4 };

struct density {
	struct paper page;
	size_t mark; /* end of the last dense string of the open region; 0 = no region */
	uint64_t weight, best_weight;
	size_t chars;   /* of the current string */
	size_t start;   /* where it begins in the open text */
	unsigned since; /* strings since the last dense one */
};

static void close_region(struct density *s)
{
	if (s->mark && s->weight > s->best_weight) {
		paper_keep(&s->page, s->mark);
		s->best_weight = s->weight;
	} else {
		page_text_reset(&s->page.text);
	}
	s->mark = 0;
	s->weight = 0;
}

static void end_string(struct density *s)
{
	bool dense = s->chars >= DENSITY_LEAST;
	if (s->chars == 0)
		return;
	paper_tell(&s->page, s->start, s->page.text.buf.len, dense, (double)s->chars, dense ? "dense" : "short");
	if (dense) {
		s->weight += s->chars;
		s->mark = s->page.text.buf.len;
		s->since = 0;
	} else if (!s->mark || ++s->since > DENSITY_GAP) {
		close_region(s);
	}
	s->chars = 0;
}

static int density_take_word(struct token_stream *t, const struct token_word *word)
{
	struct density *s = (struct density *)t;
	if (word->breaks) {
		end_string(s);
		s->start = s->page.text.buf.len;
	}
	s->chars += word->chars + word->space;
	return page_text_add(&s->page.text, word);
}

static const struct token_stream_ops density_ops = { .word = density_take_word };

static void density_reset(void *state)
{
	struct density *s = state;
	paper_reset(&s->page);
	s->mark = s->chars = s->start = 0;
	s->weight = s->best_weight = 0;
	s->since = 0;
}

static int density_init(void *state, const struct method_env *env)
{
	return paper_init(state, env, &density_ops);
}

static int density_finish(void *state, struct text_writer *out)
{
	struct density *s = state;
	int status = token_stream_finish(&s->page.stream);
	if (status < 0)
		return status;
	end_string(s);
	close_region(s);
	return s->best_weight ? paper_write_best(&s->page, out) : METHOD_NO_REGION;
}

const struct method method_density = {
	.name = "density",
	.source = "Moreno, Deschacht, Moens 2009",
	.memory = "two buffers",
	.summary = "the heaviest run of long blocks",
	PAPER_FUNCTIONS(density, density),
	.destroy = paper_free,
};

/*
 * FeatureExtractor (S. Debnath, P. Mitra, N. Pal, C. L. Giles 2005): of the blocks in which text outweighs all other
 * features together, the one with most text. The papers' tables show that it gives one block. Memory: the open block
 * and the best one.
 */

struct fe {
	struct paper page;
	struct block_shape shape;
	uint64_t best_text;
};

/* Text must be more than half of the block; a block with as much text as the best one does not replace it. */
static int end_block(void *state)
{
	struct fe *s = state;
	bool better = 2 * s->shape.text > block_shape_sum(&s->shape) && s->shape.text > s->best_text;
	uint64_t sum = block_shape_sum(&s->shape);
	if (s->page.text.buf.len)
		paper_tell(&s->page, 0, s->page.text.buf.len, better, (double)s->shape.text / (double)(sum ? sum : 1),
			   better ? "most text so far" : "little text");
	if (better) {
		paper_keep(&s->page, s->page.text.buf.len);
		s->best_text = s->shape.text;
	} else {
		page_text_reset(&s->page.text);
	}
	s->shape = (struct block_shape){ 0 };
	return 0;
}

static int fe_take_word(struct token_stream *t, const struct token_word *word)
{
	struct fe *s = (struct fe *)t;
	block_shape_add_word(&s->shape, word);
	return page_text_add(&s->page.text, word);
}

static int fe_take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct fe *s = (struct fe *)t;
	return block_shape_add_tag(&s->shape, tag, end_block, s);
}

static const struct token_stream_ops fe_ops = { .word = fe_take_word, .tag = fe_take_tag };

static void fe_reset(void *state)
{
	struct fe *s = state;
	paper_reset(&s->page);
	s->shape = (struct block_shape){ 0 };
	s->best_text = 0;
}

static int fe_init(void *state, const struct method_env *env)
{
	return paper_init(state, env, &fe_ops);
}

static int fe_finish(void *state, struct text_writer *out)
{
	struct fe *s = state;
	int status = token_stream_finish(&s->page.stream);
	if (status >= 0)
		status = end_block(s);
	if (status < 0)
		return status;
	return s->best_text ? paper_write_best(&s->page, out) : METHOD_NO_REGION;
}

const struct method method_fe = {
	.name = "fe",
	.source = "Debnath et al. 2005",
	.memory = "two buffers",
	.summary = "the one block with most text",
	PAPER_FUNCTIONS(fe, fe),
	.destroy = paper_free,
};

/*
 * K-FeatureExtractor (S. Debnath et al. 2005): the blocks fall into three clusters by share of text, share of link text
 * and log of the text's length; the result is the cluster whose blocks have the highest share of text. k-means begins
 * at the blocks with least, median and most share of text and takes ten rounds. Memory: the text and 12 bytes for each
 * block.
 */

enum { KFE_SCALE = 65535, KFE_ROUNDS = 10 };

struct kfe_block {
	uint32_t text_end;   /* length of the page's text at its end */
	uint16_t text, link; /* shares, 65535 = all */
	float length;        /* log(1 + characters) */
};

struct kfe {
	struct paper page;
	struct buf blocks; /* of struct kfe_block */
	struct block_shape shape;
	double longest;
};

static uint16_t share(uint64_t part, uint64_t all)
{
	return (uint16_t)lround((double)part / (double)all * KFE_SCALE);
}

static int kfe_end_block(void *state)
{
	struct kfe *s = state;
	struct block_shape shape = s->shape;
	uint64_t sum = block_shape_sum(&shape), chars = shape.text + shape.link;
	s->shape = (struct block_shape){ 0 };
	if (chars == 0)
		return 0;
	struct kfe_block block = { .text_end = (uint32_t)s->page.text.buf.len,
				   .text = share(shape.text, sum),
				   .link = share(shape.link, sum),
				   .length = (float)log1p((double)chars) };
	if ((double)block.length > s->longest)
		s->longest = (double)block.length;
	return buf_append(&s->blocks, &block, sizeof(block));
}

static int kfe_take_word(struct token_stream *t, const struct token_word *word)
{
	struct kfe *s = (struct kfe *)t;
	block_shape_add_word(&s->shape, word);
	return page_text_add(&s->page.text, word);
}

static int kfe_take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct kfe *s = (struct kfe *)t;
	return block_shape_add_tag(&s->shape, tag, kfe_end_block, s);
}

static const struct token_stream_ops kfe_ops = { .word = kfe_take_word, .tag = kfe_take_tag };

static void kfe_reset(void *state)
{
	struct kfe *s = state;
	paper_reset(&s->page);
	buf_shrink(&s->blocks, PAGE_KEEPS);
	s->shape = (struct block_shape){ 0 };
	s->longest = 0;
}

static int kfe_init(void *state, const struct method_env *env)
{
	return paper_init(state, env, &kfe_ops);
}

static const struct kfe_block *block_at(const struct kfe *s, size_t index)
{
	return (const struct kfe_block *)(const void *)s->blocks.data + index;
}

/* Computes a block's coordinates for clustering, each from 0 to 1. */
static void kfe_point(const void *arg, size_t index, double at[KMEANS_DIMENSIONS])
{
	const struct kfe *s = arg;
	const struct kfe_block *b = block_at(s, index);
	at[0] = (double)b->text / KFE_SCALE;
	at[1] = (double)b->link / KFE_SCALE;
	at[2] = (double)b->length / s->longest;
}

static int kfe_finish(void *state, struct text_writer *out)
{
	struct kfe *s = state;
	struct kmeans k;
	int status = token_stream_finish(&s->page.stream);
	if (status >= 0)
		status = kfe_end_block(s);
	if (status < 0)
		return status;
	size_t count = s->blocks.len / sizeof(struct kfe_block);
	if (count == 0)
		return METHOD_NO_REGION;
	/* first centres: the first block with least, with the median, and with most share of text */
	/* the lower median of the shares of text, by counting */
	uint32_t *seen = calloc(KFE_SCALE + 1, sizeof(*seen));
	if (!seen)
		return DANA_ENOMEM;
	for (size_t i = 0; i < count; i++)
		seen[block_at(s, i)->text]++;
	size_t median = 0, passed = seen[0];
	while (passed <= (count - 1) / 2)
		passed += seen[++median];
	free(seen);
	size_t least = 0, middle = count, most = 0;
	for (size_t i = 0; i < count; i++) {
		uint16_t text = block_at(s, i)->text;
		least = text < block_at(s, least)->text ? i : least;
		most = text > block_at(s, most)->text ? i : most;
		middle = middle == count && text == median ? i : middle;
	}
	k = (struct kmeans){ .dimensions = 3, .rounds = KFE_ROUNDS };
	kfe_point(s, least, k.centre[0]);
	kfe_point(s, middle, k.centre[1]);
	kfe_point(s, most, k.centre[2]);
	status = kmeans_run(&k, count, kfe_point, s, s->page.work);
	if (status < 0)
		return status;
	/* of the members of each cluster, not the last round's centre */
	double sum[KMEANS_CLUSTERS] = { 0 }, highest = -1;
	size_t members[KMEANS_CLUSTERS] = { 0 };
	for (size_t i = 0; i < count; i++) {
		double at[KMEANS_DIMENSIONS];
		kfe_point(s, i, at);
		unsigned c = kmeans_nearest(&k, at);
		sum[c] += at[0];
		members[c]++;
	}
	unsigned best = KMEANS_CLUSTERS;
	for (unsigned c = 0; c < KMEANS_CLUSTERS; c++) {
		double mean = members[c] ? sum[c] / (double)members[c] : -1;
		best = mean > highest ? c : best;
		highest = mean > highest ? mean : highest;
	}
	for (size_t i = 0, from = 0; i < count && status >= 0; i++) {
		double at[KMEANS_DIMENSIONS];
		kfe_point(s, i, at);
		size_t to = block_at(s, i)->text_end;
		bool kept = kmeans_nearest(&k, at) == best;
		paper_tell(&s->page, from, to, kept, at[0], kept ? "cluster of text" : "other cluster");
		if (kept)
			status = page_text_write(&s->page.text, from, to, out);
		from = to;
	}
	return status;
}

static void kfe_destroy(void *state)
{
	struct kfe *s = state;
	paper_free(s);
	buf_free(&s->blocks);
}

const struct method method_kfe = {
	.name = "kfe",
	.source = "Debnath et al. 2005",
	.memory = "text + 12 B a block",
	.summary = "the cluster of blocks with most of the text",
	PAPER_FUNCTIONS(kfe, kfe),
	.destroy = kfe_destroy,
};
