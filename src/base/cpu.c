/* SPDX-License-Identifier: MIT */
/* Detection of the level of vector instructions; see the example in cpu.h. */
#include "base/cpu.h"

_Atomic uint8_t cpu_level_in_use;

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
		return cpu_has(CPU_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
	if (level == CPU_AVX2) /* clang 14 cannot ask for LZCNT; all processors with BMI2 have it */
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
		       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
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
