/* SPDX-License-Identifier: MIT */
/*
 * Decides whether decoded bytes begin like a record of a web archive, and so whether a member found after damage is
 * real.
 */
#ifndef DANA_CODEC_RECORD_START_H
#define DANA_CODEC_RECORD_START_H

#include "base/slice.h"

enum { RECORD_START_BYTES = 48 }; /* more bytes are never needed */

/** Returns 1 for yes, 0 for no, -1 if more bytes are needed. More bytes never change a result of 1 or 0. */
int record_start(struct slice decoded);

#endif
