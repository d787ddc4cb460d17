/* SPDX-License-Identifier: MIT */
/*
 * An overview of many pages: what share of their visible text a method keeps, by host, by type and charset, and the
 * pages with most and least kept. Bounded in memory: of more than OVERVIEW_PAGES pages a random sample of that many is
 * held, drawn with a fixed seed, so that the same pages give the same overview.
 */
#ifndef DANA_EXPLAIN_OVERVIEW_H
#define DANA_EXPLAIN_OVERVIEW_H

#include "lab/explain/html_out.h"

enum { OVERVIEW_PAGES = 10000, OVERVIEW_SHOWN = 10, OVERVIEW_URL = 240 };

struct overview_page {
	uint64_t number;        /* from 0, of all pages of the archive */
	uint64_t visible, kept; /* characters */
	char url[OVERVIEW_URL], host[100], type[64], charset[40];
};

/** Zeroed = empty. */
struct overview {
	struct overview_page *pages;
	size_t n, cap;
	uint64_t seen, random;
};

/** A page whose pictures are shown. */
struct overview_strip {
	const struct overview_page *page; /* of the overview, once this is sorted */
	bool most;                        /* one with most kept; else one with least */
	struct html_out picture;          /* of report_strip */
};

/**
 * The next page of the archive: where its numbers go, or NULL when it is not in the sample. *status: 0 or DANA_ENOMEM.
 */
struct overview_page *overview_next(struct overview *o, int *status);
/** Names of a page: cut to their room, between characters. */
void overview_name(struct overview_page *page, struct slice url, struct slice content_type, const char *charset);
/** Chooses up to 2 * OVERVIEW_SHOWN pages, most kept ones first; how many. No page may be added after it. */
size_t overview_choose(struct overview *o, struct overview_strip *strips);
/** Appends the whole file. 0 or DANA_ENOMEM. */
int overview_write(struct html_out *out, struct overview *o, const char *file, const char *method,
		   const struct overview_strip *strips, size_t n);
void overview_free(struct overview *o);

#endif
