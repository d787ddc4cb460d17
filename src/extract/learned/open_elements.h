/* SPDX-License-Identifier: MIT */
/*
 * A light stack of open elements: implied ends for p, li, dt/dd, table parts; an end tag finds its match in constant
 * time, because each entry knows the next lower one of its tag.
 */
#ifndef DANA_LEARNED_OPEN_ELEMENTS_H
#define DANA_LEARNED_OPEN_ELEMENTS_H

#include "extract/html/tag.h"

struct open_element {
	uint32_t element;
	int32_t same;  /* next lower entry with this tag, or -1 */
	int32_t block; /* next lower entry that is a block, or -1 */
	uint8_t tag;
};

struct open_elements {
	struct open_element *entry;
	unsigned len, max;
	int32_t top[HTML_TAGS_COUNT]; /* uppermost entry of each tag, or -1 */
	int32_t top_block;            /* uppermost entry that is neither span nor unknown */
};

int open_elements_init(struct open_elements *o, unsigned max);
void open_elements_reset(struct open_elements *o);
void open_elements_free(struct open_elements *o);
/** Ends the elements that a start tag of `tag` closes by implication. */
void open_elements_imply(struct open_elements *o, enum html_tag tag, bool is_block);
/** Returns false if the stack is full: the element is then not opened. */
bool open_elements_push(struct open_elements *o, enum html_tag tag, uint32_t element);
void open_elements_close(struct open_elements *o, enum html_tag tag);
/** Closes all entries except the lowest `len`. */
void open_elements_cut(struct open_elements *o, unsigned len);

/** Returns the innermost open element; 0 is the page. */
static inline uint32_t open_elements_top(const struct open_elements *o)
{
	return o->len ? o->entry[o->len - 1].element : 0;
}

#endif
