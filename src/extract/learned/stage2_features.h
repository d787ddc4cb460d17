/* SPDX-License-Identifier: MIT */
/*
 * Features of the second stage: the first stage's results for a block, the elements around it, the blocks on its path
 * and its page (auto-context).
 */
#ifndef DANA_LEARNED_STAGE2_FEATURES_H
#define DANA_LEARNED_STAGE2_FEATURES_H

#include "extract/learned/decode.h"
#include "extract/learned/features.h"
#include "extract/learned/page_kind.h"

#define STAGE2_FEATURES_LEVEL(X, L) X(LEVEL##L##_MEAN) X(LEVEL##L##_FIT) X(LEVEL##L##_TAKEN)
/* clang-format off */
/* Features of the first stage that the second also uses. */
#define STAGE2_FEATURES_KEPT(X) \
	X(TOKENS) X(AFTER_H1) X(REPEATS_MOST) X(PAGE_URL_LAST) X(PAGE_TOKENS) X(PAGE_LINK_LENGTH) \
	X(PAGE_LINKED_HEADINGS) X(PAGE_LINKS) X(PAGE_LI) X(PAGE_STOPS) X(PAGE_IMAGES) X(PAGE_CURRENCY) \
	X(PAGE_URL_DIGITS) X(DECLARES_RECIPE) X(DECLARES_PRODUCT) X(DECLARES_ARTICLE) X(DECLARES_FORUM)
#define STAGE2_FEATURES(X) \
	X(LOGIT) X(OVER) X(SELECTED) X(OVER_MEAN) STAGE2_FEATURES_LEVEL(X, 0) STAGE2_FEATURES_LEVEL(X, 1) \
	X(PATH_CHANCE) X(PATH1_CHANCE) X(PATH2_CHANCE) X(PATH_MASS) X(PATH_OVER) \
	X(PAGE_EXPECTED) X(PAGE_FITTEST) X(PAGE_MASS) X(PAGE_WORDS) X(PAGE_RATIO) X(PAGE_THRESHOLD) X(PAGE_MOST) \
	X(PAGE_TAKEN) \
	STAGE2_UNIT(X, UNIT) STAGE2_UNIT(X, GROUP) STAGE2_AROUND(X) \
	X(KIND_ARTICLE) X(KIND_LIST) X(KIND_FORUM) X(KIND_PRODUCT) X(KIND_DOCUMENTATION) X(KIND_SERVICE) X(KIND_OTHER)
/* clang-format on */

enum stage2_feature {
#define STAGE2_ENUM(id) STAGE2_##id,
	STAGE2_FEATURES(STAGE2_ENUM)
#undef STAGE2_ENUM
#define STAGE2_ENUM(id) STAGE2_OWN_##id,
		STAGE2_FEATURES_KEPT(STAGE2_ENUM)
#undef STAGE2_ENUM
			STAGE2_COUNT,
	STAGE2_KEPT = STAGE2_COUNT - STAGE2_OWN_TOKENS,
};

extern const char *const stage2_feature_names[STAGE2_COUNT];

struct stage2_features {
	struct element_mass *mass;
	struct element_view2 *view;
	struct path_mass *path;
	struct stage2_units units;
	size_t cap_elements;
	uint32_t most, best_f1; /* the highest chance; expected F1 if the best element is the result, 1/65536 */
	uint64_t words, taken;
	int32_t mean;                  /* of log odds, weighted by chances, in 1/16 */
	uint8_t path_most;             /* mean chance of the path with most of the mass */
	struct scale_whole mass_words; /* of decision.mass */
	struct decision decision;
	uint8_t kind_row[KIND_FEATURE_COUNT]; /* set from OF_LARGEST on */
	struct kind_result kind;              /* set it before stage2_features_tile */
};

/** Results of the first stage. */
struct first_stage {
	const int32_t *margin;
	const uint16_t *chance;
	const uint32_t *words;
	const uint8_t (*kept)[STAGE2_KEPT][TILE]; /* for each tile */
};

/** Copies what the second stage needs from a tile of the first. */
void stage2_features_keep(uint8_t (*tile)[TILE], uint8_t (*kept)[TILE]);
/** Call it once per page. Returns 0 or DANA_ENOMEM. */
int stage2_features_prepare(struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			    const struct first_stage *q);
void stage2_features_tile(const struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			  const struct first_stage *q, uint32_t first, uint32_t n, uint8_t tile[][TILE]);
void stage2_features_free(struct stage2_features *f);

#endif
