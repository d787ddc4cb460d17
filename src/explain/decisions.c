#include "explain/decisions.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "measure/lcs.h"
#include "method/text_writer.h"

static int add(struct decisions *d, const struct decision *decision)
{
	struct decision *list = grow_items(d->list, d->len, &d->cap, sizeof(*list));
	if (!list)
		return DANA_ENOMEM;
	d->list = list;
	d->list[d->len++] = *decision;
	return DANA_OK;
}

/* Source text as a reader sees it; where it stands is put into the decision. */
static int put_text(struct decisions *d, struct decision *decision, struct slice source)
{
	struct text_writer w = { 0 };
	text_writer_reset(&w, 0);
	int status = text_writer_source(&w, source);
	if (status == DANA_OK)
		status = text_writer_finish(&w);
	decision->text_from = d->text.len;
	if (status == DANA_OK)
		status = buf_append(&d->text, w.out.data, w.out.len);
	decision->text_to = d->text.len;
	text_writer_free(&w);
	return status;
}

static int put_numbers(struct decisions *d, struct decision *decision, const struct recording *r,
		       const struct recorded_block *b)
{
	decision->numbers_from = d->text.len;
	int status = buf_append(&d->text, r->text.data + b->numbers_from, b->numbers_to - b->numbers_from);
	decision->numbers_to = d->text.len;
	return status;
}

/* The method was told to keep what lies between the regions of the chain. */
static bool fills_gaps(const struct recording *r)
{
	for (size_t i = 0; i < r->n_numbers; i++) {
		if (strcmp(r->numbers[i].name, "gap-fill") == 0)
			return r->numbers[i].value > 0;
	}
	return false;
}

static bool same_chain(const struct recorded_region *a, const struct recorded_region *b)
{
	return a->chosen && b->chosen && a->chain == b->chain;
}

/* Segments from first to last, of no region. */
static int add_outside(struct decisions *d, const struct recording *r, const struct method_words *words, uint64_t first,
		       uint64_t last, bool gap)
{
	struct decision decision = { .has_segments = true, .first = first, .last = last };
	decision.reason = gap ? words->gap : words->none;
	decision.kept = gap && fills_gaps(r);
	double content = 0, code = 0, top = r->segments[first].smoothed;
	for (uint64_t i = first; i <= last; i++) {
		content += r->segments[i].content;
		code += r->segments[i].code;
		if (r->segments[i].smoothed > top)
			top = r->segments[i].smoothed;
	}
	size_t from = r->segments[first].text_from;
	int status = put_text(d, &decision, slice_of(r->text.data + from, r->segments[last].text_to - from));
	decision.numbers_from = d->text.len;
	if (status == DANA_OK)
		status = buf_printf(&d->text, "%s=%.6g %s=%.6g smoothed<=%.6g", words->above_name, content,
				    words->below_name, code, top);
	decision.numbers_to = d->text.len;
	return status < 0 ? status : add(d, &decision);
}

/* A method that tells a block for each region tells more of it than the segments do. */
static int add_region(struct decisions *d, const struct recording *r, const struct method_words *words, size_t index)
{
	const struct recorded_region *region = &r->regions[index];
	struct decision decision = { .kept = region->chosen,
				     .has_segments = true,
				     .first = region->first,
				     .last = region->last,
				     .has_score = true,
				     .score = region->weight };
	decision.reason = region->chosen ? words->kept : words->other;
	size_t from = r->segments[region->first].text_from, to = r->segments[region->last].text_to;
	int status = DANA_OK;
	if (r->n_blocks == r->n_regions) {
		const struct recorded_block *b = &r->blocks[index];
		decision.score = b->score;
		status = put_text(d, &decision, slice_of(r->text.data + b->text_from, b->text_to - b->text_from));
		if (status == DANA_OK)
			status = put_numbers(d, &decision, r, b);
	} else {
		status = put_text(d, &decision, slice_of(r->text.data + from, to - from));
		decision.numbers_from = d->text.len;
		if (status == DANA_OK)
			status = buf_printf(&d->text, "weight=%.6g chain=%llu", region->weight,
					    (unsigned long long)region->chain);
		decision.numbers_to = d->text.len;
	}
	return status < 0 ? status : add(d, &decision);
}

/* Regions come in the order of the page. */
static int from_segments(struct decisions *d, const struct recording *r, const struct method_words *words)
{
	int status = DANA_OK;
	uint64_t next = 0;
	for (size_t i = 0; i < r->n_regions && status == DANA_OK; i++) {
		if (r->regions[i].first < next)
			continue;
		if (r->regions[i].first > next)
			status = add_outside(d, r, words, next, r->regions[i].first - 1,
					     i && same_chain(&r->regions[i - 1], &r->regions[i]));
		if (status == DANA_OK)
			status = add_region(d, r, words, i);
		next = r->regions[i].last + 1;
	}
	if (status == DANA_OK && next < r->n_segments)
		status = add_outside(d, r, words, next, r->n_segments - 1, false);
	return status;
}

static int from_blocks(struct decisions *d, const struct recording *r)
{
	int status = DANA_OK;
	for (size_t i = 0; i < r->n_blocks && status == DANA_OK; i++) {
		const struct recorded_block *b = &r->blocks[i];
		struct decision decision = { .kept = b->kept,
					     .has_score = true,
					     .score = b->score,
					     .reason = (const char *)r->text.data + b->reason_from };
		status = put_text(d, &decision, slice_of(r->text.data + b->text_from, b->text_to - b->text_from));
		if (status == DANA_OK)
			status = put_numbers(d, &decision, r, b);
		if (status == DANA_OK)
			status = add(d, &decision);
	}
	return status;
}

static int from_lines(struct decisions *d, struct slice visible)
{
	int status = DANA_OK;
	while (visible.len && status == DANA_OK) {
		const uint8_t *end = memchr(visible.data, '\n', visible.len);
		size_t len = end ? (size_t)(end - visible.data) : visible.len;
		struct decision decision = { .kept = true, .text_from = d->text.len };
		status = buf_append(&d->text, visible.data, len);
		decision.text_to = decision.numbers_from = decision.numbers_to = d->text.len;
		if (status == DANA_OK)
			status = add(d, &decision);
		visible = slice_skip(visible, len + (end != NULL));
	}
	return status;
}

/* Tokens of one decision's text: how many there are, and how many lie in the output. */
struct share {
	size_t tokens, found;
};

/* Above this many pairs of tokens the order of the output no longer counts: a report must open at once. */
static const uint64_t PAIRS_MOST = (uint64_t)1 << 36;

/* Marks a token of the page when the output has one left that is spelt so. */
static int mark_anywhere(const struct tokens *page, const struct tokens *kept, uint32_t ids, uint8_t *marks)
{
	size_t *left = calloc((size_t)ids + 1, sizeof(*left));
	if (!left)
		return DANA_ENOMEM;
	for (size_t i = 0; i < kept->len; i++)
		left[kept->ids[i]]++;
	for (size_t i = 0; i < page->len; i++) {
		marks[i] = left[page->ids[i]] > 0;
		left[page->ids[i]] -= marks[i];
	}
	free(left);
	return DANA_OK;
}

static int mark_page(const struct tokens *page, const struct tokens *kept, uint32_t ids, uint8_t *marks)
{
	size_t ignored;
	if (kept->len && page->len > PAIRS_MOST / kept->len)
		return mark_anywhere(page, kept, ids, marks);
	return lcs_marks(page, kept, ids, marks, NULL, &ignored);
}

static int count_shares(const struct decisions *d, struct token_table *table, struct slice output, struct share *shares)
{
	struct tokens page = { 0 }, kept = { 0 };
	uint8_t *marks = NULL;
	size_t at = 0;
	int status = tokens_append(&kept, table, output);
	for (size_t i = 0; i < d->len && status == DANA_OK; i++) {
		size_t before = page.len;
		status = tokens_append(
			&page, table,
			slice_of(d->text.data + d->list[i].text_from, d->list[i].text_to - d->list[i].text_from));
		shares[i].tokens = page.len - before;
	}
	if (status == DANA_OK && !(marks = calloc(page.len + 1, 1)))
		status = DANA_ENOMEM;
	if (status == DANA_OK)
		status = mark_page(&page, &kept, token_table_count(table), marks);
	for (size_t i = 0; i < d->len && status == DANA_OK; i++) {
		for (size_t k = 0; k < shares[i].tokens; k++)
			shares[i].found += marks[at++];
	}
	free(marks);
	tokens_free(&page);
	tokens_free(&kept);
	return status;
}

/* Drops what is not in the output; tells lines why. */
static int check_output(struct decisions *d, struct slice output)
{
	struct token_table *table = token_table_new();
	struct share *shares = calloc(d->len + 1, sizeof(*shares));
	int status = table && shares ? count_shares(d, table, output, shares) : DANA_ENOMEM;
	for (size_t i = 0; i < d->len && status == DANA_OK; i++) {
		struct decision *k = &d->list[i];
		bool found = shares[i].tokens && 2 * shares[i].found >= shares[i].tokens;
		k->kept = k->kept && found;
		if (k->reason)
			continue;
		k->reason = found ? "in the text of the method" : "not in the text of the method";
		k->numbers_from = d->text.len;
		status = buf_printf(&d->text, "tokens=%zu found=%zu", shares[i].tokens, shares[i].found);
		k->numbers_to = d->text.len;
	}
	free(shares);
	token_table_free(table);
	return status;
}

int decisions_make(struct decisions *d, const struct recording *r, const struct method_words *words,
		   struct slice visible, struct slice output)
{
	*d = (struct decisions){ 0 };
	if (r->n_segments && (r->n_regions || !r->n_blocks))
		return from_segments(d, r, words);
	int status = r->n_blocks ? from_blocks(d, r) : from_lines(d, visible);
	return status < 0 ? status : check_output(d, output);
}

void decisions_free(struct decisions *d)
{
	free(d->list);
	buf_free(&d->text);
}
