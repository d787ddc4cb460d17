/* SPDX-License-Identifier: MIT */
/* Plugins that are shared objects: where they are looked for, and what they must be before a function of them is called. */
#ifndef DANA_PLUGIN_LOADER_H
#define DANA_PLUGIN_LOADER_H

#include "base/slice.h"
#include "base/status.h"
#include "dana/dana_plugin.h"

struct loaded {
	void *handle; /* loader_close */
	const struct dana_plugin *plugin;
};

/**
 * `name` with a slash is an absolute path, else NAME.so in `folder`. 0, or DANA_EPLUGIN with a text that names the file;
 * DANA_ECONFIG when there is no such file.
 */
int loader_open(struct loaded *out, struct slice name, const char *folder, struct error *err);
/** Whether the struct is one that this program can use: 0, or DANA_EPLUGIN with what is wrong, after `where`. */
int loader_check(const struct dana_plugin *plugin, const char *where, struct error *err);
/** The key under which documents have what the plugin says of them. */
const char *loader_object(const struct dana_plugin *plugin);
void loader_close(struct loaded *l);

#endif
