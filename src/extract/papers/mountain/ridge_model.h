/* SPDX-License-Identifier: MIT */
/*
 * The ridge classifier: a support vector machine with RBF kernel, f(x) = sum of a_k exp(-gamma |x - s_k|^2) + b; a
 * ridge is primary when f > 0. All numbers are millionths, so that a model file reads the same in every locale.
 *
 * The file is text: a first line "dana-mountain-model 1", then lines of a word and whole numbers: "gamma G", "bias B",
 * "vector A HEIGHT WIDTH RIDGE CELL" for each support vector. Models of sites may also have "threshold T" and "span S",
 * which define a ridge there (struct ridge_rule; S is a plain number). Lines that begin with # and empty lines are
 * ignored.
 */
#ifndef DANA_PAPERS_MOUNTAIN_MODEL_H
#define DANA_PAPERS_MOUNTAIN_MODEL_H

#include "base/buf.h"
#include "extract/papers/mountain/ridges.h"

enum { MODEL_UNIT = 1000000, MODEL_VECTORS_MOST = 100000 };

struct model_vector {
	int64_t weight;
	int32_t at[RIDGE_FEATURES];
};

struct mountain_model {
	int64_t gamma, bias;
	struct ridge_rule rule; /* for the ridges that it classifies */
	const struct model_vector *vectors;
	size_t count;
	struct buf own; /* the vectors, if they were read from a file */
};

/** The universal model, trained on many sites. */
extern const struct mountain_model mountain_universal;

double mountain_model_decide(const struct mountain_model *model, const double features[RIDGE_FEATURES]);
/** Returns whether the first line is that of a model. */
bool mountain_model_begins(struct slice file);
/** Returns 0, DANA_EFORMAT or DANA_ENOMEM. `model` must be zeroed or freed before. */
int mountain_model_read(struct mountain_model *model, struct slice file);
/** Appends the file of a model; `comment` is one line, or NULL. */
int mountain_model_write(const struct mountain_model *model, const char *comment, struct buf *out);
void mountain_model_free(struct mountain_model *model);

#endif
