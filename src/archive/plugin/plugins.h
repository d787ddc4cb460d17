/* SPDX-License-Identifier: MIT */
/*
 * The filters of a run, and the plugins that the user named, each loaded once. Chains (chain.h),
 * one for each thread, call them. Threads: not changed between plugins_new and plugins_free, except for reports and
 * plugins_run_over at the end of the run.
 */
#ifndef DANA_PLUGIN_PLUGINS_H
#define DANA_PLUGIN_PLUGINS_H

#include "archive/plugin/settings.h"
#include "archive/plugin_marks.h"
#include "base/slice.h"
#include "base/status.h"

struct plugins;

/**
 * Values of the filters, from the options of `dana filter`: lists of words, "any" takes all; without a list the default
 * counts.
 */
struct plugins_choice {
	const char *types, *statuses, *mimes;
	uint64_t min_chars;
};

struct plugins_config {
	struct plugins_choice choice;
	const struct plugin_rows *rows; /* NULL if there are only the filters */
	const char *folder;             /* of shared plugins */
	uint64_t max_html;              /* most bytes of a page that are kept for a plugin */
	/** Prints a line for the user; any thread. May be NULL. */
	void (*line)(void *arg, const char *text);
	void *arg;
	bool quiet, verbose;
};

/**
 * Finds, checks and loads the plugins. Returns NULL with a text in `err` on failure: DANA_ECONFIG for a mistake of the
 * user, DANA_EPLUGIN for a plugin that cannot be loaded, DANA_ENOMEM. The config is borrowed only for the call, except
 * for `line` and its `arg`.
 */
struct plugins *plugins_new(const struct plugins_config *config, struct error *err);
/**
 * Called when the run has ended well and its checkpoints are removed: plugins may remove what they keep to resume from
 * them.
 */
void plugins_run_over(struct plugins *s);
/** After all chains are closed. */
void plugins_free(struct plugins *s);
const struct plugin_names *plugins_names(const struct plugins *s);
/** Returns the key in documents of the object of plugin number `i` of those that the user named; NULL after the last.
 */
const char *plugins_object(const struct plugins *s, size_t i);
/** Returns whether a plugin finds languages, with a score. */
bool plugins_find_language(const struct plugins *s);
/** Returns the name of a plugin that needs its pages in the order of the input; NULL if no plugin does. */
const char *plugins_ordered(const struct plugins *s);
/**
 * Returns file number `i`, from 0, of those that plugins read, as the user named them (DANA_FILE); NULL after the last.
 */
const char *plugins_read(const struct plugins *s, size_t i);
/** As plugins_read, for files and folders that plugins write (DANA_FILE_WRITTEN). */
const char *plugins_written(const struct plugins *s, size_t i);
/** These return whether a plugin needs the page's HTML, or its blocks, to be kept. */
bool plugins_want_html(const struct plugins *s);
/** Returns whether plugin_chain_html() has any plugin to call. */
bool plugins_read_html(const struct plugins *s);
bool plugins_want_blocks(const struct plugins *s);
uint64_t plugins_max_html(const struct plugins *s);

#endif
