/* SPDX-License-Identifier: MIT */
/*
 * The report of a run: one HTML file that loads nothing and has no script. It is made of a line of --stats alone, so
 * that one run and the sum of its parts have the same page, byte for byte.
 */
#ifndef DANA_ARCHIVE_REPORT_PAGE_H
#define DANA_ARCHIVE_REPORT_PAGE_H

#include "base/buf.h"
#include "base/status.h"

/**
 * Appends the page. `line`: what stats_json has written, with a survey. `times`: a JSON array of
 * [seconds, CPU seconds, bytes of memory, bytes read, documents] in the order of time, or empty: the page is not of one
 * run. Returns 0, DANA_ENOMEM, or DANA_EFORMAT with a text in `err`: the line is not of --stats, or has no survey.
 */
int report_page(struct slice line, struct slice times, struct buf *out, struct error *err);

/** Made by the build from the files of these names. */
extern const uint8_t report_html[], report_css[];
extern const size_t report_html_len, report_css_len;

#endif
