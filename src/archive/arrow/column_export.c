/* SPDX-License-Identifier: MIT */
/*
 * Each array owns its memory: what a buffer had grown is passed on as it is. Arrow wants a first offset also where
 * there is no row, and a pointer where there is no byte.
 */
#include <stdlib.h>

#include "archive/arrow/column.h"
#include "base/status.h"

/* What an array holds: its buffers, and the arrays of its children. */
struct owned {
	void *memory[3];
	const void *buffers[3];
	size_t n;
	struct ArrowArray **children;
	struct ArrowArray child[];
};

/* A child that was moved out of its parent has no release any more. */
static void release(struct ArrowArray *array)
{
	struct owned *o = array->private_data;
	for (size_t i = 0; i < o->n; i++) {
		if (o->child[i].release)
			o->child[i].release(&o->child[i]);
	}
	for (size_t i = 0; i < sizeof(o->memory) / sizeof(*o->memory); i++)
		free(o->memory[i]);
	free(o->children);
	free(o);
	array->release = NULL;
}

static struct owned *make(size_t n)
{
	struct owned *o = calloc(1, sizeof(*o) + n * sizeof(o->child[0]));
	if (!o)
		return NULL;
	o->n = n;
	o->children = calloc(n + 1, sizeof(*o->children));
	for (size_t i = 0; i < n && o->children; i++)
		o->children[i] = &o->child[i];
	if (o->children)
		return o;
	free(o);
	return NULL;
}

static void give(struct owned *o, size_t i, struct buf *from)
{
	static const int32_t zero = 0;
	o->memory[i] = from->data;
	o->buffers[i] = from->data ? (const void *)from->data : (const void *)&zero;
	*from = (struct buf){ 0 };
}

/* Returns how many buffers an array of that kind has. */
static int64_t give_all(struct owned *o, struct column *c)
{
	give(o, 0, &c->valid);
	if (c->nulls == 0)
		o->buffers[0] = NULL;
	switch (c->type->kind) {
	case COLUMN_TEXT:
		give(o, 1, &c->ends);
		give(o, 2, &c->values);
		return 3;
	case COLUMN_LIST:
		give(o, 1, &c->ends);
		return 2;
	case COLUMN_STRUCT:
		return 1;
	case COLUMN_INTEGER:
	case COLUMN_REAL:
	case COLUMN_BOOLEAN:
	default:
		give(o, 1, &c->values);
		return 2;
	}
}

int column_export(struct column *c, struct ArrowArray *out)
{
	const size_t n = c->type->n_children;
	struct owned *o = make(n);
	int status = o ? DANA_OK : DANA_ENOMEM;
	if (status < 0)
		return status;
	*out = (struct ArrowArray){ .length = c->rows,
				    .null_count = c->nulls,
				    .n_buffers = give_all(o, c),
				    .n_children = (int64_t)n,
				    .buffers = o->buffers,
				    .children = o->children,
				    .release = release,
				    .private_data = o };
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = column_export(&c->children[i], &o->child[i]);
	if (status < 0)
		release(out);
	else
		column_clear(c);
	return status;
}
