/* SPDX-License-Identifier: MIT */
/*
 * The types of plugins as the interface of a library, so that abidw describes them: structs by pointers, so that they
 * may grow, and each enumeration by itself, because abidiff does not look for them in functions that a struct points
 * to.
 */
#include "dana/dana_plugin.h"

const struct dana_host *dana_promised(const struct dana_plugin *plugin, const struct dana_block *block);
int dana_promised_words(enum dana_verdict verdict, enum dana_text_item text, enum dana_number_item number,
			enum dana_log_level level, enum dana_option_type option, enum dana_plugin_flags flags);

const struct dana_host *dana_promised(const struct dana_plugin *plugin, const struct dana_block *block)
{
	(void)plugin;
	(void)block;
	return NULL;
}

int dana_promised_words(enum dana_verdict verdict, enum dana_text_item text, enum dana_number_item number,
			enum dana_log_level level, enum dana_option_type option, enum dana_plugin_flags flags)
{
	return (int)verdict + (int)text + (int)number + (int)level + (int)option + (int)flags;
}
