/* SPDX-License-Identifier: MIT */
/* One page for `dana extract`. All append to a buffer: 0 or DANA_ENOMEM. */
#ifndef DANA_SINK_TEXT_H
#define DANA_SINK_TEXT_H

#include "archive/stream/document.h"
#include "base/buf.h"

/** The text, a block a line; a final line feed when it is not empty. */
int text_page(const struct document *doc, struct buf *out);
/** One JSON object and a line feed, with the file first where the document has one. The document needs no record. */
int text_page_json(const struct document *doc, struct buf *out);
/** The object of a page of which there is no text: the same keys, then why. */
int text_failure_json(const char *file, const char *reason, struct buf *out);

/** What is handed through from a line of --jsonl to the line that is written for it. Empty slices: not there. */
struct text_line {
	struct slice url;
	struct slice metadata; /* a JSON object */
};

/** The object of a page that came as a line, and a line feed. `reason`: why there is no text; NULL: there is `doc`. */
int text_line_json(const struct document *doc, const char *reason, const struct text_line *line, struct buf *out);

#endif
