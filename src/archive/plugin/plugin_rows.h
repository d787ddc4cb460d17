/* SPDX-License-Identifier: MIT */
/*
 * Plugins as a user names them, in order: --plugin NAME[:KEY=VALUE,...] and sections of the configuration file become
 * rows of name, key and value. Ownership: slices are borrowed from the command line or the file.
 */
#ifndef DANA_PLUGIN_PLUGIN_ROWS_H
#define DANA_PLUGIN_PLUGIN_ROWS_H

#include "base/slice.h"
#include "base/status.h"

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

#endif
