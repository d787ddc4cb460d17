/* SPDX-License-Identifier: MIT */
/*
 * An overview of many pages: the share of their visible text that a method keeps, by host, by type and charset, and the
 * pages with most and least kept. Bounded in memory: beyond OVERVIEW_PAGES pages, a random sample of that many is kept,
 * drawn with a fixed seed, so that the same pages give the same overview.
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

/** Zeroed, it is empty. */
struct overview {
	struct overview_page *pages;
	size_t n, cap;
	uint64_t seen, random;
};

/** A page whose pictures are shown. */
struct overview_strip {
	const struct overview_page *page; /* of the overview, after sorting */
	bool most;                        /* one of the pages with most kept, otherwise with least */
	struct html_out picture;          /* of report_strip */
};

/**
 * Takes the next page of the archive. Returns where its numbers go, or NULL if it is not in the sample. *status: 0 or
 * DANA_ENOMEM.
 */
struct overview_page *overview_next(struct overview *o, int *status);
/** Sets the names of a page, cut between characters if they do not fit. */
void overview_name(struct overview_page *page, struct slice url, struct slice content_type, const char *charset);
/**
 * Chooses up to 2 * OVERVIEW_SHOWN pages, those with most kept first. Returns their number. No page may be added after
 * it.
 */
size_t overview_choose(struct overview *o, struct overview_strip *strips);
/** Appends the whole file. Returns 0 or DANA_ENOMEM. */
int overview_write(struct html_out *out, struct overview *o, const char *file, const char *method,
		   const struct overview_strip *strips, size_t n);
void overview_free(struct overview *o);

#endif
