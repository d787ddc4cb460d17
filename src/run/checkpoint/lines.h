/* SPDX-License-Identifier: MIT */
/*
 * Texts of lines "word value", in which a run says what it depends on: its options, the identity of its inputs
 * (io/source.h). Pure functions.
 */
#ifndef DANA_CHECKPOINT_LINES_H
#define DANA_CHECKPOINT_LINES_H

#include "base/buf.h"

/**
 * Compares the lines of two runs. Their order does not matter, and one without a value is as if it were not there.
 * Returns true if they differ, and the first difference is appended to `what` as text for people ("method was danag, is
 * learned now").
 */
bool lines_differ(struct slice then, struct slice now, struct buf *what);

/** Appends a line; control characters in `value` are escaped. */
void lines_put(struct buf *out, const char *word, struct slice value);

#endif
