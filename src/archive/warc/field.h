/* SPDX-License-Identifier: MIT */
/*
 * Named fields of a record head (WARC 1.1, section 4), read leniently: lines end with LF or CRLF, folded lines are
 * joined, lines without a colon are skipped, blanks around names are allowed. Values are bytes; NULs stay.
 */
#ifndef DANA_WARC_FIELD_H
#define DANA_WARC_FIELD_H

#include "archive/record.h"
#include "base/status.h"

/** Growable list. A zeroed one is empty; field_list_free gives its memory back. Slices borrow from the parsed text. */
struct field_list {
	struct field *items;
	size_t len, cap;
	bool cut; /* the text had more fields than it was allowed to take */
};

/**
 * Appends the fields of `text` (lines, each with its LF; the last may lack it). Folded values are joined in place, so
 * the text changes and can be parsed only once. `most`: fields of the list in all; what comes after them is left out,
 * and list->cut set. Returns 0 or DANA_ENOMEM.
 */
int field_list_parse(struct field_list *list, uint8_t *text, size_t len, size_t most);
int field_list_add(struct field_list *list, struct slice name, struct slice value);
void field_list_clear(struct field_list *list);
void field_list_free(struct field_list *list);

/** A number as Content-Length must be: digits only, at most INT64_MAX. Returns false when it is not. */
bool field_number(struct slice value, uint64_t *number);

/**
 * Returns `value` without the one pair of angle brackets that may be around it: old writers put URIs and ids in them.
 */
struct slice field_without_brackets(struct slice value);

#endif
