/* SPDX-License-Identifier: MIT */
/* The outputs of a job: format and compression, which -f, -z and the name choose, and the files. */
#ifndef DANA_RUN_OUTPUTS_H
#define DANA_RUN_OUTPUTS_H

#include "archive/codec/codec.h"
#include "archive/record.h"
#include "archive/sink/sink.h"
#include "archive/stats.h"
#include "base/buf.h"
#include "io/output.h"
#include "run/report.h"

/*
 * Format and compression of outputs (-f, -z, the name of -o): everything that is said and read of them comes from the
 * table of output formats (sink_table) and the table of encoders (encoder_table).
 */

/** Used where neither option nor name of the output decides. */
#define OUTPUT_FORMAT_DEFAULT "jsonl"

#define OUTPUT_COMPRESS_DEFAULT "none"

#define OUTPUT_COMPRESS_DIR_DEFAULT "zstd" /* with -O */

struct output_kind {
	const struct sink_ops *format;
	const struct encoder_ops *encoder;
	int level; /* of the encoder; always in its range */
};

/** What the user asked for; NULL = not given. */
struct output_wish {
	const char *format, *compress; /* as written: "jsonl", "gzip:9" */
	const char *name;              /* of the output */
	bool each_input;               /* -O: an output for each input */
};

/**
 * Returns 0; DANA_ECONFIG with one line for an unknown word, a level out of range, or a name whose extension is
 * unknown.
 */
int output_kind_find(struct output_kind *kind, const struct output_wish *wish, struct error *err);
/** Returns ".md" of "out/x.md"; empty where the base name has no dot, or only one at its beginning. */
struct slice output_extension(struct slice name);
/** Returns the base name of an input without the suffixes of archives and of their compression: "a" of "a.warc.gz". */
struct slice output_base_name(struct slice name);
/** Returns whether the name ends like an archive's: .warc or .arc, with or without a suffix of compression. */
bool output_is_archive_name(struct slice name);
/** Append the arguments of the options: "jsonl|warc", "none|gzip[:LEVEL]|zstd[:LEVEL]". */
int output_format_argument(struct buf *out);
int output_compress_argument(struct buf *out);
/** Append the help of -z and of -O. */
int output_compress_help(struct buf *out);
int output_dir_help(struct buf *out);

/*
 * Where a job writes: its output, and beside a file the rejects when they are asked for. Both fill, fail and end as
 * one. Zeroed = closed. Threads: the loop's.
 */

#define OUTPUTS_REJECTS_SUFFIX ".rejects.jsonl" /* of the rejects beside FILE */

struct outputs {
	struct output *documents;
	struct output *rejects; /* NULL: none */
};

/** Looks whether outputs_open would find the way free. */
int outputs_check(const char *file, bool rejects, enum output_way way, struct error *err);
/**
 * Returns 0, or DANA_ECONFIG when to write the file `output` would write over the file `input` (- is standard input).
 */
int outputs_check_spare(const char *input, const char *output, struct error *err);
/** Returns 0, or DANA_ECONFIG when the regular file `output` exists and `force` is not set. */
int outputs_check_new(const char *output, bool force, struct error *err);

enum { OUTPUTS_NO_STATE = 1 };

/** Appends the content of FILE.state. Returns 0, OUTPUTS_NO_STATE, DANA_EIO or DANA_ENOMEM with the text in `err`. */
int outputs_read_state(const char *file, struct buf *state, struct error *err);
/** A missing FILE.state is not an error. */
int outputs_remove_state(const char *file, struct error *err);
/**
 * As output_open_file, and returns as that. `file` NULL: standard output, without rejects. outputs_free in both cases.
 */
int outputs_open(struct outputs *o, struct loop *loop, const char *file, bool rejects, enum output_way way,
		 const bool *given_up, struct error *err);
void outputs_on_progress(struct outputs *o, void (*moved)(void *arg), void *arg);
void outputs_hurry(struct outputs *o);
/** Returns whether more waits in either than should. */
bool outputs_full(const struct outputs *o);
/** Returns 0, or DANA_EIO with the text in `err` (may be NULL). */
int outputs_failed(const struct outputs *o, struct error *err);
/** As output_finish. Where the rejects fail, the output stays FILE.part. `err` begins zeroed. */
void outputs_finish(struct outputs *o, enum output_end end, struct error *err);
void outputs_free(struct outputs *o);

/*
 * The ordered end of a run: counts outcomes, reports damage, formats, encodes, writes. One for each output.
 * Threads: the loop's. Ownership: borrows all that its config points to.
 */

struct plugin_chain;

struct tail;

struct tail_config {
	const struct sink_ops *format;
	struct sink *sink;
	struct encoder *encoder;
	struct byte_sink *rejects; /* NULL: none */
	struct stats *stats;
	struct survey *survey;             /* of a report; NULL: none is wanted */
	const struct archive_dates *dates; /* for the date of the first record */
	struct reporter *reporter;
	struct plugin_chain *plugins;     /* the ordered part; NULL: no plugin is ordered */
	const struct site_sources *sites; /* get what is learned of each page, if they learn; NULL: nobody does */
	/** After each record, when all of it has been taken. NULL: nobody asks. */
	int (*taken)(void *arg);
	void *taken_arg;
};

struct tail *tail_new(void);
void tail_begin(struct tail *t, const struct tail_config *config);
/** An input begins; `file` is borrowed until the next one. */
void tail_input(struct tail *t, const char *file);
/**
 * Returns the number of the next record of the input; *opened: whether what comes before the first document has been
 * written.
 */
uint64_t tail_next(const struct tail *t, bool *opened);
/** After tail_input: an earlier run has done the records before number `next`. */
void tail_go_on(struct tail *t, uint64_t next, bool opened);
/** Returns the front without workers, or with ordered plugins: it asks these, and formats documents itself. */
struct document_sink *tail_documents(struct tail *t);
/** Any thread: appends the formatted document. */
int tail_format(const struct tail *t, struct document *doc, struct buf *out);
/** As tail's sink, for outcomes that come from workers: `formatted` is what the sink made of the document. */
int tail_take(struct tail *t, const struct outcome *outcome, struct slice formatted);
/** The last input is over: opening of an empty output, and what the encoder holds. */
int tail_finish(struct tail *t);
void tail_free(struct tail *t);

#endif
