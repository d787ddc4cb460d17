/* SPDX-License-Identifier: MIT */
/* What the files of this plugin share: its settings, and its three ways to work. */
#ifndef DANA_PLUGINS_BOILERPLATE_BOILERPLATE_H
#define DANA_PLUGINS_BOILERPLATE_BOILERPLATE_H

#include "dedup/line_table.h"
#include "dedup/sketch.h"
#include "dedup/store/journal.h"
#include "plugins/dedup_common/lines.h"

enum boilerplate_counter { BOILER_LINES, BOILER_CHARS, BOILER_CHANGED, BOILER_SPARED, BOILER_UNKNOWN, BOILER_COUNTERS };

/** A line is boilerplate if it occurs on at least so many pages of its site, and on at least this share of them. */
struct boilerplate_rule {
	uint64_t min_pages; /* 0: depends on the method's probability for the line */
	double share;
	size_t min_chars;
	double min_left; /* share of a page's characters; negative: depends on the method */
};

/** Returns the number of pages that makes a line boilerplate if the method gives no probability for it. */
uint64_t boilerplate_usual_pages(const struct boilerplate_rule *r);
/** Sets the mark of each line to the number of pages that make it boilerplate. */
void boilerplate_mark_needed(const struct boilerplate_rule *r, const struct dana_host *host,
			     const struct dana_page *page, struct lines *l);
/** Returns the least share of the page's characters that must be left. */
double boilerplate_least_left(const struct boilerplate_rule *r, const struct dana_host *host,
			      const struct dana_page *page);

static inline bool boilerplate_is(const struct boilerplate_rule *r, uint64_t needed, uint64_t count, uint64_t pages)
{
	return count >= needed && (double)count >= r->share * (double)pages;
}

/** State of the run. Only the instance changes what it counts. */
struct boilerplate {
	const struct dana_context *context;
	struct boilerplate_rule rule;
	bool keep_first, annotate;
	size_t memory;
	struct pool makers;

	struct line_table table;      /* table= */
	struct line_counter *counter; /* learn= */
	struct sketch sketch;         /* streaming=1 */
	struct hash_map sites;        /* streaming=1: pages of each */
	double most_error;

	struct hash_map kept;    /* keep=first: lines that a page has kept */
	struct journal *journal; /* NULL: no journal */
	bool begun;              /* a page has come; the journal belongs to this unfinished run */
	bool over;               /* the journal is no longer needed */
	struct buf entry;
};

/** Counts the page's lines for the table. Returns 0, or a negative status with `err` set. */
int boilerplate_learn(struct boilerplate *b, struct lines *l, struct error *err);
/**
 * Replaces the marks that boilerplate_mark_needed has set: a line that is boilerplate by the table gets its count, any
 * other 0.
 */
int boilerplate_mark(struct boilerplate *b, struct lines *l, struct error *err);
/**
 * Counts the page's lines in the sketch and marks them by it as boilerplate_mark does. *known is true if the site had
 * enough pages.
 */
int boilerplate_stream(struct boilerplate *b, struct lines *l, bool *known, struct error *err);
/** Counts an entry of the journal again, after a run was interrupted. */
int boilerplate_again(struct boilerplate *b, struct slice entry, struct error *err);

#endif
