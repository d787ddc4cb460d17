/* SPDX-License-Identifier: MIT */
/*
 * Takes lines one by one, or many at once: decides which of them form regions, which regions form a chain, and which
 * chain is best; mends the words that the ends of regions cut, and notes where their text is in the page.
 */
#include "extract/family/chain_selector.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/method.h"
#include "extract/text_writer.h"

enum {
	CHAIN_LINES = 3,
	LINE_MOST = 1 << 20, /* bytes of a line's text, most of which may count nothing; more of it is dropped */
};

/* A part of the page that belongs to a chain's regions, between the text before and after it that does not. */
struct chain_part {
	uint64_t from, to;
};

struct chain {
	struct buf text;
	size_t mark;     /* text up to here belongs to regions; after it is the current gap (gap_fill) */
	bool any;        /* has a region */
	struct buf part; /* struct chain_part each */
	bool part_open;  /* where the last one ends is not known yet */
	int64_t rank;
	uint64_t number;
};

struct line {
	struct buf text;
	size_t from, to; /* rest of the text in the source; empty if they are equal */
	size_t given;    /* bytes of it that went to the previous region, to complete its last word */
	bool placed;     /* it has text of which the place in the page is noted: */
	uint64_t before; /* the end of the text before it, */
	uint64_t first;  /* and its own first byte */
	int64_t value;
	uint64_t weight;
};

/* What of the lines between the last region and the next one is not written. Each value includes the earlier ones. */
enum between { BETWEEN_NOTHING, BETWEEN_BLANK, BETWEEN_LINE, BETWEEN_TEXT };

struct chain_selector {
	struct chain_config config;
	struct chain_source source;
	struct line lines[CHAIN_LINES];   /* used in turn; a line that does not exist is empty and has value 0 */
	struct line *now, *last, *before; /* the current one, the pending one, the one before that */
	bool pending;
	uint64_t index; /* of the pending line */
	bool in_region;
	int64_t region; /* weight of the open region so far */
	uint64_t region_first;
	size_t held_from,
		held_to;      /* of the source: lines at the end of the open region whose text is not written yet */
	uint64_t end;         /* index of the last line of a region in the open chain */
	enum between between; /* in the lines after `end`, up to the one before `before` */
	struct chain open, best;
	bool cut;
	uint64_t chains;
	uint64_t placed_end; /* end of the text that is noted so far */
};

/* Drops what is beyond LINE_MOST. */
static inline void line_limit(struct line *l)
{
	if (l->text.len > LINE_MOST)
		l->text.len = LINE_MOST;
}

/* Moves the part of the line that is in the source to its buffer. */
static inline int chain_line_write(struct chain_selector *cs, struct line *l)
{
	size_t from = l->from;
	l->from = l->to;
	int status = from == l->to ? DANA_OK : cs->source.write(cs->source.arg, &l->text, from, l->to);
	line_limit(l);
	return status;
}

/* The same before the line's text goes to the open chain. */
static int chain_line_take(struct chain_selector *cs, struct line *l)
{
	int status = chain_line_write(cs, l);
	if (l->text.len == LINE_MOST) {
		cs->cut = true;
		l->text.len = utf8_without_cut(buf_slice(&l->text));
	}
	return status;
}

/* Moves on by one line: the current one is complete, and the next one begins at `from` of the source. */
static inline void chain_lines_move(struct chain_selector *cs, size_t from)
{
	struct line *next = cs->before;
	cs->before = cs->last;
	cs->last = cs->now;
	cs->now = next;
	buf_clear(&next->text);
	next->given = 0;
	next->placed = false;
	next->from = next->to = from;
}

/* True after a region of the open chain, as long as only white space may separate it from the next one. */
static inline bool chain_may_go_on(const struct chain_selector *cs)
{
	return cs->open.any && !cs->in_region && !cs->config.gap_fill && cs->between != BETWEEN_TEXT;
}

/* Where the text of chains is in the page. */

void chain_selector_place(struct chain_selector *cs, uint64_t from, uint64_t to)
{
	struct line *now = cs->now;
	if (!now->placed) {
		now->placed = true;
		now->before = cs->placed_end;
		now->first = from;
	}
	cs->placed_end = to;
}

/* Ends the last part of a chain before text that is not part of it. */
static void end_part(struct chain *chain, uint64_t to)
{
	if (!chain->part_open)
		return;
	chain->part_open = false;
	memcpy(chain->part.data + chain->part.len - sizeof(to), &to, sizeof(to));
}

/* Notes the place of the pending line `l`, which is part of a region or not. */
static int chain_place(struct chain_selector *cs, const struct line *l, bool kept)
{
	struct chain *open = &cs->open;
	const struct chain_part part = { .from = l->before, .to = UINT64_MAX };
	if (!l->placed)
		return DANA_OK;
	end_part(&cs->best, l->first);
	if (!kept) {
		end_part(open, l->first);
		return DANA_OK;
	}
	/* with the text of gaps, linked regions are one part */
	const bool goes_on = open->part_open || (cs->config.gap_fill && open->part.len);
	open->part_open = true;
	if (!goes_on)
		return buf_append(&open->part, &part, sizeof(part));
	memcpy(open->part.data + open->part.len - sizeof(part.to), &part.to, sizeof(part.to));
	return DANA_OK;
}

int chain_selector_spans(const struct chain_selector *cs, struct buf *spans)
{
	struct chain_part part;
	int status = DANA_OK;
	for (size_t at = 0; at < cs->best.part.len && status >= 0; at += sizeof(part)) {
		memcpy(&part, cs->best.part.data + at, sizeof(part));
		status = span_list_keep(spans, part.from, part.to);
	}
	return status < 0 ? status : span_list_drop_rest(spans, cs->placed_end);
}

/* The text of regions at their ends: words that a line's end cut, and the lines between regions. */

static bool is_white(uint8_t c)
{
	return ascii_is_space(c) || c == TEXT_LINE;
}

static size_t word_at_start(struct slice text)
{
	size_t n = 0;
	while (n < text.len && !is_white(text.data[n]))
		n++;
	return n;
}

static size_t word_at_end(struct slice text)
{
	size_t n = 0;
	while (n < text.len && !is_white(text.data[text.len - 1 - n]))
		n++;
	return n;
}

/* Appends a piece of a word to the open chain if it has room for it and `most` more bytes. */
static int append_word(struct chain_selector *cs, struct slice word, size_t most)
{
	bool fits = cs->open.text.len + word.len + most <= cs->config.max_text;
	return fits ? buf_append(&cs->open.text, word.data, word.len) : DANA_OK;
}

static void between_add(struct chain_selector *cs, struct slice rest)
{
	for (size_t i = 0; i < rest.len && cs->between != BETWEEN_TEXT; i++) {
		uint8_t c = rest.data[i];
		enum between what = c == '\n' ? BETWEEN_LINE : is_white(c) ? BETWEEN_BLANK : BETWEEN_TEXT;
		cs->between = what > cs->between ? what : cs->between;
	}
}

/* Begins a region at the pending line `l`: writes what precedes its text in the open chain. */
static int chain_text_begin(struct chain_selector *cs, const struct line *l)
{
	if (cs->open.any && cs->config.gap_fill) /* the text continues without a break */
		return DANA_OK;
	bool begun = word_at_start(buf_slice(&l->text)) != 0, goes_on = cs->open.any && cs->between != BETWEEN_TEXT;
	int status = begun || goes_on ? chain_line_write(cs, cs->before) : DANA_OK;
	if (status < 0)
		return status;
	/* the word that is cut at the line's start began in the line before */
	struct slice rest = slice_skip(buf_slice(&cs->before->text), cs->before->given);
	size_t len = begun ? word_at_end(rest) : 0;
	if (goes_on)
		between_add(cs, slice_first(rest, rest.len - len));
	/* if nothing was left out between two regions they are one text, with the page's white space there */
	if (cs->open.text.len && cs->between != BETWEEN_NOTHING)
		status = buf_append_byte(&cs->open.text, cs->between == BETWEEN_BLANK ? ' ' : '\n');
	return status < 0 || !len ? status : append_word(cs, slice_skip(rest, rest.len - len), l->text.len);
}

static int chain_held_write(struct chain_selector *cs);

/*
 * Takes many lines at once: those that decide nothing are skipped, and their text is never written; those that join an
 * open region are held, and their text is written together when no more of them follow.
 */

void chain_selector_source(struct chain_selector *cs, const struct chain_source *source, size_t from)
{
	cs->source = *source;
	cs->now->from = cs->now->to = from;
}

/* Writes the text of the held lines to the open chain. */
static int chain_held_write(struct chain_selector *cs)
{
	size_t from = cs->held_from, to = cs->held_to;
	if (from == to)
		return DANA_OK;
	cs->held_from = cs->held_to;
	int status = cs->source.write(cs->source.arg, &cs->open.text, from, to);
	cs->open.mark = cs->open.text.len;
	return status;
}

/* True if the held text and the source from..to fit into the chain, whatever their text. */
static bool held_fits(const struct chain_selector *cs, size_t from, size_t to)
{
	return cs->open.text.len + (to - from + 1 + HELD_SPACE_MOST) <= cs->config.max_text;
}

/* Holds a line of the open region. Returns false if its text must be written now. */
static bool chain_hold(struct chain_selector *cs, struct line *l)
{
	bool first = cs->held_from == cs->held_to, joins = first || cs->held_to == l->from;
	size_t from = first ? l->from : cs->held_from;
	if (l->text.len || l->from == l->to || !joins || !held_fits(cs, from, l->to))
		return false;
	cs->held_from = from;
	cs->held_to = l->to;
	return true;
}

/*
 * Returns how many of the lines can be skipped: most are neither part of a region nor the end of one or of a chain. The
 * pending line is decided by the next one, and so on.
 */
static size_t lines_pass(const struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	if (!cs->pending || cs->config.trace || (cs->open.any && cs->config.gap_fill) || chain_may_go_on(cs))
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

/* Returns how many of the lines let the line before each, from the pending one on, join the open region. */
static size_t lines_join(struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	struct line *last = cs->last;
	bool held = cs->held_from < cs->held_to && cs->held_to == last->from && last->to == cs->now->from;
	if (!held || last->text.len || cs->now->text.len || cs->config.hit != CHAIN_HIT_SMOOTHED ||
	    cs->config.rank > CHAIN_RANK_SURPLUS || !held_fits(cs, cs->held_from, lines[count - 1].end))
		return 0;
	int64_t a = cs->before->value, b = last->value;
	uint64_t weight = last->weight;
	size_t n = 0, end = last->to;
	for (; n < count && a + b + lines[n].value > 0; n++) {
		cs->region += cs->config.rank == CHAIN_RANK_REGION ? (int64_t)weight : b;
		cs->held_to = end;
		a = b;
		b = lines[n].value;
		weight = lines[n].weight;
		end = lines[n].end;
	}
	cs->end = n ? cs->index + n - 1 : cs->end;
	return n;
}

int chain_selector_lines(struct chain_selector *cs, const struct chain_line *lines, size_t count)
{
	while (count) {
		size_t n = cs->in_region ? lines_join(cs, lines, count) : lines_pass(cs, lines, count);
		if (n) {
			/* skip the first `n` lines, which decide nothing: the last two of them become the lines before
			 * the next one */
			size_t i = n > 2 ? n - 2 : 0;
			if (i) {
				buf_clear(&cs->now->text);
				cs->now->from = lines[i - 1].end;
			}
			for (; i < n; i++) {
				cs->now->value = lines[i].value;
				cs->now->weight = lines[i].weight;
				cs->now->to = lines[i].end;
				chain_lines_move(cs, lines[i].end);
			}
			cs->index += n;
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
 * A line's text is needed if it is part of a region, or adjacent to one whose first or last word continues in it. The
 * line after the current one may always be part of a region.
 */
int chain_selector_settle(struct chain_selector *cs, size_t end, int64_t most, int64_t under_way)
{
	bool any = cs->config.gap_fill || cs->config.hit != CHAIN_HIT_SMOOTHED || cs->config.trace || cs->in_region ||
		   chain_may_go_on(cs);
	int64_t last = cs->pending ? cs->last->value : 0;
	bool last_hits = any || cs->before->value + last + under_way > 0, now_hits = any || last + under_way + most > 0;
	cs->now->to = end;
	int status = chain_held_write(cs);
	if (status >= 0 && (last_hits || now_hits))
		status = chain_line_write(cs, cs->last);
	/* inside a region, another one begins at the last line only if the chain is cut */
	if (status >= 0 && last_hits &&
	    (!cs->in_region || cs->open.text.len + cs->last->text.len > cs->config.max_text))
		status = chain_line_write(cs, cs->before);
	if (status >= 0)
		status = chain_line_write(cs, cs->now);
	/* text that was not written never will be */
	for (size_t i = 0; i < CHAIN_LINES; i++)
		cs->lines[i].from = cs->lines[i].to = 0;
	cs->held_from = cs->held_to = 0;
	return status;
}

int chain_selector_blank(struct chain_selector *cs, uint64_t count, int64_t value)
{
	/* each line may still decide something until no chain is open and two such lines follow each other */
	while (count && (cs->open.any || cs->in_region || cs->config.trace || !cs->pending || cs->last->text.len ||
			 cs->last->value != value || cs->before->text.len || cs->before->value != value || value > 0)) {
		int status = chain_selector_line(cs, value, 0);
		if (status < 0)
			return status;
		count--;
	}
	cs->index += count;
	return DANA_OK;
}

enum {
	KEEP_BUFFER = 1 << 20, /* bytes of a text buffer kept for the next page */
};

static void lines_begin(struct chain_selector *cs)
{
	cs->now = &cs->lines[0];
	cs->last = &cs->lines[1];
	cs->before = &cs->lines[2];
}

struct chain_selector *chain_selector_new(const struct chain_config *config)
{
	struct chain_selector *cs = calloc(1, sizeof(*cs));
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
	line_limit(cs->now);
	return &cs->now->text;
}

static void chain_clear(struct chain *c)
{
	buf_clear(&c->text);
	buf_clear(&c->part);
	c->part_open = false;
	c->mark = 0;
	c->any = false;
	c->rank = 0;
}

static void region_end(struct chain_selector *cs)
{
	if (!cs->in_region)
		return;
	cs->in_region = false;
	/* a chain ranks as its best region */
	if (!cs->open.any || cs->region > cs->open.rank)
		cs->open.rank = cs->region;
	cs->open.any = true;
	const struct trace *t = cs->config.trace;
	if (t && t->region)
		t->region(t->arg, cs->region_first, cs->end, (double)cs->region, cs->chains);
}

/* Closes the open chain. It becomes the best one, by a swap of buffers, if it is better: of equals the first stays. */
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

/* Appends the text of a region's line; if no region is open, one begins there. */
static int region_text(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	int status = chain_held_write(cs);
	if (status >= 0)
		status = chain_line_take(cs, l);
	if (status < 0)
		return status;
	if (cs->open.text.len + l->text.len > cs->config.max_text && (cs->open.any || cs->in_region)) {
		cs->cut = true;
		chain_close(cs);
	}
	if (!cs->in_region) {
		cs->in_region = true;
		cs->region = cs->config.rank == CHAIN_RANK_VALUE ? smoothed : 0;
		cs->region_first = cs->index;
		status = chain_text_begin(cs, l);
	}
	if (status == DANA_OK)
		status = buf_append(&cs->open.text, l->text.data, l->text.len);
	cs->open.mark = cs->open.text.len;
	return status;
}

static int region_line(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	int status = cs->in_region && chain_hold(cs, l) ? DANA_OK : region_text(cs, l, smoothed);
	const int64_t weight = (int64_t)l->weight;
	switch (cs->config.rank) {
	case CHAIN_RANK_REGION:
		cs->region += weight;
		break;
	case CHAIN_RANK_SURPLUS:
		cs->region += l->value;
		break;
	case CHAIN_RANK_LINE:
		cs->region = weight > cs->region ? weight : cs->region;
		break;
	case CHAIN_RANK_VALUE:
		cs->region = smoothed > cs->region ? smoothed : cs->region;
		break;
	}
	cs->end = cs->index;
	return status < 0 ? status : chain_place(cs, l, true);
}

/* Decides whether the pending line, whose next one is known, is part of a region, of a gap, or of neither. */
static int line_decide(struct chain_selector *cs, struct line *l, int64_t smoothed)
{
	bool hit = cs->config.hit == CHAIN_HIT_SMOOTHED ? smoothed > 0 : l->weight > 0;
	const struct trace *t = cs->config.trace;
	if (t && t->smoothed)
		t->smoothed(t->arg, cs->index, (double)smoothed, hit);
	if (hit)
		return region_line(cs, l, smoothed);
	int status = DANA_OK;
	if (cs->in_region) {
		/* the open region ends before the line, in which its last word may continue */
		status = chain_held_write(cs);
		if (status >= 0)
			status = chain_line_write(cs, l);
		if (status < 0)
			return status;
		size_t len = word_at_start(buf_slice(&l->text)), mark = cs->open.text.len;
		if (len && mark && !is_white(cs->open.text.data[mark - 1])) {
			status = append_word(cs, slice_of(l->text.data, len), 0);
			cs->open.mark = cs->open.text.len;
			l->given = cs->open.mark - mark;
		}
		/* usually it is clear at once that text is left out; the last word may still go to the next region */
		struct slice rest = slice_skip(buf_slice(&l->text), l->given);
		cs->between = BETWEEN_NOTHING;
		between_add(cs, slice_first(rest, rest.len - word_at_end(rest)));
	}
	if (status >= 0)
		status = chain_place(cs, l, false);
	region_end(cs);
	if (!cs->open.any || status < 0)
		return status;
	if (cs->index - cs->end >= cs->config.gap) {
		chain_close(cs);
		return DANA_OK;
	}
	if (chain_may_go_on(cs)) {
		/* the line before it will not be part of the next region's text */
		if (cs->index <= cs->end + 1)
			return DANA_OK;
		status = chain_line_write(cs, cs->before);
		if (status >= 0)
			between_add(cs, slice_skip(buf_slice(&cs->before->text), cs->before->given));
		return status;
	}
	if (!cs->config.gap_fill)
		return DANA_OK;
	status = chain_line_take(cs, l);
	if (status < 0)
		return status;
	/* the tentative tail must not grow without bound: it is cut off again if no region follows */
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
		int status = chain_line_write(cs, now);
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
	chain_lines_move(cs, 0);
	return DANA_OK;
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
	const struct trace *t = cs->config.trace;
	if (t && t->number) {
		t->number(t->arg, "gap", (double)cs->config.gap);
		t->number(t->arg, "gap-fill", (double)cs->config.gap_fill);
		t->number(t->arg, "chains", (double)cs->chains);
	}
	if (t && t->chosen && cs->best.any)
		t->chosen(t->arg, cs->best.number);
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

/* Keeps the text buffers for the next page. */
void chain_selector_reset(struct chain_selector *cs)
{
	struct chain_config config = cs->config;
	struct chain open = cs->open, best = cs->best;
	struct buf texts[CHAIN_LINES];
	for (size_t i = 0; i < CHAIN_LINES; i++)
		texts[i] = cs->lines[i].text;
	*cs = (struct chain_selector){ .config = config, .open = open, .best = best };
	chain_clear(&cs->open);
	chain_clear(&cs->best);
	buf_shrink(&cs->open.text, KEEP_BUFFER);
	buf_shrink(&cs->best.text, KEEP_BUFFER);
	buf_shrink(&cs->open.part, KEEP_BUFFER);
	buf_shrink(&cs->best.part, KEEP_BUFFER);
	for (size_t i = 0; i < CHAIN_LINES; i++) {
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
	buf_free(&cs->open.part);
	buf_free(&cs->best.part);
	for (size_t i = 0; i < CHAIN_LINES; i++)
		buf_free(&cs->lines[i].text);
	free(cs);
}
