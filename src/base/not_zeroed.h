/* SPDX-License-Identifier: MIT */
/*
 * The compiler zeroes all variables at each call (-ftrivial-auto-var-init=zero). For an array of kilobytes in a function
 * that is called for a few hundred bytes of a page, that is most of its work.
 */
#ifndef DANA_BASE_NOT_ZEROED_H
#define DANA_BASE_NOT_ZEROED_H

/** Before an array on the stack of which nothing is used that was not written before. */
#if defined(__has_attribute)
#if __has_attribute(uninitialized)
#define NOT_ZEROED __attribute__((uninitialized))
#endif
#endif
#ifndef NOT_ZEROED
#define NOT_ZEROED
#endif

#endif
