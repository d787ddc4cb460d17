/* SPDX-License-Identifier: MIT */
/* An array of 32-bit numbers in a mapped temporary file: it may be larger than memory. */
#ifndef DANA_DEDUP_STORE_MAPPED_ARRAY_H
#define DANA_DEDUP_STORE_MAPPED_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/** Zeroed: not made. */
struct mapped_array {
	uint32_t *items; /* all 0 at first */
	size_t bytes;
};

/** A file without a name in `folder`, whose space is taken at once, so that a full disk is an error here. */
int mapped_array_make(struct mapped_array *a, const char *folder, size_t n, struct error *err);
void mapped_array_free(struct mapped_array *a);

#endif
