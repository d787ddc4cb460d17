/* SPDX-License-Identifier: MIT */
/*
 * The stack of open elements with the implied end tags of HTML (section 13.2.6, the parts that shape blocks): what a
 * start tag or an end tag closes. No tree is built and no element moves: foster parenting and the adoption agency are
 * left out.
 *
 *  - A block's start tag closes an open <p>; <li>, <dt> and <dd>, <option>, table parts, headings, <a> and <button>
 *    close an open element of their own kind.
 *  - An end tag closes its element and all elements above it, unless a table cell or another barrier lies between them
 *    (scopes). The end tag of an inline element does not close blocks. An end tag whose element is not open is ignored.
 *  - </body>, </html>, a second <html> or <body>, table parts outside of a table, and a <form> inside a form or between
 *    table parts are ignored. An earlier <form> outside of an open table does not make one inside of it the second.
 *  - In <head>, the start tag of anything that cannot be there closes it.
 *
 * Example: <ul><li>one<li>two</ul>: the second <li> closes 1 element and opens one; </ul> closes 2 elements, <li> and
 * <ul>.
 *
 * Elements deeper than the limit are not pushed: their content belongs to the deepest element that is. Every call takes
 * constant time besides the closing itself, unless different names of open elements share a bucket: `steps` counts the
 * elements of other names that searches pass. Not for concurrent use.
 */
#ifndef DANA_EXTRACT_HTML_ELEMENTS_H
#define DANA_EXTRACT_HTML_ELEMENTS_H

#include "extract/html/tokenizer.h"

enum { STACK_DEPTH_DEFAULT = 512, STACK_BUCKETS = 256, STACK_SCOPES = 8 };

/** What the stack asks about a tag again and again. */
struct stack_tag {
	uint16_t ends[STACK_SCOPES]; /* of each scope: UINT16_MAX if it stops searches, else 0 */
	uint32_t hash;               /* of its name */
};

struct element_stack {
	struct stack_element *stack;
	struct stack_tag tag[HTML_TAGS_COUNT];
	size_t depth, max;
	size_t deeper;                /* open elements that the limit kept off the stack */
	size_t steps;                 /* elements of other names that searches passed since the reset */
	uint16_t last[STACK_BUCKETS]; /* topmost element of each bucket, numbered from 1; 0: empty */
};

/** The effect of a tag: first the topmost `closes` elements end, then, if `opens`, one begins. */
struct stack_change {
	size_t closes;
	bool opens; /* the element was pushed; false if it is void or too deep, or the tag is ignored */
	bool empty; /* it is the start tag of a void element */
};

/** `max`: at most 65534; 0 means STACK_DEPTH_DEFAULT. */
int element_stack_init(struct element_stack *o, size_t max);
/** Applies a start tag to the stack and returns what it did. `name`: read for HTML_TAG_OTHER only. */
struct stack_change element_stack_start(struct element_stack *o, enum html_tag tag, struct slice name);
/** Applies an end tag, and returns how many of the topmost elements end. */
size_t element_stack_end(struct element_stack *o, enum html_tag tag, struct slice name);

/** Applies a tag to the stack and returns what it did. */
static inline struct stack_change element_stack_take(struct element_stack *o, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (event->closing)
		return (struct stack_change){ .closes = element_stack_end(o, tag, event->name) };
	return element_stack_start(o, tag, event->name);
}

/** Takes the topmost elements off, as if their tags had not been there. */
void element_stack_drop(struct element_stack *o, size_t count);
void element_stack_reset(struct element_stack *o);
void element_stack_free(struct element_stack *o);

/*
 * The elements of a page as a flat array in document order (preorder), 32 bytes each, each with its words, leaves and
 * slice of the page's text. Implied end tags are as in the stack. It has all elements, also inline ones,
 * except skipped and void ones. Element 0 is the page itself.
 *
 * A leaf is a line of text: it begins with the first word after a block boundary, so inline elements do not divide it.
 * Example: "<div>one <b>two</b><p>three</div>" has the elements 0 page, 1 div (3 words, 2 leaves), 2 b (1 word) and 3 p
 * (1 word, 1 leaf).
 *
 * Limits: at most `max_elements` elements and `max_depth` open ones; whatever exceeds them belongs to the enclosing
 * element. Time: constant for each tag and each word. Not for concurrent use.
 */
enum { ELEMENTS_DEFAULT = 256 << 10 };

struct element {
	uint32_t parent;            /* index, lower than its own; 0 for the page itself */
	uint32_t end;               /* index after the last element inside */
	uint32_t first_word, words; /* index of the first word (from 0), and number of words, including the words of
				       inner elements */
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

/** 0 selects the default limits. */
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
