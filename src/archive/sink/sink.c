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

bool sink_schema_find(const char *name, enum sink_schema *schema)
{
#define SCHEMA_WORD(identifier, word) word,
	static const char *const words[] = { SINK_SCHEMAS(SCHEMA_WORD) };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], name) != 0)
			continue;
		*schema = (enum sink_schema)i;
		return true;
	}
	return false;
}
