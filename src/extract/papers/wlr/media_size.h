/* SPDX-License-Identifier: MIT */
/* How large an element says that it is: attributes, inline style, view box, srcset. Pure functions. */
#ifndef DANA_PAPERS_WLR_MEDIA_SIZE_H
#define DANA_PAPERS_WLR_MEDIA_SIZE_H

#include "base/slice.h"

/** In pixels, 0 = not known. */
struct media_size {
	unsigned width, height;
};

/** Values of attributes, empty where an attribute is missing. Percentages and other units are not known. */
struct media_size media_size_read(struct slice width, struct slice height, struct slice style, struct slice view_box);
/** More than MEDIA_AREA square pixels, or the one known dimension at least MEDIA_SIDE. */
bool media_size_is_large(struct media_size size);
/** Width of the widest candidate of a srcset that has a width descriptor, and its URL; 0 = none. */
unsigned media_srcset_widest(struct slice srcset, struct slice *url);

#endif
