/* SPDX-License-Identifier: MIT */
/* The style sheet of the report: light and dark, for 400 to 1600 pixels; nothing is shown by colour alone. */
#ifndef DANA_EXPLAIN_REPORT_STYLE_H
#define DANA_EXPLAIN_REPORT_STYLE_H

extern const char report_style[];

#endif
