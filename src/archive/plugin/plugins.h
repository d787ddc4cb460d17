/* SPDX-License-Identifier: MIT */
/*
 * Plugins with their options as a user names them, and the values of the options, checked against the plugin's table.
 * Threads: not changed after settings_read.
 */
#ifndef DANA_ARCHIVE_PLUGIN_PLUGINS_H
#define DANA_ARCHIVE_PLUGIN_PLUGINS_H

#include "archive/document.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "dana/dana_plugin.h"

/*
 * Plugins as a user names them, in order: --plugin NAME[:KEY=VALUE,...] and sections of the configuration file become
 * rows of name, key and value. Ownership: slices are borrowed from the command line or the file.
 */
enum { PLUGIN_ROWS_MOST = 256 };

struct plugin_row {
	struct slice name;       /* or an absolute path */
	struct slice key, value; /* key.data NULL: the plugin is only named */
};

/** Zero-initialised it is empty. */
struct plugin_rows {
	struct plugin_row at[PLUGIN_ROWS_MOST];
	size_t n;
};

/** Adds a row; `where` begins the message. */
int plugin_rows_add(struct plugin_rows *rows, struct plugin_row row, const char *where, struct error *err);
/**
 * Adds the rows of "NAME:KEY=VALUE,KEY=VALUE". Text after a comma that has no '=' belongs to the value before the
 * comma.
 */
int plugin_rows_parse(struct plugin_rows *rows, const char *text, const char *where, struct error *err);

struct arena;

/** One option; `text` NULL: not set. Numbers by the option's type. */
struct setting {
	const struct dana_option *option;
	const char *text;
	int64_t integer; /* also of a DANA_BOOLEAN */
	double number;
};

struct settings {
	struct setting *at;
	size_t n;
};

/**
 * Checks the table of `plugin` itself. Returns NULL if it is valid; else what is wrong, with the name of the option.
 */
const char *settings_table_fault(const struct dana_plugin *plugin, struct buf *text);
/**
 * Sets the defaults, then the rows whose name is `name`. Texts are copied into `memory`. Returns 0, DANA_ENOMEM, or
 * DANA_ECONFIG with a message of one line.
 */
int settings_read(struct settings *s, const struct dana_plugin *plugin, struct slice name,
		  const struct plugin_rows *rows, struct arena *memory, struct error *err);
/** Returns the setting; NULL if the plugin has no such option. */
const struct setting *settings_find(const struct settings *s, const char *name);
/** Returns whether it has only a-z, digits and '-', which is not the first: the name of a plugin or an option. */
bool settings_is_name(const char *text);
/** Returns whether it has only letters, digits, '-' and '_'. */
bool settings_is_key(struct slice key);
/** Returns the value as help shows it: "FILE", "a|b", "N". */
const char *settings_argument(const struct dana_option *o);

/*
 * The filters of a run, and the plugins that the user named, each loaded once. Chains (chain.h),
 * one for each thread, call them. Threads: not changed between plugins_new and plugins_free, except for reports and
 * plugins_run_over at the end of the run.
 */

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
	/** Prints a line for the user; any thread. */
	void (*line)(void *arg, const char *text);
	void *arg;
	bool quiet, verbose;
	bool refuses_ordered;        /* with DANA_ECONFIG, before it is loaded */
	bool keeps_nothing;          /* files that plugins would write are refused */
	bool metadata;               /* the built-in plugin of that name is the first, if it is not among the rows */
	const char *metadata_object; /* key in documents of the plugin metadata; NULL: its name */
};

/**
 * Finds, checks and loads the plugins. Returns NULL with a text in `err` on failure: DANA_ECONFIG for a mistake of the
 * user, DANA_EPLUGIN for a plugin that cannot be loaded, DANA_ENOMEM. The config is borrowed only for the call, except
 * for `line` and its `arg`.
 */
struct plugins *plugins_new(const struct plugins_config *config, struct error *err);
/**
 * As plugins_new for single pages, with rows: `choice` does not count, as none of the filters of records applies. With
 * `metadata` the built-in plugin of that name is the last one, if it is not among the rows. Returns NULL without a text
 * if there are no plugins; DANA_ECONFIG also for one that needs its pages in the order of a run.
 */
struct plugins *plugins_new_of_pages(const struct plugins_config *config, bool metadata, struct error *err);
/**
 * Reads a list of plugins that are loaded, "language,pii"; empty: none. Bit i of *chosen is number i of those that the
 * user named. Returns 0, or DANA_ECONFIG.
 */
int plugins_choose(const struct plugins *s, struct slice list, uint32_t *chosen, struct error *err);
/**
 * Called when the run has ended well and its checkpoints are removed: plugins may remove what they keep to resume from
 * them.
 */
void plugins_run_over(struct plugins *s);
/**
 * Returns the plugins, with all that they have seen, for one more user, which frees them, too; one thread at a time.
 */
struct plugins *plugins_share(struct plugins *s);
/** After all chains are closed. */
void plugins_free(struct plugins *s);
const struct plugin_names *plugins_names(const struct plugins *s);
/** Returns the key in documents of the object of plugin number `i` of those that the user named; NULL after the last.
 */
const char *plugins_object(const struct plugins *s, size_t i);
/** Returns the name of a plugin that needs its pages in the order of the input; NULL if no plugin does. */
const char *plugins_ordered(const struct plugins *s);
/**
 * Returns file number `i`, from 0, of those that plugins read, as the user named them (DANA_FILE); NULL after the last.
 */
const char *plugins_read(const struct plugins *s, size_t i);
/** As plugins_read, for files and folders that plugins write (DANA_FILE_WRITTEN). */
const char *plugins_written(const struct plugins *s, size_t i);
/** What plugins need of pages. */
struct plugins_needs {
	bool html, blocks; /* kept with the document */
	bool html_stream;  /* plugin_chain_html() has a plugin to call */
	bool language;     /* a plugin finds it, with a score */
	uint64_t max_html; /* most bytes of a page that are kept */
};
struct plugins_needs plugins_needs(const struct plugins *s);

/*
 * The filters of every run: record type, HTTP status, media type, length of the text. Each is an option of
 * `dana filter`. Chains (chain.h) apply each as soon as what it needs is known, before the plugins.
 */

struct arena;

struct filter_row {
	const char *name, *option, *help;
};

/** Ends with a row without name. */
extern const struct filter_row filter_table[];

enum { STATUS_LEAST = 100, STATUS_MOST = 999 };

struct filters {
	bool any_type, any_status, any_mime;
	bool type[RECORD_OTHER];
	const char *types, *mimes; /* lists of words, as the user wrote them */
	bool status[STATUS_MOST + 1];
	uint64_t min_chars;
};
bool filters_take_type(const struct filters *f, const struct record *rec);
/** A record without HTTP status (0) passes. */
bool filters_take_status(const struct filters *f, int status);
/** `type` in any case; empty: unknown. */
bool filters_take_mime(const struct filters *f, struct slice type);

/*
 * Loads plugins from shared objects: where they are searched, and what is checked before one of their functions is
 * called.
 */

struct loaded {
	void *handle; /* loader_close */
	const struct dana_plugin *plugin;
};

/** The key of a plugin's object in documents. */
static inline const char *loader_object(const struct dana_plugin *p)
{
	return p->object ? p->object : p->name;
}

/**
 * `name` with a slash is an absolute path, else NAME.so in `folder`. Returns 0; DANA_EPLUGIN with a text that names the
 * file; DANA_ECONFIG if the file does not exist.
 */
int loader_open(struct loaded *out, struct slice name, const char *folder, struct error *err);
/** Whether this build loads plugins from files at all. */
bool loader_loads(void);
void loader_close(struct loaded *l);
/**
 * As file_trust, and returns as that; also, others must not be able to read the file, nor the group unless root gives
 * the file to the user that way.
 */
int file_trust_secret(const char *path, struct error *err);
/** The plugins that are built in; ends with NULL. */
extern const struct dana_plugin *const registry_table[];

/** Returns the built-in plugin of that name, or NULL. */
const struct dana_plugin *registry_find(struct slice name);

#endif
