/* SPDX-License-Identifier: MIT */
/* Both stages over one page: blocks in, a chance for each and a decision out. */
#ifndef DANA_LEARNED_CLASSIFIER_H
#define DANA_LEARNED_CLASSIFIER_H

#include "extract/learned/alike.h"
#include "extract/learned/copies.h"
#include "extract/learned/model.h"
#include "extract/learned/stage2_features.h"

/** Receives the features of each tile (training, explain). `stage` is 1 or 2. */
struct tile_sink {
	void (*tile)(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE]);
	void *arg;
};

struct classifier {
	const struct model *model;
	struct tile_sink sink; /* .tile may be NULL */
	uint32_t balance;      /* see decode_best */
	enum page_kind forced; /* KIND_UNKNOWN: the kind of page is found */
	struct aggregates aggregates;
	struct features features;
	struct stage2_features stage2_features;
	struct alike alike;
	int32_t *margin[3];                 /* of both stages, and of the second together with blocks alike */
	uint16_t *chance;                   /* after the last that ran of these */
	uint32_t *words;                    /* at least 1 */
	uint8_t (*kept)[STAGE2_KEPT][TILE]; /* for each tile */
	size_t cap;                         /* blocks */
	struct decision decision;
	struct copies copies;
};

/** The page must have blocks. Returns 0 or DANA_ENOMEM. */
int classifier_run(struct classifier *c, const struct blocks *b);
void classifier_free(struct classifier *c);

/** What the classifier decided of block `i`. */
enum verdict { VERDICT_KEPT, VERDICT_UNLIKELY, VERDICT_COPY };

static inline enum verdict classifier_verdict(const struct classifier *c, uint32_t i)
{
	if (c->chance[i] < c->decision.threshold)
		return VERDICT_UNLIKELY;
	return c->copies.any && c->copies.is_copy[i] ? VERDICT_COPY : VERDICT_KEPT;
}

#endif
