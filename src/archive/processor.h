/* SPDX-License-Identifier: MIT */
/*
 * Processes records: HTTP, media type, charset, extraction, plugins. Takes records as a record_sink, and gives exactly
 * one outcome for each to a document_sink. Threads: one processor for each thread. Ownership: borrows all that its
 * config points to, for its life.
 */
#ifndef DANA_ARCHIVE_PROCESSOR_H
#define DANA_ARCHIVE_PROCESSOR_H

#include "archive/document.h"
#include "archive/limits.h"
#include "archive/record.h"
#include "archive/texts.h"
#include "base/status.h"

struct plugins;
struct plugin_chain;
struct processor;

/** Which blocks are compared with their WARC-Block-Digest. */
enum digest_check {
	DIGESTS_AUTO, /* those of which no checksum of the compression has shown that they are as they were written */
	DIGESTS_ALWAYS,
	DIGESTS_NEVER,
};

/** What users choose: rows of src/cli/filter_options.c set these members, and the whole goes to the processor. */
struct processor_choice {
	int check_digests;   /* enum digest_check */
	bool require_digest; /* checks always: a record whose block has another digest is damaged */
};

/**
 * Finds the records that revisits refer to (--revisits resolve). `open` makes what one processor asks, NULL if memory
 * is exhausted.
 */
struct revisit_source {
	void *(*open)(void *arg);
	/**
	 * Passes the record that the revisit refers to on to `to`, with number, place, id, address and date of the
	 * revisit, which has ended with `end`. Returns REVISIT_RESOLVED; REVISIT_UNRESOLVED, with what is missing in
	 * *why: a record that was begun is forgotten then; or a negative status.
	 */
	int (*resolve)(void *opened, const struct record *revisit, const struct record_end *end, struct record_sink *to,
		       const char **why);
	void (*close)(void *opened);
	void *arg;
};

enum { REVISIT_RESOLVED, REVISIT_UNRESOLVED };

struct processor_config {
	const struct limits *limits;
	struct processor_choice choice;
	struct plugins *plugins;
	bool needs_uri;              /* the output has no place for a document whose URI is empty */
	bool take_unreadable;        /* documents whose text is mostly U+FFFD, too */
	bool digest_optional;        /* without libcrypto documents whose digest is wanted are `unverified` */
	bool want_html, want_blocks; /* documents have them, also where no plugin asks for them */
	bool want_survey;            /* documents have what dana_page_decision gives, pages left out how they begin */
	const char *method;          /* as for dana_new */
	struct texts texts;
	const struct revisit_source *revisits; /* NULL: they are only counted */
	struct buf *page;                      /* gets each page as UTF-8, before its outcome; NULL: nobody wants it */
	struct archive_dates
		*dates; /* noted by this processor when its records come from the framer itself; else NULL */
	int (*read_file)(void *read_arg, const char *name, char **data,
			 size_t *len); /* as dana_options.read_file; any thread */
	void *read_arg;
};

/** Returns NULL with a text in `err` if memory is exhausted or the method is invalid. */
struct processor *processor_new(const struct processor_config *config, struct document_sink *next, struct error *err);
/** Returns the names of texts->others, as documents have them, *n of them; they live as long as `p`. */
const char *const *processor_other_methods(const struct processor *p, size_t *n);
/** Returns the sink for records. A record that is begun before the one before has ended takes its place. `next` gets
 * the outcome of each within the same call of `end` or `damage`. */
struct record_sink *processor_records(struct processor *p);
/** A new input begins; `file` is borrowed until the next one. */
void processor_input(struct processor *p, const char *file);
/** Without `dates`: WARC-Date of the last warcinfo before the record that comes; borrowed until the record's end. */
void processor_warcinfo_date(struct processor *p, struct slice date);
void processor_free(struct processor *p);
/** Returns the message of a plugin's failure, after DANA_EPLUGIN. */
const char *processor_fault(const struct processor *p);
/**
 * Decides by type and URI whether a processor needs a record's block. Returns RECORD_UNWANTED, RECORD_WANTED, or a
 * negative status. `gate` is a chain of that part.
 */
int processor_refuses(struct plugin_chain *gate, const struct processor_config *config, const struct record *rec);

#endif
