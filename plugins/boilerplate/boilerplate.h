/* SPDX-License-Identifier: MIT */
/* What the files of this plugin share: its settings, and its three ways to work. */
#ifndef DANA_PLUGINS_BOILERPLATE_BOILERPLATE_H
#define DANA_PLUGINS_BOILERPLATE_BOILERPLATE_H

#include "dedup/journal.h"
#include "dedup/line_table.h"
#include "dedup/sketch.h"
#include "plugins/dedup_common/lines.h"

enum boilerplate_counter { BOILER_LINES, BOILER_CHARS, BOILER_CHANGED, BOILER_SPARED, BOILER_UNKNOWN, BOILER_COUNTERS };

/** When a line is boilerplate: it stands on so many pages of its site, and on such a share of them. */
struct boilerplate_rule {
	uint64_t min_pages;
	double share;
	size_t min_chars;
};

static inline bool boilerplate_is(const struct boilerplate_rule *r, uint64_t count, uint64_t pages)
{
	return count >= r->min_pages && (double)count >= r->share * (double)pages;
}

/** Of the run; what a way of working changes belongs to the instance. */
struct boilerplate {
	struct boilerplate_rule rule;
	bool keep_first, annotate;
	size_t memory;
	double min_left;
	struct pool makers;

	struct line_table table;      /* table= */
	struct line_counter *counter; /* learn= */
	struct sketch sketch;         /* streaming=1 */
	struct hash_map sites;        /* streaming=1: pages of each */
	double most_error;

	struct hash_map kept;    /* keep=first: lines of which a page has kept one */
	struct journal *journal; /* NULL: none */
	bool begun;              /* the journal is that of this run, which is not over */
	bool over;               /* nothing needs the journal any more */
	struct buf entry;
};

/** Counts the page's lines for the table. 0 or negative with `err`. */
int boilerplate_learn(struct boilerplate *b, struct lines *l, struct error *err);
/** Marks lines by the table: their counts. */
int boilerplate_mark(struct boilerplate *b, struct lines *l, struct error *err);
/** Counts the page's lines in the sketch, and marks them by it. *known: the site had pages enough. */
int boilerplate_stream(struct boilerplate *b, struct lines *l, bool *known, struct error *err);
/** Gives an entry of the journal to what made it. */
int boilerplate_again(struct boilerplate *b, struct slice entry, struct error *err);

#endif
