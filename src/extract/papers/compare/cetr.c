/* SPDX-License-Identifier: MIT */
/*
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

#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/kmeans.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"

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
	struct token_stream stream;
	struct trace *trace;
	struct work *work;
	struct page_text text;
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
			status = end_line(&s->cut, s->text.buf.len);
		}
	}
	return status;
}

static int end_natural(struct cetr *s, bool newline)
{
	const bool empty = s->natural.chars == 0 && s->natural.tags == 0;
	if (!newline || empty || s->natural.finished.len >= CETR_LINES * sizeof(struct cetr_line))
		return 0;
	return end_line(&s->natural, s->text.buf.len);
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct cetr *s = (struct cetr *)t;
	int status = end_natural(s, word->newline);
	/* The text first: the word belongs to the cut line in which it begins. */
	if (status >= 0)
		status = page_text_add(&s->text, word);
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
	token_stream_reset(&s->stream, &ops);
	page_text_reset(&s->text);
	buf_shrink(&s->natural.finished, PAGE_KEEPS);
	buf_shrink(&s->cut.finished, PAGE_KEEPS);
	buf_shrink(&s->smoothed, PAGE_KEEPS);
	s->natural.chars = s->natural.tags = s->cut.chars = s->cut.tags = 0;
	s->column = 0;
	s->source = 0;
}

static int cetr_init(void *state, const struct method_env *env)
{
	struct cetr *s = state;
	page_text_init(&s->text, env);
	s->trace = env->trace;
	s->work = env->work;
	cetr_reset(s);
	return 0;
}

/* Gaussian over five lines, cut off and normalised anew at both ends of the page. */
static float smooth(const struct cetr_line *lines, size_t count, size_t at)
{
	static const double weights[CETR_SIDE + 1] = { 1.0, 0.88249690258459546,
						       0.60653065971263342 }; /* exp(-k*k/8) */
	double sum = 0, all = 0;
	for (int k = -CETR_SIDE; k <= CETR_SIDE; k++) {
		if ((k < 0 && at < (size_t)-k) || at + (size_t)(k < 0 ? 0 : k) >= count)
			continue;
		double weight = weights[k < 0 ? -k : k];
		sum += weight * (double)lines[k < 0 ? at - (size_t)-k : at + (size_t)k].ratio;
		all += weight;
	}
	return (float)(sum / all);
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
	for (size_t i = 0; i < count; i++)
		pairs[2 * i] = smooth(lines, count, i);
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

static int write_lines(const struct cetr *s, const struct cetr_line *lines, size_t count, const struct kmeans *k,
		       struct text_writer *out)
{
	const float *pairs = (const float *)(const void *)s->smoothed.data;
	size_t from = 0; /* start of the open run of content lines */
	bool open = false;
	int status = 0;
	for (size_t i = 0; i <= count && status >= 0; i++) {
		size_t before = i ? lines[i - 1].text_end : 0;
		bool content = false;
		if (i < count) {
			double at[KMEANS_DIMENSIONS];
			point(pairs, i, at);
			content = kmeans_nearest(k, at) != 0;
			if (s->trace && s->trace->block && lines[i].text_end > before)
				s->trace->block(
					s->trace->arg, slice_of(s->text.buf.data + before, lines[i].text_end - before),
					content, at[0], content ? "far from the origin" : "near the origin", "");
		}
		if (content && !open)
			from = before;
		else if (!content && open)
			status = page_text_write(&s->text, from, before, out);
		open = content;
	}
	return status;
}

static int cetr_finish(void *state, struct text_writer *out)
{
	struct cetr *s = state;
	struct kmeans k;
	int status = token_stream_finish(&s->stream);
	if (status >= 0)
		status = end_natural(s, true);
	if (status >= 0 && s->column)
		status = end_line(&s->cut, s->text.buf.len);
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
	status = cluster(&k, (const float *)(const void *)s->smoothed.data, count, s->work);
	return status < 0 ? status : write_lines(s, lines, count, &k, out);
}

static void cetr_destroy(void *state)
{
	struct cetr *s = state;
	page_text_free(&s->text);
	buf_free(&s->natural.finished);
	buf_free(&s->cut.finished);
	buf_free(&s->smoothed);
}

const struct method method_cetr = {
	.name = "cetr",
	.source = "Weninger, Hsu, Han 2010 (WWW)",
	.memory = "text + 16 B a line",
	.summary = "the cluster of lines with most text for a tag",
	.state_size = sizeof(struct cetr),
	.init = cetr_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = cetr_finish,
	.lists_spans = true,
	.reset = cetr_reset,
	.destroy = cetr_destroy,
};
