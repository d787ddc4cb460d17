/* SPDX-License-Identifier: MIT */
/*
 * The counters of a run (doc/FORMATS.md, "Accounting") and the lines of --rejects. Values without owner; no threads
 * inside.
 */
#ifndef DANA_ARCHIVE_STATS_H
#define DANA_ARCHIVE_STATS_H

#include "archive/document.h"
#include "base/buf.h"

enum { STATS_METHODS = 48 }; /* more than the table of methods has */

/**
 * Zero-initialised it is ready. Always records = documents + sum(skipped) + sum(damaged). A counter is a member here
 * and a row of stats_rows: sums, --stats, --metrics and checkpoints follow from it.
 */
struct stats {
	uint64_t inputs, bytes_in, bytes_decoded, records, documents;
	uint64_t skipped[SKIP_REASONS], damaged[DAMAGE_REASONS], problems[PROBLEM_WORDS];
	uint64_t bytes_out, text_chars;
	uint64_t http_requests, http_retries, bytes_fetched; /* of inputs from the network */
	uint64_t missing;       /* inputs that were not there, and of which these may lack parts */
	uint64_t shard, shards; /* the inputs are share `shard` of so many; 0: they are all */
	struct stats_method {
		const char *name; /* static memory */
		uint64_t count;
	} methods[STATS_METHODS];
	const struct plugin_names *plugins; /* of the run; NULL: none */
	uint64_t plugin_skipped[PLUGINS_MOST], plugin_counts[PLUGIN_COUNTERS_MOST];
	double seconds, cpu_seconds;
	uint64_t peak_rss_bytes;
};

struct json_writer;

/** A counter, or an array of them. */
struct stats_row {
	const char *name; /* in --stats, and in checkpoints */
	unsigned offset, size;
	bool is_object; /* in --stats, with a number for each word; else a number, or part of another member */
	/* In --stats; NULL: the number under its name. */
	void (*put)(struct json_writer *w, const struct stats *s);
	const char *metric, *help;       /* in --metrics; NULL: it is not there */
	const char *(*word)(unsigned i); /* the reason in --metrics; NULL: one counter */
};
enum { STATS_ROWS = 15 };
extern const struct stats_row stats_rows[STATS_ROWS]; /* in the order of --stats */

static inline const uint64_t *stats_counter(const struct stats *s, const struct stats_row *row)
{
	return (const void *)((const char *)s + row->offset);
}

/** Counts one outcome. */
void stats_outcome(struct stats *s, const struct outcome *outcome);
/** Adds all counters of `from` (of one input) to `to`; times and memory are left alone. */
void stats_add(struct stats *to, const struct stats *from);
/** Adds what `now` has more than `before`; methods, times and memory are left alone. */
void stats_add_change(struct stats *to, const struct stats *before, const struct stats *now);
uint64_t stats_skipped(const struct stats *s);
uint64_t stats_damaged(const struct stats *s);
/** Returns how often damage was met: damaged records, and documents of records whose length is wrong. */
uint64_t stats_faults(const struct stats *s);
/**
 * Appends the counters as one JSON object and a line feed; reasons that did not occur are left out, and so are times
 * and memory that were not measured. `done`: a JSON array of the inputs that they are of, or empty. `report`: what
 * survey_json has written, or empty.
 */
int stats_json(const struct stats *s, struct slice done, struct slice report, struct buf *out);
/**
 * Appends the line of --rejects for a skipped or damaged record; nothing for documents and for those skipped for
 * `type`. `plugins` as in struct stats.
 */
int rejects_line(const struct outcome *outcome, const char *file, const struct plugin_names *plugins, struct buf *out);
/**
 * Appends the word of the reason why a record was skipped or damaged, "status", "plugin:url", or of the damage that a
 * document has been written in spite of; ends it with a NUL.
 */
int stats_reason(const struct outcome *outcome, const struct plugin_names *plugins, struct buf *out);

#endif
