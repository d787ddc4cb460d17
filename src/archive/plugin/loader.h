/* SPDX-License-Identifier: MIT */
/*
 * Loads plugins from shared objects: where they are searched, and what is checked before one of their functions is
 * called.
 */
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
 * `name` with a slash is an absolute path, else NAME.so in `folder`. Returns 0; DANA_EPLUGIN with a text that names the
 * file; DANA_ECONFIG if the file does not exist.
 */
int loader_open(struct loaded *out, struct slice name, const char *folder, struct error *err);
/** Returns the key of the plugin's object in documents. */
const char *loader_object(const struct dana_plugin *plugin);
void loader_close(struct loaded *l);

#endif
