/* SPDX-License-Identifier: MIT */
/*
 * Counts how often each line was seen, up to a bound: exactly in a table, or approximately in a Bloom filter. Counted
 * lines also go into a journal, from which the state can be rebuilt, and which is added to an index at the end.
 */
#ifndef DANA_PLUGINS_DEDUP_LINES_HISTORY_H
#define DANA_PLUGINS_DEDUP_LINES_HISTORY_H

#include "base/buf.h"
#include "dedup/bloom.h"
#include "dedup/line_table.h"
#include "dedup/store/run_journal.h"

struct line_history_settings {
	const char *index, *journal; /* paths, or NULL. With an index the journal is beside it */
	bool by_site, bloom;
	uint64_t max_count;
	size_t memory;
	double most_false; /* greatest false-positive rate of the Bloom filter */
};

/** Zero-initialise it before line_history_open; then the caller must call line_history_close. */
struct line_history {
	struct line_history_settings settings;
	struct line_table index; /* as it was before the run */
	bool has_index;
	struct journal *journal; /* NULL: the run cannot be resumed */
	bool begun;              /* the journal belongs to this unfinished run */
	bool over;               /* the index contains what the journal holds */
	struct hash_map counts;
	struct bloom bloom;
	struct buf entry; /* keys of the current page */
};

int line_history_open(struct line_history *s, const struct line_history_settings *settings, struct error *err);
/** Keeps the journal unless the run is over: another run may resume from it. */
void line_history_close(struct line_history *s, bool run_is_over);
/** Must be called before the first page. */
int line_history_begin(struct line_history *s, struct slice first_input, struct error *err);
/**
 * Counts a line. Returns 1 if it was already seen max_count times, else 0; or a negative status, also if the bound on
 * memory or on the false-positive rate is exceeded.
 */
int line_history_line(struct line_history *s, uint64_t key, struct error *err);
/** Ends a page. */
int line_history_end_page(struct line_history *s, struct error *err);
/** Counts the lines of the journal again. `state`: what run_journal_save has written. */
int line_history_restore(struct line_history *s, struct slice state, struct error *err);
/** Writes the index. */
int line_history_finish(struct line_history *s, struct error *err);

#endif
