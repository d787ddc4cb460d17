/* SPDX-License-Identifier: MIT */
/* The style sheet of the report: light and dark, 400 to 1600 pixels, and nothing told by colour alone. */
#ifndef DANA_EXPLAIN_REPORT_STYLE_H
#define DANA_EXPLAIN_REPORT_STYLE_H

extern const char report_style[];

#endif
