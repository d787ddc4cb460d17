/* SPDX-License-Identifier: MIT */
/* Where a page came from, and what is said of one that repeats another. */
#ifndef DANA_PLUGINS_DEDUP_COMMON_DUPLICATE_H
#define DANA_PLUGINS_DEDUP_COMMON_DUPLICATE_H

#include "dana/dana_plugin.h"
#include "dedup/store/origin.h"

/** The slices are borrowed from the page. */
struct origin duplicate_origin(const struct dana_host *host, const struct dana_page *p);

/** Puts the member "duplicate_of":{"id":...,"file":...,"offset":...}; what is not known is null. 0 or negative. */
int duplicate_put(const struct dana_host *host, struct dana_page *p, const struct origin *first);

static inline struct slice slice_of_view(struct dana_view v)
{
	return slice_of(v.data, v.len);
}

#endif
