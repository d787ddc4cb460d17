/* SPDX-License-Identifier: MIT */
/*
 * The gold pages that a model of the Mountain Model is trained on, and how good it is on pages that it has not seen. A
 * lesson is for one thread; zeroed it is empty.
 */
#ifndef DANA_LAB_TRAIN_TRAIN_LESSON_H
#define DANA_LAB_TRAIN_TRAIN_LESSON_H

#include "base/notice.h"
#include "base/status.h"
#include "lab/train/train_mountain.h"

enum {
	LESSON_RULES = 15,      /* under which the ridges of a site are tried */
	LESSON_SITE_PAGES = 40, /* of the one site: as in the paper */
	LESSON_HOST_PAGES = 20, /* of each host for a model for all: as in the paper for each category */
	LESSON_PAGES =
		640, /* in all: more gave no better model, only more support vectors, which cost time on every page */
	LESSON_FOLDS = 5, /* of the pages of a site that are held out in turn */
};

struct lesson {
	const char *site; /* NULL: a model for all hosts */
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
 * Says what was trained, and F1 beside that of the universal model. DANA_OK, or what training for the folds of a site
 * failed with.
 */
int lesson_tell(const struct lesson *l, const struct mountain_model *model, const struct train_result *result,
		const struct notices *to);
void lesson_free(struct lesson *l);

#endif
