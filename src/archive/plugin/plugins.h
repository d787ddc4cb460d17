/* SPDX-License-Identifier: MIT */
/*
 * The plugins of a run: the built-in filters first, then those that the user asked for, each loaded once. Chains (chain.h), one
 * for each thread, ask them about pages.
 * Threads: not changed between plugins_new and plugins_free, but for reports and plugins_run_over at the end of the run.
 */
#ifndef DANA_PLUGIN_PLUGINS_H
#define DANA_PLUGIN_PLUGINS_H

#include "archive/plugin/plugin_rows.h"
#include "archive/stream/plugin_marks.h"
#include "base/slice.h"
#include "base/status.h"

struct plugins;

/** What the built-in filters get, as the options of `dana filter` give it: lists of words, "any" takes all; NULL: the default. */
struct plugins_choice {
	const char *types, *statuses, *mimes;
	uint64_t min_chars;
};

struct plugins_config {
	struct plugins_choice choice;
	const struct plugin_rows *rows; /* NULL: none but the built-in filters */
	const char *folder;             /* of shared plugins */
	uint64_t max_html;              /* bytes of a page that are kept for a plugin */
	/** A line for people; any thread. NULL: nobody listens. */
	void (*line)(void *arg, const char *text);
	void *arg;
	bool quiet, verbose;
};

/**
 * Finds, checks and loads. NULL with a text in `err`: DANA_ECONFIG for what the user wrote, DANA_EPLUGIN for a plugin that cannot
 * be loaded, DANA_ENOMEM. All that the config points to is borrowed only for the call, but `line` with its `arg`.
 */
struct plugins *plugins_new(const struct plugins_config *config, struct error *err);
/** The run has ended well, and its checkpoints are removed: plugins may remove what they keep to go on from them. */
void plugins_run_over(struct plugins *s);
/** After all chains are closed. NULL allowed. */
void plugins_free(struct plugins *s);

const struct plugin_names *plugins_names(const struct plugins *s);
/** A plugin wants its pages in the order of the input: its name. NULL: none. */
const char *plugins_ordered(const struct plugins *s);
/** The files that plugins read, as the user named them (DANA_FILE): number `i` from 0; NULL after the last. */
const char *plugins_read(const struct plugins *s, size_t i);
/**
 * The files and folders that plugins write, as the user named them (DANA_FILE_WRITTEN): number `i` from 0; NULL after the last.
 */
const char *plugins_written(const struct plugins *s, size_t i);
/** What plugins ask to be kept for them. */
bool plugins_want_html(const struct plugins *s);
/** Whether plugin_chain_html() has anybody to call. */
bool plugins_read_html(const struct plugins *s);
bool plugins_want_blocks(const struct plugins *s);
uint64_t plugins_max_html(const struct plugins *s);

#endif
