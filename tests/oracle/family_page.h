/* SPDX-License-Identifier: MIT */
/*
 * A page cut into texts, tags and comments by plain code that has all of it in memory: the oracle of the tokeniser.
 * It shares nothing with the streaming code but the table of element names.
 */
#ifndef DANA_TESTS_FAMILY_PAGE_H
#define DANA_TESTS_FAMILY_PAGE_H

#include "base/buf.h"
#include "extract/html/tag.h"
#include "extract/html/white_space.h"

enum family_kind { FAMILY_TEXT, FAMILY_CODE, FAMILY_VOID };

struct family_item {
	enum family_kind kind;
	struct slice bytes;
	bool skipped;      /* in or of noscript, svg and the like */
	enum html_tag tag; /* of the tag; of a raw element's text: that element */
	bool is_tag;       /* finished: a tag event belongs to it */
	bool closing, self_closing;
	struct slice name;
	uint8_t space;      /* enum white_space of the text, or after the tag */
	enum html_tag skip; /* of the tag: whose content is skipped after it */
};

struct family_page {
	struct family_item *items;
	size_t count;
	bool title_seen;
	struct slice title;
};

void family_page_split(struct family_page *page, struct slice html);
void family_page_free(struct family_page *page);

#endif
