/* SPDX-License-Identifier: MIT */
/*
 * What plugins share that look for duplicates. They see all pages in order, so that one instance is the state of the
 * run: workers compute what depends on a page alone, and attach it; then, in the order of the input, the plugin
 * decides.
 */
#ifndef DANA_PLUGINS_DEDUP_COMMON_DEDUP_RUN_H
#define DANA_PLUGINS_DEDUP_COMMON_DEDUP_RUN_H

#include <pthread.h>

#include "dana/dana_plugin.h"
#include "dedup/journal.h"
#include "dedup/origin.h"
#include "dedup/page_lines.h"

/**
 * Objects that any thread may borrow, for functions that several threads call at the same time. As many are made as are
 * in use at once.
 */
struct pool {
	void *(*make)(const void *arg); /* NULL when memory is exhausted */
	void (*free)(void *object);
	const void *arg;
	pthread_mutex_t lock; /* guards what follows */
	void **idle;
	size_t n, cap;
};

void pool_init(struct pool *p, void *(*make)(const void *arg), void (*destroy)(void *object), const void *arg);
/** Returns an object that no other thread uses; NULL if memory is exhausted. */
void *pool_take(struct pool *p);
/** NULL is allowed. */
void pool_give(struct pool *p, void *object);

/** The first member of the state of a run, which `load` makes. */
struct dedup_run {
	const struct dana_context *loaded; /* of `load`, for run_is_over */
	struct dana_context *context;      /* of `open`, for fail and report */
	struct journal *journal;           /* NULL if the plugin has none */
	struct pool pool;                  /* of what `prepare` borrows */
};

/** The function `open` of a plugin: the state of the run is the instance. */
int dedup_run_open(void **instance, void *shared, const struct dana_host *host, struct dana_context *c);
/** For `unload`: closes the journal, and frees the pool, to which all objects must have been given back. */
void dedup_run_free(struct dedup_run *o, const struct dana_host *host);
/** For `save`: stores what journal_save writes. */
int dedup_run_save(const struct dedup_run *o, const struct dana_host *host, struct dana_store *store,
		   uint64_t identity);
/** Begins the journal, if there is one, with the first page. */
int dedup_run_begin(const struct dedup_run *o, const struct dana_host *host, const struct dana_page *p,
		    uint64_t identity, struct error *err);
/** Returns 0, or reports an error that `err` describes and returns what the plugin returns then. */
int dedup_run_result(const struct dedup_run *o, const struct dana_host *host, int status, const struct error *err);
bool option_is(const struct dana_host *host, const struct dana_context *c, const char *name, const char *word);

static inline struct slice slice_of_view(struct dana_view v)
{
	return slice_of(v.data, v.len);
}

/* ---- duplicates ---- */

/** Returns where the page came from. The slices are borrowed from the page. */
struct origin duplicate_origin(const struct dana_host *host, const struct dana_page *p);
/** Adds the member "duplicate_of":{"id":...,"file":...,"offset":...}; unknown values are null. */
int duplicate_put(const struct dana_host *host, struct dana_page *p, const struct origin *first);

/* ---- lines of pages ---- */

/** Prepares the pool of objects that lines_attach borrows from. */
void lines_pool_init(struct pool *p);
/** Attaches the lines of the page's text, in the scope of its site or of all pages. Any thread. */
int lines_attach(const struct dana_host *host, struct pool *p, struct dana_page *page, bool by_site);

/** The lines of a page, as attached. Zero-initialised it is empty. */
struct attached_lines {
	struct page_lines lines;
	uint64_t scope;
	struct buf text; /* of what is left */
	struct buf keys; /* lines_keys: uint64_t each */
};

/** Fills `l` with the lines that are attached to the page. Returns 0 or DANA_ENOMEM. */
int lines_take(struct attached_lines *l, const struct dana_host *host, const struct dana_page *page);
void lines_free(struct attached_lines *l);
/**
 * Returns the *n keys of all lines of at least `min_chars` characters, each once, sorted; NULL if memory is exhausted.
 */
const uint64_t *lines_keys(struct attached_lines *l, size_t min_chars, size_t *n);

/** The first counters of a plugin that drops lines. */
enum { LINES_DROPPED, LINES_CHARS, LINES_CHANGED, LINES_COUNTERS };

/** What is left of a page without its marked lines. */
struct lines_left {
	size_t dropped; /* lines */
	uint64_t dropped_chars, chars;
};

struct lines_left lines_left_of(const struct attached_lines *l);

/** Returns whether nothing is left, or less than this share of the characters. */
static inline bool lines_left_too_little(const struct lines_left *left, double least_share)
{
	return left->chars == 0 || (double)left->chars < least_share * (double)(left->chars + left->dropped_chars);
}

/** Adds the members dropped_lines and dropped_chars. */
int lines_put_dropped(const struct dana_host *host, struct dana_page *page, const struct lines_left *left);
/** Sets the page's text to the lines that are not marked, and counts them. */
int lines_drop(struct attached_lines *l, const struct dana_host *host, struct dana_page *page,
	       const struct lines_left *left);
/** Adds the member "lines" with the numbers of the marked lines, from 0, and the member "marks" with their marks. */
int lines_put_marks(struct attached_lines *l, const struct dana_host *host, struct dana_page *page);

#endif
