/* SPDX-License-Identifier: MIT */
/*
 * A table of lines (INDEX_LINES): on how many pages of a scope, a site or all pages, each line stands. Sections:
 *
 *	0  text: "scope=site\nleast=2\npages=4711\n": what lines are compared within, and from which count on they are kept
 *	1  pairs of a line's key (page_lines.h) and its count, sorted
 *	2  pairs of a scope's number and its pages, sorted; sites in several files are added up
 */
#ifndef DANA_DEDUP_LINE_TABLE_H
#define DANA_DEDUP_LINE_TABLE_H

#include "dedup/hash_map.h"
#include "dedup/store/pairs.h"

enum { LINE_TABLE_TEXT, LINE_TABLE_LINES, LINE_TABLE_SCOPES };

/** A table in memory; any number of threads may look up. */
struct line_table {
	bool by_site; /* scope=site; else all */
	uint64_t least, pages;
	uint64_t identity;       /* of the file */
	uint8_t *lines, *scopes; /* the sections */
	size_t n_lines, n_scopes;
};

/** Loads the table, and compares its checksums. */
int line_table_open(struct line_table *t, const char *path, struct error *err);
void line_table_close(struct line_table *t);
/** Pages that a line stands on; 0 when it is not in the table. */
uint64_t line_table_count(const struct line_table *t, uint64_t key);
/** Pages of a scope. */
uint64_t line_table_pages(const struct line_table *t, uint64_t scope);

/** Counts lines of pages, and makes a table, in bounded memory. */
struct line_counter;

struct line_counter_settings {
	bool by_site;
	uint64_t least; /* drop lines on fewer pages */
	uint64_t size;  /* of the file at most; the lines on the fewest pages are dropped */
	size_t memory;  /* for counting: what does not fit goes into temporary files */
	bool force;
	struct index_ready ready; /* all zero: nobody */
};

/** Temporary files stand in the folder of `path`. NULL with `err`. */
struct line_counter *line_counter_new(const char *path, const struct line_counter_settings *settings,
				      struct error *err);
bool line_counter_by_site(const struct line_counter *c);
/** Bytes that counting so many different lines takes at most, with so much memory in the settings. */
size_t line_counter_bytes(size_t lines, size_t memory);
/**
 * Bytes of its temporary files: 0 when `lines` fit into memory. More lines than its table holds (hash_map_room of half of the memory)
 * count each time that it is full.
 */
size_t line_counter_files(size_t lines, size_t memory);
/** A page of a scope. */
int line_counter_page(struct line_counter *c, uint64_t scope, struct error *err);
/** A line of that page: each key once. */
int line_counter_add(struct line_counter *c, uint64_t key, struct error *err);
/** Counts all that a table has counted. */
int line_counter_add_table(struct line_counter *c, const struct line_table *t, struct error *err);
/** Writes the table. Frees the counter in every case. */
int line_counter_finish(struct line_counter *c, struct error *err);
/** NULL allowed. */
void line_counter_abandon(struct line_counter *c);

/** One table of several; counts are added up. */
int line_tables_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err);

#endif
