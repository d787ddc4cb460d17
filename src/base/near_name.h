/* SPDX-License-Identifier: MIT */
/*
 * Suggestions for mistyped names: "did you mean NAME?". The caller offers the known names one after the other, from its
 * own table; the nearest one is kept. No memory is allocated.
 */
#ifndef DANA_BASE_NEAR_NAME_H
#define DANA_BASE_NEAR_NAME_H

#include "base/slice.h"
#include "base/status.h"

struct near_name {
	struct slice wanted; /* as typed; borrowed */
	struct slice best;   /* the nearest name so far, borrowed; empty if no name was near enough */
	size_t distance;
};

/** Begins a search. */
struct near_name near_name_of(struct slice wanted);
/**
 * Offers a known name; case is ignored. Names that begin with `wanted` (3 bytes or more) are nearest, then those with
 * the smallest edit distance (Levenshtein), which may be at most a third of the letters plus one. Of two equally near
 * names the first one stays.
 */
void near_name_offer(struct near_name *n, const char *known);
/** Offers each word of "first|second|third". */
void near_name_offer_words(struct near_name *n, const char *words);
/**
 * Sets `err` to "WHERE: 'WANTED' is unknown; expected EXPECTED; did you mean BEST?" (the last part only when there is a
 * near name). Returns DANA_ECONFIG.
 */
int near_name_refuse(const struct near_name *n, const char *where, const char *expected, struct error *err);

#endif
