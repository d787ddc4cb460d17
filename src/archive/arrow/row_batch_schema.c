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

/* Adds a child with room for `n` children of its own. NULL: memory is exhausted. */
static struct ArrowSchema *add(struct ArrowSchema *to, const char *format, const char *name, bool nullable, size_t n)
{
	struct ArrowSchema *child = malloc(sizeof(*child));
	if (!child || make(child, format, name, nullable, n) < 0) {
		free(child);
		return NULL;
	}
	to->children[to->n_children++] = child;
	return child;
}

int row_batch_schema(const struct row_batch *b, struct ArrowSchema *out)
{
	static const char *const formats[] = { [COLUMN_TEXT] = "u",
					       [COLUMN_INTEGER] = "l",
					       [COLUMN_REAL] = "g",
					       [COLUMN_BOOLEAN] = "b",
					       [COLUMN_WORDS] = "+l" };
	struct ArrowSchema all;
	int status = make(&all, "+s", "", false, b->n);
	if (status < 0)
		return status;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++) {
		const struct column_name *c = &b->name[i];
		const bool is_list = c->kind == COLUMN_WORDS;
		struct ArrowSchema *child = add(&all, formats[c->kind], c->name, c->nullable, is_list);
		if (!child || (is_list && !add(child, "u", "item", false, 0)))
			status = DANA_ENOMEM;
	}
	if (status == DANA_OK)
		*out = all;
	else
		release(&all);
	return status;
}
