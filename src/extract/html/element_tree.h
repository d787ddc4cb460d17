/* SPDX-License-Identifier: MIT */
/*
 * The elements of a page as a flat array in document order (preorder), 32 bytes each, each with its words, leaves and
 * slice of the page's text. Implied end tags are those of element_stack.h. It has all elements, also inline ones,
 * except skipped and void ones. Element 0 is the page itself.
 *
 * A leaf is a line of text: it begins with the first word after a block boundary, so inline elements do not divide it.
 * Example: "<div>one <b>two</b><p>three</div>" has the elements 0 page, 1 div (3 words, 2 leaves), 2 b (1 word) and 3 p
 * (1 word, 1 leaf).
 *
 * Limits: at most `max_elements` elements and `max_depth` open ones; whatever exceeds them belongs to the enclosing
 * element. Time: constant for each tag and each word. Not for concurrent use. Errors: DANA_ENOMEM.
 */
#ifndef DANA_HTML_ELEMENT_TREE_H
#define DANA_HTML_ELEMENT_TREE_H

#include "extract/html/element_stack.h"

enum { ELEMENTS_DEFAULT = 256 << 10 };

struct element {
	uint32_t parent; /* index, lower than its own; 0 for the page itself */
	uint32_t end;    /* index after the last element inside */
	uint32_t first_word,
		words; /* index of the first word (from 0), and number of words, including those of inner elements */
	uint32_t leaves;
	uint32_t text_start, text_end;
	uint16_t depth; /* 0 = the page */
	uint8_t tag;
	bool continues_leaf; /* its first word is in the same leaf as the word before it */
};

struct element_tree {
	struct element *elements;
	size_t count, cap, max_elements;
	struct element_stack open;
	uint32_t *path;   /* open elements, path[0] = 0 */
	size_t depth;     /* of path */
	size_t with_word; /* path[0..with_word) have a word already */
	uint32_t words, leaves;
};

/** 0 selects the default limits. Returns 0 or DANA_ENOMEM. */
int element_tree_init(struct element_tree *tree, size_t max_elements, size_t max_depth);
/** Takes a tag that is not skipped; `text` is the length of the page's text so far. */
int element_tree_tag(struct element_tree *tree, const struct html_tag_event *event, size_t text);
/** Takes a word, before it is added to the text. `breaks`: a block boundary precedes it. */
void element_tree_word(struct element_tree *tree, bool breaks);
/** Ends the page: all elements end. */
void element_tree_finish(struct element_tree *tree, size_t text);
void element_tree_reset(struct element_tree *tree);
void element_tree_free(struct element_tree *tree);

#endif
