/* SPDX-License-Identifier: MIT */
/*
 * Parts of a page that are found by what they are, without selectors of its site: readers' comments by the words of
 * class and id and by the types of schema.org, data tables by their cells. What a part is, and whether the page is left
 * without it, is certain at the page's end, so the page is held until then.
 *
 * Example: of <p>text</p><div id=comments><p>I agree</p><form>...</form></div> PARTS_TEXT is <p>text</p>, and
 * PARTS_COMMENTS is <div id=comments><p>I agree</p></div>.
 */
#ifndef DANA_EXTRACT_FOUND_PARTS_H
#define DANA_EXTRACT_FOUND_PARTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "extract/html/elements.h"

struct found_parts;

/** Which parts are read of the page that is held. */
enum parts_read { PARTS_TEXT, PARTS_COMMENTS };

/** Finds comments, tables, or both. Returns NULL without memory. */
struct found_parts *found_parts_new(bool comments, bool tables);
void found_parts_begin(struct found_parts *f);
/**
 * The element of a start tag, after what it has ended, is open with number `depth`; 0: it has no content. Returns 0 or
 * DANA_ENOMEM.
 */
int found_parts_start(struct found_parts *f, const struct html_tag_event *event, size_t depth);
/** All elements above number `depth` have ended. */
void found_parts_end(struct found_parts *f, size_t depth);
/** A tag ends a block of text. */
void found_parts_split(struct found_parts *f);
/** A text of the page that a reader sees. */
void found_parts_text(struct found_parts *f, struct slice text);
/** Holds bytes of the part that is open, which begin at `place` of the page. Returns 0 or DANA_ENOMEM. */
int found_parts_put(struct found_parts *f, struct slice bytes, uint64_t place);
/** The page has ended: decides what is left out. */
void found_parts_finish(struct found_parts *f);
/**
 * After the end: gives the next bytes that are read, and their place in the page; *at is 0 before the first ones.
 * Returns false after the last ones. The bytes live until the next page.
 */
bool found_parts_next(const struct found_parts *f, enum parts_read which, size_t *at, struct slice *bytes,
		      uint64_t *place);
void found_parts_free(struct found_parts *f);

#endif
