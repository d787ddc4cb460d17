/* SPDX-License-Identifier: MIT */
/*
 * The content of a FILE.state: a line with the version of its form, a list of fields, and a line with a checksum over
 * all before it. A reader of its own can say what is in it and what is not; any changed, missing or added byte
 * is found. Pure functions.
 */
#ifndef DANA_CHECKPOINT_STATE_H
#define DANA_CHECKPOINT_STATE_H

#include "base/buf.h"
#include "base/status.h"

enum { STATE_VERSION = 1 };

/** Appends the state of a list of fields. Returns 0 or DANA_ENOMEM. */
int state_encode(struct slice fields, struct buf *state);
/**
 * Finds the list in `state`, of which *fields becomes a part. Returns 0; DANA_ECONFIG with a text that goes on after
 * the name of the file ("is damaged: ...") if it is not a state, is one of another version, or is damaged; or
 * DANA_ENOMEM.
 */
int state_decode(struct slice state, struct slice *fields, struct error *err);

#endif
