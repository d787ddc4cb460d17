/* SPDX-License-Identifier: MIT */
/*
 * Each array owns its memory: what a buffer had grown is passed on as it is. Arrow wants a first offset also where
 * there is no row, and a pointer where there is no byte.
 */
#include <stdlib.h>

#include "archive/arrow/column.h"
#include "base/status.h"

/* What an array holds: its buffers, and for a list the array of its words. */
struct owned {
	void *memory[3];
	const void *buffers[3];
	struct ArrowArray word, *words;
};

static void release(struct ArrowArray *array)
{
	struct owned *o = array->private_data;
	if (o->word.release)
		o->word.release(&o->word);
	for (size_t i = 0; i < sizeof(o->memory) / sizeof(*o->memory); i++)
		free(o->memory[i]);
	free(o);
	array->release = NULL;
}

static void give(struct owned *o, size_t i, struct buf *from)
{
	static const int32_t zero = 0;
	o->memory[i] = from->data;
	o->buffers[i] = from->data ? (const void *)from->data : (const void *)&zero;
	*from = (struct buf){ 0 };
}

/* The array of `rows` with the buffers that `o` gets. */
static void fill(struct ArrowArray *out, struct owned *o, int64_t rows, int64_t nulls, int64_t n_buffers)
{
	*out = (struct ArrowArray){ .length = rows,
				    .null_count = nulls,
				    .n_buffers = n_buffers,
				    .buffers = o->buffers,
				    .release = release,
				    .private_data = o };
}

static void give_validity(struct owned *o, struct column *c)
{
	give(o, 0, &c->valid);
	if (c->nulls == 0)
		o->buffers[0] = NULL;
}

static void give_text(struct owned *o, struct buf *ends, struct buf *values)
{
	give(o, 1, ends);
	give(o, 2, values);
}

static void give_words(struct owned *o, struct owned *word, struct column *c)
{
	const int64_t n = c->words.len ? (int64_t)(c->words.len / sizeof(int32_t)) - 1 : 0;
	give(o, 1, &c->ends);
	give_text(word, &c->words, &c->values);
	fill(&o->word, word, n, 0, 3);
	o->words = &o->word;
}

int column_export(struct column *c, struct ArrowArray *out)
{
	struct owned *o = calloc(1, sizeof(*o)), *word = c->kind == COLUMN_WORDS ? calloc(1, sizeof(*word)) : NULL;
	if (!o || (c->kind == COLUMN_WORDS && !word)) {
		free(o);
		free(word);
		return DANA_ENOMEM;
	}
	const int64_t rows = c->rows, nulls = c->nulls;
	give_validity(o, c);
	if (word) {
		give_words(o, word, c);
	} else if (c->kind == COLUMN_TEXT) {
		give_text(o, &c->ends, &c->values);
	} else {
		give(o, 1, &c->values);
	}
	fill(out, o, rows, nulls, c->kind == COLUMN_TEXT ? 3 : 2);
	if (word) {
		out->n_children = 1;
		out->children = &o->words;
	}
	column_clear(c);
	return DANA_OK;
}
