/* SPDX-License-Identifier: MIT */
/* All blocks have one type, as tables of other programs ask: what a kind of block does not have is null. */
#include "archive/arrow/item_types.h"

const struct column_type item_text_type = { "item", COLUMN_TEXT, false, NULL, 0 };

static const struct column_type row_type = { "item", COLUMN_LIST, false, &item_text_type, 1 };

static const struct column_type members[] = {
	{ "t", COLUMN_TEXT, false, NULL, 0 },        { "n", COLUMN_INTEGER, true, NULL, 0 },
	{ "d", COLUMN_INTEGER, true, NULL, 0 },      { "id", COLUMN_TEXT, true, NULL, 0 },
	{ "lang", COLUMN_TEXT, true, NULL, 0 },      { "rows", COLUMN_LIST, true, &row_type, 1 },
	{ "url", COLUMN_TEXT, true, NULL, 0 },       { "alt", COLUMN_TEXT, true, NULL, 0 },
	{ "text", COLUMN_TEXT, true, NULL, 0 },      { "p", COLUMN_REAL, true, NULL, 0 },
	{ "start", COLUMN_INTEGER, false, NULL, 0 }, { "kept", COLUMN_BOOLEAN, true, NULL, 0 },
};

const struct column_type item_block_type = { "item", COLUMN_STRUCT, false, members,
					     sizeof(members) / sizeof(*members) };
