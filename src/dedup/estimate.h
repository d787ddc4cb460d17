/* SPDX-License-Identifier: MIT */
/* What the ways to find duplicates will take, before they are run. */
#ifndef DANA_DEDUP_ESTIMATE_H
#define DANA_DEDUP_ESTIMATE_H

#include "base/buf.h"

/** Of the documents of a run. All bits 1 in `lines` and `repeated`: not known. */
struct dedup_amounts {
	uint64_t documents, chars, lines, repeated;
	uint64_t duplicates; /* of a hundred */
	uint64_t memory;     /* for counting, in bytes */
};

/** Appends a table of memory and disk. Returns 0 or DANA_ENOMEM. */
int dedup_forecast(const struct dedup_amounts *amounts, struct buf *out);

#endif
