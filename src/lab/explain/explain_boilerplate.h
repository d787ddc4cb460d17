/* SPDX-License-Identifier: MIT */
/*
 * `dana explain --boilerplate`: on how many pages of its site each line of the page occurs, by a table of `dana dedup
 * learn`.
 */
#ifndef DANA_LAB_EXPLAIN_EXPLAIN_BOILERPLATE_H
#define DANA_LAB_EXPLAIN_EXPLAIN_BOILERPLATE_H

#include "base/status.h"
#include "lab/explain/line_pages.h"

struct explain_boilerplate;

/**
 * Opens the table `path`. The site is that of `url`; if that is empty, the site in the table with most lines of `text`,
 * the visible text of the page. *lines is valid until the table is closed. Returns NULL with DANA_EIO, DANA_EFORMAT or
 * DANA_ENOMEM in `err`, or DANA_ECONFIG if this program was built without support for tables.
 */
struct explain_boilerplate *explain_boilerplate_open(const char *path, struct slice url, struct slice text,
						     struct line_pages *lines, struct error *err);
/** `b` may be NULL. */
void explain_boilerplate_close(struct explain_boilerplate *b);

#endif
