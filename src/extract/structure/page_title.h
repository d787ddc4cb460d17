/* SPDX-License-Identifier: MIT */
/*
 * The title of a page: the words of the h1 that is its title where there is one, else its <title> without the name of
 * the site. Of an h1 with elements of other matter it is what <title> has, too. A part of <title> that is a heading or
 * a line of the page is the title; where <title> has nothing but the site, it is the headline over the text.
 *
 * Example: of <title>Mill reopens - The Shore</title> and <h1>The mill reopens</h1> it is "The mill reopens", without
 * that h1, or with <h1>The Shore</h1> alone, "Mill reopens".
 */
#ifndef DANA_EXTRACT_STRUCTURE_PAGE_TITLE_H
#define DANA_EXTRACT_STRUCTURE_PAGE_TITLE_H

#include "base/buf.h"
#include "extract/structure/page_log.h"
#include "extract/structure/tag_facts.h"
#include "extract/text_writer.h"

/** Zeroed it is empty; its memory is used again for the next page. */
struct page_title {
	struct slice text;                /* a line of well-formed UTF-8; empty: the page has none */
	uint64_t from, to;                /* the h1's place in the page; 0, 0: it is no h1 */
	struct text_writer line;          /* texts of one element, one after the other */
	bool own;                         /* the h1 does not say it in one line: it has other matter, or boxes */
	struct slice url;                 /* of the page */
	struct buf texts;                 /* of og:title, all headings that may be the title, and the title */
	struct buf site, host;            /* letters of what names the site */
	struct buf declared;              /* letters of og:title */
	struct buf address;               /* ... of og:url */
	size_t declared_at, declared_len; /* og:title in `texts` */
	struct buf letters, wanted, source;
};

/**
 * Finds it. `title`: text of <title>; `url`: address of the page, may be empty; `begin`: where its text begins, without
 * headings. Linear in the page.
 */
int page_title_find(struct page_title *t, const struct page_log *log, struct tag_reader *tags, struct slice title,
		    struct slice url, uint64_t begin);
/** Returns whether the source text of a piece has the letters of the title. */
bool page_title_is(struct page_title *t, struct slice source);
/**
 * Returns whether it has the letters of the title with a short tail, such as a date or a count, or most of the title's
 * letters up to its end: the site's name may be before them.
 */
bool page_title_nearly(struct page_title *t, struct slice source);
void page_title_free(struct page_title *t);

#endif
