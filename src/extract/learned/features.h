/* SPDX-License-Identifier: MIT */
/* Numbers about each block of a page, a byte each, for the first stage of trees; and the sums that they are made of. */
#ifndef DANA_LEARNED_FEATURES_H
#define DANA_LEARNED_FEATURES_H

#include "base/hash.h"
#include "extract/learned/blocks.h"
#include "extract/learned/feature_words.h"
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

enum feature {
#define FEATURE_ENUM(id, ...) FEATURE_##id,
	FEATURE_WORDS(FEATURE_ENUM)
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
