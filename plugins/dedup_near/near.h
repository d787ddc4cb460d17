/* SPDX-License-Identifier: MIT */
/* What the files of this plugin share: its settings, and its two ways to work. */
#ifndef DANA_PLUGINS_DEDUP_NEAR_NEAR_H
#define DANA_PLUGINS_DEDUP_NEAR_NEAR_H

#include "dedup/bands.h"
#include "dedup/rows.h"
#include "dedup/store/run_journal.h"
#include "plugins/dedup_common/duplicate.h"
#include "plugins/dedup_common/pool.h"

enum near_counter { NEAR_SIGNED, NEAR_WITHOUT_WORDS, NEAR_COUNTERS };

/** State of the run: not changed after load, except for the journal, which belongs to the instance. */
struct near {
	const struct dana_host *host;
	const struct dana_context *context;
	const char *folder; /* signatures=; NULL: the plugin drops rows */
	struct bands shape;
	size_t memory;
	struct pool hashers; /* struct minhash */
	struct rows_file rows;
	struct journal *journal; /* of the signatures; NULL before the first page */
	bool over;               /* the file contains what the journal holds */
};

/** Signatures of pages, collected in a journal, that become a file at the end. */
struct signing;

struct signing *signing_new(struct near *near, struct dana_context *c);
/** NULL allowed. The journal of an unfinished run stays. */
void signing_free(struct signing *s);
/** Attaches the signature of the page's text. Any thread. */
int signing_prepare(struct near *near, struct dana_page *p);
int signing_page(struct signing *s, struct dana_page *p);
int signing_save(struct signing *s, struct dana_store *store);
int signing_restore(struct signing *s, struct slice state);
int signing_finish(struct signing *s);

/** The position in a list of rows to drop. */
struct dropping;

struct dropping *dropping_new(const struct near *near, struct dana_context *c);
/** NULL allowed. */
void dropping_free(struct dropping *d);
int dropping_page(struct dropping *d, struct dana_page *p);
int dropping_save(struct dropping *d, struct dana_store *store);
int dropping_restore(struct dropping *d, struct slice state);
int dropping_finish(struct dropping *d);

#endif
