/* SPDX-License-Identifier: MIT */
/* One pass over a page's HTML, which looks at the few tags that tell something of the page. */
#ifndef DANA_METADATA_SCAN_H
#define DANA_METADATA_SCAN_H

#include "plugins/metadata/facts.h"

struct links;

/** So many bytes from the first heading on are looked through for a date. */
enum { NEAR_HEADING = 4096 };

/**
 * Offers to `facts` what the page says. `html`: of the page, all or what a sieve kept. `near`: the page from its first heading
 * on; empty where `html` is all of it. `links`: NULL, or takes the links of the page.
 */
void scan_page(struct slice html, struct slice near, struct facts *facts, struct links *links);

#endif
