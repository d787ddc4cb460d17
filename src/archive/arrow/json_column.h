/* SPDX-License-Identifier: MIT */
/*
 * JSON values as rows of columns, by the type of the column: arrays are lists, objects structs. The JSON is the
 * library's own: it is valid, values have the kinds that the type says, numbers are not negative and have few digits.
 */
#ifndef DANA_ARROW_JSON_COLUMN_H
#define DANA_ARROW_JSON_COLUMN_H

#include "archive/arrow/column.h"

/** What the reading needs; begin with zeros. Not for concurrent use. */
struct json_column {
	struct json_reader *reader;
	struct buf characters; /* of a string with escapes */
};

/** Returns 0 or DANA_ENOMEM. */
int json_column_init(struct json_column *j);
/**
 * Adds a row. NULL data, and members that an object does not have, are null. Linear in the text. Returns 0 or
 * DANA_ENOMEM; failures of the column latch in it.
 */
int json_column_add(struct json_column *j, struct column *c, struct slice json);
void json_column_free(struct json_column *j);

#endif
