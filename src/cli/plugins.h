/* SPDX-License-Identifier: MIT */
/* What people read about plugins, made from their tables. All append to a buffer: 0 or DANA_ENOMEM. */
#ifndef DANA_CLI_PLUGINS_H
#define DANA_CLI_PLUGINS_H

#include "base/buf.h"

/** Sections of the sample configuration: every plugin that is built in, with its options. */
int plugins_sample(struct buf *out);
/** Calls `write` for each plugin that is built in and can be asked for: its name and "key=value " words that a shell completes. */
void plugins_completion(void (*write)(const char *plugin, const char *keys, struct buf *out), struct buf *out);

#endif
