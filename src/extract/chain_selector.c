#include "extract/chain_selector.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "extract/method.h"
#include "extract/trace.h"

enum {
	KEEP_BUFFER = 1 << 20, /* bytes of a text buffer that stay for the next page */
	LINES = 3,
};

struct chain {
	struct buf text;
	size_t mark;   /* text up to here belongs to regions; above it lies the gap under way (gap_fill) */
	bool any;      /* has a region */
	int64_t rank;
	uint64_t number;
};

struct line {
	struct buf text;
	size_t from, to; /* what follows the text in the source; nothing when they are equal */
	size_t given;  /* bytes of it that went to the region before, to end its last word */
	int64_t value;
	uint64_t weight;
};

struct chain_selector {
	struct chain_config config;
	struct chain_source source;
	struct line lines[LINES];  /* in turn; one that does not exist is empty and has the value 0 */
	struct line *now, *last, *before; /* of them: the one under way, the pending one, the one before that */
	bool pending;
	uint64_t index;            /* of the pending line */
	bool in_region;
	int64_t region;            /* weight of the open region so far */
	uint64_t region_first;
	uint64_t end;              /* index of the last line of a region in the open chain */
	struct chain open, best;
	bool cut;
	uint64_t chains;
};

static void lines_begin(struct chain_selector *cs)
{
	cs->now = &cs->lines[0];
	cs->last = &cs->lines[1];
	cs->before = &cs->lines[2];
}

struct chain_selector *chain_selector_new(const struct chain_config *config)
{
	struct chain_selector *cs = calloc(1, sizeof *cs);
	if (!cs)
		return NULL;
	cs->config = *config;
	lines_begin(cs);
	return cs;
}

void chain_selector_configure(struct chain_selector *cs, const struct chain_config *config)
{
	cs->config = *config;
}

struct buf *chain_selector_text(struct chain_selector *cs)
{
	return &cs->now->text;
}

static void chain_clear(struct chain *c)
{
	buf_clear(&c->text);
	c->mark = 0;
	c->any = false;
	c->rank = 0;
}

static void chain_rank(struct chain *c, int64_t rank)
{
	if (!c->any || rank > c->rank)
		c->rank = rank;
	c->any = true;
}

static void region_end(struct chain_selector *cs)
{
	if (!cs->in_region)
		return;
	cs->in_region = false;
	chain_rank(&cs->open, cs->region);
	const struct trace *t = cs->config.trace;
	if (t && t->region)
		t->region(t->arg, cs->region_first, cs->end, (double)cs->region, cs->chains);
}

static void chain_close(struct chain_selector *cs)
{
	region_end(cs);
	cs->open.text.len = cs->open.mark;
	cs->open.number = cs->chains++;
	if (!cs->best.any || cs->open.rank > cs->best.rank) {
		struct chain best = cs->open;
		cs->open = cs->best;
		cs->best = best;
	}
	chain_clear(&cs->open);
}

/* What the line has in the source goes into its buffer. */
static int line_write(struct chain_selector *cs, struct line *l)
{
	size_t from = l->from;
	l->from = l->to;
	return from == l->to ? DANA_OK : cs->source.write(cs->source.arg, &l->text, from, l->to);
}

/* The line under way is complete: the lines move on by one. The next one begins at `from` of the source. */
static inline void lines_move(struct chain_selector *cs, size_t from)
{
	struct line *next = cs->before;
	cs->before = cs->last;
	cs->last = cs->now;
	cs->now = next;
	buf_clear(&next->text);
	next->given = 0;
	next->from = next->to = from;
}

static size_t word_at_start(struct slice text)
{
	size_t n = 0;
	while (n < text.len && !ascii_is_space(text.data[n]))
		n++;
	return n;
}

static size_t word_at_end(struct slice text)
{
	size_t n = 0;
	while (n < text.len && !ascii_is_space(text.data[text.len - 1 - n]))
		n++;
	return n;
}

/* Appends a piece of a word to the open chain, where there is room for it and `most` bytes more. */
static int append_word(struct chain_selector *cs, struct slice word, size_t most)
{
	bool fits = cs->open.text.len + word.len + most <= cs->config.max_text;
	return fits ? buf_append(&cs->open.text, word.data, word.len) : DANA_OK;
}

/* A region begins at the pending line `l`: the word that was cut there has begun in the line before. */
static int region_first_word(struct chain_selector *cs, const struct line *l)
{
	int status = line_write(cs, cs->before);
	if (status < 0)
		return status;
	struct slice rest = slice_skip(buf_slice(&cs->before->text), cs->before->given);
	size_t len = word_at_end(rest);
	if (len == 0 || word_at_start(buf_slice(&l->text)) == 0)
		return DANA_OK;
	return append_word(cs, slice_skip(rest, rest.len - len), l->text.len);
}

static int region_begin_text(struct chain_selector *cs, const struct line *l)
{
	if (cs->open.any && cs->config.gap_fill) /* the text goes on without a break */
		return DANA_OK;
	int status = cs->open.text.len ? buf_append_byte(&cs->open.text, '\n') : DANA_OK;
	return status < 0 ? status : region_first_word(cs, l);
}

/* The open region ended before the pending line `l`, in which its last word goes on. */
static int region_last_word(struct chain_selector *cs, struct line *l)
{
	int status = line_write(cs, l);
	if (status < 0)
		return status;
	size_t len = word_at_start(buf_slice(&l->text)), mark = cs->open.text.len;
	if (len == 0 || word_at_end(buf_slice(&cs->open.text)) == 0)
		return DANA_OK;
	status = append_word(cs, slice_of(l->text.data, len), 0);
	cs->open.mark = cs->open.text.len;
	l->given = cs->open.mark - mark;
	return status;
}

static int region_line(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	int status = line_write(cs, l);
	if (status < 0)
		return status;
	if (cs->open.text.len + l->text.len > cs->config.max_text && (cs->open.any || cs->in_region)) {
		cs->cut = true;
		chain_close(cs);
	}
	int64_t weight = (int64_t)l->weight;
	if (!cs->in_region) {
		cs->in_region = true;
		cs->region = cs->config.rank == CHAIN_RANK_VALUE ? smoothed : 0;
		cs->region_first = cs->index;
		status = region_begin_text(cs, l);
	}
	switch (cs->config.rank) {
	case CHAIN_RANK_REGION:
		cs->region += weight;
		break;
	case CHAIN_RANK_LINE:
		cs->region = weight > cs->region ? weight : cs->region;
		break;
	case CHAIN_RANK_VALUE:
		cs->region = smoothed > cs->region ? smoothed : cs->region;
		break;
	}
	if (status == DANA_OK)
		status = buf_append(&cs->open.text, l->text.data, l->text.len);
	cs->open.mark = cs->open.text.len;
	cs->end = cs->index;
	return status;
}

/* The pending line's smoothed value is known. */
static int line_decide(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	bool hit = cs->config.hit == CHAIN_HIT_SMOOTHED ? smoothed > 0 : l->weight > 0;
	const struct trace *t = cs->config.trace;
	if (t && t->smoothed)
		t->smoothed(t->arg, cs->index, (double)smoothed, hit);
	if (hit)
		return region_line(cs, l, smoothed);
	int status = cs->in_region ? region_last_word(cs, l) : DANA_OK;
	region_end(cs);
	if (!cs->open.any || status < 0)
		return status;
	if (cs->index - cs->end >= cs->config.gap) {
		chain_close(cs);
		return DANA_OK;
	}
	if (!cs->config.gap_fill)
		return DANA_OK;
	status = line_write(cs, l);
	if (status < 0)
		return status;
	/* the tentative tail must not grow a chain without bound: it is cut off again where no region follows */
	if (cs->open.text.len + l->text.len > cs->config.max_text)
		return DANA_OK;
	return buf_append(&cs->open.text, l->text.data + l->given, l->text.len - l->given);
}

int chain_selector_line(struct chain_selector *cs, int64_t value, uint64_t weight)
{
	struct line *now = cs->now, *last = cs->last;
	now->value = value;
	now->weight = weight;
	const struct trace *t = cs->config.trace;
	if (t && t->segment) {
		int status = line_write(cs, now);
		if (status < 0)
			return status;
		t->segment(t->arg, cs->index + cs->pending, (double)weight, (double)((int64_t)weight - value),
			   buf_slice(&now->text));
	}
	if (cs->pending) {
		int status = line_decide(cs, last, cs->before->value + last->value + value);
		if (status < 0)
			return status;
		cs->index++;
	}
	cs->pending = true;
	lines_move(cs, 0);
	return DANA_OK;
}

void chain_selector_source(struct chain_selector *cs, const struct chain_source *source, size_t from)
{
	cs->source = *source;
	cs->now->from = cs->now->to = from;
}

/*
 * How many of the lines can be passed over: most are not part of a region, nor the end of one, nor of a chain. The pending line is
 * decided by the next one, and so on.
 */
static size_t lines_pass(const struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	if (!cs->pending || cs->in_region || cs->config.trace || (cs->open.any && cs->config.gap_fill))
		return 0;
	uint64_t left = cs->open.any ? cs->end + cs->config.gap - cs->index : count; /* of the gap */
	size_t n = 0, most = left < count ? (size_t)left : count;
	if (cs->config.hit == CHAIN_HIT_SMOOTHED) {
		int64_t a = cs->before->value, b = cs->last->value;
		for (; n < most && a + b + lines[n].value <= 0; n++) {
			a = b;
			b = lines[n].value;
		}
	} else if (cs->last->weight == 0) {
		while (n < most && lines[n++].weight == 0)
			;
	}
	return n;
}

/* The first `n` lines decide nothing: the last two of them stand for the lines before what comes now. */
static void lines_skip(struct chain_selector *cs, const struct chain_line *lines, size_t n)
{
	size_t i = n > 2 ? n - 2 : 0;
	if (i) {
		buf_clear(&cs->now->text);
		cs->now->from = lines[i - 1].end;
	}
	for (; i < n; i++) {
		cs->now->value = lines[i].value;
		cs->now->weight = lines[i].weight;
		cs->now->to = lines[i].end;
		lines_move(cs, lines[i].end);
	}
	cs->index += n;
}

int chain_selector_lines(struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	while (count) {
		size_t n = lines_pass(cs, lines, count);
		if (n) {
			lines_skip(cs, lines, n);
		} else {
			cs->now->to = lines->end;
			int status = chain_selector_line(cs, lines->value, lines->weight);
			if (status < 0)
				return status;
			cs->now->from = cs->now->to = lines->end;
			n = 1;
		}
		lines += n;
		count -= n;
	}
	return DANA_OK;
}

/*
 * A line's text is asked for when it is part of a region, or next to one, whose first or last word goes on in it. That the line
 * behind the one under way is part of one can never be ruled out.
 */
int chain_selector_settle(struct chain_selector *cs, size_t end, int64_t most, int64_t under_way)
{
	bool any = cs->config.gap_fill || cs->config.hit != CHAIN_HIT_SMOOTHED || cs->config.trace || cs->in_region;
	int64_t last = cs->pending ? cs->last->value : 0;
	bool last_hits = any || cs->before->value + last + under_way > 0, now_hits = any || last + under_way + most > 0;
	cs->now->to = end;
	int status = last_hits ? line_write(cs, cs->before) : DANA_OK;
	if (status >= 0 && (last_hits || now_hits))
		status = line_write(cs, cs->last);
	if (status >= 0)
		status = line_write(cs, cs->now);
	/* what was not written never will be */
	for (size_t i = 0; i < LINES; i++)
		cs->lines[i].from = cs->lines[i].to = 0;
	return status;
}

int chain_selector_blank(struct chain_selector *cs, uint64_t count, int64_t value)
{
	/* until no chain is open and two such lines stand behind each other, each one may still decide something */
	while (count && (cs->open.any || cs->in_region || cs->config.trace || !cs->pending ||
			 cs->last->text.len || cs->last->value != value || cs->before->text.len || cs->before->value != value ||
			 value > 0)) {
		int status = chain_selector_line(cs, value, 0);
		if (status < 0)
			return status;
		count--;
	}
	cs->index += count;
	return DANA_OK;
}

static void tell_outcome(const struct chain_selector *cs)
{
	const struct trace *t = cs->config.trace;
	if (t && t->number) {
		t->number(t->arg, "gap", (double)cs->config.gap);
		t->number(t->arg, "gap-fill", (double)cs->config.gap_fill);
		t->number(t->arg, "chains", (double)cs->chains);
	}
	if (t && t->chosen && cs->best.any)
		t->chosen(t->arg, cs->best.number);
}

int chain_selector_finish(struct chain_selector *cs)
{
	if (cs->pending) {
		int status = line_decide(cs, cs->last, cs->before->value + cs->last->value);
		if (status < 0)
			return status;
		cs->pending = false;
	}
	if (cs->open.any || cs->in_region)
		chain_close(cs);
	tell_outcome(cs);
	return cs->best.any ? DANA_OK : METHOD_NO_REGION;
}

struct slice chain_selector_result(const struct chain_selector *cs)
{
	return cs->best.any ? buf_slice(&cs->best.text) : slice_of(NULL, 0);
}

bool chain_selector_cut(const struct chain_selector *cs)
{
	return cs->cut;
}

bool chain_selector_decided(const struct chain_selector *cs, uint64_t weight_left)
{
	if (cs->config.rank != CHAIN_RANK_REGION || !cs->best.any || cs->open.any || cs->in_region)
		return false;
	return weight_left < INT64_MAX && (int64_t)weight_left <= cs->best.rank;
}

void chain_selector_reset(struct chain_selector *cs)
{
	struct chain_config config = cs->config;
	struct chain open = cs->open, best = cs->best;
	struct buf texts[LINES];
	for (size_t i = 0; i < LINES; i++)
		texts[i] = cs->lines[i].text;
	*cs = (struct chain_selector){ .config = config, .open = open, .best = best };
	chain_clear(&cs->open);
	chain_clear(&cs->best);
	buf_shrink(&cs->open.text, KEEP_BUFFER);
	buf_shrink(&cs->best.text, KEEP_BUFFER);
	for (size_t i = 0; i < LINES; i++) {
		cs->lines[i].text = texts[i];
		buf_clear(&cs->lines[i].text);
	}
	lines_begin(cs);
}

void chain_selector_free(struct chain_selector *cs)
{
	if (!cs)
		return;
	buf_free(&cs->open.text);
	buf_free(&cs->best.text);
	for (size_t i = 0; i < LINES; i++)
		buf_free(&cs->lines[i].text);
	free(cs);
}
