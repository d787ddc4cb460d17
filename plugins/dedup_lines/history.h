/* SPDX-License-Identifier: MIT */
/*
 * How often a line has been seen, up to a bound: exactly in a table, or by a Bloom filter. What was counted is in a journal too, so
 * that the state can be built again, and added to an index at the end.
 */
#ifndef DANA_PLUGINS_DEDUP_LINES_HISTORY_H
#define DANA_PLUGINS_DEDUP_LINES_HISTORY_H

#include "base/buf.h"
#include "dedup/bloom.h"
#include "dedup/line_table.h"
#include "dedup/store/run_journal.h"

struct line_history_settings {
	const char *index, *journal; /* paths; NULL: none. With an index the journal is beside it */
	bool by_site, bloom;
	uint64_t max_count;
	size_t memory;
	double most_false; /* of the Bloom filter: its false-positive rate */
};

/** Zeroed before line_history_open, which takes files; the caller closes. */
struct line_history {
	struct line_history_settings settings;
	struct line_table index; /* as it was before */
	bool has_index;
	struct journal *journal; /* NULL: the run cannot be resumed */
	bool begun;              /* the journal is that of this run, which is not over */
	bool over;               /* what the journal holds is in the index */
	struct hash_map counts;
	struct bloom bloom;
	struct buf entry; /* keys of the page under way */
};

int line_history_open(struct line_history *s, const struct line_history_settings *settings, struct error *err);
/** Keeps the journal unless the run is over: another run may go on from it. */
void line_history_close(struct line_history *s, bool run_is_over);
/** Before the first page. */
int line_history_begin(struct line_history *s, struct slice first_input, struct error *err);
/** Counts a line. 1: it was seen max_count times already; 0; negative: also when the bound of memory or rate is passed. */
int line_history_line(struct line_history *s, uint64_t key, struct error *err);
/** Ends a page. */
int line_history_end_page(struct line_history *s, struct error *err);
/** `state`: what run_journal_save has given. */
int line_history_restore(struct line_history *s, struct slice state, struct error *err);
/** Writes the index. */
int line_history_finish(struct line_history *s, struct error *err);

#endif
