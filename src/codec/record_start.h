/* Tells whether decoded bytes begin like a record of a web archive: the proof that a member found after damage is one. */
#ifndef DANA_CODEC_RECORD_START_H
#define DANA_CODEC_RECORD_START_H

#include "base/slice.h"

enum { RECORD_START_BYTES = 48 }; /* more are never needed to tell */

/** 1 = yes, 0 = no, -1 = needs more bytes. The answers 1 and 0 stay what they are when bytes are added. */
int record_start(struct slice decoded);

#endif
