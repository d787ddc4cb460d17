/* SPDX-License-Identifier: MIT */
/* What people read about plugins, made from their tables. All append to a buffer. */
#ifndef DANA_CLI_PLUGINS_H
#define DANA_CLI_PLUGINS_H

#include "base/buf.h"

struct dana_plugin;

/** Appends the sections of the sample configuration: every plugin that is built in, with its options. */
int plugins_sample(struct buf *out);
/**
 * Calls `each` for each plugin that can be asked for by its name: those that are built in, and those of the folder of
 * plugins that can be loaded, which are there during the call.
 */
void plugins_each(void (*each)(const struct dana_plugin *p, void *arg), void *arg);

#endif
