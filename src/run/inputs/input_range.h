/* SPDX-License-Identifier: MIT */
/* A part of an input: the records whose member (not compressed: whose first byte) lies in [begin, end). Values without
 * owner. */
#ifndef DANA_RUN_INPUTS_INPUT_RANGE_H
#define DANA_RUN_INPUTS_INPUT_RANGE_H

#include "base/buf.h"
#include "base/slice.h"

struct input_range {
	uint64_t begin, end; /* bytes; end 0: to the end of the input; both 0: all of it */
};

static inline bool input_range_is_whole(struct input_range r)
{
	return r.begin == 0 && r.end == 0;
}

/** "BEGIN-END" or "BEGIN-", decimal, BEGIN below END. Returns false if `text` is not a range. */
bool input_range_read(struct slice text, struct input_range *range);
/** Appends the range as text; "BEGIN-" where it has no end. Returns 0 or DANA_ENOMEM. */
int input_range_write(struct input_range range, struct buf *out);
/** Takes "@BEGIN-END" off the end of an input's name. Returns false if the name does not end so. */
bool input_range_cut(struct slice *name, struct input_range *range);

#endif
