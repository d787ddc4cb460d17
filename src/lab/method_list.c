/* SPDX-License-Identifier: MIT */
#include "lab/method_list.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/status.h"
#include "dana/dana.h"

static int add(struct method_list *list, struct slice name)
{
	const char **names = realloc(list->names, (list->len + 1) * sizeof(*names));
	if (!names)
		return DANA_ENOMEM;
	list->names = names;
	names[list->len] = (const char *)arena_copy(list->memory, name).data;
	return names[list->len++] ? DANA_OK : DANA_ENOMEM;
}

/* "gap=40" goes on with the keys of the method before it; "danag:gap=40" begins one. */
static bool begins_method(const char *text)
{
	size_t n = strcspn(text, ",:=");
	return text[n] != '=';
}

int method_list_make(struct method_list *list, const char *text)
{
	list->memory = arena_new();
	if (!list->memory)
		return DANA_ENOMEM;
	int status = DANA_OK;
	if (strcmp(text, "all") == 0) {
		for (size_t i = 0; i < dana_method_count() && status == DANA_OK; i++)
			status = add(list, slice_from_text(dana_method_name(i)));
		return status;
	}
	for (const char *from = text, *at = text; status == DANA_OK; at++) {
		if (*at == 0 || (*at == ',' && begins_method(at + 1))) {
			status = add(list, slice_of(from, (size_t)(at - from)));
			from = at + 1;
		}
		if (*at == 0)
			break;
	}
	return status;
}

void method_list_free(struct method_list *list)
{
	free(list->names);
	arena_free(list->memory);
}
