/* SPDX-License-Identifier: MIT */
/*
 * Ridges of gold pages, labelled for the training of the Mountain Model: how many tokens of each ridge lie on the
 * longest common subsequence with the gold text. Zeroed is empty. Errors: DANA_ENOMEM.
 */
#ifndef DANA_LAB_TRAIN_H
#define DANA_LAB_TRAIN_H

#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/status.h"
#include "extract/papers/mountain.h"
#include "lab/measure.h"

/* Smaller ridges are many and hardly matter for the text. */
enum { RIDGE_TOKENS_LEAST = 10 };

enum ridge_label { RIDGE_OTHER = -1, RIDGE_UNCLEAR = 0, RIDGE_PRIMARY = 1 };

struct train_ridge {
	double features[RIDGE_FEATURES];
	uint32_t tokens, on_gold;
};

struct train_page {
	uint32_t site;         /* hash of the host */
	uint32_t gold;         /* tokens */
	uint32_t first, count; /* ridges */
};

struct train_ridges {
	struct ridge_rule rule;   /* by which they are found */
	struct buf ridges, pages; /* of struct train_ridge, struct train_page */
	struct mountain_cells cells;
	struct mountain_ridges found;
	struct token_table *table;
	struct tokens of_ridges, of_gold;
};

/** At least 70 % of its tokens on gold: primary; at most 30 %: other; between, or small: unclear, not for training. */
enum ridge_label train_ridge_label(const struct train_ridge *r);
/** The decisions of `model` about the ridges of a page, page->count numbers. */
void train_page_decide(const struct train_ridges *t, size_t page, const struct mountain_model *model,
		       double *decisions);
/** F1 of a page, by token counts, when its ridges above -shift are taken; as the method does, at least one is. */
double train_page_score(const struct train_ridges *t, size_t page, const double *decisions, double shift);

static inline size_t train_pages_count(const struct train_ridges *t)
{
	return t->pages.len / sizeof(struct train_page);
}

static inline const struct train_page *train_page_at(const struct train_ridges *t, size_t index)
{
	return (const struct train_page *)(const void *)t->pages.data + index;
}

static inline const struct train_ridge *train_ridge_at(const struct train_ridges *t, size_t index)
{
	return (const struct train_ridge *)(const void *)t->ridges.data + index;
}

/*
 * Training of the Mountain Model's ridge classifier with libsvm: C-SVC with RBF kernel, weights against the unequal
 * number of the classes, C and gamma by four-fold cross-validation (L. Bing et al. 2008, section 4), pages of one fold
 * together. The classifier minimises mistakes over ridges, but what counts is the text: so the cross-validation also
 * moves the bias to where the mean F1 of pages is highest.
 */

enum { TRAIN_FOLDS = 4 };

struct train_result {
	double c, gamma;
	double shift; /* of the bias */
	double score; /* mean F1 of pages left out in cross-validation */
	size_t samples, primary;
	size_t set; /* whose ridges it classifies (train_mountain_site) */
};

/**
 * Trains on the pages with use[page] != 0. `by_site`: the pages of a site are in one fold. DANA_OK, DANA_EFORMAT
 * (pages without a ridge that is clearly one or the other), DANA_ENOMEM. `model` is zeroed before.
 */
int train_mountain(const struct train_ridges *ridges, const uint8_t *use, bool by_site, struct mountain_model *model,
		   struct train_result *result);

/** What another rule than the first must gain in mean F1: the pages of one site are few. */
#define TRAIN_RULE_GAIN 0.005

/**
 * A model of one site. The `n` sets hold the same pages, with their ridges found by different rules, the paper's
 * first: the rule with the best cross-validation is taken, and another than the first only where it gains
 * TRAIN_RULE_GAIN. Pages are divided one by one.
 */
int train_mountain_site(const struct train_ridges *sets, size_t n, const uint8_t *use, struct mountain_model *model,
			struct train_result *result);

/*
 * The gold pages that a model of the Mountain Model is trained on, and how good it is on pages that it has not seen. A
 * lesson is for one thread; zeroed it is empty.
 */

enum {
	LESSON_RULES = 15,      /* under which the ridges of a site are tried */
	LESSON_SITE_PAGES = 40, /* of the one site: as in the paper */
	LESSON_HOST_PAGES = 20, /* of each host for a model for all: as in the paper for each category */
	LESSON_PAGES =
		640, /* in all: more gave no better model, only more support vectors, which cost time on every page */
	LESSON_FOLDS = 5, /* of the pages of a site that are held out in turn */
};

struct lesson {
	const char *site; /* NULL for a model for all hosts */
	bool hold_out;
	struct train_ridges sets[LESSON_RULES]; /* the same pages by each rule; without a site only the first one */
	size_t n_sets;
	uint8_t *train, *test; /* by page */
};

/** Reads the folder and divides its pages. DANA_OK, or an error with a message; lesson_free in both cases. */
int lesson_read(struct lesson *l, const char *path, struct error *err);
/** Trains on the pages that lesson_read set aside for it. As train_mountain. */
int lesson_train(const struct lesson *l, struct mountain_model *model, struct train_result *result);
/**
 * Reports what was trained, with F1 of it and of the universal model. DANA_OK, or what training for the folds of a site
 * failed with.
 */
int lesson_tell(const struct lesson *l, const struct mountain_model *model, const struct train_result *result,
		const struct notices *to);
void lesson_free(struct lesson *l);

#endif
