/* SPDX-License-Identifier: MIT */
/*
 * Builds the array of elements. An element's words and leaves are differences of counters: when it begins it stores
 * their values, and when it ends these are subtracted from the current ones. So a word costs the same at any depth.
 *
 * Example: "<div>one <b>two</b> three</div>". <b> begins after 1 word and ends after 2: first_word = 1, words = 1.
 * <div> begins at 0 and ends at 3.
 */
#include "extract/html/element_tree.h"

#include <stdlib.h>

#include "base/status.h"

_Static_assert(sizeof(struct element) == 32, "an element takes 32 bytes");

/* Elements whose memory is kept for the next page. */
enum { ELEMENTS_KEPT = 8 << 10 };

static int reserve(struct element_tree *tree)
{
	if (tree->count < tree->cap)
		return DANA_OK;
	size_t cap = tree->cap ? tree->cap * 2 : 256;
	struct element *elements = realloc(tree->elements, cap * sizeof(*elements));
	if (!elements)
		return DANA_ENOMEM;
	tree->elements = elements;
	tree->cap = cap;
	return DANA_OK;
}

/* Begins an element inside path[depth - 1]. Beyond the limit its parent takes its place in the path. */
static int begin(struct element_tree *tree, enum html_tag tag, size_t text)
{
	uint32_t parent = tree->depth ? tree->path[tree->depth - 1] : 0;
	if (tree->count >= tree->max_elements) {
		tree->path[tree->depth++] = parent;
		return DANA_OK;
	}
	int status = reserve(tree);
	if (status < 0)
		return status;
	tree->elements[tree->count] = (struct element){ .parent = parent,
							.first_word = tree->words,
							.leaves = tree->leaves,
							.text_start = (uint32_t)text,
							.depth = (uint16_t)tree->depth,
							.tag = (uint8_t)tag };
	tree->path[tree->depth++] = (uint32_t)tree->count++;
	return DANA_OK;
}

/* Ends the innermost element. Until now its `leaves` was the number of leaves before it. */
static void end(struct element_tree *tree, size_t text)
{
	uint32_t index = tree->path[--tree->depth];
	struct element *e = &tree->elements[index];
	if (tree->with_word > tree->depth)
		tree->with_word = tree->depth;

	/* beyond the limit the parent is in the path twice: it stays open */
	if (tree->depth && tree->path[tree->depth - 1] == index)
		return;

	e->end = (uint32_t)tree->count;
	e->words = tree->words - e->first_word;
	e->leaves = tree->leaves - e->leaves + (e->words && e->continues_leaf ? 1 : 0);
	e->text_end = (uint32_t)text;
}

int element_tree_init(struct element_tree *tree, size_t max_elements, size_t max_depth)
{
	*tree = (struct element_tree){ .max_elements = max_elements ? max_elements : ELEMENTS_DEFAULT };
	int status = element_stack_init(&tree->open, max_depth);
	if (status < 0)
		return status;
	tree->path = calloc(tree->open.max + 1, sizeof(*tree->path));
	if (!tree->path)
		return DANA_ENOMEM;
	return begin(tree, HTML_TAG_OTHER, 0);
}

void element_tree_reset(struct element_tree *tree)
{
	if (tree->cap > ELEMENTS_KEPT) {
		struct element *fewer = realloc(tree->elements, ELEMENTS_KEPT * sizeof(*fewer));
		tree->elements = fewer ? fewer : tree->elements;
		tree->cap = fewer ? ELEMENTS_KEPT : tree->cap;
	}
	element_stack_reset(&tree->open);
	tree->count = tree->depth = tree->with_word = 0;
	tree->words = tree->leaves = 0;
	/* cannot fail: element_tree_init made room for the page's own element */
	(void)begin(tree, HTML_TAG_OTHER, 0);
}

int element_tree_tag(struct element_tree *tree, const struct html_tag_event *event, size_t text)
{
	struct stack_change change = element_stack_take(&tree->open, event);
	for (size_t i = 0; i < change.closes; i++)
		end(tree, text);
	return change.opens ? begin(tree, (enum html_tag)event->tag, text) : DANA_OK;
}

void element_tree_word(struct element_tree *tree, bool breaks)
{
	bool new_leaf = breaks || tree->leaves == 0;
	for (; tree->with_word < tree->depth; tree->with_word++) {
		struct element *e = &tree->elements[tree->path[tree->with_word]];
		/* an element that is in the path more than once keeps the value from its own first word */
		if (e->first_word == tree->words)
			e->continues_leaf = !new_leaf;
	}
	tree->leaves += new_leaf;
	tree->words++;
}

void element_tree_finish(struct element_tree *tree, size_t text)
{
	while (tree->depth)
		end(tree, text);
}

void element_tree_free(struct element_tree *tree)
{
	element_stack_free(&tree->open);
	free(tree->elements);
	free(tree->path);
	tree->elements = NULL;
	tree->path = NULL;
}
