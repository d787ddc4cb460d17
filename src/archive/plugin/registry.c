/* SPDX-License-Identifier: MIT */
/*
 * configure writes the list of plugins that are built in, PLUGINS_BUILT_IN, into config.h (--with-plugin-NAME), and
 * PLUGINS_PURE, those of them that look at each page by itself. libdana-archive has only these (REGISTRY_PURE).
 */
#include "config.h"

#ifdef REGISTRY_PURE
#undef PLUGINS_BUILT_IN
#define PLUGINS_BUILT_IN PLUGINS_PURE
#endif

#include "archive/plugin/registry.h"

#define DECLARE(identifier) extern const struct dana_plugin dana_plugin_##identifier;
#define DECLARE_FILTER(identifier, skip, option) DECLARE(identifier)
BUILT_IN_FILTERS(DECLARE_FILTER)
PLUGINS_BUILT_IN(DECLARE)

#define ROW(identifier) { &dana_plugin_##identifier, SKIP_PLUGIN, NULL },
#define FILTER_ROW(identifier, skip, option) { &dana_plugin_##identifier, skip, option },
const struct registry_row registry_table[] = { BUILT_IN_FILTERS(FILTER_ROW) PLUGINS_BUILT_IN(ROW){ .plugin = NULL } };

const struct registry_row *registry_find(struct slice name)
{
	for (const struct registry_row *row = registry_table; row->plugin; row++) {
		if (slice_equal(slice_from_text(row->plugin->name), name))
			return row;
	}
	return NULL;
}
