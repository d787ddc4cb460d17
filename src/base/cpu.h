/* SPDX-License-Identifier: MIT */
/*
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
#include <stdint.h>

/* Levels that this build has paths for; without any of these macros there is only plain C. */
#if defined(__SSE2__)
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
	CPU_SSE2,      /* every x86-64 */
	CPU_AVX2,      /* with POPCNT, LZCNT, BMI1 and BMI2 */
	CPU_AVX512,    /* AVX-512F and AVX-512BW */
};

/** Attributes of the functions of a level. */
#define CPU_TARGET_AVX2 __attribute__((target("avx2,popcnt,lzcnt,bmi,bmi2")))
#define CPU_TARGET_AVX2_CLMUL __attribute__((target("avx2,pclmul,vpclmulqdq"))) /* where cpu_has_wide_clmul */
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
/** Returns whether this processor has carry-less products of whole AVX2 vectors, which not all of that level have. */
bool cpu_has_wide_clmul(void);
/** For tests: sets the level, which cpu_has must allow. No other thread may be running a function that has paths. */
static inline void cpu_level_set(enum cpu_level level)
{
	atomic_store_explicit(&cpu_level_in_use, (uint8_t)level, memory_order_relaxed);
}

/** Returns the level's name, such as "avx2". */
const char *cpu_level_name(enum cpu_level level);

#endif
