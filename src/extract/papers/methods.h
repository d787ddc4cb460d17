/* SPDX-License-Identifier: MIT */
/* The methods of this room: one line each. */
#ifndef DANA_EXTRACT_PAPERS_METHODS_H
#define DANA_EXTRACT_PAPERS_METHODS_H

#include "extract/method.h"

/** The methods of other papers, in the order of `dana methods`; each names a `const struct method method_NAME`. */
/* clang-format off */
#define PAPERS_METHODS(X) \
	X(mountain) X(wlr) X(wlr_media) X(bte) X(dsc) X(ccb) X(accb_40) X(tccb_18) \
	X(tccb_25) X(lqf_25) X(lqf_50) X(lqf_75) X(fe) X(kfe) X(density) X(crunch) \
	X(cetr)
/* clang-format on */

#define DECLARE_METHOD(name) extern const struct method method_##name;
PAPERS_METHODS(DECLARE_METHOD)
#undef DECLARE_METHOD

#endif
