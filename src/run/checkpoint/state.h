/* SPDX-License-Identifier: MIT */
/*
 * The content of a FILE.state: a line with the version of its form, a list of fields, and a line with a checksum over
 * all before it. What is in it and what is not can be told by a reader of its own; any changed, missing or added byte
 * is found. Pure functions.
 */
#ifndef DANA_CHECKPOINT_STATE_H
#define DANA_CHECKPOINT_STATE_H

#include "base/buf.h"
#include "base/status.h"

enum { STATE_VERSION = 1 };

/** Appends the state of a list of fields. 0 or DANA_ENOMEM. */
int state_encode(struct slice fields, struct buf *state);
/**
 * The list in `state`, of which *fields becomes a part. DANA_ECONFIG with a text that goes on after the name of the
 * file ("is damaged: ..."): no state, one of another version, or damaged; or DANA_ENOMEM.
 */
int state_decode(struct slice state, struct slice *fields, struct error *err);

#endif
