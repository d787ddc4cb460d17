/* SPDX-License-Identifier: MIT */
/* What stands in words after the first heading of a page: when it was published, and by whom. */
#ifndef DANA_METADATA_NEAR_HEADING_H
#define DANA_METADATA_NEAR_HEADING_H

#include "plugins/metadata/facts.h"

/** So many bytes from the first heading on are looked through. */
enum { NEAR_HEADING = 8192 };

/** Offers to `facts` the first date in a short line, the text of a link to the author, and the name in a byline. */
void near_heading_read(struct slice near, struct facts *facts);

#endif
