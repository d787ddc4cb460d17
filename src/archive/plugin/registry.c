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

#include "archive/plugin/plugins.h"

#define DECLARE(identifier) extern const struct dana_plugin dana_plugin_##identifier;
PLUGINS_BUILT_IN(DECLARE)

#define ROW(identifier) &dana_plugin_##identifier,
const struct dana_plugin *const registry_table[] = { PLUGINS_BUILT_IN(ROW) NULL };

const struct dana_plugin *registry_find(struct slice name)
{
	for (const struct dana_plugin *const *row = registry_table; *row; row++) {
		if (slice_equal(slice_from_text((*row)->name), name))
			return *row;
	}
	return NULL;
}
