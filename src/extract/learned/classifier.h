/* SPDX-License-Identifier: MIT */
/*
 * Blocks alike are judged together: those on one path in one sequence of units, as the names of all products of a list
 * or the paragraphs of an article. Each one's log odds move towards their mean, the farther the more of them there are,
 * so that a row of a list is rarely dropped where the others are kept.
 *
 * Example: of seven names six have the log odds 1 and one has -2; together they have 4. A block counts four times more
 * in its own mean: the odd one gets (4 * -2 + 4) / (4 + 7) = -0.4, the others 0.7.
 */
#ifndef DANA_LEARNED_CLASSIFIER_H
#define DANA_LEARNED_CLASSIFIER_H

#include "extract/learned/aggregates.h"
#include "extract/learned/blocks.h"
#include "extract/learned/model.h"
#include "extract/learned/stage2.h"

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
 * aggregates_compute and units_find. Returns 0 or DANA_ENOMEM.
 */
int alike_judge(struct alike *x, const struct blocks *b, const struct aggregates *a, const struct units *u,
		const int32_t *margin, int32_t *together);

void alike_free(struct alike *x);

/*
 * Blocks whose words the page shows before: quotes in posts, a product's text in two tabs, entries of a list that come
 * twice. Only on pages of many parts: in an article a passage that comes twice is the author's.
 *
 * Example: of the posts "The lamp was lit on every evening of the year." and "You wrote: the lamp was lit on every
 * evening of the year." the second has 8 runs of five words, 6 of which the first has as well. That is less than four
 * fifths: it is no copy.
 */

struct copies {
	bool *is_copy; /* for each block, if `any` */
	bool any;
	size_t cap_blocks;
	uint64_t *runs; /* a set: one bit for each hash of a run of words */
	size_t cap_runs;
};

/**
 * Finds the copies among the blocks of at least this chance. `words`: numbers of words of the blocks. Linear time.
 * Returns 0 or DANA_ENOMEM.
 */
int copies_find(struct copies *c, const struct blocks *b, enum page_kind kind, const uint16_t *chance,
		uint32_t threshold, const uint32_t *words);

void copies_free(struct copies *c);

/* Both stages over one page: blocks in, a chance for each and a decision out. */

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
