/*
 * Times of day and dates in digits: a sign that needs no language. An article has one or two in all; of comments and of listed articles
 * each has its own.
 */
#ifndef DANA_LEARNED_STAMPS_H
#define DANA_LEARNED_STAMPS_H

#include <stdbool.h>

#include "base/slice.h"

/** Least digits of a time or a date. */
enum { STAMP_DIGITS = 3 };

/** A time (9:05, 12:30:00) or a date (1.2.2012, 2012-02-01, 1/2/12) stands in the text; its digits may be Arabic or Persian ones. */
bool stamps_found(struct slice text);

#endif
