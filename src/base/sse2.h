/* SPDX-License-Identifier: MIT */
/* For paths of CPU_SSE2: the compiler's header, or what stands for it. */
#ifndef DANA_BASE_SSE2_H
#define DANA_BASE_SSE2_H

#ifdef CPU_PATHS_WASM
#include "base/wasm_sse2.h"
#else
#include <emmintrin.h>
#endif

#endif
