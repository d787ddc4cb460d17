/* SPDX-License-Identifier: MIT */
/* Lists as a user writes them, "response,resource": kept as they are, and compared word by word, because they are short. */
#ifndef DANA_FILTER_WORD_LIST_H
#define DANA_FILTER_WORD_LIST_H

#include "base/slice.h"

#define WORD_ANY "any" /* an item that takes all */

/** Takes the next item off a list, without white space at its ends; empty at the list's end. */
struct slice word_list_next(const char **list);
/** Without regard to ASCII case. */
bool word_list_has(const char *list, struct slice wanted);
/** NULL when the list takes all. */
const char *word_list_unless_any(const char *list);

#endif
