/* SPDX-License-Identifier: MIT */
/* One page for `dana extract`. All append to a buffer: 0 or DANA_ENOMEM. */
#ifndef DANA_SINK_TEXT_H
#define DANA_SINK_TEXT_H

#include "archive/stream/document.h"
#include "base/buf.h"

/**
 * Appends the text, a block a line, or the Markdown, with a final line feed if it is not empty. Returns 0 or
 * DANA_ENOMEM.
 */
int text_page(const struct document *doc, bool markdown, struct buf *out);
/**
 * Appends one JSON object and a line feed, with the file first if the document has one. The document needs no record.
 * Returns 0 or DANA_ENOMEM.
 */
int text_page_json(const struct document *doc, struct buf *out);
/** Appends the object of a page that gave no text: the same keys, then why. Returns 0 or DANA_ENOMEM. */
int text_failure_json(const char *file, const char *reason, struct buf *out);

/** What is handed through from a line of --jsonl to the line that is written for it. Empty slices: not there. */
struct text_line {
	struct slice url;
	struct slice metadata; /* a JSON object */
};

/**
 * Appends the object of a page that came as a line, and a line feed. `reason`: why it gave no text; NULL: it gave
 * `doc`. Returns 0 or DANA_ENOMEM.
 */
int text_line_json(const struct document *doc, const char *reason, const struct text_line *line, struct buf *out);

#endif
