/* SPDX-License-Identifier: MIT */
#include "archive/arrow/texts_column.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

int texts_column_type(struct column_type *type, const char *const *methods, size_t n)
{
	struct column_type *children = calloc(n, sizeof(*children));
	*type = (struct column_type){ "texts", COLUMN_STRUCT, false, children, n };
	if (!children)
		return DANA_ENOMEM;
	for (size_t i = 0; i < n; i++)
		children[i] = (struct column_type){ methods[i], COLUMN_TEXT, true, NULL, 0 };
	return DANA_OK;
}

void texts_column_add(struct column *c, const struct dana_method_text *texts)
{
	for (size_t i = 0; i < c->type->n_children; i++) {
		const struct dana_view text = texts ? texts[i].text : (struct dana_view){ NULL, 0 };
		column_add_text(&c->children[i], slice_of(text.data, text.len));
	}
	column_end(c);
}

void texts_column_free(struct column_type *type)
{
	free((void *)(uintptr_t)type->children);
}
