/* SPDX-License-Identifier: MIT */
/* The methods of this room: one line each. */
#ifndef DANA_EXTRACT_FAMILY_METHODS_H
#define DANA_EXTRACT_FAMILY_METHODS_H

#include "extract/method.h"

/**
 * The methods of DANA's own papers, and the two that are made of their parts, in the order of `dana methods`; each
 * names a `const struct method method_NAME`.
 */
#define FAMILY_METHODS(X) X(r2l) X(dana) X(dana_slides) X(danag) X(addanag) X(auto) X(plain)

#define DECLARE_METHOD(name) extern const struct method method_##name;
FAMILY_METHODS(DECLARE_METHOD)
#undef DECLARE_METHOD

#endif
