/* SPDX-License-Identifier: MIT */
/* libpsl, the list of public suffixes; it brings libidn2 and libunistring along. Threads: any. */
#ifndef DANA_BASE_PSL_LIBRARY_H
#define DANA_BASE_PSL_LIBRARY_H

#include <libpsl.h>

#include "base/library.h"

/** The functions that are in use. */
#define PSL_FUNCTIONS(X) X(psl_builtin) X(psl_is_public_suffix2) X(psl_registrable_domain)

struct psl_library {
	PSL_FUNCTIONS(LIBRARY_MEMBER)
};

/** Loads it at the first call. NULL: DANA_ELIBRARY (it is missing) or DANA_ENOMEM in `err`, which may be NULL. */
const struct psl_library *psl_library(struct error *err);

#endif
