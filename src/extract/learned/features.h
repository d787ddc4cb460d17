/* SPDX-License-Identifier: MIT */
/* Numbers about each block of a page, a byte each, for the first stage of trees; and the sums that they are made of. */
#ifndef DANA_LEARNED_FEATURES_H
#define DANA_LEARNED_FEATURES_H

#include "base/hash.h"
#include "extract/learned/blocks.h"
#include "extract/learned/scale.h"

/*
 * Sums over elements and over paths (places of equal structure), made once a page is complete: two passes over the
 * elements (children before parents, then parents before children), whatever the depth.
 */

/** What an element contains. */
struct element_sums {
	uint32_t units, linked, blocks, marks;
	uint32_t p_units; /* in <p> */
	uint32_t dates;   /* blocks with a time or a date in digits */
	uint32_t score;   /* as Mozilla Readability's: paragraphs inside add to their nearest ancestors */
	/*
	 * Nearest ancestor with more blocks; the number of elements if no ancestor has. Ancestors that only wrap this
	 * element are skipped: for the p in <main><div><div><p>, it is main if main also has other blocks.
	 */
	uint32_t wider;
	uint32_t path;        /* number of its path */
	uint32_t common_best; /* lowest common ancestor with the best element; inside of that, the element itself */
	uint32_t common_h1;   /* the same for the first <h1> */
	bool in_best, in_best_parent;
	bool wraps; /* it has no blocks but those of one child: it is no block's element and no element's `wider` */
};

/** All elements with one path: the chain of tags and first classes from the root. */
struct path_sums {
	uint32_t elements, blocks, units, linked;
	uint32_t prose;
};

struct aggregates {
	struct element_sums *sum; /* one for each element, and an empty one that is its own `wider` */
	struct path_sums *path;
	uint32_t *text;       /* for each block the number of its text: equal texts have equal numbers */
	uint32_t *copies;     /* for each text the number of blocks that have it */
	struct key_trie keys; /* numbers paths, then texts */
	uint64_t steps;       /* of the page: nodes of `keys` that were passed */
	uint32_t n_paths, best, h1_block;
	uint64_t units, linked, links;
	size_t cap_elements, cap_blocks;
};

int aggregates_compute(struct aggregates *a, const struct blocks *b);
void aggregates_free(struct aggregates *a);

/*
 * Units that repeat: siblings of one shape (the same tag and first class under one parent) form a sequence, be they
 * rows of a table, items of a list, posts, comments, teasers or the paragraphs of an article. Shapes may alternate:
 * an element belongs to the sequence of the sibling before it or of the one before that.
 *
 * Example: in <ul><li>a<li>b<li>c</ul> the three items are a sequence; in <dl><dt><dd><dt><dd><dt><dd></dl> there are
 * two of three elements each.
 */

enum { NO_SEQUENCE = UINT32_MAX, SEQUENCE_LEAST = 3 };

struct sequence {
	uint32_t parent, members;
	uint32_t number; /* among those of SEQUENCE_LEAST members; NO_SEQUENCE for shorter ones */
	uint32_t units, linked, blocks, dates;
};

/** The place of an element among its siblings, and the units around the blocks in it. */
struct unit_place {
	uint32_t sequence;     /* of the element itself; NO_SEQUENCE for the page */
	uint32_t before, last; /* the sibling before it, its last child so far; 0 = none */
	uint32_t inner,
		outer; /* the element or nearest ancestor with SEQUENCE_LEAST like it, and the next above; 0 = none */
};

struct units {
	struct unit_place *place; /* for each element */
	struct sequence *sequence;
	uint32_t n, n_repeating;
	size_t cap;
};

/** Call it once per page, after aggregates_compute. */
int units_find(struct units *u, const struct blocks *b, const struct aggregates *a);
void units_free(struct units *u);

/*
 * Sums over all blocks of a page, and the block that has the page's description. A tree compares a feature with a
 * constant, but often a block must be compared with the best of its page: these totals make such features possible.
 */

struct page_totals {
	uint64_t prose, li_units;
	uint64_t scored, score_sum; /* units outside of links, and these weighted by score */
	uint32_t currency, stops, headings, linked_headings;
	uint32_t units_most, path_prose; /* of the longest block; of the path with most prose */
	uint32_t described;              /* the block with most of the description, or NO_BLOCK */
	bool has_description;            /* the page has a description, and its text */
	uint8_t tokens_best;             /* highest score of a good block */
	uint8_t tokens_mean;
	uint8_t *covered; /* share of the description in each block, if there is a description */
	uint32_t *common; /* for each element: its lowest common ancestor with the described block's */
	size_t cap_blocks, cap_elements;
};

/*
 * Boolean properties of blocks. The distance to the nearest block with a flag, and the number of earlier ones, show
 * where on its page a block is: after an article come blocks with dates, form fields and names of sections.
 */

enum block_flag {
	FLAG_STOP,      /* ends with a full stop, question or exclamation mark */
	FLAG_BAD,       /* the attribute tokens of its elements have a low score */
	FLAG_LINK,      /* nearly all of its text is in links */
	FLAG_INPUT,     /* <input> or <button> between the block before and this one */
	FLAG_DATE,      /* contains a time or a date in digits (counts.h) */
	FLAG_EXCLAIM,   /* contains an exclamation mark */
	FLAG_PARAGRAPH, /* is in a <p> */
	FLAG_DIGIT,     /* digits are at least 1/255 of its units */
	FLAG_LINKED,    /* some of its text is in links, but not nearly all */
	FLAGS,
	FLAGS_LOCATED = FLAG_DATE + 1,     /* flags below this have a distance */
	FLAGS_COUNTED = FLAGS - FLAG_DATE, /* flags from FLAG_DATE on are counted */
	FLAG_FAR = 250,                    /* the largest distance; also: no such block */
};

/** Follows the flags of a page's blocks, from the first block on or from the last one backwards. */
struct flag_tracker {
	uint32_t count[FLAGS_COUNTED]; /* from FLAG_DATE on */
	uint64_t distances;            /* blocks since the last one with the flag: byte k, from the lowest, of flag k */
};

void flag_tracker_reset(struct flag_tracker *s);

/** Returns the blocks since the last one with `flag`, which is below FLAGS_LOCATED. */
static inline uint8_t flag_tracker_distance(const struct flag_tracker *s, unsigned flag)
{
	return (uint8_t)(s->distances >> 8 * flag);
}

/** Returns the number of blocks so far with `flag`, which is FLAG_DATE or a later one. */
static inline uint32_t flag_tracker_count(const struct flag_tracker *s, enum block_flag flag)
{
	return s->count[flag - FLAG_DATE];
}
/** Takes the next block; the distances of its flags become 0. */
void flag_tracker_add(struct flag_tracker *s, unsigned flags);

/*
 * Features of the first stage: properties of a block, its neighbours, its containers and its page, one byte each.
 * Training (`dana features`) and extraction run the same code, so they see the same bytes.
 */

/**
 * Raised when the meaning of a feature of either stage, a token or a block changes under its old name: models trained
 * before are then rejected. test_learned fails if that was forgotten.
 */
enum { FEATURES_VERSION = 6 };

/*
 * X(identifier). Logarithms are 8 log2(1 + v), shares 255 = all. Twice as many were tried; trees do worse without any
 * of these (doc/LEARNED-HISTORY.md).
 */
/* clang-format off */
#define FEATURES_LEVEL(X, L) \
	X(LEVEL##L##_UNITS) X(LEVEL##L##_LINKS) X(LEVEL##L##_SHARE) X(LEVEL##L##_MARKS) X(LEVEL##L##_PARAGRAPHS) \
	X(LEVEL##L##_SCORE) X(LEVEL##L##_REPEATS) X(LEVEL##L##_STAMPS)

#define FEATURES(X) \
	/* the block itself */ \
	X(UNITS) X(LINKS) X(WORDS) X(ENDS_STOP) X(CODE_BEFORE) X(HIDDEN) X(DEPTH) X(TAG_DIV) \
	/* its place */ \
	X(BYTE_SHARE) X(TEXT_SHARE) X(COPIES) X(AFTER_H1) X(BYTES_AFTER_H1) X(UNTIL_GOOD) X(SINCE_HEADING) \
	X(HEADING_LEVEL) \
	X(HEADING_TOKENS) X(HEADING_DIGITS) X(HEADING_UNITS) X(TEXTAREAS_BEFORE) \
	X(TEXTAREAS_AFTER) \
	/* flags (block_flags.h): distance to the last and next such block, earlier ones; dates nearby, on the page */ \
	X(SINCE_STOP) X(SINCE_BAD) X(SINCE_LINK) X(SINCE_INPUT) X(SINCE_STAMP) \
	X(UNTIL_STOP) X(UNTIL_BAD) X(UNTIL_LINK) X(UNTIL_INPUT) X(UNTIL_STAMP) \
	X(STAMPS_BEFORE) X(EXCLAIMS_BEFORE) X(PARAGRAPHS_BEFORE) X(DIGITS_BEFORE) X(LINKED_BEFORE) \
	X(STAMPS16) X(PAGE_STAMPS) X(PAGE_EXCLAIMS) \
	/* the page */ \
	X(PAGE_BLOCKS) X(PAGE_LINKS) X(PAGE_ARTICLES) X(PAGE_MAIN) X(PAGE_IMAGES) X(PAGE_CURRENCY) X(PAGE_KIND) \
	X(DECLARES_RECIPE) X(DECLARES_PRODUCT) X(DECLARES_ARTICLE) X(DECLARES_FORUM) X(DECLARES_LIST) \
	X(DECLARES_SERVICE) \
	X(PAGE_INPUTS) \
	X(PAGE_LI) X(PAGE_STOPS) X(PAGE_LINKED_HEADINGS) X(PAGE_HEADINGS) X(PAGE_URL_LAST) X(PAGE_URL_DIGITS) \
	X(PAGE_TOKENS) \
	X(PAGE_LINK_LENGTH) X(PAGE_TOKENS_BEST) X(PAGE_PROSE) \
	/* the block compared with its page (page_totals.h) */ \
	X(SHARE_OF_PAGE) X(UNITS_RELATIVE) X(TOKENS_RELATIVE) X(TOKENS_OVER_MEAN) X(PROSE_BEFORE) X(PATH_PROSE) \
	/* the page's description */ \
	X(DESCRIPTION_COVERED) X(AFTER_DESCRIPTION) X(DESCRIPTION_MEETS) X(DESCRIPTION_MEETS_SHARE) \
	/* elements around it by their tags: 1 = the innermost is one, 2 = its parent, 0 = no such element */ \
	X(IN_ARTICLE) X(IN_MAIN) X(IN_FOOTER) \
	/* blocks on the same path */ \
	X(PATH_BLOCKS) X(PATH_MEAN) X(PATH_LINKS) X(PATH_SHARE) \
	/* the best element by a score like Readability's */ \
	X(BEST_INSIDE) X(BEST_STEPS) X(BEST_PARENT) X(BEST_SCORE) X(BEST_SHARE) X(BEST_MEETS) X(BEST_MEETS_SHARE) \
	X(H1_MEETS) X(H1_MEETS_SHARE) \
	/* the elements around it: each with more blocks than the one before */ \
	FEATURES_LEVEL(X, 0) FEATURES_LEVEL(X, 1) FEATURES_LEVEL(X, 2) FEATURES_LEVEL(X, 3) X(REPEATS_MOST) \
	/* text in the neighbourhood of 2, 4, 8 blocks */ \
	X(DENSITY2) X(LINKS2) X(DENSITY4) X(LINKS4) X(LINKS8) \
	/* tokens of attributes */ \
	X(TOKENS) X(TOKENS_MOST) X(TOKENS_LEAST) X(TOKENS_OWN) X(TOKENS_PARENT) X(PREV_TOKENS) X(NEXT_TOKENS) \
	/* decaying sums of good text and of text with good tokens */ \
	X(TOKENS_BEFORE) X(GOOD_AFTER) X(TOKENS_AFTER)

/* clang-format on */

enum feature {
#define FEATURE_ENUM(id) FEATURE_##id,
	FEATURES(FEATURE_ENUM)
#undef FEATURE_ENUM
		FEATURE_COUNT
};

extern const char *const feature_names[FEATURE_COUNT];

/** Blocks whose features are adjacent: the trees compare many at a time. */
enum { TILE = 64 };

struct features {
	struct context_tile *context; /* for each tile */
	struct prefix_sums *prefix;
	struct element_view *view;
	struct path_view *path;
	size_t cap_tiles, cap_prefix, cap_elements;
	uint32_t best_score;
	struct page_totals totals;
	struct flag_tracker tracker;                                   /* of all blocks */
	struct scale_whole units, prose, units_most, bytes, next_byte; /* of the page; next_byte: bytes + 1 */
	int32_t bias;                                                  /* of the token weights */
};

/** Call it once per page, after aggregates_compute. */
int features_prepare(struct features *f, const struct blocks *b, const struct aggregates *a);
/** Computes the features of blocks first .. first + n - 1 (n at most TILE). */
void features_tile(const struct features *f, const struct blocks *b, const struct aggregates *a, uint32_t first,
		   uint32_t n, uint8_t tile[][TILE]);
void features_free(struct features *f);

#endif
