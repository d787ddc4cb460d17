/* SPDX-License-Identifier: MIT */
/*
 * The page's metadata in <meta> and <link>: its description, type and address. The description may come after the text
 * and may have any length, so only a set of its hashed runs of three words is kept.
 */
#ifndef DANA_LEARNED_PAGE_META_H
#define DANA_LEARNED_PAGE_META_H

#include "base/buf.h"
#include "extract/html/attribute.h"
#include "extract/learned/declared.h"
#include "extract/learned/word_runs.h"

/** og:type. */
enum og_type { OG_NONE, OG_OTHER, OG_WEBSITE, OG_ARTICLE, OG_PRODUCT };

struct page_meta {
	struct word_runs described;
	struct declared declared;
	uint8_t og_type;
	uint8_t url_last, url_digits; /* of the page's canonical address */
	struct buf scratch;
};

void page_meta_reset(struct page_meta *m);
void page_meta_free(struct page_meta *m);
/** Takes a <meta>. Returns 0 or DANA_ENOMEM. */
int page_meta_read_meta(struct page_meta *m, struct html_attr_reader *attrs);
/** Takes a <link>: with rel=canonical it has the page's address. */
void page_meta_read_link(struct page_meta *m, struct html_attr_reader *attrs);

#endif
