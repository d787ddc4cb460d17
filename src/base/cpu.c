/* SPDX-License-Identifier: MIT */
/* Detection of the level of vector instructions; see the example in cpu.h. */
#include "base/cpu.h"

#ifdef CPU_PATHS_AVX
#include <cpuid.h>
#endif

_Atomic uint8_t cpu_level_in_use;

#ifdef CPU_PATHS_AVX

enum { KNOWN = 1, HAS_AVX2 = 2, HAS_AVX512 = 4, HAS_DEPOSITS = 8 };

static bool all_of(uint32_t bits, uint32_t of)
{
	return (bits & of) == of;
}

/* Not by the compiler's built-in functions, whose data not every runtime library of clang has. */
static unsigned ask_processor(void)
{
	enum { VECTORS_OF_AVX = 0x06, VECTORS_OF_AVX512 = 0xe6, ZEN_3 = 0x19 };
	uint32_t a, b, c, d, vendor, version, extended_b, zeros_c, saved, saved_high;
	if (!__get_cpuid(0, &a, &vendor, &c, &d) || !__get_cpuid(1, &version, &b, &c, &d) ||
	    !all_of(c, bit_OSXSAVE | bit_AVX | bit_POPCNT))
		return KNOWN;
	/* The system must save the vectors when it switches between threads, too. */
	__asm__ volatile("xgetbv" : "=a"(saved), "=d"(saved_high) : "c"(0));
	if (!all_of(saved, VECTORS_OF_AVX) || !__get_cpuid_count(7, 0, &a, &extended_b, &c, &d) ||
	    !all_of(extended_b, bit_AVX2 | bit_BMI | bit_BMI2) || !__get_cpuid(0x80000001, &a, &b, &zeros_c, &d) ||
	    !all_of(zeros_c, bit_LZCNT))
		return KNOWN;
	unsigned facts = KNOWN | HAS_AVX2;
	if (all_of(saved, VECTORS_OF_AVX512) && all_of(extended_b, bit_AVX512F | bit_AVX512BW))
		facts |= HAS_AVX512;
	uint32_t family = version >> 8 & 15;
	if (family == 15)
		family += version >> 20 & 255;
	if (vendor != signature_AMD_ebx || family >= ZEN_3)
		facts |= HAS_DEPOSITS;
	return facts;
}

/* Several threads may call this at the same time: all of them store the same facts. */
static bool processor_has(unsigned fact)
{
	static _Atomic uint8_t facts;
	unsigned known = atomic_load_explicit(&facts, memory_order_relaxed);
	if (!known) {
		known = ask_processor();
		atomic_store_explicit(&facts, (uint8_t)known, memory_order_relaxed);
	}
	return (known & fact) != 0;
}

bool bits_deposits(void)
{
	return processor_has(HAS_DEPOSITS);
}
#endif

bool cpu_has(enum cpu_level level)
{
#ifdef CPU_PATHS_NEON
	if (level == CPU_NEON)
		return true;
#endif
#ifdef CPU_PATHS_SSE2
	if (level == CPU_SSE2)
		return true;
#endif
#ifdef CPU_PATHS_AVX
	if (level == CPU_AVX512)
		return processor_has(HAS_AVX512);
	if (level == CPU_AVX2)
		return processor_has(HAS_AVX2);
#endif
	return level == CPU_PLAIN;
}

/* Several threads may call this at the same time: all of them store the same level. */
enum cpu_level cpu_level_find(void)
{
	enum cpu_level level = CPU_AVX512;
	while (!cpu_has(level))
		level--;
	cpu_level_set(level);
	return level;
}

const char *cpu_level_name(enum cpu_level level)
{
	static const char *const names[] = { [CPU_PLAIN] = "plain",
					     [CPU_NEON] = "neon",
					     [CPU_SSE2] = "sse2",
					     [CPU_AVX2] = "avx2",
					     [CPU_AVX512] = "avx512" };
	return names[level];
}
