/* SPDX-License-Identifier: MIT */
/*
 * The learned numbers: weights of tokens, two sets of trees. One model is compiled in; a file may replace it.
 *
 * File, little-endian: "dana-learned-2\n\0" (16 bytes); u32 FNV-1a of version and feature names; i32 bias of the tokens
 * (1/32); u32 trees and u32 depth of stage 1, of stage 2 and of the kinds of page; a u32 for each kind: what the
 * threshold is multiplied by (1/256); 2^TOKEN_BITS weights, i8 in 1/32; for the stages and the kinds the levels {u8
 * feature, u8 bin} of all their trees and the leaves (i16 in 1/4096; those of kinds have one number for each kind); u32
 * FNV-1a of everything before. All may have 0 trees: that is how training proceeds.
 */
#ifndef DANA_LEARNED_MODEL_H
#define DANA_LEARNED_MODEL_H

#include "extract/learned/attribute_tokens.h"
#include "extract/learned/stage2.h"

struct model {
	const int8_t *weights;
	int32_t bias;
	struct trees stage[2];
	struct kind_trees kinds;
	void *memory; /* the allocation that holds all of them */
};

enum { MODEL_MOST = 256 << 10 };

/** The compiled-in model's bytes (model_data.c, made by tools/train). */
extern const uint8_t model_data[];
extern const size_t model_data_len;

/** Copies what it needs. Returns 0, DANA_EFORMAT (not a model, or for other features) or DANA_ENOMEM. */
int model_load(struct model *m, struct slice bytes);
void model_free(struct model *m);

#endif
