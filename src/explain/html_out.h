/*
 * Writing HTML: what comes from a page goes through html_out_text or html_out_number, never into a format. The first failure is
 * kept in `status`; later calls do nothing.
 */
#ifndef DANA_EXPLAIN_HTML_OUT_H
#define DANA_EXPLAIN_HTML_OUT_H

#include "base/buf.h"

struct html_out {
	struct buf buf;
	int status;
};

/** Markup of ours. */
void html_out_raw(struct html_out *o, const char *markup);
/** Markup of ours with numbers in it. */
void html_out_format(struct html_out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Any bytes as text or as the value of a quoted attribute: always well-formed, never markup. */
void html_out_text(struct html_out *o, struct slice text);
/** A number as people read it: whole numbers whole, others with four digits that count. */
void html_out_number(struct html_out *o, double value);

#endif
