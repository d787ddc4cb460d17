/* SPDX-License-Identifier: MIT */
/*
 * Writing HTML: what comes from a page goes through html_out_text or html_out_number, never into a format.
 *
 * The first failure latches, as in any struct buf: what is written after it is missing, and html_out_status tells it at
 * the end. Functions that draw therefore return nothing; those that need memory of their own tell a failure by
 * html_out_fail.
 */
#ifndef DANA_EXPLAIN_HTML_OUT_H
#define DANA_EXPLAIN_HTML_OUT_H

#include "base/buf.h"

struct html_out {
	struct buf buf;
};

/** 0, or DANA_ENOMEM: a part is missing. */
int html_out_status(const struct html_out *o);
/** Memory for something that should be drawn is exhausted. */
void html_out_fail(struct html_out *o);

/** Markup of ours. */
void html_out_raw(struct html_out *o, const char *markup);
/** Markup of ours with numbers in it. */
void html_out_format(struct html_out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Any bytes as text or as the value of a quoted attribute: always well-formed, never markup. */
void html_out_text(struct html_out *o, struct slice text);
/** A number as people read it: whole numbers whole, others with four digits that count. */
void html_out_number(struct html_out *o, double value);

#endif
