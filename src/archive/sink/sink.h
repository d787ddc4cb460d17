/* SPDX-License-Identifier: MIT */
/* Output formats: pure formatters, document to bytes in a buffer. No I/O; state only in struct sink. */
#ifndef DANA_ARCHIVE_SINK_SINK_H
#define DANA_ARCHIVE_SINK_SINK_H

#include "archive/byte_sink.h"
#include "archive/codec/codec.h"
#include "archive/document.h"
#include "base/buf.h"
#include "base/digest.h"

/** The layouts of JSONL documents: X(identifier, "word"). */
#define SINK_SCHEMAS(X) X(DANA, "dana") X(DATATROVE, "datatrove") X(DOLMA, "dolma") X(BULK, "bulk")

#define SINK_SCHEMA_ITEM(identifier, word) SCHEMA_##identifier,

enum sink_schema { SINK_SCHEMAS(SINK_SCHEMA_ITEM) };

#undef SINK_SCHEMA_ITEM

/** What a formatter must know of the run. Strings are borrowed for the life of the sink. */
struct sink_config {
	enum sink_schema schema;            /* jsonl */
	bool without_plain;                 /* warc: no record of the plain text */
	const char *source;                 /* jsonl, schema dolma: value of `source`; NULL: base name of the input */
	bool warc_1_0;                      /* warc: version 1.0 instead of 1.1 */
	const char *filename;               /* final base name; NULL on standard output */
	const char *software;               /* "dana/1.0.0" */
	const char *method;                 /* methods as asked for, joined by commas, for the warcinfo description */
	const char *input;                  /* first input as given, for the warcinfo id; NULL: none */
	const struct chosen_fields *fields; /* of a table; of jsonl, schemas dana and bulk: NULL: all */
	void *arg;                          /* for a format outside of this room */
};

struct sink_ops;

/** First member of every sink. */
struct sink {
	const struct sink_ops *ops;
};

struct sink_ops {
	const char *name, *suffix; /* "jsonl" ".jsonl", "warc" ".warc" */
	bool uses_numbers;         /* each document's form depends on the number of its record */
	bool is_table;             /* its documents are rows of sink_config.fields */
	bool needs_uri; /* documents with an empty URI cannot be written: WARC 1.1 conversion records need one */
	bool member_per_document; /* WARC: one member or frame per record; JSONL: members of about 1 MiB */
	/** */
	struct sink *(*open)(const struct sink_config *config);
	/** Appends what comes before the first document (WARC: warcinfo; needs the date of the first record read). */
	int (*opening)(struct sink *s, struct slice first_date, struct buf *out);
	/** Appends one document; may set document->problems. Thread-safe: does not change the sink. */
	int (*document)(const struct sink *s, struct document *doc, struct buf *out);
	void (*close)(struct sink *s);
};

extern const struct sink_ops *const sink_table[]; /* NULL ended */

const struct sink_ops *sink_find(const char *name);
/** Finds the layout of that name. Returns false if it is unknown. */
bool sink_schema_find(const char *name, enum sink_schema *schema);

/* The rows of sink_table: one for each format. */

/** In the order of help and messages. Each means `const struct sink_ops sink_NAME`. */
#define SINKS(X) X(jsonl) X(warc) X(csv) X(tsv)

#define DECLARE_SINK(name) extern const struct sink_ops sink_##name;

SINKS(DECLARE_SINK)
#undef DECLARE_SINK

/* Chosen fields (--fields), as members of an object or a row of a table. */

enum { CHOSEN_MOST = 64 };

struct chosen_fields {
	unsigned n;
	struct chosen_field {
		struct slice name; /* as given; borrowed */
		int number;        /* of document_fields; negative: another one */
	} at[CHOSEN_MOST];
};

struct plugins;

/** What may be chosen from: the documents of a run. */
struct chosen_from {
	unsigned with;                 /* fields that were asked for: a set of 1 << enum field_condition */
	const struct plugins *plugins; /* NULL: none */
	bool has_metadata;             /* what the plugin metadata adds is there though nobody named it */
	bool of_pages;                 /* single pages, which may also have a `reason` in place of a text */
};

/**
 * Reads a list of names, joined by commas; NULL: all that documents have. Returns 0, or DANA_ECONFIG: a name is
 * unknown, given twice, or needs an option.
 */
int chosen_fields_read(struct chosen_fields *c, const char *list, const struct chosen_from *from, struct error *err);
/**
 * Append the fields of a document, as an object and a line feed, or as a row; and the header of the table. `reason`:
 * why a page gave no text; else NULL. `separator`: ',' or a tab.
 */
int chosen_json(const struct chosen_fields *c, const struct document *doc, const char *reason, struct buf *out);
int chosen_row(const struct chosen_fields *c, const struct document *doc, const char *reason, uint8_t separator,
	       struct buf *out);
int chosen_header(const struct chosen_fields *c, uint8_t separator, struct buf *out);

struct json_writer;

/** Appends a field as a member of an object; nothing if it was not asked for. */
void json_field(struct json_writer *w, const struct document *doc, const struct document_field *field);
/** Notes the problem of a date that cannot be read; the date itself is written as it is. */
void document_check_date(struct document *doc);

/* The id of what we make of a record (doc/FORMATS.md, "WARC output"): the same in every run over the same input. */

enum { CONVERSION_ID = sizeof("urn:uuid:") - 1 + UUID_TEXT };

/**
 * "urn:uuid:..." over source id (or "-"), base name of the input, number of the record, method and `form` of the text
 * ("": plain; "+markdown"; "+NAME" of a method after the first); NUL ended.
 */
int conversion_id(const struct document *doc, const char *form, char out[CONVERSION_ID + 1]);
/** As conversion_id for a warcinfo: over its input, the file that it begins ("-": standard output) and the method. */
int warcinfo_id(const char *input, const char *filename, const char *method, char out[CONVERSION_ID + 1]);
/** Returns what follows the last slash of a path or URL; all of it if it has no slash. */
struct slice base_name(const char *path);

/* One page for `dana extract`. All append to a buffer: 0 or DANA_ENOMEM. */

/** Appends the text, a block a line, or the Markdown, with a final line feed if it is not empty. */
int text_page(const struct document *doc, bool markdown, struct buf *out);
/**
 * Appends one JSON object and a line feed, with the file first if the document has one, and what plugins add last.
 * `url`: that the page was fetched from; empty: it was not. The document needs no record.
 */
int text_page_json(const struct document *doc, struct slice url, struct buf *out);
/** Appends the object of a page that gave no text, from `file` (or NULL): the same keys, then why. */
int text_failure_json(const char *file, const char *reason, struct buf *out);

/** What is handed through from a line of --jsonl to the line that is written for it. Empty slices: not there. */
struct text_line {
	struct slice url;
	struct slice metadata; /* a JSON object */
};

/**
 * Appends the object of a page that came as a line, and a line feed. `reason`: why it gave no text; NULL: it gave
 * `doc`.
 */
int text_line_json(const struct document *doc, const char *reason, const struct text_line *line, struct buf *out);

/*
 * Formatted documents to compressed members: JSONL is cut into independent members at the first document boundary at or
 * after 1 MiB, WARC has a member for each record. The same units give the same bytes. One owner, one thread at a time.
 */

enum { ENCODER_MEMBER_BYTES = 1 << 20 };

struct encoder;

/** `out` is borrowed. `level` as encoder_ops.open. `member_per_unit`: sink_ops.member_per_document. */
struct encoder *encoder_new(const struct encoder_ops *format, int level, bool member_per_unit, struct byte_sink *out);
/** Takes one formatted document (or the opening), whole. Returns 0 or a negative status (also: what `out` answered). */
int encoder_unit(struct encoder *e, struct slice unit);
/** Returns whether all units so far are in complete members. */
bool encoder_at_boundary(const struct encoder *e);
/**
 * Ends the member under way where that does not show in the output: where nothing is compressed. Returns as
 * encoder_unit.
 */
int encoder_settle(struct encoder *e);
/**
 * Returns how many members have ended so far; UINT64_MAX if each unit is a member, or members do not show: there is a
 * boundary after every unit.
 */
uint64_t encoder_members(const struct encoder *e);
/** Before the first unit: `bytes` of the output are there already. */
void encoder_go_on(struct encoder *e, uint64_t bytes);
/**
 * Writes what waits. An output without any unit becomes one empty member, so that it can be tested. Does not call
 * out->finish.
 */
int encoder_finish(struct encoder *e);
void encoder_free(struct encoder *e);

#endif
