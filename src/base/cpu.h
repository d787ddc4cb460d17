/* SPDX-License-Identifier: MIT */
/*
 * What processors can do: vector instructions, and operations on the bits of a word.
 *
 * Chooses which vector instructions are used. A hot function may have several paths, one for each level of instructions
 * that is worth it; all give the same result. It picks its path by cpu_level() at each call, so that one place decides
 * for the whole program, and a test can run every path that its processor has:
 *
 *	#ifdef CPU_PATHS_SSE2
 *		if (cpu_level() >= CPU_SSE2)
 *			return count_sse2(p, n);
 *	#endif
 *		return count_plain(p, n);
 *
 * The level is looked up once, at the first call, and changes only by cpu_level_set after that: any number of threads
 * may ask at the same time.
 */
#ifndef DANA_BASE_CPU_H
#define DANA_BASE_CPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Levels that this build has paths for; without any of these macros there is only plain C. */
#if defined(__wasm_simd128__)
#define CPU_PATHS_WASM 1 /* the paths of SSE2, by base/wasm_sse2.h */
#endif

#if defined(__SSE2__) || defined(CPU_PATHS_WASM)
#define CPU_PATHS_SSE2 1
#endif

/* CPU_WITHOUT_AVX is for builds that must be quick: <immintrin.h> takes longer to compile than most files here. */
#if defined(__x86_64__) && !defined(CPU_WITHOUT_AVX)
#define CPU_PATHS_AVX 1 /* AVX2 and AVX-512, compiled with the attributes below whatever -march says */
#endif

#if defined(__aarch64__)
#define CPU_PATHS_NEON 1
#endif

/** A processor that has a level also has the earlier levels of its architecture. */
enum cpu_level {
	CPU_PLAIN = 1, /* portable C */
	CPU_NEON,      /* every AArch64 */
	CPU_SSE2,      /* every x86-64; WebAssembly with vectors */
	CPU_AVX2,      /* with POPCNT, LZCNT, BMI1 and BMI2 */
	CPU_AVX512,    /* AVX-512F and AVX-512BW */
};

/** Attributes of the functions of a level. */
#define CPU_TARGET_AVX2 __attribute__((target("avx2,popcnt,lzcnt,bmi,bmi2")))

#define CPU_TARGET_AVX512 __attribute__((target("avx512f,avx512bw")))

/** The level in use; 0 = not looked up yet. Only for cpu_level and cpu_level_set. */
extern _Atomic uint8_t cpu_level_in_use;

/** Looks the level up and keeps it. */
enum cpu_level cpu_level_find(void);

static inline enum cpu_level cpu_level(void)
{
	uint8_t level = atomic_load_explicit(&cpu_level_in_use, memory_order_relaxed);
	return level ? (enum cpu_level)level : cpu_level_find();
}

/** Returns whether this build has the paths of a level and this processor can run them. */
bool cpu_has(enum cpu_level level);
/** For tests: sets the level, which cpu_has must allow. No other thread may be running a function that has paths. */
static inline void cpu_level_set(enum cpu_level level)
{
	atomic_store_explicit(&cpu_level_in_use, (uint8_t)level, memory_order_relaxed);
}

/** Returns the level's name, such as "avx2". */
const char *cpu_level_name(enum cpu_level level);

/*
 * Operations on the bits of a word. A loop that uses them heavily is written once, as a BITS_INLINE function, and
 * compiled twice: as part of a BITS_FAST function, for processors with instructions for it (bits_fast checks at run
 * time), and as part of an ordinary one. Both give the same result. Example:
 *
 *	BITS_INLINE size_t sum(const uint64_t *x, size_t n) { ... bits_count(x[i]) ... }
 *	static size_t sum_plain(const uint64_t *x, size_t n) { return sum(x, n); }
 *	BITS_FAST static size_t sum_fast(const uint64_t *x, size_t n) { return sum(x, n); }
 */

#define BITS_INLINE static inline __attribute__((always_inline))

#ifdef CPU_PATHS_AVX
#define BITS_FAST __attribute__((target("popcnt,lzcnt,bmi,bmi2"))) /* part of CPU_AVX2 */

/** Returns whether BITS_FAST functions may be called. */
static inline bool bits_fast(void)
{
	return cpu_level() >= CPU_AVX2;
}

/** Returns whether PDEP is worth it where BITS_FAST functions may be called: on AMD before Zen 3 it is microcode. */
bool bits_deposits(void);

/**
 * PDEP: moves bit k of `bits` to the position of the k-th lowest set bit of `where`. Example: bits 0b101 and where
 * 0b11010 give 0b10010.
 */
BITS_FAST static inline uint64_t bits_deposit(uint64_t bits, uint64_t where)
{
	/* The built-in of gcc and clang, since <immintrin.h> takes longer to compile than most files that come here. */
	return __builtin_ia32_pdep_di(bits, where);
}
#else
#define BITS_FAST
static inline bool bits_fast(void)
{
	return false;
}

static inline bool bits_deposits(void)
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

/** Returns a word with bits 0 to n - 1 set; `n` is at most 63. */
BITS_INLINE uint64_t bits_below(size_t n)
{
	return ((uint64_t)1 << n) - 1;
}

/** Returns the index of the highest set bit; x is not 0. */
BITS_INLINE unsigned bits_highest(uint64_t x)
{
	return 63 - (unsigned)__builtin_clzll(x);
}

/** Returns the index of the lowest set bit; x is not 0. */
BITS_INLINE unsigned bits_lowest(uint64_t x)
{
	return (unsigned)__builtin_ctzll(x);
}

/**
 * Returns x without its lowest `rank` set bits. `deposits`: bits_deposits() in a BITS_FAST function, else false.
 * Example: x 0b1011 and rank 2 give 0b1000.
 */
BITS_INLINE uint64_t bits_after(uint64_t x, unsigned rank, bool deposits)
{
	if (deposits) {
		uint64_t first = bits_deposit((uint64_t)1 << rank, x);
		return x & -first;
	}

	/* `found` bits are set below bit `at`: move up by as many as are still missing, which never moves too far */
	unsigned at = rank, found;
	while ((found = bits_count(x & bits_below(at))) < rank)
		at += rank - found;
	return x & ~bits_below(at);
}

/** Like bits_high_product, by halves: for machines that have no numbers of 128 bits. */
static inline uint64_t bits_high_product_of_halves(uint64_t a, uint64_t b)
{
	const uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
	const uint64_t middle = a_high * b_low + (a_low * b_low >> 32); /* neither sum can overflow */
	const uint64_t other = a_low * b_high + (uint32_t)middle;
	return a_high * b_high + (middle >> 32) + (other >> 32);
}

/** Returns the upper 64 bits of a * b: for a random `a` a number below b. */
static inline uint64_t bits_high_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;
	return (uint64_t)((wide)a * b >> 64);
#else
	return bits_high_product_of_halves(a, b);
#endif
}

/*
 * The compiler zeroes all variables at each call (-ftrivial-auto-var-init=zero). In a function that has an array of
 * kilobytes and is called for a few hundred bytes of a page, that would be most of the work.
 */

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
