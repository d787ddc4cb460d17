/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <libsvm/svm.h>
#include <math.h>
#include <stdlib.h>

#include "base/library.h"
#include "base/status.h"
#include "lab/train.h"

#define FUNCTIONS(X) X(svm_free_and_destroy_model) X(svm_set_print_string_function) X(svm_train)
#define ROW(name) LIBRARY_ROW(libsvm, name)

static struct libsvm {
	FUNCTIONS(LIBRARY_MEMBER)
} libsvm;

static const struct library_function functions[] = { FUNCTIONS(ROW) };
static struct library library = {
	.file = SVM_SONAME, .title = "libsvm", .package = "libsvm3", LIBRARY_TABLE(functions, libsvm)
};

static const double costs[] = { 0.1, 1, 10, 100 }, gammas[] = { 0.25, 1, 4, 16 };

enum { SHIFTS = 21 };
#define EQUAL 1e-6 /* difference of mean F1 */

/* Of the bias: -1 to 1. */
static double shift_at(unsigned i)
{
	return ((double)i - SHIFTS / 2) / (SHIFTS / 2);
}

/* What libsvm takes: the clear ridges of the pages that are in. */
struct samples {
	struct svm_problem problem;
	struct svm_node *nodes; /* RIDGE_FEATURES + 1 for each */
	size_t primary;
};

static unsigned fold_of(const struct train_ridges *r, size_t page, bool by_site)
{
	uint32_t site = train_page_at(r, page)->site;
	/* The low bits of the hash choose the sites that are held out. */
	return (by_site ? site >> 16 : (uint32_t)page) % TRAIN_FOLDS;
}

static void samples_free(struct samples *s)
{
	free(s->problem.x);
	free(s->problem.y);
	free(s->nodes);
}

/* Pages in use outside of fold `left_out` (TRAIN_FOLDS: of all folds). */
static int samples_make(struct samples *s, const struct train_ridges *r, const uint8_t *use, bool by_site,
			unsigned left_out)
{
	size_t most = r->ridges.len / sizeof(struct train_ridge) + 1;
	*s = (struct samples){ .nodes = calloc(most, (RIDGE_FEATURES + 1) * sizeof(struct svm_node)) };
	s->problem.x = calloc(most, sizeof(*s->problem.x));
	s->problem.y = calloc(most, sizeof(*s->problem.y));
	if (!s->nodes || !s->problem.x || !s->problem.y)
		return DANA_ENOMEM;
	for (size_t p = 0; p < train_pages_count(r); p++) {
		const struct train_page *page = train_page_at(r, p);
		if (!use[p] || fold_of(r, p, by_site) == left_out)
			continue;
		for (size_t i = page->first; i < page->first + page->count; i++) {
			const struct train_ridge *ridge = train_ridge_at(r, i);
			const enum ridge_label label = train_ridge_label(ridge);
			if (label == RIDGE_UNCLEAR)
				continue;
			const size_t n = (size_t)s->problem.l++;
			struct svm_node *at = s->nodes + n * (RIDGE_FEATURES + 1);
			for (int d = 0; d < RIDGE_FEATURES; d++)
				at[d] = (struct svm_node){ d + 1, round(ridge->features[d] * MODEL_UNIT) / MODEL_UNIT };
			at[RIDGE_FEATURES].index = -1;
			s->problem.x[n] = at;
			s->problem.y[n] = label;
			s->primary += label == RIDGE_PRIMARY;
		}
	}
	return s->problem.l ? DANA_OK : DANA_EFORMAT;
}

static int fit(const struct samples *s, double c, double gamma, struct mountain_model *model)
{
	if (s->primary == 0 || s->primary == (size_t)s->problem.l) {
		/* all ridges are of one class: so is every other one */
		static const struct model_vector nothing = { 0 };
		*model = (struct mountain_model){ .gamma = llround(gamma * MODEL_UNIT),
						  .bias = s->primary ? MODEL_UNIT : -MODEL_UNIT,
						  .vectors = &nothing,
						  .count = 1 };
		return DANA_OK;
	}
	double others = (double)s->problem.l - (double)s->primary, all = (double)s->problem.l;
	int labels[] = { RIDGE_PRIMARY, RIDGE_OTHER };
	double weights[] = { all / 2 / (double)s->primary, all / 2 / others };
	struct svm_parameter parameter = { .svm_type = C_SVC,
					   .kernel_type = RBF,
					   .gamma = gamma,
					   .cache_size = 64,
					   .eps = 0.01,
					   .C = c,
					   .nr_weight = 2,
					   .weight_label = labels,
					   .weight = weights,
					   .shrinking = 1 };
	struct svm_model *svm = libsvm.svm_train(&s->problem, &parameter);
	if (!svm)
		return DANA_ENOMEM;
	/* f > 0 means the first class, whichever that is. */
	double sign = svm->label[0] == RIDGE_PRIMARY ? MODEL_UNIT : -MODEL_UNIT;
	*model = (struct mountain_model){ .gamma = llround(gamma * MODEL_UNIT), .bias = llround(-svm->rho[0] * sign) };
	int status = DANA_OK;
	for (int k = 0; k < svm->l && status >= 0; k++) {
		struct model_vector v = { .weight = llround(svm->sv_coef[0][k] * sign) };
		for (int d = 0; d < RIDGE_FEATURES; d++)
			v.at[d] = (int32_t)lround(svm->SV[k][d].value * MODEL_UNIT);
		status = buf_append(&model->own, &v, sizeof(v));
	}
	model->vectors = (const struct model_vector *)(const void *)model->own.data;
	model->count = model->own.len / sizeof(struct model_vector);
	libsvm.svm_free_and_destroy_model(&svm);
	return status;
}

/* Adds the scores of the pages of a fold, for each shift. */
static int score_fold(const struct train_ridges *r, const uint8_t *use, bool by_site, unsigned fold,
		      const struct mountain_model *model, double sums[SHIFTS])
{
	double *decisions = calloc(r->ridges.len / sizeof(struct train_ridge) + 1, sizeof(*decisions));
	if (!decisions)
		return DANA_ENOMEM;
	for (size_t p = 0; p < train_pages_count(r); p++) {
		if (!use[p] || fold_of(r, p, by_site) != fold)
			continue;
		train_page_decide(r, p, model, decisions);
		for (unsigned i = 0; i < SHIFTS; i++)
			sums[i] += train_page_score(r, p, decisions, shift_at(i));
	}
	free(decisions);
	return DANA_OK;
}

/* Mean F1 with C and gamma at the best shift; better than before, it becomes the result. */
static int cross_validate(const struct train_ridges *r, const uint8_t *use, bool by_site, double c, double gamma,
			  struct train_result *best)
{
	double sums[SHIFTS] = { 0 };
	size_t pages = 0;
	int status = DANA_OK;
	for (size_t p = 0; p < train_pages_count(r); p++)
		pages += use[p] != 0;
	for (unsigned fold = 0; fold < TRAIN_FOLDS && status >= 0; fold++) {
		struct samples s;
		struct mountain_model model = { 0 };
		status = samples_make(&s, r, use, by_site, fold);
		if (status >= 0)
			status = fit(&s, c, gamma, &model);
		if (status >= 0)
			status = score_fold(r, use, by_site, fold, &model, sums);
		mountain_model_free(&model);
		samples_free(&s);
	}
	for (unsigned i = 0; i < SHIFTS && status >= 0; i++) {
		double mean = sums[i] / (double)pages, gain = mean - best->score;
		/* Of equals the one that moves the bias least: few pages leave it open. */
		if (gain > EQUAL || (gain > -EQUAL && fabs(shift_at(i)) < fabs(best->shift))) {
			best->c = c;
			best->gamma = gamma;
			best->shift = shift_at(i);
			best->score = mean;
		}
	}
	return status;
}

static void quiet(const char *text)
{
	(void)text;
}

int train_mountain(const struct train_ridges *ridges, const uint8_t *use, bool by_site, struct mountain_model *model,
		   struct train_result *result)
{
	struct samples s;
	int status = library_load(&library, NULL);
	if (status < 0)
		return status;
	status = samples_make(&s, ridges, use, by_site, TRAIN_FOLDS);
	*result = (struct train_result){ .samples = (size_t)s.problem.l, .primary = s.primary, .score = -1 };
	libsvm.svm_set_print_string_function(quiet);
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs) && status >= 0; i++) {
		for (size_t k = 0; k < sizeof(gammas) / sizeof(*gammas) && status >= 0; k++)
			status = cross_validate(ridges, use, by_site, costs[i], gammas[k], result);
	}
	if (status >= 0)
		status = fit(&s, result->c, result->gamma, model);
	model->bias += llround(result->shift * MODEL_UNIT);
	model->rule = ridges->rule;
	samples_free(&s);
	return status;
}

int train_mountain_site(const struct train_ridges *sets, size_t n, const uint8_t *use, struct mountain_model *model,
			struct train_result *result)
{
	double to_beat = -1;
	int status = DANA_OK;
	for (size_t i = 0; i < n && status >= 0; i++) {
		struct mountain_model other = { 0 };
		struct train_result found;
		status = train_mountain(&sets[i], use, false, &other, &found);
		if (status >= 0 && found.score > to_beat) {
			const struct mountain_model worse = *model;
			*model = other;
			other = worse;
			*result = found;
			result->set = i;
			to_beat = found.score + (i ? EQUAL : TRAIN_RULE_GAIN);
		}
		mountain_model_free(&other);
		if (status == DANA_EFORMAT && i) /* nothing to learn from under this rule */
			status = DANA_OK;
	}
	return status;
}
