/* SPDX-License-Identifier: MIT */
/* `dana explain --boilerplate`: on how many pages of its site a line of the page stands, by a table of `dana dedup learn`. */
#ifndef DANA_LAB_EXPLAIN_EXPLAIN_BOILERPLATE_H
#define DANA_LAB_EXPLAIN_EXPLAIN_BOILERPLATE_H

#include "base/status.h"
#include "lab/explain/line_pages.h"

struct explain_boilerplate;

/**
 * Opens the table `path`. The site is that of `url`; where that is empty, the one of the table that has most lines of `text`, the
 * visible text of the page. *lines is valid until it is closed. NULL with `err`: DANA_EIO, DANA_EFORMAT, DANA_ENOMEM, or
 * DANA_ECONFIG in a program that was built without what reads tables.
 */
struct explain_boilerplate *explain_boilerplate_open(const char *path, struct slice url, struct slice text,
						     struct line_pages *lines, struct error *err);
/** NULL allowed. */
void explain_boilerplate_close(struct explain_boilerplate *b);

#endif
