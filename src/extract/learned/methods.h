/* SPDX-License-Identifier: MIT */
/* The methods of this room: one line each. */
#ifndef DANA_LEARNED_METHODS_H
#define DANA_LEARNED_METHODS_H

#include "extract/method.h"

/** The learned method, in the order of `dana methods`; each names a `const struct method method_NAME`. */
#define LEARNED_METHODS(X) X(learned)

#define DECLARE_METHOD(name) extern const struct method method_##name;
LEARNED_METHODS(DECLARE_METHOD)
#undef DECLARE_METHOD

/** The same as a list that ends with NULL, for the table of all methods. */
extern const struct method *const learned_methods[];

#endif
