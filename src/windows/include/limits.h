/* SPDX-License-Identifier: MIT */
/* Paths may be as long as elsewhere. */
#include_next <limits.h>
#undef PATH_MAX
#define PATH_MAX 4096
