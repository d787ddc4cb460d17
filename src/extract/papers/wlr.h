/* SPDX-License-Identifier: MIT */
/*
 * Finds the main element of a page by words and leaves (D. Insa, J. Silva, S. Tamarit 2013, as restated by A. Bhardwaj
 * and V. Mangat 2014, equations 4 to 9). Relevance multiplies ratios along a path, so it is computed as log2.
 */
#ifndef DANA_EXTRACT_PAPERS_WLR_H
#define DANA_EXTRACT_PAPERS_WLR_H

#include "base/buf.h"
#include "base/slice.h"
#include "dana/dana.h"
#include "extract/html/element_tree.h"
#include "extract/html/tokenizer.h"

struct relevance {
	size_t root, best; /* indexes */
	double max_ratio, min_ratio, root_ratio;
	double log_relevance; /* log2 R of the best one */
};

/** `scratch` holds 8 bytes for each element. Returns 0, 1 if the page has no word. */
int relevance_find(const struct element_tree *tree, struct buf *scratch, struct relevance *result);

/*
 * Pictures, films and sounds of a page that are large enough to be content (A. Bhardwaj, V. Mangat 2014): more than
 * 120,000 square pixels by attributes, inline style or, for svg, view box; with one known dimension, 400 pixels; sound
 * always.
 *
 * With `extended` also iframe, picture, and srcset (a candidate of at least 400 pixels' width), which the paper does
 * not name. Only these tags' attributes are read. Strings belong to the list. Limits: MEDIA_MOST items, MEDIA_BYTES of
 * strings; further ones are left out.
 */

enum { MEDIA_AREA = 120000, MEDIA_SIDE = 400, MEDIA_MOST = 4096, MEDIA_BYTES = 1 << 20 };

struct media_item;

struct media_list {
	bool extended;
	struct buf items; /* of struct media_item */
	struct buf strings;
	struct buf result; /* of struct dana_media */
	struct buf base;   /* href of the first <base> */
	bool has_base;
	struct buf address;   /* of an item, while it is cleaned */
	struct buf candidate; /* picture: the widest candidate of its sources */
	unsigned candidate_width;
	bool in_picture;
	bool wants_source; /* the last item is a film or sound without URL */
	bool in_skipped;   /* inside of a skipped element */
	uint8_t skip_tag;  /* the tag of that element */
};

/** Takes any tag, including skipped ones. */
int media_list_tag(struct media_list *list, const struct html_tag_event *event);
/** Completes the items, which are in page order. */
int media_list_finish(struct media_list *list);
void media_list_reset(struct media_list *list);
void media_list_free(struct media_list *list);

/* The size that an element declares: attributes, inline style, view box, srcset. Pure functions. */

/** In pixels; 0 if unknown. */
struct media_size {
	unsigned width, height;
};

/** Reads values of attributes; empty if an attribute is missing. Percentages and other units give an unknown size. */
struct media_size media_size_read(struct slice width, struct slice height, struct slice style, struct slice view_box);
/** Returns true for more than MEDIA_AREA square pixels, or if the only known dimension is at least MEDIA_SIDE. */
bool media_size_is_large(struct media_size size);
/**
 * Returns the largest width descriptor of a srcset and stores the URL of its candidate; 0 if no candidate has a width.
 */
unsigned media_srcset_widest(struct slice srcset, struct slice *url);

#endif
