/* SPDX-License-Identifier: MIT */
/*
 * Two settings side by side: the texts that both make of a sample of pages, how often and by how much they differ, and
 * where. This is for those who have no reference texts; those who have some see which setting is nearer to them.
 *
 * The sample is chosen by a hash of the URL or name of each page, so it is the same in every run, and the same pages
 * are in it wherever the archive lies. Pages come from archives and from HTML files. Threads: one.
 *
 * Example: compare_run(&c, &config, &err), compare_table(&c, out), compare_free(&c).
 */
#ifndef DANA_LAB_COMPARE_H
#define DANA_LAB_COMPARE_H

#include "archive/plugin/plugins.h"
#include "archive/texts.h"
#include "base/buf.h"
#include "base/diagnostics.h"

struct compare_side {
	const char *shown;  /* what the reader of the report calls it: "learned:recall=60", "--rules rules.tsv" */
	const char *method; /* as for dana_new */
	struct texts texts; /* checked; without other methods */
	const struct plugin_rows *plugins;
};

struct compare_config {
	struct compare_side side[2];
	const char *const *inputs; /* archives, HTML files, FILE@OFFSET */
	size_t n_inputs;
	size_t sample;          /* pages at most, at least 1 */
	const char *url;        /* of the HTML files; NULL: not known */
	const char *charset;    /* of them; NULL: detected */
	bool references;        /* PAGE.txt beside PAGE.html is its main text */
	bool details;           /* keep the lines that differ, for compare_page */
	struct notices notices; /* about pages and plugins */
	struct notices lines;   /* whole lines about inputs */
	/* How far the inputs are read, at most once a second; without a function nobody wants to know. */
	struct notices progress;
};

/* Of a kind of page, or of all. Words are tokens as lab/measure.h has them. */
struct compare_sums {
	const char *kind; /* static memory */
	uint64_t pages, differ;
	uint64_t words[2], only[2];     /* of each side, and those that the other one has not */
	uint64_t empty[2];              /* pages without a text on this side alone */
	uint64_t references, nearer[2]; /* pages with a reference, and those on which this side has the higher F1 */
	double f1[2];                   /* sums */
};

struct compared_page;

enum { COMPARE_KINDS = 16 };

/** Zeroed, it is empty. */
struct comparison {
	struct compare_config config;
	uint64_t seen;               /* pages of the inputs */
	struct compared_page *pages; /* the sample, the largest differences first */
	size_t n_pages;
	struct compare_sums all, kinds[COMPARE_KINDS]; /* kinds: those with most pages first */
	size_t n_kinds;
};

/**
 * Reads the inputs, some of which may be damaged. Returns 0; DANA_EFORMAT without a text in `err` if some records are
 * damaged, or DANA_EIO if an input could not be read, which was reported: the rest is complete; or another negative
 * status with a text.
 */
int compare_run(struct comparison *c, const struct compare_config *config, struct error *err);
/** Each appends the result, as a table for people, as tab-separated rows, or as an object of JSON. */
int compare_table(const struct comparison *c, struct buf *out);
int compare_tsv(const struct comparison *c, struct buf *out);
int compare_json(const struct comparison *c, struct buf *out);
/** Appends a page of HTML that shows the differences, the largest first; `details` were asked for. */
int compare_page(const struct comparison *c, struct buf *out);
void compare_free(struct comparison *c);

#endif
