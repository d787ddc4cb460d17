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

/* Checks whether a file may be used as code or as a secret: only root and the user can have written or replaced it. */

/**
 * `path`: absolute, without symbolic links. The file must be a regular one of root or the user that neither group nor
 * others can write, and so must its folder; a folder further up that others can write must be one like /tmp, where they
 * cannot rename files of others. Returns 0, or DANA_EPLUGIN with what is wrong.
 */
int file_trust(const char *path, struct error *err);
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
