/* SPDX-License-Identifier: MIT */
/*
 * Ridges of gold pages, labelled for the training of the Mountain Model: how many tokens of each ridge lie on the
 * longest common subsequence with the gold text. Zeroed is empty. Errors: DANA_ENOMEM.
 */
#ifndef DANA_LAB_TRAIN_TRAIN_RIDGES_H
#define DANA_LAB_TRAIN_TRAIN_RIDGES_H

#include "base/buf.h"
#include "extract/papers/mountain/ridge_model.h"
#include "lab/measure/tokens.h"

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

/** 0 or DANA_ENOMEM; train_ridges_free in both cases. */
int train_ridges_init(struct train_ridges *t, const struct ridge_rule *rule);
/** A page, UTF-8, and its gold text. */
int train_ridges_add(struct train_ridges *t, struct slice html, struct slice gold, struct slice site);
/**
 * At least 70 % of its tokens on gold: primary; at most 30 %: other; between, or small: unclear, not for
 * training.
 */
enum ridge_label train_ridge_label(const struct train_ridge *r);
/** What `model` says of each ridge of a page; `decisions` holds page->count numbers. */
void train_page_decide(const struct train_ridges *t, size_t page, const struct mountain_model *model,
		       double *decisions);
/** F1 of a page, by token counts, when its ridges above -shift are taken; as the method does, at least one is. */
double train_page_score(const struct train_ridges *t, size_t page, const double *decisions, double shift);
/** The highest F1 that any choice of ridges gives for a page. */
double train_page_ceiling(const struct train_ridges *t, size_t page);
void train_ridges_free(struct train_ridges *t);

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

#endif
