/* SPDX-License-Identifier: MIT */
#include "extract/learned/methods.h"

#define METHOD_ROW(name) &method_##name,
const struct method *const learned_methods[] = { LEARNED_METHODS(METHOD_ROW) NULL };
