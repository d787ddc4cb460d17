/* SPDX-License-Identifier: MIT */
/* Features of the second stage that describe the units that repeat around a block, and what is before and after it. */
#ifndef DANA_LEARNED_STAGE2_UNITS_H
#define DANA_LEARNED_STAGE2_UNITS_H

#include "extract/learned/units.h"

/* Of the sequence of the inner and of the outer unit of a block, and of the unit itself. */
/* clang-format off */
#define STAGE2_SEQUENCE(X, U) \
	X(U##_COUNT) X(U##_LENGTH) X(U##_LINKS) X(U##_DATES) X(U##_SHARE) X(U##_CHANCE) X(U##_REST) X(U##_BEFORE) \
	X(U##_AFTER) X(U##_TAKEN)
#define STAGE2_UNIT(X, U) STAGE2_SEQUENCE(X, U) X(U##_OWN)
#define STAGE2_AROUND(X) \
	X(PREV_CHANCE) X(NEXT_CHANCE) X(AROUND2) X(AROUND8) X(MASS_BEFORE) X(SINCE_TAKEN) X(UNTIL_TAKEN) X(STRETCH) \
	X(AFTER_STRETCH)
/* clang-format on */

enum { SEQUENCE_FEATURES = 10, UNIT_FEATURES = SEQUENCE_FEATURES + 1, AROUND_FEATURES = 9 };

/** Expected words of the main text inside an element (1/65536), words, and words that the first stage would keep. */
struct element_mass {
	uint64_t chance, words, taken;
	uint32_t f1; /* expected F1 if this element is the result, 1/65536 */
};

/** Results of the first stage. */
struct first_results {
	const uint16_t *chance;
	const uint32_t *words;
	uint32_t threshold;
	uint64_t mass, all_words; /* of the page: expected words (1/65536), words */
};

struct stage2_units {
	struct units units;
	struct sequence_view *view;
	struct around_view *around; /* for each block */
	size_t cap_sequences, cap_blocks;
	const uint16_t *chance; /* borrowed until the next page */
	uint32_t n_blocks, stretch_begin, stretch_end;
};

/** `mass` has a row for each element. Returns 0 or DANA_ENOMEM. */
int stage2_units_prepare(struct stage2_units *u, const struct blocks *b, const struct aggregates *a,
			 const struct element_mass *mass, const struct first_results *q);
/** Writes 2 * UNIT_FEATURES + AROUND_FEATURES values of block `i`. */
void stage2_units_put(const struct stage2_units *u, const struct blocks *b, const struct element_mass *mass, uint32_t i,
		      uint8_t *to);
/** Copies SEQUENCE_FEATURES values of the sequence with most words; all are 0 if the page has no sequence. */
void stage2_units_largest(const struct stage2_units *u, uint8_t *to);
void stage2_units_free(struct stage2_units *u);

#endif
