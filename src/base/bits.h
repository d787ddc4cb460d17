/*
 * Bits of a word. Loops that count many of them come in two versions of one always inlined body: BITS_FAST for processors with
 * instructions for it (bits_fast tells at run time), plain C for all others. Both give the same.
 */
#ifndef DANA_BASE_BITS_H
#define DANA_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

#define BITS_INLINE static inline __attribute__((always_inline))

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

#define BITS_FAST __attribute__((target("popcnt,lzcnt,bmi,bmi2"))) /* part of CPU_AVX2 */

/** A deposit of bits must be one instruction; on some processors it is a long loop inside. */
static inline bool bits_fast(void)
{
	return cpu_level() >= CPU_AVX2 && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2") &&
	       !__builtin_cpu_is("bdver4");
}

BITS_FAST static inline uint64_t bits_deposit(uint64_t bits, uint64_t where)
{
	return _pdep_u64(bits, where);
}
#else
#define BITS_FAST
static inline bool bits_fast(void)
{
	return false;
}

static inline uint64_t bits_deposit(uint64_t bits, uint64_t where)
{
	(void)where;
	return bits;
}
#endif

BITS_INLINE unsigned bits_count(uint64_t x)
{
	return (unsigned)__builtin_popcountll(x);
}

/** The bits below bit number `n` (0 to 63). */
BITS_INLINE uint64_t bits_below(size_t n)
{
	return ((uint64_t)1 << n) - 1;
}

/** Number of the highest bit that is set; x is not 0. */
BITS_INLINE unsigned bits_highest(uint64_t x)
{
	return 63 - (unsigned)__builtin_clzll(x);
}

/** Number of the lowest bit that is set; x is not 0. */
BITS_INLINE unsigned bits_lowest(uint64_t x)
{
	return (unsigned)__builtin_ctzll(x);
}

/** The set bits of x but for the lowest `rank` of them; `fast`: in a BITS_FAST function. */
BITS_INLINE uint64_t bits_behind(uint64_t x, unsigned rank, bool fast)
{
	if (fast) {
		uint64_t first = bits_deposit((uint64_t)1 << rank, x);
		return x & -first;
	}
	/* as many steps as there are groups of gaps in the word */
	unsigned at = rank, found;
	while ((found = bits_count(x & bits_below(at))) < rank)
		at += rank - found;
	return x & ~bits_below(at);
}

#endif
