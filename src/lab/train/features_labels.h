/* SPDX-License-Identifier: MIT */
/* How much of each block of a page is in its gold text. Zeroed it is empty. One thread. */
#ifndef DANA_LAB_TRAIN_FEATURES_LABELS_H
#define DANA_LAB_TRAIN_FEATURES_LABELS_H

#include "extract/learned/blocks.h"
#include "lab/measure/align.h"

struct features_label {
	uint32_t tokens, matched; /* of the block; among them in the gold text, in its order */
};

struct features_labels {
	struct features_label *label; /* of each block */
	size_t cap;
	struct token_table *table;
	struct tokens page, gold;
	struct buf text; /* of a block */
};

/** 0 or DANA_ENOMEM; features_labels_free in both cases. */
int features_labels_init(struct features_labels *l);
/** Fills `label`. 0, DANA_ENOMEM, or DANA_ELIMIT: the texts are too long to be aligned. */
int features_labels_make(struct features_labels *l, const struct blocks *blocks, struct slice gold_text);
void features_labels_free(struct features_labels *l);

#endif
