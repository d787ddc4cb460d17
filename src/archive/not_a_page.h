/* SPDX-License-Identifier: MIT */
/*
 * Recognises files that are given as HTML pages but are something else, by their first bytes. Pure functions, any
 * thread.
 */
#ifndef DANA_ARCHIVE_NOT_A_PAGE_H
#define DANA_ARCHIVE_NOT_A_PAGE_H

#include "base/slice.h"

/**
 * Returns what the file is, with the command that would be right: "a PDF, not an HTML page: pdftotext FILE makes text
 * of it"; NULL if it may be a page. Static memory. `first`: at least 512 bytes, or all of a shorter file; more let zstd
 * data be looked into.
 */
const char *not_a_page(struct slice first);
/**
 * Returns what characters are that are given as a page but are the address or the file name of one, by their form
 * alone; NULL if they may be a page. Static memory.
 */
const char *name_of_a_page(struct slice text);

#endif
