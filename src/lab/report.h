/* SPDX-License-Identifier: MIT */
/*
 * One method over one page: what it reported to its trace (extract/method.h), and what became of each block of
 * the page. Example: recording_make, recording_decide, then r.blocks; recording_free in every case.
 */
#ifndef DANA_LAB_REPORT_H
#define DANA_LAB_REPORT_H

#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/json.h"
#include "base/status.h"
#include "dana/dana.h"
#include "extract/method.h"

/** A part of recording.texts, which moves while it grows. */
struct text_span {
	size_t from, to;
};

struct recorded_segment {
	double content, code, smoothed; /* `smoothed`: NAN if it was not reported */
	struct text_span source;
};

struct region {
	uint64_t first, last; /* segments, both inclusive */
	double weight;
	uint64_t chain;
	bool chosen; /* its chain was chosen for the text */
};

/** A block as the method reported it, the segments of a region or between two, or a line of the page. */
struct block_record {
	bool kept, has_segments, has_score, has_chances;
	uint64_t first, last; /* segments, both inclusive */
	double score;         /* weight of a region, or score of a block */
	uint32_t words;
	double chance[2];      /* after both stages */
	struct text_span text; /* as a reader sees it */
	struct text_span numbers, reason;
	struct text_span reasons; /* why it has its chances, as JSON: [stage,"words",log odds], */
	struct text_span out;     /* its part of the method's text: whole lines, without the last line end */
};

struct page_number {
	const char *name; /* static memory of the method */
	double value;
};

/** Zeroed, it is empty. It must not move once it is filled. */
struct recording {
	int status; /* DANA_ENOMEM if something is missing */
	struct trace trace;
	struct dana_extractor *extractor;
	struct dana_text text; /* of the extractor */
	struct buf texts;
	struct recorded_segment *segments;
	struct region *regions;
	struct block_record *blocks;
	struct page_number *numbers;
	size_t n_segments, n_regions, n_blocks, n_numbers, cap_segments, cap_regions, cap_blocks, cap_numbers;
};

/**
 * Runs the method of `options` over a page; for `auto` the one that it chooses. `url` may be empty. Returns status
 * codes of dana.h.
 */
int recording_make(struct recording *r, const struct dana_options *options, const struct site_source *site,
		   struct slice html, struct slice url);
/** Sets up r->trace for a recording without a run. */
struct trace *recording_trace(struct recording *r);
/** Returns a method's terms for its segments and regions. */
const struct method_words *recording_words(const struct recording *r);
/**
 * Makes r->blocks the blocks of the whole page, in its order: from segments, grouped by region, if the method has
 * regions; otherwise from what it reported as blocks; otherwise from the lines of `visible`, all visible text of the
 * page. Without regions a block counts as kept only if at least half of its tokens are in the text. Each line of the
 * text belongs to one kept block, in order: their parts, joined by line ends, are the text.
 */
int recording_decide(struct recording *r, struct slice visible);
void recording_free(struct recording *r);
double recording_number(const struct recording *r, const char *name, double other);

static inline struct slice recording_span(const struct recording *r, struct text_span s)
{
	return slice_of(r->texts.data + s.from, s.to - s.from);
}

/** A line or a block of one of two texts that are compared by their tokens. */
struct compared_part {
	struct slice text;
	size_t tokens, common; /* its tokens, and how many of these both texts have */
	size_t other;          /* part of the other text with the first of them; PART_NONE */
};

#define PART_NONE SIZE_MAX

/** Returns the lines of a text, to be freed, or NULL when memory is exhausted. */
struct compared_part *parts_of_lines(struct slice text, size_t *n);
/**
 * Compares two texts by a longest common subsequence of their tokens, whose time grows with the product of both
 * lengths. If they are too long for it, a token is common as often as both texts have it, wherever it is, and `other`
 * is PART_NONE. Example: of "a b a" and "a c", one "a" is common either way; of "a b" and "b a" the subsequence has
 * one token, counting has two.
 */
int parts_compare(struct compared_part *a, size_t n_a, struct compared_part *b, size_t n_b);
/** Removes the first line from `text` and returns it without its line end. */
struct slice parts_next_line(struct slice *text);

/*
 * The reports of `dana explain`: one HTML file without network access. What is known is in it twice: as JSON, which the
 * viewer (viewer.html, viewer.css, viewer.js) draws, and as a plain table for readers without JavaScript. Nothing of a
 * page becomes markup, and a policy in the file allows no style and no script but the viewer's own, by their digests.
 */

/** On how many pages of its site a line occurs. */
struct line_pages;

/**
 * Opens `path`, a table of `dana dedup learn`. The site is taken from `url`; if that is empty, the site in the table
 * with most lines of `text`, the visible text of the page. Returns NULL with DANA_EIO, DANA_EFORMAT or DANA_ENOMEM in
 * `err`, or DANA_ECONFIG if this program was built without support for tables.
 */
struct line_pages *line_pages_open(const char *path, struct slice url, struct slice text, struct error *err);
/** Returns the number of pages with a line of text, 0 if few or unknown; of an empty line: of all pages of the site. */
uint64_t line_pages_count(const struct line_pages *lines, struct slice line);
void line_pages_close(struct line_pages *lines);

struct page_places;

/** The page, and what is common to all methods. */
struct report_page {
	const char *file;                 /* as given */
	struct slice url;                 /* empty if unknown */
	const char *charset;              /* NULL if unknown */
	bool is_first;                    /* of several records at the place that `file` names */
	struct slice title;               /* of the page; may be empty */
	struct slice html;                /* UTF-8 */
	struct slice visible;             /* text of method `plain` */
	const struct line_pages *lines;   /* for marks at lines; may be NULL */
	const struct page_places *places; /* of its text */
};

struct report_method {
	const char *spec; /* as given, with keys */
	struct recording recording;
	struct slice markdown; /* what it kept, with the rules if it has some, with its structure; may be empty */
	bool has_rules;        /* `ruled` is what it keeps where rules of the site leave out parts of the page */
	struct slice ruled;
};

/** The pages of a report. Zeroed, it is empty. */
struct report {
	struct buf data, plain; /* for the viewer, and for readers without JavaScript */
	struct buf title;       /* the name of the first page */
	size_t pages;
};

/** Adds a page, with up to two methods. Returns 0 or DANA_ENOMEM. */
int report_add(struct report *r, const struct report_page *page, struct report_method *methods, size_t n);
/** Appends the file. */
int report_write(struct buf *out, const struct report *r);
void report_free(struct report *r);
/**
 * Appends the blocks of the page as a self-contained SVG picture, a bar each. Returns 0, DANA_ENOMEM, or DANA_ECONFIG
 * if the method gives no probabilities.
 */
int report_picture(struct buf *out, const struct report_page *page, struct report_method *m);
/** Appends members with what is known of one method, without any text of the page. */
int report_put_method(struct json_writer *w, struct report_method *m, struct slice visible);
/** A file of HTML. */
struct viewer_file {
	const char *command;             /* that makes it: "explain" */
	const char *heading;             /* before the title: "What was kept of" */
	struct slice title, plain, data; /* `plain`: HTML for readers without JavaScript; `data`: JSON for the viewer */
};

/** Appends it. */
void report_put_file(struct buf *out, const struct viewer_file *file);
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
