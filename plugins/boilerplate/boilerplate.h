/* SPDX-License-Identifier: MIT */
/* What the files of this plugin share: its settings, and its three ways to work. */
#ifndef DANA_PLUGINS_BOILERPLATE_BOILERPLATE_H
#define DANA_PLUGINS_BOILERPLATE_BOILERPLATE_H

#include "dedup/line_table.h"
#include "dedup/sketch.h"
#include "dedup/store/journal.h"
#include "plugins/dedup_common/lines.h"

enum boilerplate_counter { BOILER_LINES, BOILER_CHARS, BOILER_CHANGED, BOILER_SPARED, BOILER_UNKNOWN, BOILER_COUNTERS };

/** When a line is boilerplate: it stands on so many pages of its site, and on such a share of them. */
struct boilerplate_rule {
	uint64_t min_pages; /* 0: by what the method says of the line */
	double share;
	size_t min_chars;
	double min_left; /* share of a page; negative: by the method */
};

/** Pages of a line of which the method says nothing. */
uint64_t boilerplate_usual_pages(const struct boilerplate_rule *r);
/** Marks each line of the page by the number of pages that it must stand on to be boilerplate. */
void boilerplate_mark_needed(const struct boilerplate_rule *r, const struct dana_host *host,
			     const struct dana_page *page, struct lines *l);
/** The share of the page's characters of which less may not be left. */
double boilerplate_least_left(const struct boilerplate_rule *r, const struct dana_host *host,
			      const struct dana_page *page);

static inline bool boilerplate_is(const struct boilerplate_rule *r, uint64_t needed, uint64_t count, uint64_t pages)
{
	return count >= needed && (double)count >= r->share * (double)pages;
}

/** Of the run; what a way of working changes belongs to the instance. */
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

	struct hash_map kept;    /* keep=first: lines of which a page has kept one */
	struct journal *journal; /* NULL: none */
	bool begun;              /* there was a page; the journal is that of this run, which is not over */
	bool over;               /* nothing needs the journal any more */
	struct buf entry;
};

/** Counts the page's lines for the table. 0 or negative with `err`. */
int boilerplate_learn(struct boilerplate *b, struct lines *l, struct error *err);
/** Marks lines that are boilerplate by the table with their counts, others with 0; they come as boilerplate_mark_needed left them. */
int boilerplate_mark(struct boilerplate *b, struct lines *l, struct error *err);
/** Counts the page's lines in the sketch, and marks them by it, as boilerplate_mark does. *known: the site had pages enough. */
int boilerplate_stream(struct boilerplate *b, struct lines *l, bool *known, struct error *err);
/** Gives an entry of the journal to what made it. */
int boilerplate_again(struct boilerplate *b, struct slice entry, struct error *err);

#endif
