/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/arena.h"
#include "base/status.h"
#include "dana/dana.h"
#include "lab/gold.h"

static int add(struct method_list *list, struct slice name)
{
	const char **names = realloc(list->names, (list->len + 1) * sizeof(*names));
	if (!names)
		return DANA_ENOMEM;
	list->names = names;
	names[list->len] = (const char *)arena_copy(list->memory, name).data;
	return names[list->len++] ? DANA_OK : DANA_ENOMEM;
}

/* "gap=40" continues the keys of the method before it; "danag:gap=40" begins one. */
int method_list_make(struct method_list *list, const char *text)
{
	list->memory = arena_new();
	int status = list->memory ? DANA_OK : DANA_ENOMEM;
	const bool all = strcmp(text, "all") == 0;
	for (size_t i = 0; all && i < dana_method_count() && status == DANA_OK; i++)
		status = add(list, slice_from_text(dana_method_name(i)));
	for (const char *at = text; !all && status == DANA_OK;) {
		size_t len = strcspn(at, ",");
		while (at[len] && at[len + 1 + strcspn(at + len + 1, ",:=")] == '=')
			len += 1 + strcspn(at + len + 1, ",");
		status = add(list, slice_of(at, len));
		if (at[len] == '\0')
			break;
		at += len + 1;
	}
	return status;
}

void method_list_free(struct method_list *list)
{
	free(list->names);
	arena_free(list->memory);
}
