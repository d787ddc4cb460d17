/* SPDX-License-Identifier: MIT */
/*
 * FE and KFE treat a page as a row of blocks, each with the shares of text, link text and other things in it (S.
 * Debnath et al. 2005). A block begins and ends at each start and end tag of TABLE, TR, P, HR, UL, OL, DIV, BLOCKQUOTE
 * and the headings.
 */
#ifndef DANA_PAPERS_BLOCK_SHAPE_H
#define DANA_PAPERS_BLOCK_SHAPE_H

#include "extract/papers/token_stream.h"

struct block_shape {
	uint64_t text;  /* characters outside of anchors */
	uint64_t link;  /* characters in anchors */
	uint64_t other; /* 100 an image or form control, 40 a list item or table cell, and the characters of tags */
};

void block_shape_add_word(struct block_shape *b, const struct token_word *word);
/**
 * A start tag belongs to the block that it begins, an end tag to the one that it ends: there `end` is called, and its
 * status returned.
 */
int block_shape_add_tag(struct block_shape *b, const struct token_tag *tag, int (*end)(void *arg), void *arg);

static inline uint64_t block_shape_sum(const struct block_shape *b)
{
	return b->text + b->link + b->other;
}

#endif
