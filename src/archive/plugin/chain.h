/* SPDX-License-Identifier: MIT */
/*
 * The plugins as one thread calls them. The worker's part calls all PURE plugins before a page is parsed, and those up
 * to the first ORDERED one with its text; the tail's part calls the others, in the order of the input. Threads: one
 * chain for each. Ownership: arguments are borrowed until the record's end, results until the next record.
 */
#ifndef DANA_ARCHIVE_PLUGIN_CHAIN_H
#define DANA_ARCHIVE_PLUGIN_CHAIN_H

#include "archive/document.h"
#include "archive/plugin/plugins.h"

struct buf;
struct plugin_chain;

enum plugin_part {
	PLUGIN_WORKER,
	PLUGIN_TAIL,
	PLUGIN_GATE, /* only the record type: called when records come in, before their blocks are copied */
};

/** Results: PLUGIN_KEEPS, PLUGIN_DROPS (see plugin_chain_skip), or a negative status (see plugin_chain_fault). */
enum plugin_answer { PLUGIN_KEEPS = 0, PLUGIN_DROPS = 1 };

/** Data of a record for a chain when its HTTP head is known. */
struct plugin_http {
	int status;         /* 0: no HTTP status */
	struct slice type;  /* Content-Type as sent, or of a record without HTTP */
	struct slice lines; /* of the head, after the first, each ended by LF */
};

/** Returns NULL with a text in `err` on failure. */
struct plugin_chain *plugin_chain_new(struct plugins *plugins, enum plugin_part part, struct error *err);
void plugin_chain_free(struct plugin_chain *c);
/**
 * For the records to come, calls only these plugins: bit i is number i of those that the user named. Without it all are
 * called.
 */
void plugin_chain_choose(struct plugin_chain *c, uint32_t chosen);
/** Begins a record, and calls the plugins for its head. `file` as in struct document. */
int plugin_chain_head(struct plugin_chain *c, const struct record *rec, const char *file);
int plugin_chain_http(struct plugin_chain *c, const struct plugin_http *http);
/** `first`: the first 512 bytes of the body, or all of it. A record without HTTP has a `type`, too. */
int plugin_chain_media(struct plugin_chain *c, struct slice type, struct slice first);
/**
 * Passes the page's HTML as it is streamed: first an empty slice, when the page begins. Bytes after --max-body are not
 * passed on.
 */
int plugin_chain_html(struct plugin_chain *c, struct slice stretch);
/** Calls the worker's part for a page with its text; plugins may change `doc`. */
int plugin_chain_document(struct plugin_chain *c, struct document *doc);
/** The same for the tail's part, for a document from a worker, with its marks. */
int plugin_chain_ordered(struct plugin_chain *c, struct document *doc, const struct plugin_marks *marks);
/**
 * Makes of the outcome of a document what plugin_chain_ordered answers: one that is dropped is skipped, or damaged,
 * with `damage`, where its record has a wrong length. Returns 0 or a negative status.
 */
int plugin_chain_decide(struct plugin_chain *c, struct outcome *outcome, struct record_end *damage);
/** Returns why the record is skipped, after PLUGIN_DROPS. */
enum skip_reason plugin_chain_skip(const struct plugin_chain *c);
/** Returns the rule by which the plugin dropped it; "" if it named no rule. */
const char *plugin_chain_rule(const struct plugin_chain *c);
/** Returns the marks of the record so far. */
struct plugin_marks plugin_chain_marks(const struct plugin_chain *c);
/** Returns "plugin NAME: why", after DANA_EPLUGIN. */
const char *plugin_chain_fault(const struct plugin_chain *c);
/**
 * Ordered plugins at a checkpoint: appends the state of plugin number `index`, and sets its name. Returns 0; 1 after
 * the last; DANA_EPLUGIN or DANA_ENOMEM.
 */
int plugin_chain_save(struct plugin_chain *c, size_t index, const char **name, struct buf *state);
/**
 * Restores a state after plugin_chain_new, when a run resumes. Returns DANA_ECONFIG if no plugin of that name takes a
 * state.
 */
int plugin_chain_restore(struct plugin_chain *c, struct slice name, struct slice state, struct error *err);
/** Called when all outputs are complete. */
int plugin_chain_finish(struct plugin_chain *c, struct error *err);

#endif
