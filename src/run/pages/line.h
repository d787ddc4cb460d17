/* SPDX-License-Identifier: MIT */
/* One line of `dana extract --jsonl`: a JSON object that holds a page, to a JSON object that holds its text. */
#ifndef DANA_RUN_PAGES_LINE_H
#define DANA_RUN_PAGES_LINE_H

#include "base/buf.h"
#include "base/status.h"
#include "run/pages/page.h"

struct extract_line;

/** One for each thread; `format` and `stop` of the config do not count. Returns 0, or as extract_page_new. */
int extract_line_new(struct extract_line **out, const struct extract_page_config *config, struct error *err);
/**
 * Appends exactly one line. Returns 0; DANA_EFORMAT: it holds no text but the reason; DANA_ECONFIG (a model of the
 * page's site) or DANA_ENOMEM with a text: nothing more can be done.
 */
int extract_line_read(struct extract_line *l, struct slice line, struct buf *out, struct error *err);
/** NULL allowed. */
void extract_line_free(struct extract_line *l);

#endif
