/* SPDX-License-Identifier: MIT */
/*
 * Training of the Mountain Model's ridge classifier with libsvm: C-SVC with RBF kernel, weights against the unequal
 * number of the classes, C and gamma by four-fold cross-validation (L. Bing et al. 2008, section 4), pages of one fold
 * together. The classifier minimises mistakes over ridges, but what counts is the text: so the cross-validation also
 * moves the bias to where the mean F1 of pages is highest.
 */
#ifndef DANA_LAB_TRAIN_TRAIN_MOUNTAIN_H
#define DANA_LAB_TRAIN_TRAIN_MOUNTAIN_H

#include "lab/train/train_ridges.h"

enum { TRAIN_FOLDS = 4 };

struct train_result {
	double c, gamma;
	double shift; /* of the bias */
	double score; /* mean F1 of pages left out in cross-validation */
	size_t samples, primary;
	size_t set; /* whose ridges it classifies (train_mountain_site) */
};

/** Whether this build has libsvm; without it train_mountain is not to be called. */
extern const bool train_mountain_built_in;

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

#endif
