/*
 * Features of the second stage: what the first stage thinks of a block, its neighbours and containers (auto-context).
 */
#ifndef DANA_EXTRACT_LEARNED_FEATURES2_H
#define DANA_EXTRACT_LEARNED_FEATURES2_H

#include "extract/learned/decode.h"
#include "extract/learned/features.h"

#define FEATURES2_LEVEL(X, L) X(LEVEL##L##_MEAN) X(LEVEL##L##_FIT) X(LEVEL##L##_TAKEN)
/* Columns of the first stage that the second sees too. */
#define FEATURES2_KEPT(X) \
	X(UNITS) X(LINKS) X(WORDS) X(MARK_DENSITY) X(MARKS) X(ENDS_STOP) X(ENDS_COLON) X(UPPER) X(DIGITS) X(BR_BEFORE) \
	X(INDEX_SHARE) X(COPIES) X(REPEATED) X(IN_TITLE) X(TITLE_COVERED) X(HIDDEN) X(UNTIL_GOOD) X(TOKENS) \
	X(TAG_P) X(TAG_DIV) X(TAG_LI) X(TAG_TD) X(TAG_H1) X(TAG_H2) X(TAG_H3) X(TAG_H4) X(TAG_FIGCAPTION) \
	X(TAG_BLOCKQUOTE) X(TAG_PRE) X(AFTER_H1) X(REPEATS_MOST) X(SINCE_HEADING) X(HEADING_LEVEL) X(PAGE_GOOD) X(IN_FIGURE) \
	X(AFTER_DESCRIPTION) X(DESCRIPTION_COVERED) X(PAGE_KIND) X(PAGE_URL_LAST) X(PAGE_URL_HYPHENS) \
	X(PAGE_TOKENS) X(PAGE_LINK_LENGTH) X(LINK_COUNT) X(TOKENS_RELATIVE) \
	X(PAGE_PRICES) X(PAGE_LINKED_HEADINGS) X(PROSE_BEFORE) X(PATH_PROSE) X(TOKENS_OVER_MEAN) X(REPEATS_ORDINAL)
#define FEATURES2(X) \
	X(LOGIT) X(OVER) X(SELECTED) X(IN_FITTEST) \
	FEATURES2_LEVEL(X, 0) FEATURES2_LEVEL(X, 1) FEATURES2_LEVEL(X, 2) FEATURES2_LEVEL(X, 3) FEATURES2_LEVEL(X, 4) \
	FEATURES2_LEVEL(X, 5) \
	X(RUN_OUTSIDE) X(RUN_START) X(RUN_END) X(PATH_CHANCE) X(PATH1_CHANCE) X(PATH2_CHANCE) X(COPY_LOGIT) \
	X(HEADING_LOGIT) X(OVER_MEAN) X(RANK) X(PATH_MASS) X(PATH_OVER) \
	X(NEXT1) X(PREV1) X(NEXT2) X(PREV2) X(NEXT3) X(PREV3) X(NEXT4) X(PREV4) \
	X(BEFORE_NEAR) X(BEFORE_FAR) X(AFTER_NEAR) X(AFTER_FAR) X(MASS_BEFORE) \
	X(PAGE_EXPECTED) X(PAGE_FITTEST) X(PAGE_MASS) X(PAGE_WORDS) X(PAGE_RATIO) X(PAGE_THRESHOLD) X(PAGE_MOST) X(PAGE_TAKEN)

enum feature2 {
#define FEATURE2_ENUM(id) FEATURE2_##id,
	FEATURES2(FEATURE2_ENUM)
#undef FEATURE2_ENUM
#define FEATURE2_ENUM(id) FEATURE2_OWN_##id,
	FEATURES2_KEPT(FEATURE2_ENUM)
#undef FEATURE2_ENUM
	FEATURE2_COUNT,
	FEATURE2_KEPT = FEATURE2_COUNT - FEATURE2_OWN_UNITS,
};

extern const char *const feature2_names[FEATURE2_COUNT];

struct features2 {
	struct element_mass *mass;
	struct element_view2 *view;
	struct path_mass *path;
	struct block_mass *block;
	uint8_t *logit;              /* of the first stage; zeros before the first block and behind the last */
	uint32_t cap_elements, cap_blocks;
	uint32_t fittest, most, run_first, run_last;
	uint64_t words, taken;
	int32_t mean;        /* of log odds, weighted by chances, in 1/16 */
	uint8_t path_most;   /* mean chance of the path that has most of the mass */
	uint8_t rank[256];   /* share of the mass whose chance is lower */
	struct scale_whole mass_words; /* of decision.mass */
	struct decision decision;
};

/** What the first stage found. */
struct first_stage {
	const int32_t *margin;
	const uint16_t *chance;
	const uint32_t *words;
	const uint8_t (*kept)[FEATURE2_KEPT][TILE]; /* for each tile */
};

/** Takes what the second stage wants from a tile of the first. */
void features2_keep(uint8_t (*tile)[TILE], uint8_t (*kept)[TILE]);
/** Once per page. 0 or DANA_ENOMEM. */
int features2_prepare(struct features2 *f, const struct blocks *b, const struct aggregates *a,
		      const struct first_stage *q);
void features2_tile(const struct features2 *f, const struct blocks *b, const struct aggregates *a,
		    const struct first_stage *q, uint32_t first, uint32_t n, uint8_t tile[][TILE]);
void features2_free(struct features2 *f);

#endif
