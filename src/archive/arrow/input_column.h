/* SPDX-License-Identifier: MIT */
/* A column of bytes or texts that another program has made, in any of Arrow's layouts of them. */
#ifndef DANA_ARROW_INPUT_COLUMN_H
#define DANA_ARROW_INPUT_COLUMN_H

#include "base/slice.h"
#include "base/status.h"
#include "dana/arrow_abi.h"

struct input_column {
	const struct ArrowArray *array;
	bool is_text; /* utf8: characters, in no other charset */
	char layout;  /* 'z': offsets of 32 bits; 'Z': of 64; 'v': views */
};

/** Borrows both structs. Returns 0, or DANA_ECONFIG with a text in `err`: this column holds something else. */
int input_column_open(struct input_column *c, const struct ArrowSchema *schema, const struct ArrowArray *array,
		      struct error *err);
/** Returns row `i`, from 0; NULL data: null. */
struct slice input_column_row(const struct input_column *c, int64_t i);

#endif
