/* SPDX-License-Identifier: MIT */
/*
 * The compiler zeroes all variables at each call (-ftrivial-auto-var-init=zero). In a function that has an array of
 * kilobytes and is called for a few hundred bytes of a page, that would be most of the work.
 */
#ifndef DANA_BASE_NOT_ZEROED_H
#define DANA_BASE_NOT_ZEROED_H

/** For an array on the stack that is only read where it was written before. */
#if defined(__has_attribute)
#if __has_attribute(uninitialized)
#define NOT_ZEROED __attribute__((uninitialized))
#endif
#endif
#ifndef NOT_ZEROED
#define NOT_ZEROED
#endif

#endif
