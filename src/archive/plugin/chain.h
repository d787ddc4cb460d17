/* SPDX-License-Identifier: MIT */
/*
 * The plugins as one thread asks them. The worker's part holds all PURE plugins up to the first ORDERED one, and asks all PURE
 * ones before a page is parsed; the tail's part is the rest, in the order of the input.
 * Threads: one chain for each. Ownership: what it is told of a record is borrowed until the record's end; its answers until the
 * next record.
 */
#ifndef DANA_PLUGIN_CHAIN_H
#define DANA_PLUGIN_CHAIN_H

#include "archive/plugin/plugins.h"
#include "archive/stream/document.h"

struct buf;
struct plugin_chain;

enum plugin_part {
	PLUGIN_WORKER,
	PLUGIN_TAIL,
	PLUGIN_GATE, /* the record type only: asked where records come in, before their blocks are copied */
};

/** The answers: negative status (the text is plugin_chain_fault), PLUGIN_KEEPS, or PLUGIN_DROPS (why: plugin_chain_skip). */
enum plugin_answer { PLUGIN_KEEPS = 0, PLUGIN_DROPS = 1 };

/** What a chain learns of a record when its HTTP head is known. */
struct plugin_http {
	int status;         /* 0: no HTTP status */
	struct slice type;  /* Content-Type as sent, or of a record without HTTP */
	struct slice lines; /* of the head, after the first, each ended by LF */
};

/** NULL with a text in `err`. */
struct plugin_chain *plugin_chain_new(struct plugins *plugins, enum plugin_part part, struct error *err);
/** NULL allowed. */
void plugin_chain_free(struct plugin_chain *c);

/** A record begins: asks about its head. `file` as in struct document. */
int plugin_chain_head(struct plugin_chain *c, const struct record *rec, const char *file);
int plugin_chain_http(struct plugin_chain *c, const struct plugin_http *http);
/** `first`: the first 512 bytes of the body, or all of it. Also tells the type of a record without HTTP. */
int plugin_chain_media(struct plugin_chain *c, struct slice type, struct slice first);
/**
 * The HTML of the page as it goes by: first an empty slice, when it begins. 0 or negative status. What comes after --max-body
 * bytes is not passed on.
 */
int plugin_chain_html(struct plugin_chain *c, struct slice stretch);
/** The worker's part of a page with its text; plugins may change `doc`. */
int plugin_chain_document(struct plugin_chain *c, struct document *doc);
/** The tail's part: as before, of a document that has left the worker, with its marks. */
int plugin_chain_ordered(struct plugin_chain *c, struct document *doc, const struct plugin_marks *marks);

/** After PLUGIN_DROPS. */
enum skip_reason plugin_chain_skip(const struct plugin_chain *c);
/** The rule by which the plugin dropped it; "": it has not said. */
const char *plugin_chain_rule(const struct plugin_chain *c);
/** What there is to tell of the record so far. */
struct plugin_marks plugin_chain_marks(const struct plugin_chain *c);
/** After DANA_EPLUGIN: "plugin NAME: why". */
const char *plugin_chain_fault(const struct plugin_chain *c);

/**
 * Ordered plugins at a checkpoint: appends the state of number `index`, and its name. 0; 1: there is none of that number;
 * DANA_EPLUGIN or DANA_ENOMEM.
 */
int plugin_chain_save(struct plugin_chain *c, size_t index, const char **name, struct buf *state);
/** After plugin_chain_new, when a run goes on: gives a state back. DANA_ECONFIG: no plugin of that name takes one. */
int plugin_chain_restore(struct plugin_chain *c, struct slice name, struct slice state, struct error *err);
/** All outputs are complete. 0 or DANA_EPLUGIN. */
int plugin_chain_finish(struct plugin_chain *c, struct error *err);

#endif
