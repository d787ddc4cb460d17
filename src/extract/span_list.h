/* SPDX-License-Identifier: MIT */
/* Lists the parts of a page that a method keeps, as struct method_span, for methods that know them in order. */
#ifndef DANA_METHOD_SPAN_LIST_H
#define DANA_METHOD_SPAN_LIST_H

#include "extract/method.h"

/*
 * A part begins where the last text before it that is left out ends, and ends where the next one begins: tags and white
 * space between the two are not text, and must not weigh against a piece that is kept.
 */

/** Adds that from..to is kept, and that what is between it and the part before is not. */
int span_list_keep(struct buf *spans, uint64_t from, uint64_t to);
/**
 * Adds that nothing after the last part is kept, of which the text ends at `to`; another part may follow all the same.
 */
int span_list_drop_rest(struct buf *spans, uint64_t to);

#endif
