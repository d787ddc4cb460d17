/* SPDX-License-Identifier: MIT */
/* The date and the author that are written in the text after the first heading of a page. */
#ifndef DANA_METADATA_NEAR_HEADING_H
#define DANA_METADATA_NEAR_HEADING_H

#include "plugins/metadata/facts.h"

/** Bytes that are searched, from the first heading on. */
enum { NEAR_HEADING = 8192 };

/** Offers to `facts` the first date in a short line, the text of a link to the author, and the name in a byline. */
void near_heading_read(struct slice near, struct facts *facts);

#endif
