/* SPDX-License-Identifier: MIT */
/*
 * What kind of page a page is, by boosted trees over numbers of the whole page: what it declares, counts of its
 * elements, its address, its largest sequence of units. The shares of the kinds are features of the second stage, and
 * decide how sure a block must be to be kept: on a page of links and prices a doubtful block is text more often than
 * what the expected F1 says, in an article less often.
 */
#ifndef DANA_LEARNED_PAGE_KIND_H
#define DANA_LEARNED_PAGE_KIND_H

#include "extract/learned/features.h"
#include "extract/learned/stage2_units.h"
#include "extract/learned/trees.h"

/** The names of KINDS_OF_PAGE in their order; KIND_UNKNOWN has none. */
enum page_kind {
	KIND_ARTICLE,
	KIND_LIST,
	KIND_FORUM,
	KIND_PRODUCT,
	KIND_DOCUMENTATION,
	KIND_SERVICE,
	KIND_OTHER,
	KIND_COUNT,
	KIND_UNKNOWN = KIND_COUNT,
};
#define KINDS_OF_PAGE "article|list|forum|product|documentation|service|other"

/* Features of the first stage that are the same for all blocks of a page. */
/* clang-format off */
#define KIND_FEATURES(X) \
	X(PAGE_STAMPS) X(PAGE_EXCLAIMS) X(PAGE_BLOCKS) X(PAGE_LINKS) X(PAGE_ARTICLES) X(PAGE_MAIN) X(PAGE_IMAGES) \
	X(PAGE_CURRENCY) X(PAGE_KIND) X(DECLARES_RECIPE) X(DECLARES_PRODUCT) X(DECLARES_ARTICLE) X(DECLARES_FORUM) \
	X(DECLARES_LIST) X(DECLARES_SERVICE) X(PAGE_INPUTS) X(PAGE_LI) X(PAGE_STOPS) X(PAGE_LINKED_HEADINGS) \
	X(PAGE_HEADINGS) X(PAGE_URL_LAST) X(PAGE_URL_DIGITS) X(PAGE_TOKENS) X(PAGE_LINK_LENGTH) X(PAGE_TOKENS_BEST) \
	X(PAGE_PROSE) X(BEST_SCORE) X(BEST_SHARE)
/* clang-format on */

/* Then come those of the sequence of units with most words. */
enum kind_feature {
#define KIND_ENUM(id) OF_##id,
	KIND_FEATURES(KIND_ENUM)
#undef KIND_ENUM
		OF_LARGEST,
	KIND_FEATURE_COUNT = OF_LARGEST + SEQUENCE_FEATURES,
};

/* For the hash of a model and for training. */
extern const char *const kind_feature_names[KIND_FEATURE_COUNT];

enum { CUT_MOST = 1024 };

/** Trees whose leaves have a margin for each kind. */
struct kind_trees {
	const struct tree_level *levels; /* n * depth */
	const int16_t *leaves;           /* n * 2^depth * KIND_COUNT, in 1/4096 */
	uint32_t n, depth;
	uint16_t cut[KIND_COUNT]; /* what the threshold is multiplied by, in 1/256 */
};

/** The kind of one page. */
struct kind_result {
	enum page_kind kind;       /* the likeliest; KIND_UNKNOWN without trees */
	uint8_t share[KIND_COUNT]; /* 255 = certainly; all 0 if unknown */
	uint32_t cut;              /* mean of the kinds' cuts, weighted by shares; 256 if unknown */
};

/** Takes the page's features from a tile of the first stage, before the trees overwrite it. */
void page_kind_take(uint8_t row[KIND_FEATURE_COUNT], uint8_t (*tile)[TILE]);
/** Finds the kind; with `forced` (KIND_UNKNOWN: not forced) the result is that kind. */
struct kind_result page_kind_find(const struct kind_trees *t, const uint8_t row[KIND_FEATURE_COUNT],
				  enum page_kind forced);
/** Returns the name of a kind, or NULL for KIND_UNKNOWN. */
const char *page_kind_name(enum page_kind kind);

#endif
