/* SPDX-License-Identifier: MIT */
#ifndef DANA_PLUGINS_DEDUP_COMMON_ORDERED_H
#define DANA_PLUGINS_DEDUP_COMMON_ORDERED_H

#include <pthread.h>
#include <stddef.h>

#include "dana/dana_plugin.h"
#include "dedup/journal.h"
#include "dedup/origin.h"
#include "dedup/page_lines.h"

/* The origin of a page, and the member that a duplicate gets. */

/** Returns where the page came from. The slices are borrowed from the page. */
struct origin duplicate_origin(const struct dana_host *host, const struct dana_page *p);

/**
 * Adds the member "duplicate_of":{"id":...,"file":...,"offset":...}; unknown values are null. Returns 0 or a negative
 * status.
 */
int duplicate_put(const struct dana_host *host, struct dana_page *p, const struct origin *first);

static inline struct slice slice_of_view(struct dana_view v)
{
	return slice_of(v.data, v.len);
}

/* What the lives of plugins that see all pages in order have in common. */

static inline bool option_is(const struct dana_host *host, const struct dana_context *c, const char *name,
			     const char *word)
{
	const char *value = host->option_text(c, name);
	return value && strcmp(value, word) == 0;
}

/** In `save`: keeps what run_journal_save says of the journal and the file. 0 or negative. */
static inline int ordered_save(const struct dana_host *host, struct dana_context *c, struct dana_store *store,
			       struct journal *j, uint64_t identity)
{
	uint8_t state[RUN_STATE];
	struct error err = { 0 };
	if (run_journal_save(j, identity, state, &err) < 0)
		return host->fail(c, "%s", err.text);
	return host->store(store, state, sizeof(state));
}

/*
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

void pool_give(struct pool *p, void *object);

/** All objects must have been given back. */
void pool_free(struct pool *p);

/*
 * Pages as lines, for plugins that drop some of them: workers hash the lines and attach the hashes; then, in the order
 * of the input, the plugin marks lines and drops the marked ones.
 */

/** Prepares the pool of objects that lines_attach borrows from. */
void lines_pool_init(struct pool *p);

/**
 * Attaches the lines of the page's text, in the scope of its site or of all pages. Returns 0 or a negative status. Any
 * thread.
 */
int lines_attach(const struct dana_host *host, struct pool *p, struct dana_page *page, bool by_site);

/** The lines of a page, as attached. Zero-initialised it is empty. */
struct lines {
	struct page_lines lines;
	uint64_t scope;
	struct buf text; /* of what is left */
	struct buf keys; /* lines_keys: uint64_t each */
};

/** Fills `l` with the lines that are attached to the page. Returns 0 or DANA_ENOMEM. */
int lines_take(struct lines *l, const struct dana_host *host, const struct dana_page *page);

void lines_free(struct lines *l);

/**
 * Returns the *n keys of all lines of at least `min_chars` characters, each once, sorted; NULL if memory is exhausted.
 */
const uint64_t *lines_keys(struct lines *l, size_t min_chars, size_t *n);

/** What is dropped: marked lines, and their characters. */
struct lines_dropped {
	size_t lines;
	uint64_t chars;
};

struct lines_dropped lines_count_marked(const struct lines *l);

/** Sets the page's text to the lines that are not marked. Returns 0 or a negative status. */
int lines_set_left(struct lines *l, const struct dana_host *host, struct dana_page *page);

/** Adds the members dropped_lines and dropped_chars. Returns 0 or a negative status. */
int lines_put_dropped(const struct dana_host *host, struct dana_page *page, struct lines_dropped d);

/**
 * Adds the member `name` with the numbers of the marked lines, from 0, and the member "marks" with their marks. Returns
 * 0 or a negative status.
 */
int lines_put_marks(struct lines *l, const struct dana_host *host, struct dana_page *page, const char *name);

#endif
