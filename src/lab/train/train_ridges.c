/* SPDX-License-Identifier: MIT */
#include "lab/train/train_ridges.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/status.h"
#include "lab/measure/lcs.h"

int train_ridges_init(struct train_ridges *t, const struct ridge_rule *rule)
{
	*t = (struct train_ridges){ .rule = *rule, .table = token_table_new() };
	mountain_cells_init(&t->cells, NULL);
	return t->table ? DANA_OK : DANA_ENOMEM;
}

static int find_ridges(struct train_ridges *t, struct slice html)
{
	const struct html_handler handler = { .run = token_stream_run, .tag = token_stream_tag, .arg = &t->cells };
	struct html_tokenizer *tokenizer = html_tokenizer_new(&handler);
	if (!tokenizer)
		return DANA_ENOMEM;
	mountain_cells_reset(&t->cells);
	int status = html_tokenizer_feed(tokenizer, html);
	if (status >= 0)
		status = html_tokenizer_finish(tokenizer);
	if (status >= 0)
		status = mountain_cells_finish(&t->cells);
	if (status >= 0)
		status = mountain_ridges_find(&t->found, &t->cells, &t->rule, NULL);
	html_tokenizer_free(tokenizer);
	return status;
}

static int add_ridge(struct train_ridges *t, size_t index)
{
	const struct mountain_ridge *found = mountain_ridge_at(&t->found, index);
	size_t from = mountain_cell_start(&t->cells, found->first),
	       to = mountain_cell_at(&t->cells, found->last)->text_end;
	struct train_ridge ridge = { .on_gold = 0 };
	memcpy(ridge.features, found->features, sizeof(ridge.features));
	size_t before = t->of_ridges.len;
	int status = tokens_append(&t->of_ridges, t->table, slice_of(t->cells.text.buf.data + from, to - from));
	ridge.tokens = (uint32_t)(t->of_ridges.len - before);
	return status < 0 ? status : buf_append(&t->ridges, &ridge, sizeof(ridge));
}

/* Counts for each ridge of the last page its tokens that lie on gold. */
static int count_gold(struct train_ridges *t, const struct train_page *page)
{
	size_t common, at = 0;
	uint8_t *marks = malloc(t->of_ridges.len + 1);
	if (!marks)
		return DANA_ENOMEM;
	int status = lcs_marks(&t->of_ridges, &t->of_gold, token_table_count(t->table), marks, NULL, &common);
	struct train_ridge *ridges = (struct train_ridge *)(void *)t->ridges.data + page->first;
	for (size_t i = 0; i < page->count && status >= 0; i++) {
		for (uint32_t k = 0; k < ridges[i].tokens; k++)
			ridges[i].on_gold += marks[at++];
	}
	free(marks);
	return status;
}

int train_ridges_add(struct train_ridges *t, struct slice html, struct slice gold, struct slice site)
{
	token_table_reset(t->table);
	tokens_clear(&t->of_ridges);
	tokens_clear(&t->of_gold);
	int status = find_ridges(t, html);
	struct train_page page = { .site = hash_fnv32(site, HASH_FNV32_START),
				   .first = (uint32_t)(t->ridges.len / sizeof(struct train_ridge)),
				   .count = (uint32_t)mountain_ridges_count(&t->found) };
	for (size_t i = 0; i < page.count && status >= 0; i++)
		status = add_ridge(t, i);
	if (status >= 0)
		status = tokens_append(&t->of_gold, t->table, gold);
	page.gold = (uint32_t)t->of_gold.len;
	if (status >= 0)
		status = count_gold(t, &page);
	return status < 0 ? status : buf_append(&t->pages, &page, sizeof(page));
}

enum ridge_label train_ridge_label(const struct train_ridge *r)
{
	if (r->tokens < RIDGE_TOKENS_LEAST)
		return RIDGE_UNCLEAR;
	uint64_t hundredths = 100 * (uint64_t)r->on_gold / r->tokens;
	return hundredths >= 70 ? RIDGE_PRIMARY : hundredths <= 30 ? RIDGE_OTHER : RIDGE_UNCLEAR;
}

void train_page_decide(const struct train_ridges *t, size_t index, const struct mountain_model *model,
		       double *decisions)
{
	const struct train_page *page = train_page_at(t, index);
	for (size_t i = 0; i < page->count; i++)
		decisions[i] = mountain_model_decide(model, train_ridge_at(t, page->first + i)->features);
}

double train_page_score(const struct train_ridges *t, size_t index, const double *decisions, double shift)
{
	const struct train_page *page = train_page_at(t, index);
	uint64_t tokens = 0, on_gold = 0;
	const struct train_ridge *nearest = NULL;
	double highest = -HUGE_VAL;
	for (size_t i = 0; i < page->count; i++) {
		const struct train_ridge *r = train_ridge_at(t, page->first + i);
		nearest = decisions[i] > highest ? r : nearest;
		highest = fmax(highest, decisions[i]);
		tokens += decisions[i] + shift > 0 ? r->tokens : 0;
		on_gold += decisions[i] + shift > 0 ? r->on_gold : 0;
	}
	if (tokens == 0 && nearest) {
		tokens = nearest->tokens;
		on_gold = nearest->on_gold;
	}
	return score_of((double)on_gold, (double)tokens, (double)page->gold).f1;
}

/* By the share of their tokens that lie on gold, highest first. */
static int by_share(const void *a, const void *b)
{
	const struct train_ridge *x = a, *y = b;
	uint64_t of_x = (uint64_t)x->on_gold * y->tokens, of_y = (uint64_t)y->on_gold * x->tokens;
	return of_x < of_y ? 1 : of_x > of_y ? -1 : 0;
}

/* F1 is a ratio of sums over ridges, so the best choice takes all whose share is above some value. */
double train_page_ceiling(const struct train_ridges *t, size_t index)
{
	const struct train_page *page = train_page_at(t, index);
	struct train_ridge *sorted = calloc((size_t)page->count + 1, sizeof(*sorted));
	double best = page->gold == 0;
	uint64_t tokens = 0, on_gold = 0;
	if (!sorted)
		return best;
	for (size_t i = 0; i < page->count; i++)
		sorted[i] = *train_ridge_at(t, page->first + i);
	qsort(sorted, page->count, sizeof(*sorted), by_share);
	for (size_t i = 0; i < page->count; i++) {
		tokens += sorted[i].tokens;
		on_gold += sorted[i].on_gold;
		best = fmax(best, score_of((double)on_gold, (double)tokens, (double)page->gold).f1);
	}
	free(sorted);
	return best;
}

void train_ridges_free(struct train_ridges *t)
{
	buf_free(&t->ridges);
	buf_free(&t->pages);
	mountain_cells_free(&t->cells);
	mountain_ridges_free(&t->found);
	token_table_free(t->table);
	tokens_free(&t->of_ridges);
	tokens_free(&t->of_gold);
}
