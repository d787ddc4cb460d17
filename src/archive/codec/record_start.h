/* SPDX-License-Identifier: MIT */
/*
 * Do decoded bytes begin like a record of a web archive? This decides whether a member that is found after damage is a
 * real one.
 */
#ifndef DANA_CODEC_RECORD_START_H
#define DANA_CODEC_RECORD_START_H

#include "base/slice.h"

enum { RECORD_START_BYTES = 48 }; /* more are never needed to tell */

/** 1: yes; 0: no; -1: more bytes are needed. More bytes never change a result of 1 or 0. */
int record_start(struct slice decoded);

#endif
