/* SPDX-License-Identifier: MIT */
/*
 * Plugins with their options as a user names them, and the values of the options, checked against the plugin's table.
 * Threads: not changed after settings_read.
 */
#ifndef DANA_PLUGIN_SETTINGS_H
#define DANA_PLUGIN_SETTINGS_H

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

/** Adds a row; `where` begins the message. Returns 0 or DANA_ECONFIG. */
int plugin_rows_add(struct plugin_rows *rows, struct plugin_row row, const char *where, struct error *err);
/**
 * Adds the rows of "NAME:KEY=VALUE,KEY=VALUE". Text after a comma that has no '=' belongs to the value before the
 * comma. Returns 0 or DANA_ECONFIG.
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

#endif
