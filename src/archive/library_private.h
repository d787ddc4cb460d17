/* SPDX-License-Identifier: MIT */
/* Internals of struct dana_archive, partly shared with struct dana_page_reader. Threads, ownership: dana/archive.h. */
#ifndef DANA_ARCHIVE_LIBRARY_PRIVATE_H
#define DANA_ARCHIVE_LIBRARY_PRIVATE_H
/* Internals of struct dana_archive, partly shared with struct dana_page_reader. Threads, ownership: dana/archive.h. */
/* Internals of struct dana_archive, partly shared with struct dana_page_reader. Threads, ownership: dana/archive.h. */

#include "archive/archive_dates.h"
#include "archive/batch.h"
#include "archive/plugin/settings.h"
#include "archive/processor.h"
#include "archive/pump.h"
#include "archive/sink/sink.h"
#include "archive/stats.h"
#include "archive/warc/date.h"
#include "base/buf.h"
#include "base/status.h"
#include "dana/archive.h"

struct arena;
struct single_page;

/* What other layouts of JSONL have where the record does not say it. */
struct library_made {
	char id[CONVERSION_ID + 1];
	char created[WARC_DATE_MAX]; /* "": the record's own date can be read */
};

/* How far an archive is read, to resume there. */
struct library_place {
	uint64_t offset, n; /* of the document taken last; how many that have it were taken */
	uint64_t pass;      /* documents that are still to be passed over */
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
	struct library_made made; /* of the document taken last */

	bool keeps_rejects, wants_html;
	unsigned structure;         /* as dana_options.structure */
	struct buf rejects, given;  /* lines; those that were given last */
	unsigned pieces, piece;     /* most, and used since the last call; 0: no limit */
	struct library_place place; /* after the document taken last */

	struct document_batch *batch; /* made for the first batch */
	uint64_t batch_rows, batch_bytes;
	bool batch_waits;                 /* it has rows, which are not passed on yet, */
	struct library_place batch_place; /* and where the archive stood before them */

	bool within;   /* a call that moves the archive on runs, and with it perhaps a function of the caller's */
	bool dropped;  /* that has called dana_archive_free: the call frees the archive when it returns */
	bool exported; /* a stream owns the archive */

	struct dana_reader reader; /* zeroed: the caller pushes */
	uint8_t *bytes;            /* bytes read */
	size_t used;               /* of `bytes` */
	bool seekable;
};

struct dana_page_reader {
	struct single_page *page;
	struct error error;
	bool within, dropped;         /* as in struct dana_archive */
	struct document_batch *batch; /* of dana_page_column, made on first use */
	unsigned structure;           /* as dana_options.structure */
};
/** Returns whether each of `n` texts is there. */
bool library_has_texts(const char *const *texts, size_t n);
/** Fills `to` from `doc`, as far as to->struct_size reaches. A single page has no `made`. */
void library_fill(struct dana_document *to, const struct document *doc, const struct record *rec,
		  const struct library_made *made);

#endif
