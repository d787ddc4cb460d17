/* SPDX-License-Identifier: MIT */
#include "run/inputs/name_list.h"

#include <stdlib.h>

#include "base/grow.h"

int name_list_add(struct name_list *list, struct slice name, struct error *err)
{
	const char **items = grow_items(list->items, list->n, &list->cap, sizeof(*items));
	if (items)
		list->items = items;
	struct slice copy = items ? arena_copy(list->memory, name) : (struct slice){ NULL, 0 };
	if (!copy.data)
		return error_no_memory(err);
	list->items[list->n++] = (const char *)copy.data;
	return DANA_OK;
}

void name_list_free(struct name_list *list)
{
	free(list->items);
}
