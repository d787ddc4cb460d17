/* SPDX-License-Identifier: MIT */
/* What the files of `dana dedup apply` share. */
#ifndef DANA_RUN_ROWS_DEDUP_APPLY_PRIVATE_H
#define DANA_RUN_ROWS_DEDUP_APPLY_PRIVATE_H

#include "archive/sink/encoder.h"
#include "base/json_writer.h"
#include "dedup/rows.h"
#include "io/loop.h"
#include "run/output_kind.h"
#include "run/outputs.h"
#include "run/rows/dedup_apply.h"

struct apply {
	const struct apply_settings *settings;
	struct rows_file rows;
	struct row_cursor cursor;
	struct output_kind kind;
	struct loop *loop;
	struct outputs outputs;
	struct encoder *encoder;
	struct json_reader *reader;
	struct buf file, reject;
	struct buf json[3];
	struct buf ids; /* of a WARC file: a row_id_hash for each document */
	struct apply_counts counts;
};

/* Of what a document says of itself; slices of its line, as they stand in the JSON. */
struct document_names {
	struct slice id, url, file, offset;
};

/** What becomes of the lines of a file. */
struct apply_lines {
	/** Takes a line with its end; returns as line_taker.take. */
	int (*take)(void *arg, struct slice line, struct error *err);
	void *arg;
};

/**
 * Reads a file, or standard input for "-", compressed or not, and lets the loop write between its lines. Returns 0, the
 * negative status of `take`, or DANA_EIO, DANA_EFORMAT (damaged, or cut) or DANA_ENOMEM with a text.
 */
int apply_read_lines(struct apply *a, const char *path, const struct apply_lines *lines, struct error *err);
/** Writes the line of the rejects, if they are wanted. Returns 0 or a negative status. */
int apply_reject(struct apply *a, const struct document_names *d, const struct row_link *link);
/** Takes a file of WARC. Returns 0 or a negative status. */
int apply_warc(struct apply *a, const char *path, struct error *err);

#endif
