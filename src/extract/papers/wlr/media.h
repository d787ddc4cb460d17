/* SPDX-License-Identifier: MIT */
/*
 * Pictures, films and sounds of a page that are large enough to be content (A. Bhardwaj, V. Mangat 2014): more than
 * 120,000 square pixels by attributes, inline style or, for svg, view box; with one known dimension, 400 pixels; sound
 * always.
 *
 * With `extended` also iframe, picture, and srcset (a candidate of at least 400 pixels' width), which the paper does
 * not name. Only these tags' attributes are read. Strings belong to the list. Limits: MEDIA_MOST items, MEDIA_BYTES of
 * strings; further ones are left out.
 */
#ifndef DANA_PAPERS_WLR_MEDIA_H
#define DANA_PAPERS_WLR_MEDIA_H

#include "base/buf.h"
#include "dana/dana.h"
#include "extract/html/tokenizer.h"

enum { MEDIA_AREA = 120000, MEDIA_SIDE = 400, MEDIA_MOST = 4096, MEDIA_BYTES = 1 << 20 };

struct media_item;

struct media_list {
	bool extended;
	struct buf items; /* of struct media_item */
	struct buf strings;
	struct buf result; /* of struct dana_media */
	struct buf base;   /* href of the first <base> */
	bool has_base;
	struct buf candidate; /* picture: the widest candidate of its sources */
	unsigned candidate_width;
	bool in_picture;
	bool wants_source; /* the last item is a film or sound without URL */
	bool in_skipped;   /* inside of a skipped element */
	uint8_t skip_tag;  /* the tag of that element */
};

/** Takes any tag, including skipped ones. Returns 0 or DANA_ENOMEM. */
int media_list_tag(struct media_list *list, const struct html_tag_event *event);
/** Completes the items, which are in page order. Returns 0 or DANA_ENOMEM. */
int media_list_finish(struct media_list *list);
void media_list_reset(struct media_list *list);
void media_list_free(struct media_list *list);

#endif
