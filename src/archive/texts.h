/* SPDX-License-Identifier: MIT */
/* Which texts are made of a page, and of which parts of it. */
#ifndef DANA_ARCHIVE_TEXTS_H
#define DANA_ARCHIVE_TEXTS_H

#include "archive/document.h"
#include "base/status.h"
#include "extract/extractor.h"
#include "extract/structure/head.h"

struct dana_extractor;
struct json_reader;

/** Zeroed: the plain text alone. */
struct texts {
	struct page_options page;  /* checked; of other methods' texts comments are apart, too */
	const char *const *others; /* methods besides the first, as for dana_new: their plain texts */
	size_t n_others;
	const struct site_sources *sites; /* of other pages of a page's site; NULL: nothing is known of them */
	bool teaches;                     /* `sites` are sources that learn, and borrowed */
};

/** Returns how a page of this media type is read. */
enum page_form texts_form(struct slice media_type);
/** Returns which fields documents have because of them: a set of 1 << enum field_condition. */
unsigned texts_fields(const struct texts *texts);
/** Sets the document's Markdown and comments, after dana_finish with these flags of the result. */
void texts_fill(const struct texts *texts, const struct dana_extractor *x, unsigned flags, struct document *doc);
/** Zeroed it is empty; its memory is used again for the next page. */
struct text_head {
	struct json_reader *reader;
	struct buf json, value[HEAD_FACTS_COUNT];
};

/**
 * After plugins, unless they drop the page: gives the head of the Markdown what they have found, and makes the Markdown
 * the document's text, where that is asked for and no plugin has changed the text.
 */
int texts_end(const struct texts *texts, struct text_head *head, struct dana_extractor *x, struct document *doc);
void text_head_free(struct text_head *head);

/*
 * The plain texts of a page by the methods besides the first: an extractor for each is fed the same bytes of the page
 * as the first's. Example: `-m learned -m danag` reads and decodes each page once, and danag's text is here. A method
 * that needs more work than the page's size allows gives no text of it; the others continue.
 * Threads: as an extractor. Ownership: borrows nothing after the call.
 */

struct dana_options;
struct other_texts;

/**
 * Makes the extractors of texts->others, with the limits and files of `first`, the options of the first one. *out is
 * NULL if there are no others. Returns 0; DANA_ECONFIG: a method is unknown, refuses a key, or is given twice, also as
 * the first; DANA_ENOMEM. `err` says which; it may be NULL.
 */
int other_texts_new(struct other_texts **out, const struct texts *texts, const struct dana_options *first,
		    struct error *err);
/** As dana_site_source, for all of them. */
void other_texts_site_source(struct other_texts *o, const struct site_source *source);
/** Returns the names of the texts, *n of them, in their order; they live as long as `o`. */
const char *const *other_texts_methods(const struct other_texts *o, size_t *n);
/** The next page, from this address; empty: not known. Returns 0; DANA_ECONFIG (a model of its site), DANA_ENOMEM. */
int other_texts_begin(struct other_texts *o, struct slice url);
/** As dana_page_form. */
void other_texts_form(struct other_texts *o, enum page_form form);
/** Takes bytes of the page, in UTF-8, in any split. */
int other_texts_feed(struct other_texts *o, struct slice bytes);
/**
 * Ends the page, and gives the texts to the document, valid until the next page: with the problem texts_missing where
 * a method gives none, truncated_text where one has reached its limit.
 */
int other_texts_finish(struct other_texts *o, struct document *doc);
void other_texts_free(struct other_texts *o);

#endif
