/* SPDX-License-Identifier: MIT */
/* Internals of struct dana_archive, partly shared with struct dana_page_reader. Threads, ownership: dana/archive.h. */
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

/* A queued document. */
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
	bool begun; /* bytes were pushed, or the input has ended */
	bool ended; /* the input has ended */
	int answer; /* of the pump */
	struct error error;
	struct stats stats;
	void (*outcome)(void *outcome_arg, const struct dana_outcome *outcome);
	void *outcome_arg;
	struct buf reason;

	struct arena *memory; /* of queued documents */
	struct buf waiting;   /* struct library_document */
	size_t n, taken;
	struct buf line, counts;

	struct dana_reader reader; /* zeroed: the caller pushes */
	uint8_t *bytes;            /* bytes read */
	size_t used;               /* of `bytes` */
	bool seekable;
};

/** Configures an archive by the options. Returns 0, or a negative status with a text in `err`. */
int library_configure(struct dana_archive *a, const struct dana_archive_options *options, struct error *err);
/** Copies the members that the caller's struct_size covers; the others become zero. */
void library_read_options(struct dana_archive_options *to, const struct dana_archive_options *from);
/** Fills `to` from `doc`, as far as to->struct_size reaches. `rec` NULL: a single page. */
void library_fill(struct dana_document *to, const struct document *doc, const struct record *rec);

#endif
