/* SPDX-License-Identifier: MIT */
/* Output formats: pure formatters, document to bytes in a buffer. No I/O; state only in struct sink. */
#ifndef DANA_SINK_SINK_H
#define DANA_SINK_SINK_H

#include "archive/stream/document.h"
#include "base/buf.h"

/** The layouts of JSONL documents: X(identifier, "word"). */
#define SINK_SCHEMAS(X) X(DANA, "dana") X(DATATROVE, "datatrove") X(DOLMA, "dolma") X(BULK, "bulk")

#define SINK_SCHEMA_ITEM(identifier, word) SCHEMA_##identifier,
enum sink_schema { SINK_SCHEMAS(SINK_SCHEMA_ITEM) };
#undef SINK_SCHEMA_ITEM

/** What a formatter must know of the run. Strings are borrowed for the life of the sink. */
struct sink_config {
	enum sink_schema schema; /* jsonl */
	bool without_plain;      /* warc: no record of the plain text */
	const char *source;      /* jsonl, schema dolma: value of `source`; NULL: base name of the input */
	bool warc_1_0;           /* warc: version 1.0 instead of 1.1 */
	const char *filename;    /* final base name; NULL on standard output */
	const char *software;    /* "dana/1.0.0" */
	const char *method;      /* methods as asked for, joined by commas, for the warcinfo description */
	const char *input;       /* first input as given, for the warcinfo id; NULL: none */
	void *arg;               /* for a format outside of this room */
};

struct sink_ops;

/** First member of every sink. */
struct sink {
	const struct sink_ops *ops;
};

struct sink_ops {
	const char *name, *suffix; /* "jsonl" ".jsonl", "warc" ".warc" */
	bool uses_numbers;         /* each document's form depends on the number of its record */
	bool needs_uri; /* documents with an empty URI cannot be written: WARC 1.1 conversion records need one */
	bool member_per_document; /* WARC: one member or frame per record; JSONL: members of about 1 MiB */
	/** Returns NULL if memory is exhausted. */
	struct sink *(*open)(const struct sink_config *config);
	/**
	 * Appends what comes before the first document (WARC: warcinfo; needs the date of the first record read).
	 * Returns 0 or a negative status. May be NULL.
	 */
	int (*opening)(struct sink *s, struct slice first_date, struct buf *out);
	/**
	 * Appends one document; may set document->problems. Thread-safe: does not change the sink. Returns 0 or a
	 * negative status.
	 */
	int (*document)(const struct sink *s, struct document *doc, struct buf *out);
	void (*close)(struct sink *s);
};
extern const struct sink_ops *const sink_table[]; /* NULL ended */
const struct sink_ops *sink_find(const char *name);
/** Finds the layout of that name. Returns false if it is unknown. */
bool sink_schema_find(const char *name, enum sink_schema *schema);

#endif
