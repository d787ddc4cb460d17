/* SPDX-License-Identifier: MIT */
/*
 * Schemas own all that they point to, names too, because a schema may outlive its batch and be moved out of the schema
 * that it is a part of.
 */
#include <stdlib.h>

#include "archive/arrow/row_batch.h"
#include "base/status.h"

struct node {
	struct ArrowSchema **children;
	char name[];
};

static void release(struct ArrowSchema *schema)
{
	struct node *node = schema->private_data;
	for (int64_t i = 0; i < schema->n_children; i++) {
		struct ArrowSchema *child = node->children[i];
		if (child->release)
			child->release(child);
		free(child);
	}
	free(node->children);
	free(node);
	schema->release = NULL;
}

/* Makes a schema that has room for `n` children, and none. */
static int make(struct ArrowSchema *out, const char *format, const char *name, bool nullable, size_t n)
{
	const size_t name_size = strlen(name) + 1;
	struct node *node = malloc(sizeof(*node) + name_size);
	struct ArrowSchema **children = calloc(n + 1, sizeof(struct ArrowSchema *));
	if (!node || !children) {
		free(node);
		free(children);
		return DANA_ENOMEM;
	}
	node->children = children;
	memcpy(node->name, name, name_size);
	*out = (struct ArrowSchema){ .format = format,
				     .name = node->name,
				     .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
				     .children = node->children,
				     .release = release,
				     .private_data = node };
	return DANA_OK;
}

/* Describes a column and its children, as the child of another one that has room for it. Returns 0 or DANA_ENOMEM. */
static int describe(struct ArrowSchema *parent, const struct column_type *type)
{
	static const char *const formats[] = { [COLUMN_TEXT] = "u",    [COLUMN_INTEGER] = "l", [COLUMN_REAL] = "g",
					       [COLUMN_BOOLEAN] = "b", [COLUMN_LIST] = "+l",   [COLUMN_STRUCT] = "+s" };
	struct ArrowSchema *child = malloc(sizeof(*child));
	if (!child || make(child, formats[type->kind], type->name, type->nullable, type->n_children) < 0) {
		free(child);
		return DANA_ENOMEM;
	}
	parent->children[parent->n_children++] = child;
	int status = DANA_OK;
	for (size_t i = 0; i < type->n_children && status == DANA_OK; i++)
		status = describe(child, &type->children[i]);
	return status;
}

int row_batch_schema(const struct row_batch *b, struct ArrowSchema *out)
{
	struct ArrowSchema all;
	int status = make(&all, "+s", "", false, b->n);
	if (status < 0)
		return status;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++)
		status = describe(&all, &b->type[i]);
	if (status == DANA_OK)
		*out = all;
	else
		release(&all);
	return status;
}
