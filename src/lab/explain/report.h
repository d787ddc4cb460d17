/* SPDX-License-Identifier: MIT */
/*
 * The report of `dana explain`: one HTML file with its style inside, no script, no network. For each method it has the
 * numbers of the page, the plots, the page's text with kept and dropped blocks side by side, what is kept as Markdown,
 * a table of regions and one of decisions. With two methods, each line that only one has kept is marked. Plots and text
 * link to each other. All bytes of the page are escaped, and a policy in the file forbids the browser to load anything.
 */
#ifndef DANA_EXPLAIN_REPORT_H
#define DANA_EXPLAIN_REPORT_H

#include "lab/explain/decisions.h"
#include "lab/explain/html_out.h"
#include "lab/explain/line_pages.h"

/** The page, and what is common to all methods. */
struct report_page {
	const char *file;               /* as given */
	const char *charset;            /* NULL if unknown */
	struct slice title;             /* of the page; may be empty */
	struct slice html;              /* UTF-8 */
	struct slice visible;           /* text of method `plain` */
	const char *version;            /* of this program */
	const struct line_pages *lines; /* for marks at lines; may be NULL */
};

struct report_method {
	const char *spec; /* as given, with keys */
	const char *made; /* the method that made the text (auto) */
	const struct recording *recording;
	struct slice text; /* what it kept */
	bool no_region, truncated;
	size_t n_media;
	struct slice markdown; /* what it kept, with its structure; may be empty */
};

/** Appends the whole file. Returns 0 or DANA_ENOMEM. */
int report_write(struct html_out *o, const struct report_page *page, const struct report_method *methods, size_t n);
/** Appends only the pictures of one method, without links. `id` makes its ids unique. Returns 0 or DANA_ENOMEM. */
int report_strip(struct html_out *o, const struct report_method *m, struct slice visible, unsigned id);

/**
 * Appends the strip of one method as self-contained SVG. Returns 0, DANA_ENOMEM, or DANA_ECONFIG if the method gives no
 * probabilities.
 */
int report_picture(struct html_out *o, const struct report_page *page, const struct report_method *m);

#endif
