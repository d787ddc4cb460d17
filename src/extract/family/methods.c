/* SPDX-License-Identifier: MIT */
/* The list of this room, made from methods.h. */
#include "extract/family/methods.h"

#define METHOD_ROW(name) &method_##name,
const struct method *const family_methods[] = { FAMILY_METHODS(METHOD_ROW) NULL };
