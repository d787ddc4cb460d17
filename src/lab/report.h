/* SPDX-License-Identifier: MIT */
/*
 * The reports of `dana explain`: one HTML file without network access. What is known is in it twice: as JSON, which the
 * viewer (viewer.html, viewer.css, viewer.js) draws, and as a plain table for readers without JavaScript. Nothing of a
 * page becomes markup, and a policy in the file allows no style and no script but the viewer's own, by their digests.
 */
#ifndef DANA_LAB_REPORT_H
#define DANA_LAB_REPORT_H

#include "base/diagnostics.h"
#include "base/json.h"
#include "base/status.h"
#include "lab/recording.h"

/** On how many pages of its site a line occurs. */
struct line_pages;

/**
 * Opens `path`, a table of `dana dedup learn`. The site is that of `url`; if that is empty, the site in the table with
 * most lines of `text`, the visible text of the page. Returns NULL with DANA_EIO, DANA_EFORMAT or DANA_ENOMEM in `err`,
 * or DANA_ECONFIG if this program was built without support for tables.
 */
struct line_pages *line_pages_open(const char *path, struct slice url, struct slice text, struct error *err);
/** Returns the number of pages with a line of text, 0 if few or unknown; of an empty line: of all pages of the site. */
uint64_t line_pages_count(const struct line_pages *lines, struct slice line);
/** `lines` may be NULL. */
void line_pages_close(struct line_pages *lines);

/** The page, and what is common to all methods. */
struct report_page {
	const char *file;               /* as given */
	const char *charset;            /* NULL if unknown */
	struct slice title;             /* of the page; may be empty */
	struct slice html;              /* UTF-8 */
	struct slice visible;           /* text of method `plain` */
	const struct line_pages *lines; /* for marks at lines; may be NULL */
};

struct report_method {
	const char *spec; /* as given, with keys */
	struct recording recording;
	struct slice markdown; /* what it kept, with its structure; may be empty */
};

/** Appends the report of one page, with up to two methods. Returns 0 or DANA_ENOMEM. */
int report_write(struct buf *out, const struct report_page *page, struct report_method *methods, size_t n);
/**
 * Appends the blocks of the page as a self-contained SVG picture, a bar each. Returns 0, DANA_ENOMEM, or DANA_ECONFIG
 * if the method gives no probabilities.
 */
int report_picture(struct buf *out, const struct report_page *page, struct report_method *m);

/** Appends members with what is known of one method, without any text of the page. Returns 0 or DANA_ENOMEM. */
int report_put_method(struct json_writer *w, struct report_method *m, struct slice visible);
/** Appends a file: `plain` is HTML for readers without JavaScript, `data` is JSON for the viewer. */
void report_put_file(struct buf *out, struct slice title, struct slice plain, struct slice data);
/** Appends any bytes as text of HTML or as the value of a quoted attribute: always well-formed, never markup. */
void report_put_text(struct buf *out, struct slice text);

/**
 * Appends an overview of an archive. It is read twice: once for the shares, once for the pictures of the pages with
 * most and least kept. Returns 0; DANA_EFORMAT without a text in `err` if the report is complete but some records are
 * damaged; or another negative status. Problems of the archive go to `lines`, as whole lines.
 */
int overview_write(struct buf *out, const char *file, const char *method, struct notices lines, struct error *err);

/** Made by the build from the files of these names. */
extern const uint8_t viewer_html[], viewer_css[], viewer_js[], picture_svg[];
extern const size_t viewer_html_len, viewer_css_len, viewer_js_len, picture_svg_len;

#endif
