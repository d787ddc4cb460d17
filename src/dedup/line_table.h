/* SPDX-License-Identifier: MIT */
/*
 * A table of lines (INDEX_LINES): on how many pages of a scope, a site or all pages, each line occurs. Sections:
 *
 * 	0  text: "scope=site\nleast=2\npages=4711\n": the scope, and the least count that is kept
 * 	1  pairs of a key (page_lines.h) and its count, sorted: of a line, on how many pages it is; of a path, how many
 * 	   pages have blocks on it, and under a second key the sum of what they have as `own` (struct site_source)
 * 	2  pairs of a scope's number and its pages, sorted; sites in several files are added up
 */
#ifndef DANA_DEDUP_LINE_TABLE_H
#define DANA_DEDUP_LINE_TABLE_H

#include "base/buf.h"
#include "dedup/counts.h"
#include "dedup/runs.h"

enum { LINE_TABLE_TEXT, LINE_TABLE_LINES, LINE_TABLE_SCOPES };

/** A table in memory; any number of threads may look up. */
struct line_table {
	bool by_site; /* scope=site; else all */
	uint64_t least, pages;
	uint64_t identity;       /* of the file */
	uint8_t *lines, *scopes; /* the sections */
	size_t n_lines, n_scopes;
};

/** Loads the table and verifies its checksums. */
int line_table_open(struct line_table *t, const char *path, struct error *err);
/**
 * Makes a table by site in memory, without a file. `lines`: what counts of all pages; `scopes`: a 1 for each page;
 * both struct pair, in any order, and sorted by this. Returns 0 or DANA_ENOMEM.
 */
int line_table_of_pairs(struct line_table *t, struct buf *lines, struct buf *scopes);
void line_table_close(struct line_table *t);
/** Returns the number of pages with a line; 0 if it is not in the table. */
uint64_t line_table_count(const struct line_table *t, uint64_t key);
/** Returns the number of pages of a scope. */
uint64_t line_table_pages(const struct line_table *t, uint64_t scope);

/** Counts lines of pages, and makes a table, in bounded memory. */
struct line_counter;

struct line_counter_settings {
	bool by_site;
	uint64_t least; /* drop lines on fewer pages */
	uint64_t size;  /* of the file at most; the lines on the fewest pages are dropped */
	size_t memory;  /* for counting; counts that do not fit go into temporary files */
	bool force;
	struct index_ready ready; /* all zero: not used */
};

/** The defaults of `dana site learn`, and the least memory that can count. */
#define LINE_COUNTER_OF_SITES \
	{ \
		.by_site = true, .least = 2, .size = (uint64_t)1 << 30, .memory = (size_t)256 << 20 \
	}
enum { LINE_COUNTER_MEMORY_LEAST = 8192 };

/** Temporary files are made in the folder of `path`. Returns NULL with `err` set if that fails. */
struct line_counter *line_counter_new(const char *path, const struct line_counter_settings *settings,
				      struct error *err);
bool line_counter_by_site(const struct line_counter *c);
/** Returns the most bytes that counting so many different lines takes, with so much memory in the settings. */
size_t line_counter_bytes(size_t lines, size_t memory);
/**
 * Returns the bytes of its temporary files: 0 if `lines` fit into memory. If the table (hash_map_room of half of the
 * memory) gets full, a line counts once for each table it was in.
 */
size_t line_counter_files(size_t lines, size_t memory);
/** Counts a page of a scope. */
int line_counter_page(struct line_counter *c, uint64_t scope, struct error *err);
/** Counts a line of that page. Each key only once per page. */
int line_counter_add(struct line_counter *c, uint64_t key, struct error *err);
/** Adds `n` to what has been counted of a key. */
int line_counter_add_number(struct line_counter *c, uint64_t key, uint64_t n, struct error *err);
/** Adds all counts of a table. */
int line_counter_add_table(struct line_counter *c, const struct line_table *t, struct error *err);
/** Writes the table. Frees the counter, also on failure. */
int line_counter_finish(struct line_counter *c, struct error *err);
/** NULL is allowed. */
void line_counter_abandon(struct line_counter *c);

/** Merges several tables into one; counts are added up. Lines on fewer than `least` pages are left out. */
int line_tables_merge(const char *const *paths, size_t n, const char *output, uint64_t least, bool force,
		      struct error *err);

#endif
