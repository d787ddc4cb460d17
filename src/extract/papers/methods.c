/* SPDX-License-Identifier: MIT */
/* The list of this room, made from methods.h. */
#include "extract/papers/methods.h"

#define METHOD_ROW(name) &method_##name,
const struct method *const papers_methods[] = { PAPERS_METHODS(METHOD_ROW) NULL };
