/* SPDX-License-Identifier: MIT */
/* One pass over the tags of a page that hold metadata. */
#ifndef DANA_METADATA_SCAN_H
#define DANA_METADATA_SCAN_H

#include "plugins/metadata/facts.h"
#include "plugins/metadata/json_ld.h"

/** Offers to `facts` the contents of the tags that a sieve has kept of a page (sieve.h). */
void scan_tags(struct slice kept, struct json_ld *json, struct facts *facts);

#endif
