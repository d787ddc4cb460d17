/* SPDX-License-Identifier: MIT */
/*
 * What is done with one record: HTTP, media type, charset, extraction, built-in filters. A record_sink in front, a
 * document_sink, which gets exactly one outcome for each record.
 * Threads: one processor for each thread. Ownership: borrows all that its config points to, for its life.
 */
#ifndef DANA_PIPELINE_PROCESSOR_H
#define DANA_PIPELINE_PROCESSOR_H

#include "base/status.h"
#include "filter/chain.h"
#include "pipeline/origin.h"
#include "stream/document_sink.h"
#include "stream/limits.h"
#include "stream/record_sink.h"

struct processor;

struct processor_config {
	const struct limits *limits;
	const struct filter_chain *filters;
	const char *method;    /* as for dana_new */
	struct buf *page;      /* gets each page as UTF-8, before its outcome; NULL: nobody wants it */
	struct origin *origin; /* noted by this processor when its records come from the framer itself; else NULL */
	int (*read_file)(void *read_arg, const char *name, char **data,
			 size_t *len); /* as dana_options.read_file; any thread */
	void *read_arg;
};

/** NULL with a text in `err`: memory, or a bad method. */
struct processor *processor_new(const struct processor_config *config, struct document_sink *next, struct error *err);
/** The front. Records come with `next` told of each in the same call of `end` or `damage`. */
struct record_sink *processor_records(struct processor *p);
/** A new input begins; `file` is borrowed until the next one. */
void processor_input(struct processor *p, const char *file);
/** Without `origin`: WARC-Date of the last warcinfo before the record that comes; borrowed until the record's end. */
void processor_warcinfo_date(struct processor *p, struct slice date);
/** NULL allowed. */
void processor_free(struct processor *p);

/** Why a record needs no look at its block; SKIP_NONE: it does. Depends on the head alone. */
enum skip_reason processor_refuses(const struct filter_chain *filters, const struct record *rec);

#endif
