/* SPDX-License-Identifier: MIT */
/* Internals of struct dana_archive, partly shared with struct dana_page_reader. Threads, ownership: dana/archive.h. */
#ifndef DANA_ARCHIVE_LIBRARY_PRIVATE_H
#define DANA_ARCHIVE_LIBRARY_PRIVATE_H

#include "archive/archive_dates.h"
#include "archive/arrow/document_batch.h"
#include "archive/arrow/page_batch.h"
#include "archive/plugin/settings.h"
#include "archive/processor.h"
#include "archive/pump.h"
#include "archive/sink/conversion_id.h"
#include "archive/sink/sink.h"
#include "archive/stats.h"
#include "archive/warc/date.h"
#include "base/buf.h"
#include "base/status.h"
#include "dana/archive.h"

struct arena;
struct single_page;

/** The text for a result whose place is NULL. */
#define NO_PLACE "the place for the result is NULL"

/* A queued document. */
struct library_document {
	struct document document;
	struct record record;
};

/* What other layouts of JSONL have where the record does not say it. */
struct library_made {
	char id[CONVERSION_ID + 1];
	char created[WARC_DATE_MAX]; /* "": the record's own date can be read */
};

/* Where an archive stands, to go on from there. */
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

	struct document_batch *batch; /* NULL until the first is asked for */
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
	bool within, dropped;     /* as in struct dana_archive */
	struct page_batch *batch; /* of dana_page_column; NULL until it is asked for */
	unsigned structure;       /* as dana_options.structure */
};

/** Configures an archive by the options. Returns 0, or a negative status with a text in `err`. */
int library_configure(struct dana_archive *a, const struct dana_archive_options *options, struct error *err);
/**
 * Begins a call that moves the archive on. Returns 0, after which library_leave must be called, or the status with
 * which the call is refused: it comes from within another one, or after an error.
 */
int library_enter(struct dana_archive *a);
/** Ends it. Returns `answer`, or the error of a function of the caller's that misused the archive meanwhile. */
int library_leave(struct dana_archive *a, int answer);
/** Says that the caller misuses the archive, which ends it. Returns DANA_ESTATE. */
int library_misused(struct dana_archive *a, const char *why);
/** Returns whether a function of the caller's, which has just returned, ended the archive: its error, or 0. */
int library_after_callback(const struct dana_archive *a);
/** As dana_archive_next, between library_enter and library_leave. */
int library_next(struct dana_archive *a, struct dana_document *document);
/** Pushes bytes, or with NULL the end of the input. Returns 0 or an error. */
int library_push(struct dana_archive *a, const void *bytes, size_t len);
/** Gives the archive the input that `answer` asks for. Returns 0 or an error. */
int library_feed(struct dana_archive *a, int answer);
/** As dana_page_read, within another call. */
int library_page(struct dana_page_reader *p, const struct dana_page_source *source, struct slice html,
		 struct dana_document *document);
/** As library_enter and library_leave, for pages; the error of the call before is forgotten. */
int library_page_enter(struct dana_page_reader *p);
int library_page_leave(struct dana_page_reader *p, int status);
/** Returns whether each of `n` texts is there. */
bool library_has_texts(const char *const *texts, size_t n);
/** Writes why no archive is made, as dana_archive_options.error describes. Returns `status`. */
int library_not_made(const struct dana_archive_options *options, int status, const char *why);
/** Reads a place. Returns 0, or DANA_ECONFIG with a text in `err`. */
int library_read_place(struct library_place *place, const char *text, struct error *err);
/** Counts the document. Returns whether it was taken before the place that the archive goes on from. */
bool library_place_passes(struct library_place *place, uint64_t offset);
/** Copies the members that the caller's struct_size covers; the others become zero. */
void library_read_options(struct dana_archive_options *to, const struct dana_archive_options *from);
/** Fills `to` from `doc`, as far as to->struct_size reaches. `made` NULL: a single page. */
void library_fill(struct dana_document *to, const struct document *doc, const struct record *rec,
		  const struct library_made *made);

#endif
