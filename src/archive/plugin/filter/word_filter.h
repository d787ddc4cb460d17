/* SPDX-License-Identifier: MIT */
/*
 * Filters by a list of words as a user writes it in the option `take`, "response,resource". It is kept as it is and compared
 * word by word, because it is short. It is what the run's threads share of the plugin; NULL takes all.
 */
#ifndef DANA_FILTER_WORD_FILTER_H
#define DANA_FILTER_WORD_FILTER_H

#include "base/near_name.h"
#include "dana/dana_plugin.h"

#define WORD_ANY "any" /* an item that takes all */

struct word_filter {
	bool (*is_word)(struct slice item);
	struct near_name (*near)(struct slice item); /* what may be meant by what is no word */
	const char *option, *expected;               /* for messages */
};

/** dana_plugin.load: reads the list. */
int word_filter_load(const struct word_filter *f, void **shared, const struct dana_host *h, struct dana_context *c);
/** DANA_KEEP when `word` is on the list, without regard to ASCII case; else DANA_DROP. */
int word_filter_answer(const void *list, struct slice word);

#endif
