/* SPDX-License-Identifier: MIT */
/* Both stages over one page: blocks in, a chance for each, a decision and the reasons for it out. */
#ifndef DANA_EXTRACT_LEARNED_CLASSIFIER_H
#define DANA_EXTRACT_LEARNED_CLASSIFIER_H

#include "extract/learned/blocks.h"
#include "extract/learned/coherence.h"
#include "extract/learned/features.h"
#include "extract/learned/model.h"
#include "extract/learned/stage2.h"
#include "extract/text_writer.h"

/** The method (learned.c). */
extern const struct method method_learned;

/*
 * Blocks alike are judged together: those on one path in one sequence of units, as the names of all products of a list
 * or the paragraphs of an article. Each one's log odds move towards their mean, the farther the more of them there are,
 * so that a row of a list is rarely dropped where the others are kept.
 *
 * Example: of seven names six have the log odds 1 and one has -2; together they have 4. A block counts four times more
 * in its own mean: the odd one gets (4 * -2 + 4) / (4 + 7) = -0.4, the others 0.7.
 */

/* What blocks alike have together. */
struct alike_sum {
	int64_t margin;
	uint32_t blocks;
};

/** Zeroed, it is empty. It owns its arrays. */
struct alike {
	struct key_trie keys; /* numbers groups of blocks alike */
	uint32_t *group;      /* of each block */
	struct alike_sum *sum;
	size_t cap;
};

/**
 * Makes of the log odds of each block (1/4096) those that it has together with the blocks like it. Call it after
 * aggregates_compute and units_find.
 */
int alike_judge(struct alike *x, const struct blocks *b, const struct aggregates *a, const struct units *u,
		const int32_t *margin, int32_t *together);
void alike_free(struct alike *x);

/*
 * What the page shows before. On pages of lists, products and services blocks whose words are kept before, as a
 * product's text in two tabs; in an article a passage that comes twice is the author's. On all but forums, where posts
 * quote others, a text that comes again as a whole, as for screens of other sizes.
 *
 * Blocks alike stand or fall together: if less than a third of their kept words are copies, none of them is a copy. A
 * row of a table whose words are those of another row belongs to it.
 *
 * Example: of the texts "The lamp was lit on every evening of the year." and "You wrote: the lamp was lit on every
 * evening of the year." the second has 8 runs of five words, 6 of which the first has as well. That is less than four
 * fifths: it is no copy.
 */

/* Words of blocks alike. */
struct copied_words {
	uint64_t kept, copied; /* copied: those of `kept` that are copies */
};

struct copies {
	bool *is_copy;               /* for each block, if `any` */
	uint32_t *order, *first;     /* the kept blocks; of each text its first one's place in `order`, from 1 on */
	struct copied_words *copied; /* for each group of blocks alike */
	bool any;
	size_t cap_blocks;
	uint64_t *runs; /* a set: one bit for each hash of a run of words */
	/* of the block that is looked at: hashes of its words, after some zeros, and the bits of its runs */
	uint32_t *block_words;
	uint64_t *block_runs;
	size_t cap_runs, cap_block;
};

/*
 * Evidence of the site, after blocks alike are judged; nothing of it is trained.
 *
 * The more of its other pages hold a block's text, the less it belongs to the main text of this one: log odds fall by
 * log2(1 + pages), as for at most four pages. More would only cost what a site repeats on purpose.
 *
 * The fall is less for text that is rare on the site: on fewer than ten pages and less than a fifth of them. Headings
 * and code are not looked up: other pages link to them by their words, and programs begin alike.
 *
 * A place that has main text on other pages has it here, too: log odds rise by .3 times the mean log odds of the blocks
 * on the same path (tags and first classes), for each of at most three pages that have any, or fall if these are
 * negative. Pages of lists, products and services have too little in common for that. A main heading keeps its log
 * odds.
 *
 * Example: "Read more" has the log odds 1 (a probability of .73), and three of eight other pages have it: -1 (.27).
 * Where three of 100 have it, they fall by 15/50 of that, to .4. On two other pages the blocks on its path have -2:
 * they fall by another 1.2.
 *
 * Copies of the page say nothing: its print version, its address with another query, a front page with its full text, a
 * page that quotes it. They are not looked for: where a fifth of what the page keeps without other pages is on n of
 * these, n are taken for copies, and each block's text, and each path, counts as on n pages less.
 *
 * So texts that few pages have take away less than a fifth of it, whoever wrote these pages. What five pages and half
 * of the others hold is the site's, and not asked, unless this leaves less than a fifth of what is kept.
 *
 * Example: a page keeps 90 words of its own and "Read more" twelve times in 30 words; all eight other pages have that,
 * and one of them is the page's print version. Of the 90 words all are on one page: one copy. "Read more" counts as on
 * seven pages, and the 90 words as on none.
 */
struct site_place {
	int64_t sum; /* of log odds of the page's blocks on a path, each at least SITE_DOUBT, at most SITE_SURE */
	uint32_t blocks;
	uint32_t pages;  /* others that have blocks on it */
	uint64_t others; /* the sum that these have */
	bool known;      /* the last two are set */
};

struct site_evidence {
	const struct site_page *page; /* the extractor's, or NULL */
	bool shown;                   /* numbers of pages are wanted where they change nothing, too */
	bool known;                   /* of this page: the arrays are filled */
	uint32_t copies;              /* others that are taken for copies of the page */
	uint32_t *pages;              /* for each block: others that have its text */
	int32_t *shift;               /* what its log odds have lost by that */
	int32_t *place_shift;         /* what its log odds have lost by its path */
	struct site_place *place;     /* for each path */
	size_t cap, cap_places;
	struct text_writer text; /* of the block that is looked up */
};

/** Counts of pages from SITE_MANY on are not told apart where copies are looked for. */
enum { SITE_MANY = 63 };
/**
 * Returns how many other pages of a site are taken for copies of a page, at most SITE_MANY. words[n]: what the page
 * keeps without them, and n of them have.
 */
uint32_t site_copies(const uint64_t words[SITE_MANY + 1], uint32_t others);
/** Returns how far the log odds of a text fall that so many of the site's other pages hold, in 1/4096. */
int32_t site_shift(uint32_t pages, uint32_t others, uint32_t copies);
/** The same of a path: `sum` is over so many other pages of the site, of what each had as `own` (struct site_source).
 */
int32_t site_place_shift(uint32_t pages, uint64_t sum, uint32_t copies);

/**
 * Receives the features of each tile of blocks (training, explain): of each block those that it is judged by. `stage`
 * is 1 or 2.
 */
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
	struct judged judged;
	int32_t *margin[3];                 /* of both stages, and of the second together with blocks alike */
	uint16_t *chance;                   /* after the last that ran of these */
	uint32_t *words;                    /* at least 1 */
	uint32_t *note_of;                  /* as block_notes_find sets it, if `notes` is set */
	uint8_t (*kept)[STAGE2_KEPT][TILE]; /* for each tile of columns */
	size_t cap;                         /* blocks */
	bool notes;
	unsigned left; /* enum left_out of all blocks together */
	struct decision decision;
	struct copies copies;
	struct coherence coherence;
	uint8_t *verdict; /* enum verdict of each block */
	struct site_evidence site;
	/* a tile of either stage, aligned, and never cleared: what columns without a block hold does not matter */
	uint8_t room[((int)FEATURE_COUNT > (int)STAGE2_COUNT ? FEATURE_COUNT : (int)STAGE2_COUNT) * TILE + TILE - 1];
};

/** The page must have blocks. */
int classifier_run(struct classifier *c, const struct blocks *b);
void classifier_free(struct classifier *c);
/** Returns the chance of a block without the evidence of its site, after blocks alike are judged. */
uint16_t classifier_alone(const struct classifier *c, uint32_t i);
/** What the classifier decided of block `i`. */
static inline enum verdict classifier_verdict(const struct classifier *c, uint32_t i)
{
	return (enum verdict)c->verdict[i];
}

/*
 * What each feature adds to one block's margin, for `explain`: along a block's path through a tree each node changes
 * the mean of the leaves that can still be reached, and that change is the share of the node's feature (path
 * attribution: Saabas 2014).
 *
 * The mean is over the blocks of the page, so the shares show how a block differs from the others: if all blocks are
 * outside of footers, that adds nothing. One more block is assumed at each child, so that a page of few blocks also has
 * shares.
 */

enum { TREE_PLACES = 2 << TREE_DEPTH_MOST }; /* most nodes and leaves of a tree */

struct tree_shares {
	const struct trees *trees;
	uint32_t (*count)[TREE_PLACES]; /* blocks that reach each node and leaf of each tree */
	int32_t (*mean)[TREE_PLACES];   /* of the leaves below, in 1/4096 */
};

/** Borrows `trees`. Call tree_shares_free also if it fails. */
int tree_shares_init(struct tree_shares *s, const struct trees *trees);
/** Counts the first `n` blocks of a tile. */
void tree_shares_count(struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t n);
/** Computes the means; call it after all blocks of the page were counted. */
void tree_shares_means(struct tree_shares *s);
/**
 * Adds to `share` what each feature adds to the margin of block `at` of a tile. Returns the page's mean margin: with
 * all shares it sums exactly to the block's margin.
 */
int32_t tree_shares_of(const struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t at, int32_t *share);
void tree_shares_free(struct tree_shares *s);

/* Reports to `explain` why each block was kept or dropped. It costs nothing unless requested. */

struct trace;

struct block_trace {
	struct trace *to;
	const struct classifier *classifier;
	const struct blocks *blocks;
	uint8_t (*first)[FEATURE_COUNT][TILE]; /* features of all blocks, as seen by each stage */
	uint8_t (*second)[STAGE2_COUNT][TILE]; /* NULL if that stage did not run */
	struct tree_shares shares[2];
	struct buf text, numbers; /* of the block that is reported */
	uint64_t (*copy)[2];      /* of each block a bit for each recall; NULL if the page can have no copies */
	bool failed;
};

/** For struct tile_sink; `arg` is the struct block_trace. */
void block_trace_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE]);
/**
 * Call it after classifier_run, with the method's keys. What is reported is enough to decide again for any other
 * `recall`: of each block its words, its chance, the values of `recall` at which it is a copy,
 * whether it is never kept, and the number, from 1 on, of the block whose note it is. The classifier's copies are found
 * anew.
 */
int block_trace_tell(struct block_trace *t, uint32_t recall, bool heading);
void block_trace_free(struct block_trace *t);

#endif
