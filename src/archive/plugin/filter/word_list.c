/* SPDX-License-Identifier: MIT */
#include "archive/plugin/filter/word_list.h"

#include "base/ascii.h"

struct slice word_list_next(const char **list)
{
	struct slice item = slice_of(*list, strcspn(*list, ","));
	*list += item.len + ((*list)[item.len] == ',');
	return slice_trim(item);
}

bool word_list_has(const char *list, struct slice wanted)
{
	while (*list) {
		if (slice_equal_nocase(word_list_next(&list), wanted))
			return true;
	}
	return false;
}

const char *word_list_unless_any(const char *list)
{
	return word_list_has(list, slice_from_text(WORD_ANY)) ? NULL : list;
}
