/*
 * The stack of open elements with the implied end tags of HTML (section 13.2.6, the parts that shape blocks): what a start tag
 * or an end tag closes. No tree is built and no element moves: foster parenting and the adoption agency are left out.
 *
 *  - block tags close an open <p>; <li>, <dt>/<dd>, <option>, table parts, headings, <a> and <button> close their like;
 *  - an end tag closes its element and all above it, unless a table cell or its like lies between (scopes); the end tag of an
 *    inline element does not close blocks; an end tag without open element is nothing;
 *  - </body>, </html>, a second <html> or <body>, table parts outside of a table, and a form in a form or between table parts
 *    are nothing.
 * Elements deeper than the limit are not pushed: they count as part of the deepest one that is. Every call takes constant time
 * besides the closing itself, unless different names of open elements share a bucket: `steps` counts those that a search passes. Not for concurrent use.
 */
#ifndef DANA_HTML_ELEMENT_STACK_H
#define DANA_HTML_ELEMENT_STACK_H

#include "html/tokenizer.h"

enum { STACK_DEPTH_DEFAULT = 512, STACK_BUCKETS = 256 };

struct stack_element;

struct element_stack {
	struct stack_element *stack;
	size_t depth, max;
	size_t deeper;                /* open elements beyond the limit */
	size_t steps;                 /* passed by searches since the reset: elements of other names */
	uint16_t last[STACK_BUCKETS]; /* topmost element by name, 1 = the lowest, 0 = none */
};

/** What a tag does: first `closes` elements end, topmost first, then, if `opens`, one begins. */
struct stack_change {
	size_t closes;
	bool opens; /* it is on the stack; otherwise it has no content (void element) or is beyond the limit */
	bool empty; /* a start tag of an element that has no content */
};

/** `max` 0 = STACK_DEPTH_DEFAULT; at most 65534. 0 or DANA_ENOMEM. */
int element_stack_init(struct element_stack *o, size_t max);
/** The stack is changed accordingly. */
struct stack_change element_stack_take(struct element_stack *o, const struct html_tag_event *event);
void element_stack_reset(struct element_stack *o);
void element_stack_free(struct element_stack *o);

#endif
