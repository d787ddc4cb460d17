/* SPDX-License-Identifier: MIT */
/* The inside of struct dana_archive and of what it shares with struct dana_page_reader. Threads, ownership: dana/archive.h. */
#ifndef DANA_ARCHIVE_LIBRARY_PRIVATE_H
#define DANA_ARCHIVE_LIBRARY_PRIVATE_H

#include "archive/archive_dates.h"
#include "archive/plugin/plugin_rows.h"
#include "archive/processor.h"
#include "archive/pump.h"
#include "archive/sink/sink.h"
#include "archive/stats.h"
#include "base/buf.h"
#include "base/status.h"
#include "dana/archive.h"

struct arena;

/* A document that waits to be taken. */
struct library_document {
	struct document document;
	struct record record;
};

struct dana_archive {
	struct document_sink outcomes; /* of the processor */
	struct limits limits;
	struct plugins *plugins;
	struct processor *processor;
	struct archive_dates dates;
	struct pump *pump;
	struct sink *sink;
	const char *name;
	bool begun; /* something was pushed, or all was */
	bool ended; /* nothing follows */
	int answer; /* of the pump */
	struct error error;
	struct stats stats;
	void (*outcome)(void *outcome_arg, const struct dana_outcome *outcome);
	void *outcome_arg;
	struct buf reason;

	struct arena *memory; /* of those that wait */
	struct buf waiting;   /* struct library_document */
	size_t n, taken;
	struct buf line, counts;

	struct dana_reader reader; /* zeroed: the caller pushes */
	uint8_t *bytes;            /* what was read */
	size_t used;               /* of `bytes` */
	bool seekable;
};

/** Reads the options into an archive. 0 or negative status with a text in `err`. */
int library_configure(struct dana_archive *a, const struct dana_archive_options *options, struct error *err);
/** As the members of the caller's struct that `size` covers; the others are zero. */
void library_read_options(struct dana_archive_options *to, const struct dana_archive_options *from);
/** Fills `to` from `doc`, as far as to->struct_size reaches. `rec` NULL: a page that is no record. */
void library_fill(struct dana_document *to, const struct document *doc, const struct record *rec);

#endif
