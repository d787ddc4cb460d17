/* SPDX-License-Identifier: MIT */
#include "lab/train/train_lesson.h"

#include <stdlib.h>

#include "lab/measure/gold.h"
#include "lab/page_decoder.h"

/* The paper's rule, and others around it. */
static const struct ridge_rule rules[LESSON_RULES] = {
	{ 0, 0 },       { 0, 2 },       { 0, 10 }, /* the mean score itself is the threshold */
	{ 500000, 0 },  { 500000, 2 },  { 500000, 10 },  { 250000, 0 },  { 250000, 2 },  { 250000, 10 },
	{ 2000000, 0 }, { 2000000, 2 }, { 2000000, 10 }, { 3000000, 0 }, { 3000000, 2 }, { 3000000, 10 },
};

/* What reading needs besides. */
struct reader {
	struct lesson *lesson;
	struct gold_folder *folder;
	struct page_decoder decoder;
	struct buf html, gold;
};

static const char *without_www(const char *host)
{
	return strncmp(host, "www.", 4) == 0 ? host + 4 : host;
}

static bool is_asked_for(const struct lesson *l, const struct gold_page *page)
{
	return !l->site || strcmp(without_www(page->site), without_www(l->site)) == 0;
}

static int add_page(struct reader *r, const struct gold_page *page, struct error *err)
{
	struct lesson *l = r->lesson;
	const char *site = page->site[0] ? without_www(page->site) : page->id;
	int status = gold_read(r->folder, page, GOLD_HTML, &r->html, err);
	if (status < 0)
		return status;
	status = gold_read(r->folder, page, GOLD_TEXT, &r->gold, err);
	if (status < 0)
		return status;
	status = page_decoder_decode(&r->decoder, buf_slice(&r->html), slice_from_text(page->charset));
	for (size_t i = 0; i < l->n_sets && status == DANA_OK; i++)
		status = train_ridges_add(&l->sets[i], buf_slice(&r->decoder.page), buf_slice(&r->gold),
					  slice_from_text(site));
	return status;
}

static int add_pages(struct reader *r, const char *path, struct error *err)
{
	int status = gold_open(&r->folder, path, err);
	if (status == DANA_OK)
		status = page_decoder_check_gold(r->folder, err);
	if (status < 0)
		return status;
	for (size_t i = 0; i < gold_count(r->folder); i++) {
		const struct gold_page *page = gold_page(r->folder, i);
		if (!is_asked_for(r->lesson, page))
			continue;
		status = add_page(r, page, err);
		if (status < 0)
			return error_set(err, (enum dana_status)status, "%s/%s: %s", page->corpus, page->id,
					 status_text(status));
	}
	return DANA_OK;
}

static int read_pages(struct lesson *l, const char *path, struct error *err)
{
	struct reader r = { .lesson = l };
	int status = page_decoder_init(&r.decoder);
	if (status == DANA_OK)
		status = add_pages(&r, path, err);
	gold_close(r.folder);
	page_decoder_free(&r.decoder);
	buf_free(&r.html);
	buf_free(&r.gold);
	return status;
}

static size_t pages_count(const struct lesson *l)
{
	return train_pages_count(&l->sets[0]);
}

/* How many pages before this one have the same site. */
static size_t count_before(const struct lesson *l, size_t index)
{
	size_t n = 0;
	for (size_t i = 0; i < index; i++)
		n += train_page_at(&l->sets[0], i)->site == train_page_at(&l->sets[0], index)->site;
	return n;
}

/* Leaves LESSON_PAGES of the marked pages, evenly spread. */
static void thin_out(uint8_t *marks, size_t count)
{
	size_t marked = 0, seen = 0;
	for (size_t i = 0; i < count; i++)
		marked += marks[i];
	for (size_t i = 0; i < count && marked > LESSON_PAGES; i++) {
		if (marks[i]) {
			marks[i] = seen * LESSON_PAGES / marked < (seen + 1) * LESSON_PAGES / marked;
			seen++;
		}
	}
}

static int divide_pages(struct lesson *l)
{
	size_t count = pages_count(l);
	l->train = calloc(count + 1, 1);
	l->test = calloc(count + 1, 1);
	if (!l->train || !l->test)
		return DANA_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (l->site) {
			l->train[i] = i < LESSON_SITE_PAGES;
			l->test[i] = !l->train[i];
		} else {
			l->test[i] = l->hold_out && train_page_at(&l->sets[0], i)->site % 5 == 0;
			l->train[i] = !l->test[i] && count_before(l, i) < LESSON_HOST_PAGES;
		}
	}
	if (!l->site)
		thin_out(l->train, count);
	return DANA_OK;
}

int lesson_read(struct lesson *l, const char *path, struct error *err)
{
	l->n_sets = l->site ? LESSON_RULES : 1;
	for (size_t i = 0; i < l->n_sets; i++) {
		int status = train_ridges_init(&l->sets[i], &rules[i]);
		if (status < 0)
			return status;
	}
	int status = read_pages(l, path, err);
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

/* Sum of the F1 of the marked pages; `model` NULL: of the best choice of ridges. */
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

static int tell_folds(const struct lesson *l, const struct notices *to)
{
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
	return l->site && l->hold_out ? tell_folds(l, to) : DANA_OK;
}

void lesson_free(struct lesson *l)
{
	for (size_t i = 0; i < l->n_sets; i++)
		train_ridges_free(&l->sets[i]);
	free(l->train);
	free(l->test);
}
