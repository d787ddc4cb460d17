/* SPDX-License-Identifier: MIT */
#include "family/methods.h"

#define METHOD_ROW(name) &method_##name,
const struct method *const family_methods[] = { FAMILY_METHODS(METHOD_ROW) NULL };
