/* SPDX-License-Identifier: MIT */
/* The plugins that are built in, the built-in filters first. */
#ifndef DANA_PLUGIN_REGISTRY_H
#define DANA_PLUGIN_REGISTRY_H

#include "archive/stream/document.h"
#include "dana/dana_plugin.h"

/**
 * The filters of every run, with the reason of records they skip, and the option of `dana filter` that sets them:
 * X(identifier, reason, "options").
 */
#define BUILT_IN_FILTERS(X) \
	X(type, SKIP_TYPE, "--type") \
	X(status, SKIP_STATUS, "--status") \
	X(mime, SKIP_MIME, "--mime") \
	X(length, SKIP_SHORT, "--min-chars")

struct registry_row {
	const struct dana_plugin *plugin; /* NULL ends the table */
	enum skip_reason skip;            /* SKIP_PLUGIN: the user may name it */
	const char *option;               /* of `dana filter`, instead of --plugin; NULL with SKIP_PLUGIN */
};

extern const struct registry_row registry_table[];

/** Returns the built-in plugin of that name, or NULL. */
const struct registry_row *registry_find(struct slice name);

#endif
