/* SPDX-License-Identifier: MIT */
/* What the lives of plugins that see all pages in order have in common. */
#ifndef DANA_PLUGINS_DEDUP_COMMON_ORDERED_H
#define DANA_PLUGINS_DEDUP_COMMON_ORDERED_H

#include "dana/dana_plugin.h"
#include "dedup/store/run_journal.h"

static inline bool option_is(const struct dana_host *host, const struct dana_context *c, const char *name,
			     const char *word)
{
	const char *value = host->option_text(c, name);
	return value && strcmp(value, word) == 0;
}

/** In `save`: keeps what run_journal_save says of the journal and the file. 0 or negative. */
static inline int ordered_save(const struct dana_host *host, struct dana_context *c, struct dana_store *store,
			       struct journal *j, uint64_t identity)
{
	uint8_t state[RUN_STATE];
	struct error err = { 0 };
	if (run_journal_save(j, identity, state, &err) < 0)
		return host->fail(c, "%s", err.text);
	return host->store(store, state, sizeof(state));
}

#endif
