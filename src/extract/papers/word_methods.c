/* SPDX-License-Identifier: MIT */
/*
 * Methods of papers, one after the other, that look at words and tags: bte, dsc, and the ccb family. Each begins with a
 * comment about it; the first is bte.
 *
 * Body text extraction (A. Finn, N. Kushmerick, B. Smyth 2001): of all ranges of the token sequence take the one with
 * most words inside and most tags outside. That is the range with the largest sum of +1 for a word and -1 for a tag,
 * so one pass finds it. Of equal ranges the first wins. Memory: the open range and the best one.
 */
#include <math.h>

#include "extract/method.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"
#include "extract/text_writer.h"

struct bte {
	struct paper page;
	size_t mark; /* end of the best range, when it is in the open text */
	bool best_is_open;
	int64_t sum, best_sum;
};

/* The sum of the open range; its highest value so far is where the best range ends. */
static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct bte *s = (struct bte *)t;
	int status = page_text_add(&s->page.text, word);
	if (++s->sum > s->best_sum) {
		s->best_sum = s->sum;
		s->mark = s->page.text.buf.len;
		s->best_is_open = true;
	}
	return status;
}

/* Ends the open range: a later one that began in it would only be smaller. */
static void close_range(struct bte *s)
{
	if (s->best_is_open) {
		paper_keep(&s->page, s->mark);
		s->best_is_open = false;
	} else {
		page_text_reset(&s->page.text);
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
	paper_reset(&s->page);
	s->mark = 0;
	s->best_is_open = false;
	s->sum = s->best_sum = 0;
}

static int bte_init(void *state, const struct method_env *env)
{
	return paper_init(state, env, &ops);
}

static int bte_finish(void *state, struct text_writer *out)
{
	struct bte *s = state;
	int status = token_stream_finish(&s->page.stream);
	if (status < 0)
		return status;
	close_range(s);
	paper_number(&s->page, "words minus tags of the range", (double)s->best_sum);
	if (s->best_sum == 0)
		return METHOD_NO_REGION;
	return paper_write_best(&s->page, out);
}

const struct method method_bte = {
	.name = "bte",
	.source = "Finn, Kushmerick, Smyth 2001",
	.memory = "two buffers",
	.summary = "most words inside and most tags outside",
	PAPER_FUNCTIONS(bte, bte),
	.destroy = paper_free,
};

/*
 * Document slope curves (D. Pinto et al. 2002): where the curve of tags over tokens is flat, there is text. Windows of
 * 50 tokens overlap by half; a window is low when its slope is at most half of the page's; three low ones in a row open
 * a section, three high ones close it.
 *
 * The slope is the difference quotient, tags / tokens. A page of fewer than three windows is taken whole when it has a
 * word. Memory: the text and 8 bytes for 25 tokens.
 */

enum { DSC_HALF = 25, DSC_RUN = 3 };

struct dsc_half {
	uint32_t text_end; /* length of the text at its end */
	uint16_t tags, tokens;
};

struct dsc {
	struct paper page;
	struct buf halves; /* of struct dsc_half, finished */
	struct dsc_half half;
	uint64_t tags, tokens;
};

static int end_half(struct dsc *s)
{
	s->half.text_end = (uint32_t)s->page.text.buf.len;
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

static int dsc_take_word(struct token_stream *t, const struct token_word *word)
{
	struct dsc *s = (struct dsc *)t;
	int status = page_text_add(&s->page.text, word);
	return status < 0 ? status : count_token(s, 0);
}

static int dsc_take_tag(struct token_stream *t, const struct token_tag *tag)
{
	(void)tag;
	return count_token((struct dsc *)t, 1);
}

static const struct token_stream_ops dsc_ops = { .word = dsc_take_word, .tag = dsc_take_tag };

static void dsc_reset(void *state)
{
	struct dsc *s = state;
	paper_reset(&s->page);
	buf_shrink(&s->halves, PAGE_KEEPS);
	s->half = (struct dsc_half){ 0 };
	s->tags = s->tokens = 0;
}

static int dsc_init(void *state, const struct method_env *env)
{
	return paper_init(state, env, &dsc_ops);
}

/* Writes halves `first` to end - 1. */
static int write_section(const struct dsc *s, const struct dsc_half *halves, size_t first, size_t end,
			 struct text_writer *out)
{
	return page_text_write(&s->page.text, first ? halves[first - 1].text_end : 0, halves[end - 1].text_end, out);
}

static int dsc_finish(void *state, struct text_writer *out)
{
	struct dsc *s = state;
	int status = token_stream_finish(&s->page.stream);
	if (status >= 0 && s->half.tokens)
		status = end_half(s);
	if (status < 0)
		return status;
	if (s->tokens)
		paper_number(&s->page, "slope of the page", (double)s->tags / (double)s->tokens);
	size_t count = s->halves.len / sizeof(struct dsc_half);
	if (s->page.text.buf.len == 0)
		return METHOD_NO_REGION;
	if (count <= DSC_RUN)
		return page_text_write(&s->page.text, 0, s->page.text.buf.len, out);
	/* window i is made of halves i and i + 1, so a section whose last low window is i ends with half i + 1 */
	const struct dsc_half *halves = (const struct dsc_half *)(const void *)s->halves.data;
	const size_t windows = count - 1;
	size_t low = 0, high = 0, first = 0, last_low = 0;
	bool open = false, found = false;
	status = 0;
	for (size_t i = 0; i < windows && status >= 0; i++) {
		/* its slope is at most half of the page's, in whole numbers */
		const struct dsc_half *window = halves + i;
		const uint64_t tags = (uint64_t)window[0].tags + window[1].tags;
		if (2 * tags * s->tokens <= s->tags * ((uint64_t)window[0].tokens + window[1].tokens)) {
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

static void dsc_destroy(void *state)
{
	struct dsc *s = state;
	paper_free(s);
	buf_free(&s->halves);
}

const struct method method_dsc = {
	.name = "dsc",
	.source = "Pinto et al. 2002",
	.memory = "text + 8 B per 25 tokens",
	.summary = "sections where the curve of tags is flat",
	PAPER_FUNCTIONS(dsc, dsc),
	.destroy = dsc_destroy,
};

/*
 * Content code blurring (T. Gottron, DEXA 2008): the page as a vector of content (1) and code (0) elements, blurred
 * with a Gaussian; content is kept where the blurred value, the content code ratio, is at least 0.75. Elements are
 * characters (`ccb`; `accb-40` leaves anchor tags out) or tokens (`tccb-18`, `tccb-25`); the range is 40 characters, 18
 * or 25 tokens on both sides, the deviation half of it; one blur. A word is kept when its middle character is.
 *
 * Runs of equal elements are stored instead of elements: each word is decided once, over the runs within the range, as
 * soon as the range after its middle is known. The kernel is in whole numbers, so sums are exact. Memory: O(range) and
 * the text kept.
 */

enum {
	CCB_RANGE_MAX = 40,
	CCB_RUNS = 256,       /* power of two above 2 * CCB_RANGE_MAX + 2 */
	CCB_SCALE = 1 << 20,  /* of kernel weights */
	CCB_QUEUE = 64 << 10, /* decided bytes before the queue of words is moved up */
};

/* A word, with the space before it, or a tag. */
struct ccb_run {
	uint64_t start;             /* first element */
	size_t len;                 /* elements, at least 1 */
	uint64_t middle;            /* word: the element at which it is decided */
	size_t white_len, text_len; /* word: bytes in the queue */
	uint64_t from, to, before;  /* word: its position, and the end of the word before it */
	bool is_word, breaks, space, newline;
};

struct ccb {
	struct paper page;
	bool tokens, without_anchors;
	size_t range;
	int64_t sums[2 * CCB_RANGE_MAX + 2]; /* sums[k]: weights of the elements from -range to k - range, k excluded */
	struct ccb_run runs[CCB_RUNS];
	uint64_t first, next, end; /* run numbers: first kept, next to be decided, after the last */
	uint64_t elements;
	struct buf queue; /* words not yet decided */
	size_t queue_head;
};

static const struct ccb_run *run_at(const struct ccb *s, uint64_t number)
{
	return &s->runs[number % CCB_RUNS];
}

/* Returns the weight of the elements from..to (excluded) as seen from `middle`. */
static int64_t weight_between(const struct ccb *s, uint64_t middle, uint64_t from, uint64_t to)
{
	uint64_t low = middle > s->range ? middle - s->range : 0, high = middle + s->range + 1;
	if (from < low)
		from = low;
	if (to > high)
		to = high;
	return from >= to ? 0 : s->sums[to + s->range - middle] - s->sums[from + s->range - middle];
}

/* Judges the words whose range is known; all of them when the page ends. */
static int decide_ready(struct ccb *s, bool page_ends)
{
	int status = 0;
	for (; s->next < s->end && status >= 0; s->next++) {
		const struct ccb_run *run = run_at(s, s->next);
		if (!run->is_word)
			continue;
		if (!page_ends && run->middle + s->range >= s->elements)
			break;
		while (run_at(s, s->first)->start + run_at(s, s->first)->len + s->range <= run->middle)
			s->first++;
		int64_t content = 0;
		for (uint64_t i = s->first; i < s->end && run_at(s, i)->start <= run->middle + s->range; i++) {
			const struct ccb_run *near = run_at(s, i);
			if (near->is_word)
				content += weight_between(s, run->middle, near->start, near->start + near->len);
		}
		int64_t all = weight_between(s, run->middle, 0, s->elements);
		const uint8_t *white = s->queue.data + s->queue_head;
		struct token_word kept = { .text = slice_of(white + run->white_len, run->text_len),
					   .white = slice_of(white, run->white_len),
					   .breaks = run->breaks,
					   .space = run->space,
					   .newline = run->newline,
					   .from = run->from,
					   .to = run->to,
					   .before = run->before };
		s->queue_head += run->white_len + run->text_len;
		status = 4 * content >= 3 * all ? page_text_add(&s->page.text, &kept)
						: page_text_pass(&s->page.text, &kept);
	}
	if (s->queue_head > CCB_QUEUE) {
		buf_consume(&s->queue, s->queue_head);
		s->queue_head = 0;
	}
	return status;
}

static int add_run(struct ccb *s, struct ccb_run run)
{
	run.start = s->elements;
	s->elements += run.len;
	/* Drop runs that no waiting word can see. */
	uint64_t seen_from = s->next < s->end ? run_at(s, s->next)->start : run.start;
	while (s->first < s->next && run_at(s, s->first)->start + run_at(s, s->first)->len + s->range < seen_from)
		s->first++;
	s->runs[s->end++ % CCB_RUNS] = run;
	return decide_ready(s, false);
}

static int ccb_take_word(struct token_stream *t, const struct token_word *word)
{
	struct ccb *s = (struct ccb *)t;
	struct ccb_run run = { .len = 1,
			       .middle = s->elements,
			       .white_len = word->white.len,
			       .text_len = word->text.len,
			       .is_word = true,
			       .breaks = word->breaks,
			       .space = word->space,
			       .newline = word->newline,
			       .from = word->from,
			       .to = word->to,
			       .before = word->before };
	if (!s->tokens) {
		run.len = word->chars + word->space;
		run.middle = s->elements + word->space + word->chars / 2;
	}
	int status = buf_append(&s->queue, word->white.data, word->white.len);
	if (status >= 0)
		status = buf_append(&s->queue, word->text.data, word->text.len);
	return status < 0 ? status : add_run(s, run);
}

static int ccb_take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct ccb *s = (struct ccb *)t;
	if (s->without_anchors && tag->event->tag == HTML_TAG_A)
		return 0;
	return add_run(s, (struct ccb_run){ .len = s->tokens ? 1 : tag->chars });
}

static const struct token_stream_ops ccb_ops = { .word = ccb_take_word, .tag = ccb_take_tag };

static void ccb_reset(void *state)
{
	struct ccb *s = state;
	paper_reset(&s->page);
	buf_clear(&s->queue);
	s->queue_head = 0;
	s->first = s->next = s->end = s->elements = 0;
}

static int init(struct ccb *s, const struct method_env *env, size_t range, bool tokens, bool without_anchors)
{
	double deviation = (double)range / 2;
	s->range = range;
	s->tokens = tokens;
	s->without_anchors = without_anchors;
	for (size_t k = 0; k <= 2 * range; k++) {
		double distance = (double)k - (double)range;
		double weight = exp(-distance * distance / (2 * deviation * deviation));
		s->sums[k + 1] = s->sums[k] + llround(CCB_SCALE * weight);
	}
	return paper_init(&s->page, env, &ccb_ops);
}

static int ccb_finish(void *state, struct text_writer *out)
{
	struct ccb *s = state;
	int status = token_stream_finish(&s->page.stream);
	if (status >= 0)
		status = decide_ready(s, true);
	if (status < 0)
		return status;
	paper_number(&s->page, "elements", (double)s->elements);
	return s->page.text.buf.len ? page_text_write(&s->page.text, 0, s->page.text.buf.len, out) : METHOD_NO_REGION;
}

static void ccb_destroy(void *state)
{
	struct ccb *s = state;
	paper_free(s);
	buf_free(&s->queue);
}

#define CCB_METHOD(id, title, range, tokens, without_anchors, what) \
	static int id##_init(void *state, const struct method_env *env) \
	{ \
		return init(state, env, range, tokens, without_anchors); \
	} \
	const struct method method_##id = { \
		.name = title, \
		.source = "Gottron 2008 (DEXA)", \
		.memory = "range + kept text", \
		.summary = what, \
		PAPER_FUNCTIONS(ccb, id), \
		.destroy = ccb_destroy, \
	}

CCB_METHOD(ccb, "ccb", 40, false, false, "content code blurring over characters");
CCB_METHOD(accb_40, "accb-40", 40, false, true, "content code blurring without anchor tags");
CCB_METHOD(tccb_18, "tccb-18", 18, true, false, "content code blurring over tokens, range 18");
CCB_METHOD(tccb_25, "tccb-25", 25, true, false, "content code blurring over tokens, range 25");
