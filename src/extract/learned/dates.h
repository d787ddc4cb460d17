/* SPDX-License-Identifier: MIT */
/*
 * Times of day and dates in digits, which look alike in all languages. An article has one or two in total; in a list of
 * comments or of articles each entry has its own.
 */
#ifndef DANA_LEARNED_DATES_H
#define DANA_LEARNED_DATES_H

#include <stdbool.h>

#include "base/slice.h"

/** Least digits of a time or a date. */
enum { DATE_DIGITS = 3 };

/**
 * Returns whether the text has a time (9:05, 12:30:00) or a date (1.2.2012, 2012-02-01, 1/2/12). Its digits may be
 * Arabic or Persian.
 */
bool dates_found(struct slice text);

#endif
