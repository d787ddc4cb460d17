/* SPDX-License-Identifier: MIT */
/* The contract of everything that takes the outcome of a record: exactly one call for each record. */
#ifndef DANA_STREAM_DOCUMENT_SINK_H
#define DANA_STREAM_DOCUMENT_SINK_H

#include "archive/document.h"
#include "archive/plugin_marks.h"

enum outcome_kind { OUTCOME_DOCUMENT, OUTCOME_SKIPPED, OUTCOME_DAMAGED };

/** The outcome of one record. Which members are valid depends on `kind`. */
struct outcome {
	enum outcome_kind kind;
	uint64_t seq, offset;
	struct slice id, uri;      /* of the record, where known */
	enum record_type type;     /* of the record; not with damage */
	struct document *document; /* OUTCOME_DOCUMENT */
	enum skip_reason skipped;  /* OUTCOME_SKIPPED */
	/*
	 * For people, UTF-8. OUTCOME_SKIPPED: empty where the reason says all. OUTCOME_DOCUMENT: what is wrong with the
	 * record's length, empty where nothing is.
	 */
	struct slice detail;
	const struct record_end *damage; /* OUTCOME_DAMAGED */
	struct plugin_marks marks;       /* not with damage */
};

/** Returns the outcome of record_sink_ops.damage; borrows all that it is given. */
static inline struct outcome outcome_of_region(uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
					       const struct record_end *end)
{
	return (struct outcome){ OUTCOME_DAMAGED, seq, offset, .id = id, .uri = uri, .damage = end };
}

struct document_sink;

struct document_sink_ops {
	const char *name;
	/** Called in the order of `seq`. Returns 0 or a negative status. */
	int (*outcome)(struct document_sink *self, const struct outcome *outcome);
	/** Called once, when no more will come. Returns 0 or a negative status. */
	int (*finish)(struct document_sink *self);
};

struct document_sink {
	const struct document_sink_ops *ops;
};

#endif
