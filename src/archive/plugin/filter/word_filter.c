/* SPDX-License-Identifier: MIT */
#include "archive/plugin/filter/word_filter.h"

#include "base/ascii.h"

/* Takes the next item off a list, without white space at its ends. Returns an empty slice at the end. */
static struct slice next_item(const char **list)
{
	struct slice item = slice_of(*list, strcspn(*list, ","));
	*list += item.len + ((*list)[item.len] == ',');
	return slice_trim(item);
}

static bool has(const char *list, struct slice wanted)
{
	while (*list) {
		if (slice_equal_nocase(next_item(&list), wanted))
			return true;
	}
	return false;
}

int word_filter_load(const struct word_filter *f, void **shared, const struct dana_host *h, struct dana_context *c)
{
	const char *list = h->option_text(c, "take");
	*shared = NULL;
	if (has(list, slice_from_text(WORD_ANY)))
		return 0;
	for (const char *rest = list; *rest;) {
		const struct slice item = next_item(&rest);
		struct error err = { 0 };
		if (f->is_word(item))
			continue;
		const struct near_name near = f->near(item);
		(void)near_name_refuse(&near, f->option, f->expected, &err);
		return h->fail(c, "%s", err.text);
	}
	*shared = (void *)(uintptr_t)list;
	return 0;
}

int word_filter_answer(const void *list, struct slice word)
{
	return !list || has(list, word) ? DANA_KEEP : DANA_DROP;
}
