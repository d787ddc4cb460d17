/* SPDX-License-Identifier: MIT */
/*
 * The filters of every run: record type, HTTP status, media type, length of the text. Each is an option of
 * `dana filter`. Chains (chain.h) apply each as soon as what it needs is known, before the plugins.
 */
#ifndef DANA_ARCHIVE_PLUGIN_FILTERS_H
#define DANA_ARCHIVE_PLUGIN_FILTERS_H

#include "archive/document.h"
#include "archive/plugin/plugins.h"

struct arena;

/* X(reason of records that are skipped, "name", "option", "help") */
#define FILTER_LIST(X) \
	X(TYPE, "type", "--type", "takes records by their type") \
	X(STATUS, "status", "--status", "takes records by their HTTP status") \
	X(MIME, "mime", "--mime", "takes records by their media type") \
	X(SHORT, "length", "--min-chars", "takes pages by the length of their text")

struct filter_row {
	const char *name, *option, *help;
};
/** Ends with a row without name. */
extern const struct filter_row filter_table[];
/** Returns the row; NULL if no filter has that name. */
const struct filter_row *filter_find(struct slice name);

enum { STATUS_LEAST = 100, STATUS_MOST = 999 };

struct filters {
	bool any_type, any_status, any_mime;
	bool type[RECORD_OTHER];
	const char *types, *mimes; /* lists of words, as the user wrote them */
	bool status[STATUS_MOST + 1];
	uint64_t min_chars;
};

/** Reads the lists of `choice`, and copies what is kept into `memory`. */
int filters_read(struct filters *f, const struct plugins_choice *choice, struct arena *memory, struct error *err);
bool filters_take_type(const struct filters *f, const struct record *rec);
/** A record without HTTP status (0) passes. */
bool filters_take_status(const struct filters *f, int status);
/** `type` in any case; empty: unknown. */
bool filters_take_mime(const struct filters *f, struct slice type);

#endif
