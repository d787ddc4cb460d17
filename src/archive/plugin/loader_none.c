/* SPDX-License-Identifier: MIT */
/* The calls of loader.c on systems where nothing is loaded: plugins are built in. */
#include "config.h"

#include <string.h>

#include "archive/plugin/plugins.h"
#include "base/diagnostics.h"
#include "base/status.h"

int loader_open(struct loaded *out, struct slice name, const char *folder, struct error *err)
{
	char shown[256];
	(void)folder;
	*out = (struct loaded){ NULL, NULL };
	printable(name, shown, sizeof(shown));
	return error_set(err, memchr(name.data, '/', name.len) ? DANA_EPLUGIN : DANA_ECONFIG,
			 "'%s' is not built in, and this build loads no plugins", shown);
}

bool loader_loads(void)
{
	return false;
}

void loader_close(struct loaded *l)
{
	(void)l;
}
