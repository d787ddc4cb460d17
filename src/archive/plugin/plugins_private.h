/* SPDX-License-Identifier: MIT */
/* Internals of the plugins of a run, shared by the files of this folder. */
#ifndef DANA_PLUGIN_PLUGINS_PRIVATE_H
#define DANA_PLUGIN_PLUGINS_PRIVATE_H

#include "archive/plugin/loader.h"
#include "archive/plugin/plugins.h"
#include "archive/plugin/settings.h"
#include "archive/stream/document.h"

struct plugin;

/** One for loading a plugin and one for each instance, because each has its own error. */
struct dana_context {
	struct plugins *owner;
	const struct plugin *plugin;
	struct error error;
};

struct plugin {
	const struct dana_plugin *def;
	struct slice asked;    /* as the user wrote it: a name, or a path */
	enum skip_reason skip; /* reason for pages it drops */
	const char *option;    /* of a built-in filter: its name in messages */
	unsigned number, first_counter;
	struct settings settings;
	struct loaded file;
	struct dana_context context;
	void *shared;
	bool loaded;
};

struct plugins {
	struct plugin at[PLUGINS_MOST];
	size_t n;
	size_t cut;            /* number of the first ordered one; `n` if no plugin is ordered */
	struct plugin *length; /* the filter of --min-chars, called again if the text was changed */
	struct plugin_names names;
	struct arena *memory;
	uint64_t max_html;
	bool run_is_over; /* set by plugins_run_over */
	uint32_t wants;   /* all flags together */
	bool reads_html;  /* a plugin of the worker has the function html */
	void (*line)(void *arg, const char *text);
	void *arg;
	bool quiet, verbose;
};

/** The functions that plugins call. */
extern const struct dana_host plugin_host;

/** Where `save` of a plugin stores its state. */
struct dana_store {
	struct buf *bytes;
};

/**
 * Sets `err` to the reason that a function of the plugin gave, or that it returned `result`. Returns DANA_EPLUGIN or
 * DANA_ENOMEM.
 */
int plugin_failed(const struct plugin *p, const char *function, int result, const struct error *said,
		  struct error *err);

#endif
