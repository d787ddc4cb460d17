/* SPDX-License-Identifier: MIT */
/*
 * Writes HTML: anything from a page goes through html_out_text or html_out_number, never into a format.
 *
 * The first failure latches, as in any struct buf: later output is missing, and html_out_status returns the failure at
 * the end. So functions that draw return nothing; those that need memory of their own report a failure by
 * html_out_fail.
 */
#ifndef DANA_EXPLAIN_HTML_OUT_H
#define DANA_EXPLAIN_HTML_OUT_H

#include "base/buf.h"

struct html_out {
	struct buf buf;
};

/** Returns 0, or DANA_ENOMEM if a part is missing. */
int html_out_status(const struct html_out *o);
/** Records that memory for a part was exhausted. */
void html_out_fail(struct html_out *o);

/** Appends dana's own markup. */
void html_out_raw(struct html_out *o, const char *markup);
/** Appends dana's own markup with numbers in it. */
void html_out_format(struct html_out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Appends any bytes as text or as the value of a quoted attribute: always well-formed, never markup. */
void html_out_text(struct html_out *o, struct slice text);
/** Appends a number for people: whole numbers completely, others with four significant digits. */
void html_out_number(struct html_out *o, double value);

#endif
