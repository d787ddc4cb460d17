/* SPDX-License-Identifier: MIT */
/* The origin of a page, and the member that a duplicate gets. */
#ifndef DANA_PLUGINS_DEDUP_COMMON_DUPLICATE_H
#define DANA_PLUGINS_DEDUP_COMMON_DUPLICATE_H

#include "dana/dana_plugin.h"
#include "dedup/store/origin.h"

/** Returns where the page came from. The slices are borrowed from the page. */
struct origin duplicate_origin(const struct dana_host *host, const struct dana_page *p);

/**
 * Adds the member "duplicate_of":{"id":...,"file":...,"offset":...}; unknown values are null. Returns 0 or a negative
 * status.
 */
int duplicate_put(const struct dana_host *host, struct dana_page *p, const struct origin *first);

static inline struct slice slice_of_view(struct dana_view v)
{
	return slice_of(v.data, v.len);
}

#endif
