/* SPDX-License-Identifier: MIT */
/*
 * The configuration file: lines of `key = value`, where the keys are the long names of options; `#` begins a comment
 * line; flags are `yes` or `no`. At its end sections of plugins, `[plugin NAME]`, with lines of `key = value` of that
 * plugin.
 */
#ifndef DANA_CONFIG_CONFIG_FILE_H
#define DANA_CONFIG_CONFIG_FILE_H

#include "cli/options/option.h"

/**
 * Reads `path` into `settings`; texts live in `memory`. Returns 0, DANA_ECONFIG (also: cannot be read, or could have
 * been written by anyone) or DANA_ENOMEM.
 */
int config_file_read(const struct option_table *table, void *settings, const char *path, struct arena *memory,
		     struct error *err);
/** The same from memory; `path` is for messages. Returns as config_file_read. */
int config_file_parse(const struct option_table *table, void *settings, struct slice text, const char *path,
		      struct arena *memory, struct error *err);
/**
 * Appends all settings as a file that config_file_parse reads back; unset ones as comments. Returns 0 or DANA_ENOMEM.
 */
int config_file_write(const struct option_table *table, const void *settings, struct buf *out);

#endif
