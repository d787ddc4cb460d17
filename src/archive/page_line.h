/* SPDX-License-Identifier: MIT */
/*
 * A page in JSON: an object with `html` (characters) or `html_base64` (bytes), and perhaps `url` and `charset`.
 * page_line_text makes a line with the page's text of a line with such an object; the service also reads whole bodies.
 * Threads: one page at a time for each object.
 */
#ifndef DANA_ARCHIVE_PAGE_LINE_H
#define DANA_ARCHIVE_PAGE_LINE_H

#include "archive/single_page.h"
#include "base/buf.h"
#include "base/json.h"

struct page_line_reader;

/** A page as its object describes it; borrows the object's text and the reader, until the next page. */
struct page_in_json {
	struct slice html;
	bool repaired; /* U+FFFD was put in */
	struct slice url;
	struct single_page_source source;
};

/** Takes a member that does not describe the page; returns 0, or an error with its text in `err`. */
typedef int page_line_other(void *arg, struct slice name, struct json_value value, struct error *err);

/** `rules`: of the JSON, borrowed. Returns NULL if memory is exhausted. */
struct page_line_reader *page_line_new(const struct json_rules *rules);
void page_line_free(struct page_line_reader *l);
/** Reads an object. `other` gets its other members. Returns 0, DANA_EFORMAT with a text, what `other` returned, or
 * DANA_ENOMEM. */
int page_line_read(struct page_line_reader *l, struct slice json, page_line_other *other, void *arg,
		   struct page_in_json *page, struct error *err);
/**
 * Appends exactly one line for a line; members that do not describe the page are handed through as `metadata`. `usual`:
 * the charset of html_base64 and the URL where the line names none. Returns 0; DANA_EFORMAT: it holds no text but the
 * reason; DANA_ECONFIG (a model of the page's site) or DANA_ENOMEM: nothing was appended.
 */
int page_line_text(struct page_line_reader *l, struct single_page *page, const struct single_page_source *usual,
		   struct slice line, struct buf *out);
/** Appends the line of a line that could not be looked at. */
int page_line_failure(const char *reason, struct buf *out);

#endif
