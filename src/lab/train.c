/* SPDX-License-Identifier: MIT */
/*
 * Trains the Mountain Model: labels the ridges of reference pages, fits a model to those of each site or of all, and
 * measures it by pages of the site that were left out.
 */
#include "lab/train.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/status.h"
#include "lab/gold.h"
#include "lab/measure.h"

/* The paper's rule, and others around it. */
static const struct ridge_rule rules[LESSON_RULES] = {
	{ 0, 0 },       { 0, 2 },       { 0, 10 }, /* the mean score itself is the threshold */
	{ 500000, 0 },  { 500000, 2 },  { 500000, 10 },  { 250000, 0 },  { 250000, 2 },  { 250000, 10 },
	{ 2000000, 0 }, { 2000000, 2 }, { 2000000, 10 }, { 3000000, 0 }, { 3000000, 2 }, { 3000000, 10 },
};

static int train_ridges_init(struct train_ridges *t, const struct ridge_rule *rule)
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

/* A page, UTF-8, and its gold text. */
static int train_ridges_add(struct train_ridges *t, struct slice html, struct slice gold, struct slice site)
{
	token_table_reset(t->table);
	tokens_clear(&t->of_ridges);
	tokens_clear(&t->of_gold);
	int status = find_ridges(t, html);
	struct train_page page = { .site = hash_fnv32(site, HASH_FNV32_START),
				   .first = (uint32_t)(t->ridges.len / sizeof(struct train_ridge)),
				   .count = (uint32_t)mountain_ridges_count(&t->found) };
	for (size_t i = 0; i < page.count && status >= 0; i++) {
		const struct mountain_ridge *found = mountain_ridge_at(&t->found, i);
		size_t from = mountain_cell_start(&t->cells, found->first),
		       to = mountain_cell_at(&t->cells, found->last)->text_end;
		struct train_ridge ridge = { .on_gold = 0 };
		memcpy(ridge.features, found->features, sizeof(ridge.features));
		size_t before = t->of_ridges.len;
		status =
			tokens_append(&t->of_ridges, t->table, slice_of(t->cells.page.text.buf.data + from, to - from));
		ridge.tokens = (uint32_t)(t->of_ridges.len - before);
		status = status < 0 ? status : buf_append(&t->ridges, &ridge, sizeof(ridge));
	}
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
static double train_page_ceiling(const struct train_ridges *t, size_t index)
{
	const struct train_page *page = train_page_at(t, index);
	struct train_ridge *sorted = calloc((size_t)page->count + 1, sizeof(*sorted));
	double best = page->gold == 0;
	uint64_t tokens = 0, on_gold = 0;
	if (sorted && page->count) {
		memcpy(sorted, train_ridge_at(t, page->first), page->count * sizeof(*sorted));
		qsort(sorted, page->count, sizeof(*sorted), by_share);
	}
	for (size_t i = 0; sorted && i < page->count; i++) {
		tokens += sorted[i].tokens;
		on_gold += sorted[i].on_gold;
		best = fmax(best, score_of((double)on_gold, (double)tokens, (double)page->gold).f1);
	}
	free(sorted);
	return best;
}

static void train_ridges_free(struct train_ridges *t)
{
	buf_free(&t->ridges);
	buf_free(&t->pages);
	mountain_cells_free(&t->cells);
	mountain_ridges_free(&t->found);
	token_table_free(t->table);
	tokens_free(&t->of_ridges);
	tokens_free(&t->of_gold);
}

static const char *without_www(const char *host)
{
	return strncmp(host, "www.", 4) == 0 ? host + 4 : host;
}

static int read_pages(struct lesson *l, const char *path, struct error *err)
{
	struct gold_folder *folder = NULL;
	struct page_decoder decoder;
	struct buf html = { 0 }, gold = { 0 };
	int status = page_decoder_init(&decoder);
	if (status == DANA_OK)
		status = gold_open(&folder, path, err);
	if (status == DANA_OK)
		status = page_decoder_check_gold(folder, err);
	for (size_t i = 0; status == DANA_OK && i < gold_count(folder); i++) {
		const struct gold_page *page = gold_page(folder, i);
		if (l->site && strcmp(without_www(page->site), without_www(l->site)) != 0)
			continue;
		const char *site = page->site[0] ? without_www(page->site) : page->id;
		status = gold_read(folder, page, GOLD_HTML, &html, err);
		if (status == DANA_OK)
			status = gold_read(folder, page, GOLD_TEXT, &gold, err);
		if (status == DANA_OK)
			status = page_decoder_decode(&decoder, buf_slice(&html), slice_from_text(page->charset));
		for (size_t k = 0; k < l->n_sets && status == DANA_OK; k++)
			status = train_ridges_add(&l->sets[k], buf_slice(&decoder.page), buf_slice(&gold),
						  slice_from_text(site));
		if (status < 0)
			(void)error_set(err, (enum dana_status)status, "%s/%s: %s", page->corpus, page->id,
					status_text(status));
	}
	gold_close(folder);
	page_decoder_free(&decoder);
	buf_free(&html);
	buf_free(&gold);
	return status;
}

static size_t pages_count(const struct lesson *l)
{
	return train_pages_count(&l->sets[0]);
}

static int divide_pages(struct lesson *l)
{
	const size_t count = pages_count(l);
	size_t marked = 0, seen = 0;
	l->train = calloc(count + 1, 1);
	l->test = calloc(count + 1, 1);
	if (!l->train || !l->test)
		return DANA_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const uint32_t site = train_page_at(&l->sets[0], i)->site;
		size_t before = 0; /* pages of the same site */
		for (size_t k = 0; k < i && !l->site; k++)
			before += train_page_at(&l->sets[0], k)->site == site;
		if (l->site)
			l->test[i] = i >= LESSON_SITE_PAGES;
		else
			l->test[i] = l->hold_out && site % 5 == 0;
		l->train[i] = !l->test[i] && before < LESSON_HOST_PAGES;
		marked += l->train[i];
	}
	/* leave LESSON_PAGES of the marked pages, evenly spread */
	for (size_t i = 0; i < count && marked > LESSON_PAGES; i++) {
		if (l->train[i]) {
			l->train[i] = seen * LESSON_PAGES / marked < (seen + 1) * LESSON_PAGES / marked;
			seen++;
		}
	}
	return DANA_OK;
}

int lesson_read(struct lesson *l, const char *path, struct error *err)
{
	int status = DANA_OK;
	l->n_sets = l->site ? LESSON_RULES : 1;
	for (size_t i = 0; i < l->n_sets && status == DANA_OK; i++)
		status = train_ridges_init(&l->sets[i], &rules[i]);
	if (status == DANA_OK)
		status = read_pages(l, path, err);
	return status < 0 ? status : divide_pages(l);
}

static int train_on(const struct lesson *l, const uint8_t *use, struct mountain_model *model,
		    struct train_result *result)
{
	return l->site ? train_mountain_site(l->sets, l->n_sets, use, model, result)
		       : train_mountain(&l->sets[0], use, true, model, result);
}

int lesson_train(const struct lesson *l, struct mountain_model *model, struct train_result *result)
{
	return train_on(l, l->train, model, result);
}

/* Sum of the F1 of the marked pages; without a model, of the best choice of ridges. */
static double sum_of(const struct train_ridges *set, const uint8_t *use, const struct mountain_model *model)
{
	double sum = 0;
	for (size_t i = 0; i < train_pages_count(set); i++) {
		double *decisions = use[i] ? calloc(train_page_at(set, i)->count + 1, sizeof(double)) : NULL;
		if (!decisions)
			continue;
		if (model)
			train_page_decide(set, i, model, decisions);
		sum += model ? train_page_score(set, i, decisions, 0) : train_page_ceiling(set, i);
		free(decisions);
	}
	return sum;
}

static size_t count_marks(const uint8_t *marks, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		n += marks[i];
	return n;
}

/* Each page is classified by a model of other pages of the site: adds to *mine. */
static int test_fold(const struct lesson *l, size_t fold, uint8_t *use, uint8_t *left_out, double *mine)
{
	struct mountain_model model = { 0 };
	struct train_result result;
	size_t used = 0;
	for (size_t i = 0; i < pages_count(l); i++) {
		left_out[i] = i % LESSON_FOLDS == fold;
		use[i] = !left_out[i] && used < LESSON_SITE_PAGES;
		used += use[i];
	}
	int status = train_on(l, use, &model, &result);
	if (status == DANA_OK)
		*mine += sum_of(&l->sets[result.set], left_out, &model);
	mountain_model_free(&model);
	return status;
}

int lesson_tell(const struct lesson *l, const struct mountain_model *model, const struct train_result *r,
		const struct notices *to)
{
	const struct train_ridges *set = &l->sets[r->set], *usual = &l->sets[0];
	size_t trained = count_marks(l->train, pages_count(l)), tested = count_marks(l->test, pages_count(l));
	notice(to, "%zu pages, %zu ridges (%zu primary); C %g, gamma %g, bias moved by %g; %zu support vectors",
	       trained, r->samples, r->primary, r->c, r->gamma, r->shift, model->count);
	if (r->set)
		notice(to, "ridges above %g of the mean score, at most %u low cells in a row",
		       set->rule.threshold ? set->rule.threshold / 1e6 : 1,
		       set->rule.span ? set->rule.span : MOUNTAIN_SPAN);
	notice(to, "F1 in cross-validation %.4f (universal model, not cross-validated: %.4f)", r->score,
	       sum_of(usual, l->train, &mountain_universal) / (double)trained);
	if (tested)
		notice(to, "F1 on %zu pages left out %.4f (universal model: %.4f)", tested,
		       sum_of(set, l->test, model) / (double)tested,
		       sum_of(usual, l->test, &mountain_universal) / (double)tested);
	if (!(l->site && l->hold_out))
		return DANA_OK;
	size_t count = pages_count(l);
	uint8_t *use = calloc(count + 1, 1), *left_out = calloc(count + 1, 1);
	double mine = 0;
	int status = use && left_out ? DANA_OK : DANA_ENOMEM;
	for (size_t fold = 0; fold < LESSON_FOLDS && status == DANA_OK; fold++)
		status = test_fold(l, fold, use, left_out, &mine);
	if (status == DANA_OK) {
		memset(use, 1, count);
		double universal = sum_of(&l->sets[0], use, &mountain_universal), best = sum_of(&l->sets[0], use, NULL);
		notice(to,
		       "F1 on all %zu pages, each fifth left out in turn, %.4f (universal model: %.4f, the best choice "
		       "of its ridges: %.4f)",
		       count, mine / (double)count, universal / (double)count, best / (double)count);
	}
	free(use);
	free(left_out);
	if (status != DANA_EFORMAT)
		return status;
	notice(to, "%zu pages are too few to leave some of them out", count);
	return DANA_OK;
}

void lesson_free(struct lesson *l)
{
	for (size_t i = 0; i < l->n_sets; i++)
		train_ridges_free(&l->sets[i]);
	free(l->train);
	free(l->test);
}
