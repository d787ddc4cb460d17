/* SPDX-License-Identifier: MIT */
/* One pass over a page's HTML, which looks at the few tags that tell something of the page. */
#ifndef DANA_METADATA_SCAN_H
#define DANA_METADATA_SCAN_H

#include "plugins/metadata/facts.h"

struct links;

/** Offers to `facts` what the page says. `links`: NULL, or takes the links of the page. */
void scan_page(struct slice html, struct facts *facts, struct links *links);

#endif
