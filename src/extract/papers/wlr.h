/* SPDX-License-Identifier: MIT */
/* The size that an element declares: attributes, inline style, view box, srcset. Pure functions. */
#ifndef DANA_EXTRACT_PAPERS_WLR_H
#define DANA_EXTRACT_PAPERS_WLR_H

#include <stdbool.h>

#include "base/slice.h"

/** In pixels; 0 if unknown. */
struct media_size {
	unsigned width, height;
};

/** Reads values of attributes; empty if an attribute is missing. Percentages and other units give an unknown size. */
struct media_size media_size_read(struct slice width, struct slice height, struct slice style, struct slice view_box);
/** Returns true for more than 120,000 square pixels, or if the only known dimension is at least 400. */
bool media_size_is_large(struct media_size size);
/** Returns the largest width of a srcset and stores the URL of its candidate; 0 if no candidate has a width. */
unsigned media_srcset_widest(struct slice srcset, struct slice *url);

#endif
