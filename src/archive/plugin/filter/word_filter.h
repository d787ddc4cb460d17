/* SPDX-License-Identifier: MIT */
/*
 * Filters by a list of words as a user writes it in the option `take`, "response,resource". The list is short, so it is
 * kept as it is and compared word by word. It is the `shared` data of the plugin; NULL takes all.
 */
#ifndef DANA_FILTER_WORD_FILTER_H
#define DANA_FILTER_WORD_FILTER_H

#include "base/near_name.h"
#include "dana/dana_plugin.h"

#define WORD_ANY "any" /* an item that takes all */

struct word_filter {
	bool (*is_word)(struct slice item);
	struct near_name (*near)(struct slice item); /* suggests a word for one that is not valid */
	const char *option, *expected;               /* for messages */
};

/** dana_plugin.load: reads the list, and returns as that. */
int word_filter_load(const struct word_filter *f, void **shared, const struct dana_host *h, struct dana_context *c);
/** Returns DANA_KEEP if `word` is on the list, ignoring ASCII case; else DANA_DROP. */
int word_filter_answer(const void *list, struct slice word);

#endif
