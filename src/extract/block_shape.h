/*
 * FE and KFE look at a page as a row of blocks, each with the share of every kind of thing in it (S. Debnath et al. 2005). A
 * block begins and ends at each start and end tag of TABLE, TR, P, HR, UL, OL, DIV, BLOCKQUOTE and the headings.
 */
#ifndef DANA_EXTRACT_BLOCK_SHAPE_H
#define DANA_EXTRACT_BLOCK_SHAPE_H

#include "extract/token_stream.h"

struct block_shape {
	uint64_t text; /* characters outside of anchors */
	uint64_t link; /* characters in anchors */
	uint64_t other; /* 100 an image or form control, 40 a list item or table cell, and the characters of tags */
};

/** True when the tag divides blocks. */
bool block_shape_divides(enum html_tag tag);
void block_shape_add_word(struct block_shape *b, const struct token_word *word);
void block_shape_add_tag(struct block_shape *b, const struct token_tag *tag);

static inline uint64_t block_shape_sum(const struct block_shape *b)
{
	return b->text + b->link + b->other;
}

#endif
