/* SPDX-License-Identifier: MIT */
/*
 * Format and compression of outputs (-f, -z, the name of -o): everything that is said and read of them comes from the
 * table of output formats (sink_table) and the table of encoders (encoder_table). Functions that append return 0 or
 * DANA_ENOMEM.
 */
#ifndef DANA_RUN_OUTPUT_KIND_H
#define DANA_RUN_OUTPUT_KIND_H

#include "archive/codec/codec.h"
#include "archive/sink/sink.h"
#include "base/buf.h"

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

/** Returns the base name of an input without the suffixes of archives and of their compression: "a" of "a.warc.gz". */
struct slice output_base_name(struct slice name);
/** Returns whether the name ends as that of an archive: .warc or .arc, with or without a suffix of compression. */
bool output_is_archive_name(struct slice name);

/** Append the arguments of the options: "jsonl|warc", "none|gzip[:LEVEL]|zstd[:LEVEL]". Return 0 or DANA_ENOMEM. */
int output_format_argument(struct buf *out);
int output_compress_argument(struct buf *out);
/** Append the help of -z and of -O. Return 0 or DANA_ENOMEM. */
int output_compress_help(struct buf *out);
int output_dir_help(struct buf *out);

#endif
