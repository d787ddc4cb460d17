/* SPDX-License-Identifier: MIT */
#include "archive/sink/sink.h"

#include "archive/sink/formats.h"

#define SINK_ROW(name) &sink_##name,
const struct sink_ops *const sink_table[] = { SINKS(SINK_ROW) NULL };

const struct sink_ops *sink_find(const char *name)
{
	for (const struct sink_ops *const *s = sink_table; *s; s++) {
		if (strcmp((*s)->name, name) == 0)
			return *s;
	}
	return NULL;
}
