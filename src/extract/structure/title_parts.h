/* SPDX-License-Identifier: MIT */
/*
 * What the files of a page's title share: title_text.c for texts of titles and the name of the site, title_lines.c for
 * lines of the page that are its title, page_title.c for its headings and the choice. Functions that read letters use
 * `letters` of the title, some `wanted` or `source`, too.
 */
#ifndef DANA_EXTRACT_STRUCTURE_TITLE_PARTS_H
#define DANA_EXTRACT_STRUCTURE_TITLE_PARTS_H

#include "extract/structure/page_title.h"

/* title_text.c */

/**
 * Appends the letters of a text. Texts are compared by their letters and digits alone, without case: an h1 and a title
 * often differ in quotation marks, dashes and blanks.
 */
int title_letters(struct buf *to, struct slice text);
static inline bool title_holds(struct slice text, struct slice part)
{
	return part.len && part.len <= text.len && memmem(text.data, text.len, part.data, part.len);
}

static inline bool title_same(struct slice a, struct slice b)
{
	return a.len && slice_equal(a, b);
}

/** Returns whether a word of a text is in the letters of another; where blanks part no words, two characters of it. */
bool title_shares_word(struct page_title *t, struct slice text, struct slice letters);
/** Returns the number of words that blanks part. */
size_t title_words(struct slice text);
/** Makes a line of source text: t->line. */
int title_make_line(struct page_title *t, struct slice source);
/** Returns whether these letters are the site's name, its host, or both. */
bool title_names_site(const struct page_title *t, struct slice letters);
/** Returns whether a text has such letters. */
bool title_is_site(struct page_title *t, struct slice text);
/** Returns the path of an address and its query, without its host, and whether the host is another. */
struct slice title_path(const struct page_title *t, struct slice address, bool *foreign);

/** Returns whether a mark is at a place of a title, and parts it. */
bool title_parts_at(struct slice title, size_t at, const char *text);
/** Returns the mark there that parts a title from the name of the site, or NULL. */
const char *title_separator_at(struct slice title, size_t at);
/** Returns a text without the marks at its beginning that part it from what was before it. */
struct slice title_after_marks(struct slice text);
/** Returns whether the last part of a title is the name of the site, or it is written as one: after a bar. */
bool title_ends_with_site(struct page_title *t, struct slice title);
/** Returns whether og:title is the whole of <title>. */
bool title_declares_whole(struct page_title *t, struct slice title);
/** Cuts the site's name off: first parts, if they are the name that the page gives, else last parts that are short. */
int title_cut_site(struct page_title *t, struct slice *title);
/** Cuts what og:title does not have off, if it has a part of the title from its beginning, which is most of og:title.
 */
void title_cut_declared(struct page_title *t, struct slice *title);

/* page_title.c */

/** A heading of the page, in their order. */
struct title_heading {
	size_t text, len; /* in `texts` */
	uint64_t from, to;
	size_t entry;
	struct slice link; /* address of its first link */
	bool main;         /* it is an h1 */
	bool linked;       /* that link is all of it */
	bool above;        /* ... leads to a folder above the page, or above what a heading below it links to */
	bool spaced;       /* it has a blank between elements that the page glues */
	bool boxed;        /* it has words on both sides of the edge of a box, such as a <div> */
};

/** Returns its text, until `texts` grows. */
static inline struct slice title_heading_text(const struct page_title *t, const struct title_heading *h)
{
	return slice_of(t->texts.data + h->text, h->len);
}

/* title_lines.c */

/**
 * Of a title that is no h1: takes the line of the page that is the first or the last part of <title>. `bare`: the title
 * without what was cut off as the name of the site, which is taken back only where the rest is no line.
 *
 * Examples: of "Old trees in the park - Walks" "Old trees in the park", if the page has that in a <div> of its own; of
 * "Shore Daily | Walks | Old trees in the park" what the page has in a <font> before the text.
 */
int title_take_line(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
		    struct slice title, struct slice bare, uint64_t begin, bool *found);
/**
 * Returns whether the page has a line that is a part of <title> of some words, or all but the name of the site, and an
 * h1 that ends at a place is not right over the text.
 */
bool title_has_line(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
		    struct slice title, struct slice bare, uint64_t h1, uint64_t begin);
/**
 * Of a page whose title so far says nothing but the site: takes the heading right over the text, or a line there that
 * is marked as a headline; else one after its first short lines.
 *
 * Examples: "Old trees" of <title>Shore</title><td class="headline">Old trees</td> and of <font size="+2">Old trees
 * </font>, if the text follows.
 */
int title_take_headline(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
			uint64_t begin);

#endif
