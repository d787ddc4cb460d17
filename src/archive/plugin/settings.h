/* SPDX-License-Identifier: MIT */
/* Values of a plugin's options, checked against its table. Threads: not changed after settings_read. */
#ifndef DANA_PLUGIN_SETTINGS_H
#define DANA_PLUGIN_SETTINGS_H

#include "archive/plugin/plugin_rows.h"
#include "base/buf.h"
#include "base/status.h"
#include "dana/dana_plugin.h"

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
/** Returns the value as help shows it: "FILE", "a|b", "N". */
const char *settings_argument(const struct dana_option *o);

#endif
