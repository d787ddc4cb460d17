/* SPDX-License-Identifier: MIT */
/* The decision for a page, what kind of page it is, and the features of the second stage. */
#ifndef DANA_EXTRACT_LEARNED_STAGE2_H
#define DANA_EXTRACT_LEARNED_STAGE2_H

#include <stdint.h>

#include "extract/learned/features.h"

struct kind_trees;

struct decision {
	uint32_t threshold; /* a block is kept if its chance is at least this, in 1/65536 */
	uint32_t expected;  /* expected F1, in 1/65536 */
	uint64_t mass;      /* expected words of the main text, in 1/65536 */
	uint64_t hit, kept; /* of the blocks with at least that chance: of `mass`, and their words */
};

enum { RECALL_MOST = 100 };

/** Returns the square of F-beta's beta (1/256) for the key `recall`: 1/16 at 0, 1 at 50, 16 at RECALL_MOST. */
uint32_t decode_balance(uint32_t recall);
/** `weight[i]`: words of block i. `balance`: the square of F-beta's beta, in 1/256; 256 = F1, more favours recall. */
struct decision decode_best(const uint16_t *chance, const uint32_t *weight, uint32_t n, uint32_t balance);

/* Numbers of features: of a sequence of units, of a unit, of the blocks before and after a block. */
enum { SEQUENCE_FEATURES = 10, UNIT_FEATURES = SEQUENCE_FEATURES + 1, AROUND_FEATURES = 9 };

/** Expected words of the main text inside an element (1/65536), words, and words that the first stage would keep. */
struct element_mass {
	uint64_t chance, words, taken;
	uint32_t f1; /* expected F1 if this element is the result, 1/65536 */
};

struct stage2_units {
	struct units units;
	struct sequence_view *view;
	struct around_view *around; /* for each block */
	size_t cap_sequences, cap_blocks;
	const uint16_t *chance; /* borrowed until the next page */
	uint32_t n_blocks, stretch_begin, stretch_end;
};

/*
 * What kind of page a page is, by boosted trees over numbers of the whole page: what it declares, counts of its
 * elements, its address, its largest sequence of units. The shares of the kinds are features of the second stage.
 */

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

/* Then come the values of the sequence of units with most words. */
enum kind_feature {
#define KIND_ENUM(id) OF_##id,
	KIND_FEATURES(KIND_ENUM)
#undef KIND_ENUM
		OF_LARGEST,
	KIND_FEATURE_COUNT = OF_LARGEST + SEQUENCE_FEATURES,
};

/* For the hash of a model and for training. */
extern const char *const kind_feature_names[KIND_FEATURE_COUNT];

/** The kind of one page. */
struct kind_result {
	enum page_kind kind;       /* the likeliest; KIND_UNKNOWN without trees */
	uint8_t share[KIND_COUNT]; /* 255 = certainly; all 0 if unknown */
};

/**
 * Returns the factor of the balance of decode_best for a page, in 1/LEAN_ONE: the mean of a factor for each kind,
 * weighted by the shares of the kinds. LEAN_ONE if the kind is unknown.
 *
 * On an article or a discussion what is missing costs less than what does not belong, as chances are too high on
 * unknown sites. On lists, products, firms' pages and documentation, and most of all on recipes and profiles, many
 * short blocks are near the threshold. A kind that is likelier than the page's, as it has been refused, counts for
 * nothing.
 *
 * Example: the factor is .72 for an article and 1.39 for a list; on a page that is as likely either, it is 1.06.
 */
enum { LEAN_ONE = 256 };
uint32_t kind_lean(const struct kind_result *found);
/** Takes the page's features from a tile of the first stage, before the trees overwrite it. */
void page_kind_take(uint8_t row[KIND_FEATURE_COUNT], uint8_t (*tile)[TILE]);
/** Finds the kind; with `forced` (KIND_UNKNOWN: not forced) the result is that kind. */
struct kind_result page_kind_find(const struct kind_trees *t, const uint8_t row[KIND_FEATURE_COUNT],
				  enum page_kind forced);
/** Returns the name of a kind, or NULL for KIND_UNKNOWN. */
const char *page_kind_name(enum page_kind kind);

/*
 * Features of the second stage: the first stage's results for a block, the elements around it, the blocks on its path
 * and its page (auto-context).
 */

/* clang-format off */
/* Features of the first stage that the second also uses. */
#define STAGE2_FEATURES_KEPT(X) \
	X(TOKENS) X(AFTER_H1) X(REPEATS_MOST) X(PAGE_URL_LAST) X(PAGE_TOKENS) X(PAGE_LINK_LENGTH) \
	X(PAGE_LINKED_HEADINGS) X(PAGE_LINKS) X(PAGE_LI) X(PAGE_STOPS) X(PAGE_IMAGES) X(PAGE_CURRENCY) \
	X(PAGE_URL_DIGITS) X(DECLARES_RECIPE) X(DECLARES_PRODUCT) X(DECLARES_ARTICLE) X(DECLARES_FORUM)

/* clang-format on */

enum stage2_feature {
#define STAGE2_ENUM(id, ...) STAGE2_##id,
	STAGE2_WORDS(STAGE2_ENUM)
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
	const struct judged *judged;
	const uint8_t (*kept)[STAGE2_KEPT][TILE]; /* for each tile of columns */
};

/** Copies what the second stage needs from a tile of the first. */
void stage2_features_keep(uint8_t (*tile)[TILE], uint8_t (*kept)[TILE]);
/** Call it once per page. */
int stage2_features_prepare(struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			    const struct first_stage *q);
/** Computes the features of columns first .. first + n - 1 (n at most TILE). */
void stage2_features_tile(const struct stage2_features *f, const struct blocks *b, const struct aggregates *a,
			  const struct first_stage *q, uint32_t first, uint32_t n, uint8_t tile[][TILE]);
void stage2_features_free(struct stage2_features *f);

#endif
